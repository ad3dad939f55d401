package acs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
)

// The numbers of fields that decision D23 and the issue give.
func TestNumbersOfFields(t *testing.T) {
	core := acs.Fields(acs.Query{Served: true})
	if len(core) != 528 || len(acs.Fields(acs.Query{})) != 616 {
		t.Errorf("%d core fields of %d, want 528 of 616", len(core), len(acs.Fields(acs.Query{})))
	}
	if n := len(acs.Fields(acs.Query{Every: true})); n != 423 {
		t.Errorf("%d fields in every year, want 423", n)
	}
	for year, want := range map[int]int{2011: 425, 2023: 528, 2024: 523} {
		if n := len(acs.Fields(acs.Query{Served: true, Year: year})); n != want {
			t.Errorf("%d fields are served of %d, want %d", n, year, want)
		}
	}
	bridged := 0
	for _, f := range core {
		if len(f.Years()) == acs.LastYear-acs.FirstYear+1 {
			bridged++
		}
	}
	if bridged != 448 {
		t.Errorf("%d core fields have a column in every year, want 448", bridged)
	}
}

func TestField(t *testing.T) {
	f, ok := acs.FieldByKey("demographic.sex_and_age.age_under_5")
	if !ok {
		t.Fatal("no such field")
	}
	if f.Column(2016) != "DP05_0004E" || f.Column(2017) != "DP05_0005E" || f.Column(2010) != "" || f.Column(2025) != "" {
		t.Errorf("columns %q %q %q %q", f.Column(2016), f.Column(2017), f.Column(2010), f.Column(2025))
	}
	if u := acs.UniverseOf(f); u == nil || u.Name != "total_population" {
		t.Errorf("the universe is %v", u)
	}
	ratio, _ := acs.FieldByKey("demographic.sex_and_age.sex_ratio")
	if ratio.In(2015) != acs.NoColumn || ratio.In(2019) != acs.Same || len(ratio.Years()) != 8 || acs.UniverseOf(ratio) != nil {
		t.Errorf("sex ratio: %v %v %v", ratio.In(2015), ratio.In(2019), ratio.Years())
	}
	home, _ := acs.FieldByKey("economic.commuting.worked_from_home")
	if home.In(2018) != acs.Reworded || home.In(2019) != acs.Same || home.Note == "" || len(home.StableYears()) != 6 {
		t.Errorf("worked from home: %v %v %q %v", home.In(2018), home.In(2019), home.Note, home.StableYears())
	}
	if computer, _ := acs.FieldByKey("social.computers_internet.with_computer"); computer.In(2014) == acs.Same {
		t.Errorf("computers in 2014: %v", computer.In(2014))
	}
	for _, key := range []string{"", "economic", "economic.", "economic.income", "economic.income.", "economic.income.median_household_incom", "economic.income.median_household_incomes", "x.y.z"} {
		if f, ok := acs.FieldByKey(key); ok {
			t.Errorf("%q is %v", key, f)
		}
	}
	for _, f := range acs.Fields(acs.Query{}) {
		if got, ok := acs.FieldByKey(f.Key()); !ok || got != f {
			t.Errorf("%s is not found by its key", f)
		}
	}
	if got := acs.Fields(acs.Query{Profile: acs.Economic, Text: "median HOUSEHOLD income (dollars) total"}); len(got) != 1 || got[0].Name != "median_household_income" {
		t.Errorf("median household income: %v", got)
	}
	if got := acs.Fields(acs.Query{Section: "rent", Kind: acs.Median}); len(got) != 1 {
		t.Errorf("medians of rents: %v", got)
	}
}

