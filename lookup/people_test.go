package lookup_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
)

// addTable adds a table of the survey with the figures of each area, by the
// names of their fields; what is not named is not published.
func addTable(t *testing.T, w *storewrite.Writer, level acs.Level, p acs.Profile, year int, areas map[uint64]map[string]float64) {
	t.Helper()
	layout, _, _ := lookuptest.SurveyTable(level, p, year)
	id, err := w.AddACSTable(layout)
	check(t, err)
	for area, figures := range areas {
		cells := make([]store.ACSCell, len(layout.Columns))
		for i, c := range layout.Columns {
			none := store.ACSFigure{Mark: store.ACSTooFewCases}
			cells[i].Estimate, cells[i].MOE = none, none
			if c.Class == store.ACSPercentOnly {
				none := store.ACSFigure{Mark: store.ACSNotApplicable}
				cells[i].Estimate, cells[i].MOE = none, none
			}
			if c.Class != store.ACSPlain {
				cells[i].Percent, cells[i].PercentMOE = none, none
			}
			if v, ok := figures[c.Field]; ok {
				cells[i].Estimate = store.ACSFigure{N: int32(math.Round(v * math.Pow10(int(c.Decimals)))), Mark: store.ACSNumber}
			}
		}
		check(t, w.AddACSRow(id, area, cells))
	}
}

// surveyedReader reads a dataset with the survey of one ZIP and two tracts.
func surveyedReader(t *testing.T) *lookup.Reader {
	t.Helper()
	path := lookuptest.Path(t, func(w *storewrite.Writer) error {
		zcta := func(p acs.Profile, figures map[string]float64) {
			addTable(t, w, acs.ZCTA, p, 2023, map[uint64]map[string]float64{90210: figures})
		}
		addTable(t, w, acs.ZCTA, acs.Demographic, 2022, map[uint64]map[string]float64{
			90210: {"demographic.sex_and_age.total_population": 1}, 10001: {"demographic.sex_and_age.total_population": 2},
		})
		zcta(acs.Demographic, map[string]float64{
			"demographic.sex_and_age.total_population": 20_000, "demographic.sex_and_age.male": 9_500, "demographic.sex_and_age.female": 10_500,
			"demographic.sex_and_age.median_age": 47.3,
		})
		zcta(acs.Social, map[string]float64{
			"social.households.total_households": 8_000, "social.households.average_household_size": 2.49, "social.households.average_family_size": 3.06,
		})
		zcta(acs.Economic, map[string]float64{"economic.income.median_household_income": 190_123})
		addTable(t, w, acs.Tract, acs.Demographic, 2023, map[uint64]map[string]float64{
			6037700600: {"demographic.sex_and_age.total_population": 3_000}, 6037700700: {"demographic.sex_and_age.total_population": 1_000},
		})
		return nil
	})
	return lookuptest.Reader(t, lookuptest.OpenFile(t, path))
}

func TestDemographics(t *testing.T) {
	r := surveyedReader(t)
	for code, want := range map[string]*lookup.Demographics{
		"90210": {
			Population: &lookup.Population{Total: ptr(20_000), Estimate: ptr(21_741), Male: ptr(9_500), Female: ptr(10_500)},
			Age:        &lookup.Age{Median: ptr(47.3)},
			Households: &lookup.Households{Total: ptr(8_000), PersonsPerHome: ptr(2.49), AverageFamilySize: ptr(3.06), MedianIncome: ptr(190_123)},
			Business: &lookup.Business{
				Establishments: 2568, Employees: ptr(33_310), PayrollQ1: ptr(int64(583_253_000)), PayrollAnnual: ptr(int64(2_346_263_000)),
			},
		},
		"00601": {Business: &lookup.Business{Establishments: 2, EmploymentFlag: "A"}},
		"10001": nil, // an older year has it, the newest has not
		"99546": nil,
	} {
		rec := full(t, r, code, lookup.Include{Demographics: true})
		if diff := cmp.Diff(want, rec.Demographics); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
		if noted := len(rec.Notices) > 0; noted != (want == nil) || slices.Contains(rec.Delivered(), "demographics") == noted {
			t.Errorf("%s: notices %v, delivered %v", code, rec.Notices, rec.Delivered())
		}
	}
}

