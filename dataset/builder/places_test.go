package builder_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// TestPlacesAndTheirCities checks that a place keeps its point and has only ZIP Codes
// nearby: a city of its name far away in the state is another place.
func TestPlacesAndTheirCities(t *testing.T) {
	w := newWorld(t)
	place := func(geoid, name string, lat, lng float64) {
		w.places = append(w.places, fmt.Sprintf("OH|%s|x|x|%s|25|A|1|0|0|0|%v|%v", geoid, name, lat, lng))
	}
	square := func(west, south float64, id, name string) outline {
		return outline{west, south, west + 0.1, south + 0.1, []string{id, name, name + " city", "25"}}
	}
	place("3990001", "Amberton city", 40.03, -83.03)
	place("3990002", "Farville city", 40.05, -81.05)
	place("3990003", "Grown city", 40.12, -82.05) // north of its older outline
	place("3990004", "Seaside city", 40.05, -82.95)
	w.outlines(nil, []outline{
		square(-83.1, 40, "3990001", "Amberton"), square(-81.1, 40, "3990002", "Farville"), square(-82.1, 40, "3990003", "Grown"),
		{-83, 40, -82.5, 40.1, []string{"3990004", "Seaside", "Seaside city", "25"}},
	}, nil, []outline{{-78, 44, -77, 45, []string{"K9Q", "8000.5"}}})
	w.zip("43902", "Amberton", "OH", "903", 40, -81.5) // 80 miles from Amberton
	w.zip("43903", "Farville", "OH", "901", 40, -83.5) // 128 miles from the place
	w.zip("43904", "Grown", "OH", "903", 40.2, -82.05)
	w.zip("43905", "Seaside", "OH", "903", 40.05, -82.55) // 21 miles from the place's point
	d := w.build("places")
	type found struct {
		at   geo.LatLng
		zips []dataset.ZIP
		box  bool // around the point
	}
	got := map[string]found{}
	for i := range d.Entities().Len() {
		if e := d.Entities().At(i); e.Kind == store.EntityPlace && d.State(e.State).Country == store.US {
			got[e.Name] = found{e.Location, e.ZIPs, e.Box.Contains(e.Location)}
			if len(e.ZIPs) > 0 != (e.Twin >= 0) {
				t.Errorf("%s has the ZIPs %v and the city %d", e.Name, e.ZIPs, e.Twin)
			}
		}
	}
	want := map[string]found{
		"Amberton": {geo.MustLatLng(40.03, -83.03), []dataset.ZIP{43901}, true},
		"Farville": {geo.MustLatLng(40.05, -81.05), nil, true},
		"Grown":    {geo.MustLatLng(40.12, -82.05), []dataset.ZIP{43904}, true},
		"Seaside":  {geo.MustLatLng(40.05, -82.55), []dataset.ZIP{43905}, true},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(found{}), cmp.Comparer(func(a, b geo.LatLng) bool { return a == b })); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}