func TestAgrees(t *testing.T) {
	tests := []struct {
		key, label string
		want       bool
	}{
		{"demographic.sex_and_age.male", "Estimate!!SEX AND AGE!!Total population!!Male", true},
		{"demographic.sex_and_age.male", "Estimate; SEX AND AGE - Total population - Male", true},
		{"demographic.sex_and_age.male", "Estimate!!SEX AND AGE!!Total population!!Female", false},
		{"economic.commuting.worked_from_home", "Estimate!!COMMUTING TO WORK!!Worked at home", true},
		{"economic.employment.unemployment_rate", "Percent Unemployed", true},
		{"social.households.married_couple", "Married-couple family", true},
		{"social.households.married_couple", "Male householder", false},
	}
	for _, test := range tests {
		f, ok := acs.FieldByKey(test.key)
		if !ok || f.Agrees(test.label) != test.want {
			t.Errorf("%s agrees with %q: %t (%t), want %t", test.key, test.label, !test.want, ok, test.want)
		}
	}
	for label, want := range map[string]int{
		"INCOME AND BENEFITS (IN 2015 INFLATION-ADJUSTED DOLLARS)": 2015, "Income (in 2023 inflation-adjusted dollars)!!x": 2023,
		"INCOME (IN 20": 0, "(IN ABCD INFLATION-ADJUSTED DOLLARS)": 0, "Population": 0,
	} {
		if got := acs.DollarYear(label); got != want {
			t.Errorf("%q speaks of %d, want %d", label, got, want)
		}
	}
}

func FuzzAgrees(f *testing.F) {
	f.Add("Estimate!!SEX AND AGE!!Total population!!Male")
	f.Add("(IN 2015 INFLATION")
	field, _ := acs.FieldByKey("demographic.sex_and_age.male")
	f.Fuzz(func(t *testing.T, label string) {
		if y := acs.DollarYear(label); y < 0 || y > 9999 {
			t.Errorf("year %d", y)
		}
		if field.Agrees(label) && !strings.Contains(strings.ToLower(label), "male") {
			t.Errorf("%q agrees", label)
		}
	})
}

// The typed profiles have the fields of the list, in its order, and the
// sections in the contract's.
func TestProfilesMirrorTheList(t *testing.T) {
	sections := map[acs.Profile]string{
		acs.Demographic: "sex_and_age race race_combination hispanic_or_latino total_housing_units citizen_voting_age",
		acs.Social: "households relationship marital_status fertility grandparents school_enrollment education veterans disability residence " +
			"place_of_birth citizenship year_of_entry world_region language ancestry computers_internet",
		acs.Economic: "employment commuting occupation industry class_of_worker income health_insurance poverty",
		acs.Housing: "occupancy structure year_built rooms bedrooms tenure year_moved_in vehicles heating_fuel characteristics occupants_per_room " +
			"value mortgage owner_costs owner_costs_pct rent rent_pct",
	}
	for p, typ := range map[acs.Profile]reflect.Type{
		acs.Demographic: reflect.TypeFor[acs.DemographicProfile](), acs.Social: reflect.TypeFor[acs.SocialProfile](),
		acs.Economic: reflect.TypeFor[acs.EconomicProfile](), acs.Housing: reflect.TypeFor[acs.HousingProfile](),
	} {
		var got, names []string
		for i := range typ.NumField() {
			section := typ.Field(i)
			name := strings.TrimSuffix(section.Tag.Get("json"), ",omitzero")
			names = append(names, name)
			for k := range section.Type.NumField() {
				f := section.Type.Field(k)
				if f.Type != reflect.TypeFor[acs.Metric]() {
					t.Errorf("%s.%s is a %s", section.Name, f.Name, f.Type)
				}
				got = append(got, p.String()+"."+name+"."+strings.TrimSuffix(f.Tag.Get("json"), ",omitzero"))
			}
		}
		var want []string
		for _, f := range acs.Fields(acs.Query{Profile: p}) {
			want = append(want, f.Key())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-list +type):\n%s", p, diff)
		}
		if diff := cmp.Diff(sections[p], strings.Join(names, " ")); diff != "" {
			t.Errorf("sections of %s (-contract +type):\n%s", p, diff)
		}
	}
}