func ptr[T any](v T) *T { return &v }

// people writes a dataset of ZIPs with their residents, of whom -1 are unknown, and of
// block groups with the people of their ZIPs.
func people(t *testing.T, residents map[string]int32, groups []store.Center) *lookup.Reader {
	t.Helper()
	w, must := lookuptest.Create(t), lookuptest.Must(t)
	must(w.SetStates([]store.State{{Country: store.US, Abbr: "KS", Name: "Kansas", FIPS: "20"}}))
	for z := range postcode.ZIP(postcode.NumZIPs) {
		if n, ok := residents[z.String()]; ok {
			var detail store.ZIPDetail
			if n >= 0 {
				detail.Population = &n
			}
			must(w.AddZIP(store.ZIPRow{ZIP: z, City: "Town", State: 1, Class: store.General, Location: geo.MustLatLng(38, -99)}, detail))
		}
	}
	must(w.SetCenters(groups))
	return lookuptest.Reader(t, w.Open())
}

// TestZIP3 adds up the people of ZIPs by their first three digits: those of the survey,
// and without it those of the census (decision D82).
func TestZIP3(t *testing.T) {
	survey := map[string]int32{"00601": 20_000, "00602": 1, "66002": 15_000, "66099": 5_000, "66101": -1, "99999": 0}
	unknown := map[string]int32{"66002": -1, "66099": -1, "66101": -1}
	groups := []store.Center{
		{BlockGroup: 200050815001, At: geo.MustLatLng(38, -99), People: 30_000, ZIP: 66002, Others: []store.CenterShare{{ZIP: 66101, People: 9_000}}},
	}
	for name, tt := range map[string]struct {
		r    *lookup.Reader
		want map[string]lookup.ZIP3
	}{
		"survey": {people(t, survey, groups), map[string]lookup.ZIP3{
			"006": {Code: "006", ZIPs: 2, Population: 20_001, SafeHarbor: "006"}, " 660 ": {Code: "660", ZIPs: 2, Population: 20_000, SafeHarbor: "000"},
			"66002": {Code: "660", ZIPs: 2, Population: 20_000, SafeHarbor: "000"}, "661": {Code: "661", ZIPs: 1, SafeHarbor: "000"},
			"00601-1234": {Code: "006", ZIPs: 2, Population: 20_001, SafeHarbor: "006"}, "999": {Code: "999", ZIPs: 1, SafeHarbor: "000"},
		}},
		"census": {people(t, unknown, groups), map[string]lookup.ZIP3{
			"660": {Code: "660", ZIPs: 2, Population: 21_000, SafeHarbor: "660"}, "661": {Code: "661", ZIPs: 1, Population: 9_000, SafeHarbor: "000"},
		}},
	} {
		for code, want := range tt.want {
			want.Item = envelope.Item{Success: true}
			got, err := tt.r.ZIP3(t.Context(), code)
			if err != nil {
				t.Errorf("%s: %s: %v", name, code, err)
			} else if diff := cmp.Diff(want, *got); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", name, code, diff)
			}
		}
		for code, want := range map[string]error{"990": envelope.ErrNotFound, "K1A": envelope.ErrInvalidCode, "66": envelope.ErrInvalidCode, "": envelope.ErrInvalidCode, "6600a": envelope.ErrInvalidCode, "38,-99": envelope.ErrInvalidCode} {
			if got, err := tt.r.ZIP3(t.Context(), code); !errors.Is(err, want) {
				t.Errorf("%s: %q: %+v, %v, want %v", name, code, got, err, want)
			}
		}
	}
	if got, err := people(t, unknown, nil).ZIP3(t.Context(), "660"); !errors.Is(err, envelope.ErrUnavailable) {
		t.Errorf("without people: %+v, %v", got, err)
	}
}

