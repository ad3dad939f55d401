package lookup_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
)

// allFamilies requests every boundary family.
var allFamilies = lookup.Include{Census: true, CongressionalDistrict: true, StateLegislative: true, SchoolDistrict: true}

func full(t *testing.T, r *lookup.Reader, code string, inc lookup.Include) *lookup.Record {
	t.Helper()
	rec, err := r.Full(t.Context(), code, lookup.Options{Include: inc})
	check(t, err)
	return rec
}

// The county of a ZIP stays that of the postal service, whatever its area
// overlaps.
func TestPostalCountyAndOverlapsDiffer(t *testing.T) {
	rec := full(t, newReader(t), "10001", lookup.Include{Census: true})
	if rec.CountyFIPS != "36061" {
		t.Fatalf("the base county is %s, want 36061", rec.CountyFIPS)
	}
	counties := rec.Census.Current.County
	if len(counties) != 2 || counties[0].FIPS != "34017" || counties[0].IsUSPSPrimary != lookup.False || *counties[0].PctOfZIP != 100 {
		t.Errorf("the largest county by area is %+v, want 34017, which is not the postal one", counties)
	}
	if last := counties[len(counties)-1]; last.FIPS != "36061" || last.IsUSPSPrimary != lookup.True {
		t.Errorf("the postal county is %+v, want it although a sliver of the ZIP lies in it", last)
	}
}

// A county of the postal service is listed even if the ZIP's area lies elsewhere or
// the layer lacks the county. Then it has no percentages.
func TestPostalCountyWithoutOverlap(t *testing.T) {
	r := newReader(t)
	for _, code := range []string{"20500", "99546"} {
		rec := full(t, r, code, lookup.Include{Census: true})
		list := rec.Census.Current.County
		if len(list) == 0 {
			t.Errorf("%s has no county", code)
			continue
		}
		last := list[len(list)-1]
		if last.FIPS != rec.CountyFIPS || last.Name != rec.County || last.IsUSPSPrimary != lookup.True || last.PctOfZIP != nil || last.PctOfArea != nil {
			t.Errorf("the last county of %s is %+v, want %s without percentages", code, last, rec.CountyFIPS)
		}
	}
}

// TestFamilies compares families with testdata/families.txt. What was not asked for, what was
// not found and what the dataset does not have differ.
func TestFamilies(t *testing.T) {
	r := newReader(t)
	lookuptest.Table(t, "families.txt", *update, func(text string) string {
		w := strings.Fields(text)
		opt, _ := lookup.ParseOptions(w[2:])
		if w[0] == "full" {
			rec := full(t, r, w[1], opt.Include)
			out := cmp.Or(members(t, &rec.Families), "nothing")
			for _, n := range rec.Notices {
				out += "; " + string(n.Code) + ", " + string(n.Class) + ": " + n.Message
			}
			return out
		}
		fam, unavailable, err := r.FamiliesAt(t.Context(), lookup.MustParseCode(w[1]).LatLng(), "", opt)
		check(t, err)
		out := cmp.Or(members(t, &fam), "nothing")
		if unavailable != nil {
			out += "; unavailable: " + strings.Join(unavailable, ", ")
		}
		return out
	})
}

// A dataset without layers has no family, at a code or at a point.
func TestDatasetWithoutLayers(t *testing.T) {
	r := lookuptest.Reader(t, lookuptest.OpenFile(t, lookuptest.Bare(t)))
	want := notice.UnavailableEnrichments([]string{"census", "cd", "state_leg", "school_district"})
	if diff := gocmp.Diff([]envelope.Notice{want}, full(t, r, "90210", allFamilies).Notices); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
	fam, unavailable, err := r.FamiliesAt(t.Context(), geo.MustLatLng(34.1, -118.4), "", lookup.Options{Include: allFamilies})
	if diff := gocmp.Diff(lookup.Families{}, fam); err != nil || diff != "" {
		t.Errorf("families: %v; (-want +got):\n%s", err, diff)
	}
	if diff := gocmp.Diff([]string{"census", "cd", "state_leg", "school_district"}, unavailable); diff != "" {
		t.Errorf("unavailable (-want +got):\n%s", diff)
	}
}