// One type serves ZCTAs, tracts and aggregates: all of them embed Profiles.
func TestOneTypeForAllLevels(t *testing.T) {
	block, ok := reflect.TypeFor[acs.Block]().FieldByName("Profiles")
	if !ok || !block.Anonymous || block.Type != reflect.TypeFor[acs.Profiles]() {
		t.Errorf("blocks have %v", block)
	}
}

func TestValue(t *testing.T) {
	for _, test := range []struct {
		v          acs.Value
		text, json string
	}{
		{acs.Decimal(525, 1), "52.5", "52.5"},
		{acs.Decimal(520, 1), "52.0", "52"},
		{acs.Decimal(7, 2), "0.07", "0.07"},
		{acs.Decimal(-5, 1), "-0.5", "-0.5"},
		{acs.Decimal(0, 2), "0.00", "0"},
		{acs.Decimal(2147483647, 0), "2147483647", "2147483647"},
		{acs.Round(1234.5, 0), "1235", "1235"},
		{acs.Round(0.25, 1), "0.3", "0.3"},
		{acs.Round(1e12, 0), "(X)", "null"},
		{acs.Null(acs.OpenInterval), "***", "null"},
		{acs.Null(acs.Number), "(X)", "null"},
		{acs.Null(acs.Filtered), "", "null"},
		{acs.Value{}, "", "null"},
	} {
		js, err := json.Marshal(test.v)
		if err != nil || test.v.String() != test.text || string(js) != test.json {
			t.Errorf("%q and %s, %v; want %q and %s", test.v, js, err, test.text, test.json)
		}
		var back acs.Value
		if err := json.Unmarshal(js, &back); err != nil {
			t.Error(err)
		}
		a, aok := test.v.Float64()
		if b, bok := back.Float64(); a != b || aok != bok {
			t.Errorf("%s comes back as %v", js, back)
		}
	}
	var v acs.Value
	for _, text := range []string{`"5"`, "1e3", "99999999999", "1.23456789", "{}"} {
		if err := json.Unmarshal([]byte(text), &v); err == nil {
			t.Errorf("%s is %v", text, v)
		}
	}
}

// table is a small table of a year with two areas' rows.
func tables(t testing.TB) *dataset.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), "acs.db")
	w, err := dataset.Create(path)
	check(t, err)
	n := func(v int32) dataset.ACSFigure { return dataset.ACSFigure{N: v, Mark: dataset.ACSNumber} }
	x := dataset.ACSFigure{Mark: dataset.ACSNotApplicable}
	add := func(l dataset.ACSLevel, p acs.Profile, year int, areas ...uint64) {
		layout := acs.BuiltIn().Layout(l, p, year)
		id, err := w.AddACSTable(layout)
		check(t, err)
		for _, a := range areas {
			cells := make([]dataset.ACSCell, len(layout.Columns))
			for i, c := range layout.Columns {
				switch c.Class {
				case dataset.ACSPlain:
					cells[i] = dataset.ACSCell{Estimate: n(1000), MOE: dataset.ACSFigure{Mark: dataset.ACSControlled}}
				case dataset.ACSShare:
					cells[i] = dataset.ACSCell{Estimate: n(int32(i)), MOE: n(int32(year)), Percent: n(int32(i)), PercentMOE: n(12)}
				case dataset.ACSPercentOnly:
					cells[i] = dataset.ACSCell{Estimate: x, MOE: x, Percent: n(125), PercentMOE: n(20)}
				}
			}
			check(t, w.AddACSRow(id, a, cells))
		}
	}
	for _, p := range acs.AllProfiles() {
		for _, year := range []int{2011, 2019, 2023} {
			add(dataset.ACSZCTA, p, year, 10001, 90210)
		}
	}
	add(dataset.ACSZCTA, acs.Economic, 2024, 10001)
	add(dataset.ACSZCTA, acs.Social, 2024, 10001, 90210)
	add(dataset.ACSTract, acs.Housing, 2023, 48029110100)
	add(dataset.ACSTract, acs.Housing, 2022, 48029110100)
	check(t, w.Finish(dataset.Manifest{Version: "sample", Sample: true}))
	d, err := dataset.Open(path)
	check(t, err)
	t.Cleanup(func() { check(t, d.Close()) })
	return d
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func tags(t testing.TB, flags ...string) []acs.Tag {
	t.Helper()
	var list []acs.Tag
	for _, f := range flags {
		tag, err := acs.ParseTag(f)
		check(t, err)
		list = append(list, tag)
	}
	return list
}

