package sample_test

import (
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// TestSuggestedPlaces checks that suggestions have the points and boxes of the national
// file. Points of states are means of the codes of a file, and so are those of places that
// lie off their streets, such as Anchorage, and of municipalities of Canada.
func TestSuggestedPlaces(t *testing.T) {
	path := lookuptest.NationalPath(t)
	d := lookuptest.OpenFile(t, path)
	type key struct {
		kind        store.EntityKind
		state, name string
	}
	national, compared := map[key]store.Entity{}, map[store.EntityKind]int{}
	each := func(d *store.Dataset, take func(key, store.Entity)) {
		check(t, d.Load(t.Context(), store.SectionEntities))
		for i := range d.Entities().Len() {
			e := d.Entities().At(i)
			take(key{e.Kind, d.State(e.State).Abbr, e.Name}, *e)
		}
	}
	each(d, func(k key, e store.Entity) { national[k] = e })
	moved := 0
	each(open(t), func(k key, e store.Entity) {
		switch want, ok := national[k]; {
		case !ok, e.Kind == store.EntityCity, e.Kind == store.EntityCBSA: // of a part of their codes
		case e.Box != want.Box:
			t.Errorf("%v: box %v, want %v", k, e.Box, want.Box)
		default:
			compared[e.Kind]++
			if e.Location != want.Location && e.Kind == store.EntityPlace {
				moved++
			} else if e.Location != want.Location && e.Kind != store.EntityState {
				t.Errorf("%v lies at %v, want %v", k, e.Location, want.Location)
			}
		}
	})
	if moved > 30 || compared[store.EntityPlace] < 300 || compared[store.EntityCounty] < 300 || compared[store.EntityState] < 60 || compared[store.EntityDistrict] < 90 {
		t.Errorf("%d places lie elsewhere; compared %v", moved, compared)
	}
}

// TestTiling checks that a code lies in the areas of a layer at most once, and as a whole
// if these tile the country. Codes have the areas around their point if their outline
// misleads, see decision D69.
func TestTiling(t *testing.T) {
	d := open(t)
	most := map[store.LayerID]float64{ // percentages in layers without gaps
		store.LayerCounty: 100.7, store.LayerCountySubdivision: 100.01, store.LayerBlockGroup: 100.01, store.LayerCongressionalDistrict: 100.01, store.PlanLayer(store.LayerCongressionalDistrict, 1): 100.01,
		store.LayerCensusDivision: 100.01, store.LayerEconomicRegion: 100.01, store.LayerFederalDistrict: 100.01,
	}
	const coast = 1.0 // percent of a code, between its coastline and that of the areas
	codes := 0
	add := func(code string, c store.CodeOverlaps, err error) {
		check(t, err)
		for _, l := range c.Layers {
			sum, met := 0.0, false
			for _, o := range l.Overlaps {
				sum, met = sum+o.PercentOfCode, met || o.Intersection > 0
			}
			high, tiles := most[l.Layer]
			if tiles {
				codes++
			} else if high = 100.1; l.Layer == store.LayerSchoolDistrict { // elementary and secondary ones
				high = 200.1
			}
			fit := d.Layer(l.Layer).Info().FitForShares || l.Layer == store.LayerSchoolDistrict
			if fit && sum > high || tiles && met && sum < 100-coast {
				t.Errorf("%s: %v %% in the layer %s", code, sum, l.Layer)
			}
		}
	}
	for _, z := range d.ZIPAreas().Keys() {
		c, err := d.Overlaps(t.Context(), store.CodeOfZIP(z))
		add(z.String(), c, err)
	}
	for _, f := range d.FSAAreas().Keys() {
		c, err := d.Overlaps(t.Context(), store.CodeOfFSA(f))
		add(f.String(), c, err)
	}
	if codes < 1000 {
		t.Errorf("%d layers of codes tile the country", codes)
	}
}

// TestNeighbors checks that outlines of neighbors have only slivers in common. Those of
// some ZCTAs are of another edition than their neighbors'.
func TestNeighbors(t *testing.T) {
	d := open(t)
	for _, tt := range []struct {
		name        string
		index       *spatial.PolygonIndex
		n           int
		most, share float64 // of pairs at most that share more of the smaller one
	}{
		{"ZIP Codes", d.ZIPAreas().Index(), d.ZIPAreas().Len(), 0.03, 1e-3},
		{"FSAs", d.FSAAreas().Index(), d.FSAAreas().Len(), 0, 1e-3},
		{"counties", d.CountyAreas().Index(), d.CountyAreas().Len(), 0, 0.03},
		{"states", d.StateAreas().Index(), d.StateAreas().Len(), 0, 5e-3},
		{"time zones", d.ZoneAreas().Index(), d.ZoneAreas().Len(), 0, 1e-2},
	} {
		var outlines []*spatial.Outline
		var bounds []orb.Bound
		var meter spatial.OverlapMeter
		pairs, overlap := 0, 0
		for i := range tt.n {
			m := tt.index.Polygons(i)
			o, err := spatial.NewOutline(m)
			check(t, err)
			for k, other := range outlines {
				if bounds[k].Intersects(m.Bound()) {
					pairs++
					if float64(meter.Area(o, other)) > tt.share*float64(min(o.Area(), other.Area())) {
						overlap++
					}
				}
			}
			outlines, bounds = append(outlines, o), append(bounds, m.Bound())
		}
		if float64(overlap) > tt.most*float64(pairs) || pairs < tt.n/3 {
			t.Errorf("%s: %d of %d pairs of neighbors overlap by more than %v", tt.name, overlap, pairs, tt.share)
		}
	}
}
