package lookup_test

import (
	"math"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
)

// TestSplitsOfSample and TestSplitsOfNation compare residents and areas of the
// congressional districts of records: is_split is false only if no second district has 1 % of either.
func TestSplitsOfSample(t *testing.T) { testSplits(t, sampleReader(t), 1) }

func TestSplitsOfNation(t *testing.T) {
	path := lookuptest.NationalPath(t)
	d := lookuptest.OpenFile(t, path)
	r := lookuptest.Reader(t, d)
	testSplits(t, r, 7)
	for code, want := range map[string]struct {
		split  lookup.Flag
		people string
	}{"93550": {0, "0627"}, "94619": {0, ""}, "50229": {0, ""}, "13132": {lookup.True, ""}} {
		rec, err := r.Full(t.Context(), code, lookup.Options{Include: lookup.Include{CongressionalDistrict: true}})
		if err != nil {
			t.Fatal(err)
		}
		c := rec.CongressionalDistrict.Current
		if c.IsSplit != want.split || want.people != "" && c.PrimaryByPeople.GEOID != want.people {
			t.Errorf("%s: split %v, most people in %+v", code, c.IsSplit, c.PrimaryByPeople)
		}
	}
}

// testSplits checks every nth ZIP Code.
func testSplits(t *testing.T, r *lookup.Reader, nth int) {
	t.Helper()
	checked, n := 0, 0
	for z := range r.Dataset().ZIPs() {
		if n++; n%nth != 0 {
			continue
		}
		rec, err := r.Full(t.Context(), z.ZIP.String(), lookup.Options{Include: lookup.Include{CongressionalDistrict: true}})
		if err != nil {
			t.Fatal(err)
		}
		if rec.CongressionalDistrict == nil || rec.CongressionalDistrict.Current == nil {
			continue
		}
		c := rec.CongressionalDistrict.Current
		people, known, some, either := 0.0, true, 0, 0
		most := lookup.PeoplesDistrict{}
		for _, d := range c.Districts {
			if d.PctOfPeople == nil {
				known = false
				continue
			}
			people += *d.PctOfPeople
			if *d.PctOfPeople > most.PctOfPeople {
				most = lookup.PeoplesDistrict{GEOID: d.GEOID, PctOfPeople: *d.PctOfPeople}
			}
			if *d.PctOfPeople > 1.05 {
				some++
			}
			if *d.PctOfPeople > 1.05 || d.PctOfZIP != nil && *d.PctOfZIP > 1.05 {
				either++
			}
		}
		if !known {
			continue
		}
		checked++
		switch {
		case math.Abs(people-100) > 0.3:
			t.Errorf("%s: %v %% of the people are in the districts", z.ZIP, people)
		case c.IsSplit == lookup.False && either > 1, c.IsSplit != lookup.True && some > 1:
			t.Errorf("%s: split %v of %+v", z.ZIP, c.IsSplit, c.Districts)
		case c.PrimaryByPeople == nil || c.PrimaryByPeople.PctOfPeople != most.PctOfPeople:
			t.Errorf("%s: most people in %+v, want %+v", z.ZIP, c.PrimaryByPeople, most)
		}
	}
	if checked == 0 {
		t.Error("no ZIP Code has people by district")
	}
}