func TestReader(t *testing.T) {
	r := acs.NewReader(tables(t))
	if got := r.YearsOf(dataset.ACSZCTA); !slices.Equal(got, []int{2024, 2023, 2019, 2011}) {
		t.Errorf("years %v", got)
	}
	tests := []struct {
		name, code string
		flags      []string
		want       string
	}{
		{
			"newest first, each once", "10001",
			[]string{"acs_economic_2011", "acs_economic_2024", "acs_economic", "acs_social_2011", "acs_economic_2019"},
			"current 860Z200US10001 published economic | 2019 8600000US10001 published economic | 2011 8600000US10001 published social economic | delivered acs_economic acs_economic_2019 acs_social_2011 acs_economic_2011",
		},
		{
			"a profile that is not loaded", "10001",
			[]string{"acs_housing", "acs_economic"},
			"current 860Z200US10001 published economic housing:null | delivered acs_economic | unavailable acs_housing",
		},
		{"a year that is not loaded", "10001", []string{"acs_housing", "acs_economic_2015"}, "unavailable acs_housing acs_economic_2015"},
		{
			"nothing published", "90210",
			[]string{"acs_economic", "acs_economic_2023"},
			"current 860Z200US90210 unpublished economic:null | 2023 860Z200US90210 published economic | delivered acs_economic_2023 | unpublished acs_economic",
		},
		{
			"one profile of two", "90210",
			[]string{"acs_economic", "acs_social"},
			"current 860Z200US90210 published social economic:null | delivered acs_social | unavailable acs_economic",
		},
		{"no such area", "10002", []string{"acs_economic"}, "unavailable acs_economic"},
		{"no code", "1000", []string{"acs_economic"}, "unavailable acs_economic"},
		{"nothing asked", "10001", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			res, err := r.ZCTA(t.Context(), test.code, tags(t, test.flags...), acs.Options{})
			check(t, err)
			if diff := cmp.Diff(test.want, describe(t, res)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	res, err := r.Tract(t.Context(), "48029110100", []acs.Tag{{Profile: acs.Housing}, {Profile: acs.Housing, Year: 2022}, {Profile: acs.Social}}, acs.Options{})
	check(t, err)
	want := "current 1400000US48029110100 social:null housing | 2022 1400000US48029110100 housing | delivered acs_housing acs_housing_2022 | unavailable acs_social"
	if got := describe(t, res); got != want {
		t.Errorf("tract: %s\nwant %s", got, want)
	}
}

// describe tells a result in words, from its JSON.
func describe(t *testing.T, res *acs.Result) string {
	t.Helper()
	js, err := json.Marshal(res.Years)
	check(t, err)
	var parts []string
	for i := range res.Years {
		b := &res.Years[i]
		var m map[string]json.RawMessage
		check(t, json.Unmarshal(mustJSON(t, b), &m))
		said := b.Key() + " " + b.GeoID
		switch string(m["published"]) {
		case "true":
			said += " published"
		case "false":
			said += " unpublished"
			if b.Note == "" {
				t.Error("no note says why")
			}
		}
		for _, p := range acs.AllProfiles() {
			if raw, ok := m[p.String()]; ok {
				if said += " " + p.String(); string(raw) == "null" {
					said += ":null"
				}
			}
		}
		parts = append(parts, said)
	}
	for _, l := range []struct {
		name string
		tags []acs.Tag
	}{{"delivered", res.Delivered}, {"unpublished", res.Unpublished}, {"unavailable", res.Unavailable}} {
		if len(l.tags) > 0 {
			s := l.name
			for _, tag := range l.tags {
				s += " " + tag.String()
			}
			parts = append(parts, s)
		}
	}
	var again acs.Years
	check(t, json.Unmarshal(js, &again))
	if back := mustJSON(t, again); !bytes.Equal(back, js) {
		t.Errorf("through JSON and back:\n%s\n%s", js, back)
	}
	if got := again.Tags(); !slices.Equal(got, res.Delivered) {
		t.Errorf("tags of the blocks are %v, delivered %v", got, res.Delivered)
	}
	return strings.Join(parts, " | ")
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	js, err := envelope.Marshal(v)
	check(t, err)
	return js
}

// Which fields a block has follows the list and the options.
func TestOptions(t *testing.T) {
	r := acs.NewReader(tables(t))
	for _, year := range []int{2011, 2019, 2023} {
		for _, opt := range []acs.Options{{}, {Bridged: true}, {Extras: true}, {Bridged: true, Extras: true}} {
			var flags []acs.Tag
			want := 0
			for _, p := range acs.AllProfiles() {
				flags = append(flags, acs.Tag{Profile: p, Year: uint16(year)})
			}
			for _, f := range acs.Fields(acs.Query{Year: year}) {
				if f.Core && (f.Stable(year) || opt.Bridged) || !f.Core && opt.Extras {
					want++
				}
			}
			res, err := r.ZCTA(t.Context(), "10001", flags, opt)
			check(t, err)
			got := 0
			for _, f := range acs.Fields(acs.Query{}) {
				if m := res.Years[0].Metric(f); m != nil && !m.IsZero() {
					got++
					if m.Column() != f.Column(year) {
						t.Errorf("%s of %d has the column %s, want %s", f, year, m.Column(), f.Column(year))
					}
				}
			}
			if got != want {
				t.Errorf("%d, %+v: %d fields, want %d", year, opt, got, want)
			}
		}
	}
}

// TestBlockJSON shows a block as the contract has it, and holds its members to
// encoding/json's order of the types.
func TestBlockJSON(t *testing.T) {
	r := acs.NewReader(tables(t))
	res, err := r.ZCTA(t.Context(), "10001", tags(t, "acs_economic_2019"), acs.Options{})
	check(t, err)
	b := &res.Years[0]
	js := string(mustJSON(t, b))
	head := `{"source":"sample: invented figures in the form of the American Community Survey","product":"ACS 5-Year Estimates Data Profiles",` +
		`"year":2019,"vintage":"2015-2019","geo_id":"8600000US10001","geography_level":"zcta",` +
		`"tables":{"demographic":"DP05","social":"DP02","economic":"DP03","housing":"DP04"},"published":true,` +
		`"economic":{"employment":{"population_16_plus":{"column":"DP03_0001E","est":1000,"moe":null},` +
		`"in_labor_force":{"column":"DP03_0002E","est":1,"moe":2019,"pct":0.1,"pct_moe":1.2},`
	if !strings.HasPrefix(js, head) {
		t.Errorf("got  %s\nwant %s", js[:min(len(js), len(head)+100)], head)
	}
	if !strings.Contains(js, `"people":{"column":"DP03_0128E","est":null,"moe":null,"pct":12.5,"pct_moe":2}`) {
		t.Error("a percentage without a count is not as it should be")
	}
	std, err := json.Marshal(b.Economic)
	check(t, err)
	_, ours, _ := strings.Cut(js, `,"economic":{`)
	ours = "{" + ours
	if ours = strings.TrimSuffix(ours, "}"); ours != string(std) {
		t.Errorf("the profile differs from what encoding/json makes of its type (-json +ours):\n%s", cmp.Diff(string(std), ours))
	}
}

func TestParseRegistry(t *testing.T) {
	text, err := os.ReadFile("registry.csv")
	check(t, err)
	reg, err := acs.ParseRegistry(bytes.NewReader(text))
	check(t, err)
	if reg.Len() != acs.BuiltIn().Len() || reg.LastYear() != acs.LastYear {
		t.Fatalf("%d fields to %d", reg.Len(), reg.LastYear())
	}
	for i := range reg.Len() {
		if !reflect.DeepEqual(reg.At(i), acs.BuiltIn().At(i)) {
			t.Errorf("%s differs from the generated one", reg.At(i))
		}
	}
	lines := strings.SplitAfter(string(text), "\n")
	for name, bad := range map[string]string{
		"empty":             "",
		"other columns":     strings.Replace(string(text), "denominator", "divisor", 1),
		"years with a gap":  strings.Replace(string(text), ",2012,", ",2010,", 1),
		"a field twice":     string(text) + lines[1],
		"a column twice":    strings.Replace(string(text), "DP05_0002E", "DP05_0001E", 1),
		"another table":     strings.Replace(string(text), "DP05_0001E", "DP04_0001E", 1),
		"an unknown kind":   strings.Replace(string(text), ",count,", ",number,", 1),
		"no such share":     strings.Replace(string(text), ",sex_and_age.total_population,0", ",sex_and_age.everybody,0", 1),
		"years out of hand": strings.Replace(string(text), "2011-2024", "2011-2099", 1),
		"a cut row":         string(text[:len(text)-20]),
		"a bad name":        strings.Replace(string(text), ",male,", ",Male,", 1),
	} {
		if _, err := acs.ParseRegistry(strings.NewReader(bad)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func FuzzParseRegistry(f *testing.F) {
	text, err := os.ReadFile("registry.csv")
	check(f, err)
	f.Add(text[:3000])
	f.Fuzz(func(t *testing.T, b []byte) {
		reg, err := acs.ParseRegistry(bytes.NewReader(b))
		if err != nil {
			return
		}
		for i := range reg.Len() {
			if at, ok := reg.Find(reg.At(i).Key()); !ok || at != i {
				t.Fatalf("field %d is found at %d", i, at)
			}
		}
		for _, p := range acs.AllProfiles() {
			reg.Identities(p, reg.LastYear())
			reg.Layout(dataset.ACSZCTA, p, reg.LastYear())
		}
	})
}

func TestParseTractTag(t *testing.T) {
	for text, want := range map[string]acs.Tag{
		"acs_tract_social": {Profile: acs.Social}, "acs_tract_social_2024": {Profile: acs.Social}, "acs_tract_housing_2022": {Profile: acs.Housing, Year: 2022},
	} {
		got, err := acs.ParseTractTag(text, 2024)
		if err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"acs_social", "acs_tract_", "acs_tract_social_2021", "acs_tract_social_2025", "acs_tract_demographic_"} {
		if got, err := acs.ParseTractTag(text, 2024); !errors.Is(err, acs.ErrInvalidTag) {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	if got := (acs.Tag{Profile: acs.Social, Year: 2022}).TractFlag(); got != "acs_tract_social_2022" {
		t.Errorf("the flag is %q", got)
	}
}

func ExampleFieldByKey() {
	f, _ := acs.FieldByKey("economic.commuting.worked_from_home")
	fmt.Println(f.Label)
	fmt.Println(f.Column(2024), f.In(2011), f.In(2024))
	// Output:
	// COMMUTING TO WORK!!Workers 16 years and over!!Worked from home
	// DP03_0024E reworded same
}

func ExampleFields() {
	for _, f := range acs.Fields(acs.Query{Profile: acs.Housing, Section: "rooms", Kind: acs.Median}) {
		fmt.Println(f, f.Kind, f.Years()[0])
	}
	// Output: housing.rooms.median_rooms median 2011
}
