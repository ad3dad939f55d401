package sample_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
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