// Every record of the sample has its bytes from the encoder as from
// encoding/json, and no percentage, share or order that cannot be.
func TestFamiliesOfTheSample(t *testing.T) {
	d := lookuptest.Sample(t)
	r := lookuptest.Reader(t, d)
	inc := allFamilies
	inc.Timezone, inc.Demographics, inc.Medicare = true, true, true
	var codes []string
	for z := range d.ZIPs() {
		codes = append(codes, z.ZIP.String())
	}
	for f := range d.FSAs() {
		codes = append(codes, f.FSA.String())
	}
	found := 0
	for _, code := range codes {
		rec := full(t, r, code, inc)
		lookuptest.JSON(t, rec)
		if rec.Census == nil || rec.Census.Current == nil {
			continue
		}
		found++
		c := rec.Census.Current
		if !strings.HasPrefix(c.Source, "U.S. Census Bureau") && !strings.HasPrefix(c.Source, "Statistics Canada") {
			t.Errorf("%s has its areas from %q", code, c.Source)
		}
		for _, list := range [][]lookup.CensusArea{c.County, c.CountySubdivision, c.Place, c.Tract, c.BlockGroup, c.CensusDivision} {
			sum := 0.0
			for _, a := range list {
				pct := a.PctOfZIP
				if rec.Country == "CA" {
					pct = a.PctOfFSA
				}
				if pct == nil {
					continue
				}
				sum += *pct
				if *pct < 0 || *pct > 100 || *a.PctOfArea < 0 || *a.PctOfArea > 100 {
					t.Errorf("%s: %+v has impossible shares", code, a)
				}
			}
			const overlap = 2 // of outlines that the publishers generalized apart from each other
			if most := 100 + 0.05*float64(len(list)) + overlap; sum > most {
				t.Errorf("%s: the shares of %d areas add up to %.1f", code, len(list), sum)
			}
			if !slices.IsSortedFunc(list, func(a, b lookup.CensusArea) int {
				if a.PctOfZIP != nil && b.PctOfZIP != nil && *a.PctOfZIP < *b.PctOfZIP {
					return 1
				}
				return 0
			}) {
				t.Errorf("%s: areas are not in order of their shares", code)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d codes have families, want at least 100", found)
	}
}

func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		layer      store.LayerID
		meters     geo.SquareMeters
		code, area float64
		want       bool
	}{
		{store.LayerCounty, 5, 1, 0, true},
		{store.LayerCounty, 5, 0.99, 0.99, false},
		{store.LayerCounty, 5, 0.1, 1, true},
		{store.LayerTract, 5, 0.5, 4.9, false},
		{store.LayerTract, 5, 0.5, 5, true},
		{store.LayerStateLower, 5, 0.5, 2, true},
		{store.LayerBlockGroup, 5, 0.5, 9, false},
		{store.LayerTract, -5, 50, 50, false},
		{store.LayerTract, 0, 50, 50, false},
		{store.LayerTract, 1e-9, 50, 50, true},
	} {
		o := store.Overlap{Intersection: c.meters, PercentOfCode: c.code, PercentOfArea: c.area}
		if got := lookup.ThresholdOf(c.layer).Serves(o); got != c.want {
			t.Errorf("%s: %v %% of the code and %v %% of the area are shown: %v, want %v", c.layer, c.code, c.area, got, c.want)
		}
	}
}

// Every code with a point has a county or census division, a tract and districts
// where the sample's layers have an area of its state, and their basis.
func TestNoCodeWithoutAPlace(t *testing.T) {
	r := sampleReader(t)
	d := r.Dataset()
	bases := map[lookup.Basis]int{}
	check := func(code string, place geo.LatLng) {
		rec := full(t, r, code, allFamilies)
		c := rec.Census
		switch {
		case !place.IsValid():
			if c != nil {
				t.Errorf("%s has no point, and has %+v", code, c)
			}
			return
		case c == nil || c.Current == nil || len(c.Current.County)+len(c.Current.CensusDivision) == 0:
			if code != "A1C" { // its point is on the water side of the outlines
				t.Errorf("%s has neither a county nor a census division", code)
			}
			return
		}
		bases[c.Current.Basis]++
		if c.Current.Tract != nil && len(c.Current.Tract) == 0 && rec.Country == "US" && code != "99546" && code != "99547" { // the file lacks the tract of the Aleutians
			t.Errorf("%s has no tract", code)
		}
		if f := rec.CongressionalDistrict; f != nil && (f.Current == nil || f.Current.Primary.Basis != c.Current.Basis) {
			t.Errorf("%s: its congressional districts are %+v", code, f.Current)
		}
		if f := rec.FederalElectoralDistrict; f != nil && (f.Current == nil || f.Current.Basis != c.Current.Basis) {
			t.Errorf("%s: its federal electoral districts are %+v", code, f.Current)
		}
		if f := rec.StateLegislative; f != nil && f.Current != nil && (len(f.Current.Upper) == 0 || f.Current.Basis != c.Current.Basis) {
			t.Errorf("%s: its legislative districts are %+v", code, f.Current)
		}
	}
	for z := range d.ZIPs() {
		check(z.ZIP.String(), z.Location)
	}
	for f := range d.FSAs() {
		check(f.FSA.String(), f.Location)
	}
	if len(bases) != 2 || bases[lookup.LargestArea] < 100 || bases[lookup.ContainsPoint] < 10 {
		t.Errorf("codes by basis: %v", bases)
	}
}