// A dataset without codes of a kind cannot deny one (decision D33).
func TestNoCodesOfAKind(t *testing.T) {
	r := people(t, nil, nil)
	for _, code := range []string{"66002", "66002-1234", "K1A", "K1A 0B1"} {
		if _, err := r.Quick(t.Context(), code, lookup.QuickOptions{}); !errors.Is(err, envelope.ErrUnavailable) {
			t.Errorf("quick look-up of %s: %v", code, err)
		}
		if _, err := r.Full(t.Context(), code, lookup.Options{}); !errors.Is(err, envelope.ErrUnavailable) {
			t.Errorf("%s: %v", code, err)
		}
	}
	if _, err := r.ZIP3(t.Context(), "660"); !errors.Is(err, envelope.ErrUnavailable) {
		t.Errorf("ZIP3: %v", err)
	}
	if _, err := r.ACS().Series(t.Context(), []string{"66002"}, nil, acs.SeriesOptions{}); !errors.Is(err, envelope.ErrUnavailable) {
		t.Errorf("survey: %v", err)
	}
}

// TestNobodyInTwoAreas adds up the parts of the national dataset's ZIP Codes, also of those
// whose block groups have no people left for them.
func TestNobodyInTwoAreas(t *testing.T) {
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		t.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
	}
	r := lookuptest.Reader(t, lookuptest.OpenFile(t, path))
	parts := map[string]float64{}
	for row, err := range r.Crosswalk(t.Context(), "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople}) {
		check(t, err)
		if parts[row.From] += *row.PctOfFrom; parts[row.From] > 100.01 {
			t.Errorf("%s has %v %% of its people in counties", row.From, parts[row.From])
		}
	}
}

// TestPeopleAddUp relates geographies of the sample by people, both ways. The people of
// all pairs and of the remainder sum to the census, in every state.
func TestPeopleAddUp(t *testing.T) {
	r := sampleReader(t)
	check(t, r.Dataset().Load(t.Context(), store.SectionCenters))
	census, states := 0, map[string]int{}
	for c := range r.Dataset().Centers() {
		census += c.People
		states[fmt.Sprintf("%012d", c.BlockGroup)[:2]] += c.People
	}
	if census == 0 {
		t.Fatal("the sample has no people")
	}
	for _, pair := range [][2]string{
		{"zip", "county"}, {"zip", "state"}, {"tract", "cd"}, {"county", "zip"}, {"cd", "sldu"}, {"cbsa", "zip"}, {"csa", "cd"}, {"place", "bg"}, {"zip", "place"},
	} {
		name := pair[0] + "-" + pair[1]
		opt := lookup.CrosswalkOptions{Weight: lookup.WeightPeople, Remainder: true}
		sum, some := 0, 0
		inState := map[string]int{}
		ofFrom := map[string]float64{}
		both := map[[2]string]int{}
		for row, err := range r.Crosswalk(t.Context(), lookup.Layer(pair[0]), lookup.Layer(pair[1]), opt) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if row.Reason != "" { // a ZIP Code without people
				continue
			}
			if row.People == nil || row.Basis != "block_groups" && (row.Basis != "contains_point" || *row.People > 0) || row.Weight != lookup.WeightPeople {
				t.Fatalf("%s: %+v", name, row)
			}
			sum += *row.People
			ofFrom[row.From] += *row.PctOfFrom
			both[[2]string{row.From, row.To}] = *row.People
			if pair[1] == "state" {
				inState[row.To] += *row.People
			}
			if row.From != "" && row.To != "" {
				some++
			}
			if row.IsSplit && *row.PctOfFrom == 100 {
				t.Errorf("%s: %s is split, and has 100 %% in %s", name, row.From, row.To)
			}
		}
		if sum != census || some == 0 {
			t.Errorf("%s: %d people in %d pairs; the census has %d", name, sum, some, census)
		}
		for from, pct := range ofFrom {
			if math.Abs(pct-100) > 0.01 {
				t.Errorf("%s: the parts of %q add up to %v %%", name, from, pct)
			}
		}
		if pair[1] == "state" {
			if diff := cmp.Diff(states, inState); diff != "" {
				t.Errorf("people by state (-census +pairs):\n%s", diff)
			}
		}
		for row, err := range r.Crosswalk(t.Context(), lookup.Layer(pair[1]), lookup.Layer(pair[0]), opt) {
			check(t, err)
			if both[[2]string{row.To, row.From}] != *row.People {
				t.Errorf("%s backwards: %+v, forwards %d people", name, row, both[[2]string{row.To, row.From}])
			}
			delete(both, [2]string{row.To, row.From})
		}
		if len(both) > 0 {
			t.Errorf("%s backwards lacks %v", name, both)
		}
	}
}

