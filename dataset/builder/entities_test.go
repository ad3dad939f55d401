package builder_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// TestEntities checks the names of the sample's invented country.
func TestEntities(t *testing.T) {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	table := d.Entities()
	divisions := 0 // of Canada
	kinds := map[store.EntityKind]int{}
	for i := range table.Len() {
		e := table.At(i)
		kinds[e.Kind]++
		if e.Twin >= 0 {
			if twin := table.At(e.Twin); twin.Kind == e.Kind || twin.State != e.State {
				t.Errorf("%s %s has the twin %s %s", e.Kind, e.Name, twin.Kind, twin.Name)
			}
		}
		if e.Kind == store.EntityPlace && len(e.ZIPs) > 0 && e.Twin < 0 {
			t.Errorf("place %s has ZIPs and is no city", e.Name)
		}
		if !slices.IsSorted(e.ZIPs) {
			t.Errorf("%s %s: ZIPs %v do not ascend", e.Kind, e.Name, e.ZIPs)
		}
		if e.Kind == store.EntityCounty && d.State(e.State).Country == store.CA {
			divisions++
		}
		if e.State == 0 {
			t.Errorf("entity %d, %s %s, has no state", i, e.Kind, e.Name)
		}
	}
	for _, k := range []store.EntityKind{store.EntityState, store.EntityPlace, store.EntityCity, store.EntityCounty, store.EntityCBSA} {
		if kinds[k] == 0 {
			t.Errorf("no entity of the kind %s", k)
		}
	}
	if diff := cmp.Diff(len(d.CBSAs()), kinds[store.EntityCBSA]); diff != "" {
		t.Errorf("metropolitan areas (-dataset +entities):\n%s", diff)
	}
	if diff := cmp.Diff(len(d.Counties()), kinds[store.EntityCounty]-divisions); diff != "" {
		t.Errorf("counties (-dataset +entities):\n%s", diff)
	}
}