// members returns the JSON of families without its braces.
func members(t *testing.T, f *lookup.Families) string {
	t.Helper()
	text, err := encode.Marshal(f)
	check(t, err)
	return string(text[1 : len(text)-1])
}

// extended returns a reader of a copy of a dataset with more in it.
func extended(t *testing.T, base *store.Dataset, more func(*storewrite.Writer) error) *lookup.Reader {
	t.Helper()
	return lookuptest.Reader(t, lookuptest.Extend(t, base, more))
}

// TestPlanOfNames adds a later order of federal districts that has names and no
// outlines, as a publisher's list of them gives. Coordinates have the earlier order.
func TestPlanOfNames(t *testing.T) {
	base := sampleReader(t).Dataset()
	ontario := store.StateID(slices.IndexFunc(base.States(), func(s store.State) bool { return s.Abbr == "ON" }) + 1)
	r := extended(t, base, func(w *storewrite.Writer) error {
		return w.SetLayer(storewrite.LayerData{
			Info: store.LayerInfo{
				ID: store.PlanLayer(store.LayerFederalDistrict, store.FirstAddedPlan), Source: "test",
				Plan: store.Plan{ID: "later", Name: "Later Order", From: "2025-06-01", States: []store.StateID{ontario}, Rough: []store.StateID{ontario}},
			},
			Areas: []store.LayerArea{{GEOID: "35001", Name: "Ajax", State: ontario, Land: store.UnknownArea, Water: store.UnknownArea}},
		})
	})
	for _, code := range []string{"45.4,-75.7", "K1P", "M5V"} {
		rec, err := r.Full(t.Context(), code, lookup.Options{Include: lookup.Include{CongressionalDistrict: true}})
		if err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		if d := rec.FederalElectoralDistrict; d == nil || d.Current == nil || len(d.Current.Districts) == 0 || d.Current.Plan.InForce != "Later Order" {
			t.Errorf("%s: %+v", code, rec.Families)
		}
	}
}

// TestLikely compares probabilities with the people and areas of records.
func TestLikely(t *testing.T) {
	db := sampletest.Open(t)
	likely := func(input string, flags ...string) *lookup.Record {
		t.Helper()
		opt, unknown := lookup.ParseOptions(append(flags, "likely"))
		rec, err := db.Lookup(t.Context(), input, opt)
		if err != nil || unknown != nil {
			t.Fatalf("%s: %v, unknown flags %v", input, err, unknown)
		}
		return rec
	}
	rec := likely("90210", "cd")
	want := []lookup.LikelyArea{{"0636", "Congressional District 36", 0.59}, {"0632", "Congressional District 32", 0.41}} // of 59.4 and 40.6 % of the people
	if diff := gocmp.Diff(want, rec.Likely.CD); diff != "" || rec.Likely.County != nil || !slices.Contains(rec.Delivered(), "likely") {
		t.Errorf("90210 (-want +got):\n%s\n%+v", diff, rec.Likely)
	}
	if rec = likely("34.09,-118.4", "census", "cd"); rec.Likely.CD[0].P != 1 || rec.Likely.Tract[0].P != 1 {
		t.Errorf("a coordinate has %+v, expected what contains it", rec.Likely)
	}
	if rec = likely("M5V", "cd"); rec.Likely.CD[0].GEOID != "35101" {
		t.Errorf("M5V has %+v", rec.Likely)
	}
	if rec = likely("90210", "timezone"); rec.Likely == nil || rec.Likely.County == nil || rec.Likely.Tract == nil || rec.Likely.StateUpper == nil {
		t.Errorf("90210 without a family has %+v, expected the areas of all", rec.Likely)
	}
	if rec = likely("00501", "cd"); rec.Likely != nil || slices.Contains(rec.Delivered(), "likely") { // no outline
		t.Errorf("00501 has %+v, expected none", rec.Likely)
	}
}

var check = checktest.Check