// TestRemainderOfState adds the people outside all places of one state only.
func TestRemainderOfState(t *testing.T) {
	opt := lookup.CrosswalkOptions{State: "CA", Remainder: true}
	outside := 0.0
	for row, err := range sampleReader(t).Crosswalk(t.Context(), "place", "county", opt) {
		check(t, err)
		if row.From != "" {
			continue
		}
		if outside += *row.PctOfFrom; row.To[:2] != "06" {
			t.Errorf("outside all places of California: %+v", row)
		}
	}
	if math.Abs(outside-100) > 0.01 {
		t.Errorf("the parts outside all places add up to %v %%", outside)
	}
}

// TestPeopleByHand compares the people of pairs with the sum over the parts of block groups
// in ZIP Codes. Every ZIP Code with a point is in a pair, and others have a reason.
func TestPeopleByHand(t *testing.T) {
	r := sampleReader(t)
	d := r.Dataset()
	check(t, d.Load(t.Context(), store.SectionCenters))
	want := map[[2]string]int{}
	for c := range d.Centers() {
		county := fmt.Sprintf("%012d", c.BlockGroup)[:5]
		if _, known := d.CountyByFIPS(county); !known {
			continue // Connecticut of 2020
		}
		people := 0
		for _, s := range c.Shares(nil) {
			want[[2]string{s.ZIP.String(), county}] += s.People
			people += s.People
		}
		if people != c.People && c.ZIP != 0 {
			t.Errorf("%d people of %d in %d", people, c.People, c.BlockGroup)
		}
	}
	got := map[[2]string]int{}
	placed := map[string]bool{}
	for row, err := range r.Crosswalk(t.Context(), "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople}) {
		check(t, err)
		placed[row.From] = true
		if (row.To == "") != (row.Reason != "") {
			t.Errorf("%+v", row)
		}
		if _, ok := want[[2]string{row.From, row.To}]; ok {
			got[[2]string{row.From, row.To}] = *row.People
		}
	}
	for pair, n := range want {
		if n == 0 && got[pair] == 0 {
			delete(want, pair)
			delete(got, pair)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 100 {
		t.Errorf("%d pairs (-by hand +crosswalk):\n%s", len(want), diff)
	}
	for z := range d.ZIPs() {
		if !placed[z.ZIP.String()] {
			t.Errorf("%s is in no pair", z.ZIP)
		}
	}
}

// TestApportion divides whole numbers and fractions; nothing is lost.
func TestApportion(t *testing.T) {
	r := sampleReader(t)
	for _, pair := range [][2]string{{"tract", "zip"}, {"zip", "cd"}, {"county", "zip"}, {"school", "zip"}, {"zip", "school"}} {
		for _, weight := range []lookup.Weight{lookup.WeightPeople, lookup.WeightArea} {
			values, sum := map[string]float64{"none": 7}, 7.0
			for row, err := range r.Crosswalk(t.Context(), lookup.Layer(pair[0]), lookup.Layer(pair[1]), lookup.CrosswalkOptions{Weight: weight}) {
				check(t, err)
				if _, ok := values[row.From]; !ok && row.From != "" {
					v := float64(len(values) * 3)
					values[row.From] = v
					sum += v
				}
			}
			given := maps.Clone(values)
			got, err := r.Apportion(t.Context(), values, lookup.Layer(pair[0]), lookup.Layer(pair[1]), lookup.CrosswalkOptions{Weight: weight})
			if err != nil {
				t.Fatalf("%v by %v: %v", pair, weight, err)
			}
			total := got.Outside + got.Unplaced["none"]
			for id, v := range got.Values {
				if total += v; v != math.Trunc(v) {
					t.Errorf("%v by %v: %s has %v", pair, weight, id, v)
				}
			}
			if total != sum || len(got.Unplaced) != 1 || len(got.Values) < 5 || got.Weight != weight {
				t.Errorf("%v by %v: %v of %v in %d areas, unplaced %v", pair, weight, total, sum, len(got.Values), got.Unplaced)
			}
			if diff := cmp.Diff(given, values); diff != "" {
				t.Errorf("the given values changed:\n%s", diff)
			}
		}
	}
	got, err := r.Apportion(t.Context(), map[string]float64{"06": 0.5}, "state", "county", lookup.CrosswalkOptions{})
	check(t, err)
	total := got.Outside
	for _, v := range got.Values {
		total += v
	}
	if math.Abs(total-0.5) > 1e-12 {
		t.Errorf("half a thing became %v", total)
	}
}

// TestWeightsRefused requires errors for geographies without people, and for areas that
// are not compared.
func TestWeightsRefused(t *testing.T) {
	r, bare := sampleReader(t), newReader(t)
	for _, c := range []struct {
		r        *lookup.Reader
		from, to string
		opt      lookup.CrosswalkOptions
		want     error
	}{
		{r, "fsa", "census_division", lookup.CrosswalkOptions{Weight: lookup.WeightPeople}, envelope.ErrUnavailable},
		{r, "census_division", "fed", lookup.CrosswalkOptions{}, envelope.ErrUnavailable},
		{bare, "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople}, envelope.ErrUnavailable},
		{r, "county", "cd", lookup.CrosswalkOptions{Weight: lookup.WeightHousing}, envelope.ErrUnavailable},
		{bare, "county", "cd", lookup.CrosswalkOptions{Weight: lookup.WeightArea}, envelope.ErrUnavailable},
		{bare, "zip", "designated_place", lookup.CrosswalkOptions{}, envelope.ErrUnavailable},
		{bare, "zip", "county", lookup.CrosswalkOptions{State: "XX"}, envelope.ErrInvalidParam},
		{bare, "zip", "county", lookup.CrosswalkOptions{State: "ON"}, envelope.ErrInvalidParam},
		{r, "zip", "zop", lookup.CrosswalkOptions{}, envelope.ErrInvalidParam},
		{r, "zip", "csd", lookup.CrosswalkOptions{}, envelope.ErrInvalidParam},
		{r, "zip", "county", lookup.CrosswalkOptions{MinShare: 101}, envelope.ErrInvalidParam},
		{r, "zip", "county", lookup.CrosswalkOptions{MinShare: math.NaN()}, envelope.ErrInvalidParam},
		{r, "zip", "county", lookup.CrosswalkOptions{Plan: "cd999"}, envelope.ErrInvalidParam},
	} {
		var last error
		for row, err := range c.r.Crosswalk(t.Context(), lookup.Layer(c.from), lookup.Layer(c.to), c.opt) {
			if last = err; err == nil {
				t.Fatalf("%s to %s: %+v", c.from, c.to, row)
			}
		}
		if !errors.Is(last, c.want) {
			t.Errorf("%s to %s with %+v: %v, want %v", c.from, c.to, c.opt, last, c.want)
		}
	}
	whole := 0
	for row, err := range r.Crosswalk(t.Context(), "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople, MinShare: 60}) {
		check(t, err)
		if whole++; *row.PctOfFrom < 60 {
			t.Errorf("%s has %v %% in %s, below 60", row.From, *row.PctOfFrom, row.To)
		}
	}
	if whole == 0 {
		t.Error("no pair has 60 %")
	}
}
