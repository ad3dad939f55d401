package builder_test

import (
	"math"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/store"
)

// TestTiling builds a country whose areas tile it. Codes lie in the areas of a
// layer as a whole, the areas in codes likewise, and every point in the code and the areas
// that its position on the grid gives.
func TestTiling(t *testing.T) {
	country, dir := mirrortest.NewCountry(3, 2), t.TempDir()
	if err := country.Write(dir); err != nil {
		t.Fatal(err)
	}
	b := buildMirror(t, dir, "all", "puma", "vtd")
	if err := b.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	tiling := map[store.LayerID]bool{} // the others have gaps
	for _, id := range []store.LayerID{
		store.LayerCounty, store.LayerCountySubdivision, store.LayerTract, store.LayerBlockGroup, store.LayerCongressionalDistrict, store.PlanLayer(store.LayerCongressionalDistrict, 1),
		store.LayerStateUpper, store.LayerStateLower, store.LayerPUMA, store.LayerCensusDivision, store.LayerCensusSubdivision, store.LayerConsolidatedSubdivision, store.LayerEconomicRegion, store.LayerFederalDistrict,
	} {
		tiling[id] = true
	}
	inside := map[store.LayerID]map[int32]float64{} // square meters of codes by area
	areas := 0
	add := func(code string, c store.CodeOverlaps, whole geo.SquareMeters) {
		layers := 0
		for _, l := range c.Layers {
			if inside[l.Layer] == nil {
				inside[l.Layer] = map[int32]float64{}
			}
			sum := 0.0
			for _, o := range l.Overlaps {
				sum += o.PercentOfCode
				inside[l.Layer][int32(o.Area)] += float64(o.Intersection)
				if math.Abs(float64(o.Intersection)-o.PercentOfCode/100*float64(whole)) > 1e-4*float64(whole) {
					t.Errorf("%s: %v m² of %v in %v are %v %%", code, o.Intersection, whole, o.Area, o.PercentOfCode)
				}
			}
			most := 100.001
			if l.Layer == store.LayerSchoolDistrict { // elementary and secondary ones
				most *= 2
			}
			if sum > most || tiling[l.Layer] && sum < 99.999 {
				t.Errorf("%s: %v %% in the layer %s", code, sum, l.Layer)
			}
			if tiling[l.Layer] {
				layers++
			}
			areas += len(l.Overlaps)
		}
		if layers != 9 && layers != 5 {
			t.Errorf("%s lies in %d layers without gaps", code, layers)
		}
	}
	for i, z := range b.ZIPAreas().Keys() {
		c, err := b.ZIPOverlaps(t.Context(), z)
		if err != nil {
			t.Fatal(err)
		}
		add(z.String(), c, b.ZIPAreas().Index().Area(i))
	}
	for i, f := range b.FSAAreas().Keys() {
		c, err := b.FSAOverlaps(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		add(f.String(), c, b.FSAAreas().Index().Area(i))
	}
	if areas < 10*(b.ZIPAreas().Len()+b.FSAAreas().Len()) {
		t.Errorf("%d areas in codes", areas)
	}
	for id, of := range inside {
		for i := range b.Layer(id).Len() {
			if a := b.Layer(id).Area(i); math.Abs(of[int32(i)]/float64(a.Outline)-1) > 1e-4 {
				t.Errorf("%s %s has %v m², its codes %v", id, a.GEOID, a.Outline, of[int32(i)])
			}
		}
	}
	for _, z := range country.ZIPs {
		row, detail := b.zip(z.Code)
		at := geo.MustLatLng(z.Center[1], z.Center[0])
		county, _ := b.CountyAreas().Containing(row.Location)
		zip, _ := b.ZIPAreas().Containing(at)
		zone := map[string]string{"CA": "America/Los_Angeles"}[z.State]
		if zone == "" {
			zone = "America/New_York"
		}
		if zip.String() != z.Code || b.State(row.State).Abbr != z.State || county != row.County || !strings.HasPrefix(b.county(row.County), z.County[:2]) || b.Zone(row.Zone).Name != zone {
			t.Errorf("%s is %+v around %v, %s; want %+v", z.Code, row, zip, b.county(county), z)
		}
		i, _ := b.ZIPAreas().Find(row.ZIP)
		if detail.LandArea == nil || math.Abs(float64(*detail.LandArea)/float64(b.ZIPAreas().Index().Area(i))-1) > 1e-5 {
			t.Errorf("%s: land of %v, the outline has %v", z.Code, detail.LandArea, b.ZIPAreas().Index().Area(i))
		}
		if split := row.MultiCounty == store.Yes; split != (len(b.met(z.Code, store.LayerCounty)) > 1) {
			t.Errorf("%s: several counties: %v", z.Code, split)
		}
	}
}
