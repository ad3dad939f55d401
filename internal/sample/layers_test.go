package sample_test

import (
	"math"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
)

// near is how far a sum of percentages may miss 100.
const near = 1e-6

// TestOverlapsAddUp checks that layers without gaps cover every code.
func TestOverlapsAddUp(t *testing.T) {
	d := open(t)
	full := func(what string, c store.CodeOverlaps, layers ...store.LayerID) {
		t.Helper()
		for _, id := range layers {
			sum := 0.0
			for _, o := range c.Of(id) {
				sum += o.PercentOfCode
			}
			if math.Abs(sum-100) > near {
				t.Errorf("%s: its parts in the layer %s add up to %.9f percent", what, id, sum)
			}
		}
	}
	zips := 0
	for _, z := range d.ZIPAreas().Keys() {
		c, err := d.ZIPOverlaps(t.Context(), z)
		if err != nil {
			t.Fatal(err)
		}
		row, _ := d.ZIP(z)
		state := d.State(row.State).Abbr
		full(z.String(), c, store.LayerCounty, store.LayerCountySubdivision, store.LayerTract, store.LayerBlockGroup, store.LayerCongressionalDistrict)
		switch state {
		case "DC", "VI", "GU", "AS", "MP":
			if c.Of(store.LayerStateUpper) != nil || c.Of(store.LayerStateLower) != nil {
				t.Errorf("%v in %s lies in districts of a legislature", z, state)
			}
		case "NE":
			full(z.String(), c, store.LayerStateUpper)
			if c.Of(store.LayerStateLower) != nil {
				t.Errorf("%v in Nebraska lies in districts of a lower chamber", z)
			}
		default:
			full(z.String(), c, store.LayerStateUpper, store.LayerStateLower)
		}
		checkSchools(t, d, z, c)
		zips++
	}
	fsas := 0
	for _, f := range d.FSAAreas().Keys() {
		c, err := d.FSAOverlaps(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		full(f.String(), c, store.LayerCensusDivision, store.LayerCensusSubdivision, store.LayerConsolidatedSubdivision,
			store.LayerEconomicRegion, store.LayerFederalDistrict)
		fsas++
	}
	if zips < 700 || fsas < 110 {
		t.Errorf("%d ZIPs and %d FSAs have overlaps; the sample has at least 700 and 110", zips, fsas)
	}
}

// checkSchools holds that unified and secondary districts tile the country, and
// that elementary ones tile the secondary ones.
func checkSchools(t *testing.T, d *store.Dataset, z dataset.ZIP, c store.CodeOverlaps) {
	t.Helper()
	sums := map[string]float64{}
	for _, o := range c.Of(store.LayerSchoolDistrict) {
		sums[d.Layer(store.LayerSchoolDistrict).Area(o.Area).Type] += o.PercentOfCode
	}
	if math.Abs(sums["unified"]+sums["secondary"]-100) > near || math.Abs(sums["secondary"]-sums["elementary"]) > near {
		t.Errorf("%v lies in school districts by %v percent", z, sums)
	}
}

// TestReverseAddsUp checks that overlaps are the same from codes and from areas.
func TestReverseAddsUp(t *testing.T) {
	d := open(t)
	for _, l := range d.Layers() {
		id := l.ID()
		if !l.HasOutlines() {
			continue
		}
		for i := range min(l.Len(), 60) {
			var sum float64
			var n int
			if id.Country() == store.US {
				list, err := d.ZIPsIn(t.Context(), id, i)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range list {
					sum += c.PercentOfArea
				}
				n = len(list)
			} else {
				list, err := d.FSAsIn(t.Context(), id, i)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range list {
					sum += c.PercentOfArea
				}
				n = len(list)
			}
			if sum > 100+near || n == 0 && sum != 0 {
				t.Errorf("%s %s: %d codes hold %.9f percent of it", id, l.GEOID(i), n, sum)
			}
		}
	}
}

// TestPointsAndOverlapsAgree checks that the areas around the point of a code
// overlap the code.
func TestPointsAndOverlapsAgree(t *testing.T) {
	d := open(t)
	asked := 0
	for _, z := range d.ZIPAreas().Keys() {
		row, _ := d.ZIP(z)
		c, err := d.ZIPOverlaps(t.Context(), z)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range d.Layers() {
			around, err := l.Containing(t.Context(), row.Location, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range around {
				asked++
				if !slices.ContainsFunc(c.Of(l.ID()), func(o store.Overlap) bool { return o.Area == i }) {
					t.Errorf("%v does not meet %s %s, which is around its point", z, l.ID(), l.GEOID(i))
				}
			}
		}
	}
	if asked < 5000 {
		t.Errorf("%d areas are around points; the sample has at least 5,000", asked)
	}
}

// TestSampleLayers checks the layers of known codes.
func TestSampleLayers(t *testing.T) {
	d := open(t)
	for id, geoids := range map[store.LayerID][]string{
		store.LayerCounty:                {"06037", "09110", "72001"},
		store.LayerCongressionalDistrict: {"0200", "1198", "7298"},
		store.LayerMetroArea:             {"505", "535", "462"},
		store.LayerMetropolitanDivision:  {"31084"},
		store.LayerCBSA:                  {"31080"},
		store.LayerCensusDivision:        {"3506", "3520"},
	} {
		for _, g := range geoids {
			i, ok := d.Layer(id).Find(g)
			if !ok {
				t.Errorf("no %s %s", id, g)
				continue
			}
			if a := d.Layer(id).Area(i); a.Name == "" || a.Land <= 0 || a.Outline <= 0 || !a.Point.IsValid() {
				t.Errorf("%s %s is %+v", id, g, a)
			}
		}
	}
	if i, _ := d.Layer(store.LayerMetropolitanDivision).Find("31084"); d.Layer(store.LayerMetropolitanDivision).Area(i).Parent != "31080" {
		t.Errorf("the metropolitan division of Los Angeles is part of %q", d.Layer(store.LayerMetropolitanDivision).Area(i).Parent)
	}
	congress, schools := d.Layer(store.LayerCongressionalDistrict).Info(), d.Layer(store.LayerSchoolDistrict).Info()
	if congress.Period != "119" || congress.Year != 2024 || schools.Period != "2024-2025" || !schools.FitForShares {
		t.Errorf("congress %+v, schools %+v", congress, schools)
	}
	s, err := d.SchoolDistrict(t.Context(), 0)
	if err != nil || s.Office == nil || s.GradeHigh == "" || s.Locale == "" || s.StateID == "" {
		t.Errorf("the first school district: %+v, %v", s, err)
	}
	assigned := map[store.LayerID]int{}
	for p := range d.PostalCodes() {
		areas, err := d.PostalAreas(t.Context(), p.Code)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range areas {
			assigned[a.Layer]++
			if a.Area >= 0 && d.Layer(a.Layer).GEOID(a.Area) != a.GEOID {
				t.Errorf("%v: area %d of the layer %s is not %s", p.Code, a.Area, a.Layer, a.GEOID)
			}
		}
	}
	for _, id := range []store.LayerID{
		store.LayerDisseminationArea, store.LayerDisseminationBlock, store.LayerCensusDivision, store.LayerCensusSubdivision,
		store.LayerCensusTract, store.LayerMetroArea, store.LayerEconomicRegion, store.LayerConsolidatedSubdivision, store.LayerFederalDistrict,
	} {
		if assigned[id] < 100 {
			t.Errorf("%d postal codes were assigned to an area of the layer %s; the sample has at least 100", assigned[id], id)
		}
	}
}
