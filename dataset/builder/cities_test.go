package builder_test

import (
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/geo"
)

// TestPOBoxInItsCity checks when the point of a PO Box ZIP gives way to that of
// the city of its name.
func TestPOBoxInItsCity(t *testing.T) {
	w := newWorld(t)
	place := func(geoid, name string, land int64, lat, lng float64) {
		w.places = append(w.places, fmt.Sprintf("OH|%s|x|x|%s|25|A|%d|0|0|0|%v|%v", geoid, name, land, lat, lng))
	}
	box := func(code, city string, lat, lng float64) {
		w.supplied(code, "PO BOX", "0", city, "", "OH", "Amber County", "", lat, lng)
	}
	place("3990101", "Oakton city", 1e7, 40.5, -83.5)
	place("3990102", "Elmton village", 1e7, 40.1, -83.1)
	place("3990103", "Elmton CDP", 1e7, 41.1, -83.1)
	place("3990104", "Bigburg city", 2e9, 40, -84) // 25 km across
	place("3990105", "Wetport city", 1e7, 40, -82)
	w.zip("43802", "Wetport", "OH", "901", 40, -82.5)
	w.zcta("43802", 1, 1, 40.05, -82.5)
	w.zcta("43811", 1, 1, 43, -83.5)
	w.zcta("43812", 1, 1, 40.9, -83.5)

	box("43810", "Oakton", 40.9, -83.5)  // 28 miles off
	box("43811", "Oakton", 40.55, -83.5) // in the city, its ZCTA 170 miles away
	box("43812", "Oakton", 43, -83.5)    // the ZCTA is not used, as the city is known
	box("43813", "Elmton", 40.5, -83.1)  // two places of the name
	box("43814", "Bigburg", 40.3, -84)   // 21 miles from the middle of a large city
	box("43815", "Wetport", 40, -82.5)   // 26 miles off, by the area of another ZIP of the city
	w.supplied("43816", "STANDARD", "0", "Oakton", "", "OH", "Amber County", "", 40.9, -83.5)
	b := w.build()
	for code, want := range map[string]geo.LatLng{
		"43810": geo.MustLatLng(40.5, -83.5), "43811": geo.MustLatLng(40.55, -83.5), "43812": geo.MustLatLng(40.5, -83.5),
		"43813": geo.MustLatLng(40.5, -83.1), "43814": geo.MustLatLng(40.3, -84), "43815": geo.MustLatLng(40, -82.5),
		"43816": geo.MustLatLng(40.9, -83.5),
	} {
		if row, _ := b.zip(code); row.Location != want {
			t.Errorf("%s is at %v, want %v", code, row.Location, want)
		}
	}
	if got := b.count(b.report.Rules, "takes the city's point"); got != 2 {
		t.Errorf("%d points gave way to the city's, want 2", got)
	}
}
