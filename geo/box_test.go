package geo_test

import (
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/geo"
)

// TestBoxMeets compares boxes that are apart, nested and crossing, also beyond
// longitude 180.
func TestBoxMeets(t *testing.T) {
	box := func(west, south, east, north float64) geo.Box {
		return geo.Box{SouthWest: geo.MustLatLng(south, west), NorthEast: geo.MustLatLng(north, east)}
	}
	alaska := box(172, 51, -130, 72)
	for _, tt := range []struct {
		name string
		a, b geo.Box
		want bool
	}{
		{"inside", box(0, 0, 10, 10), box(1, 1, 2, 2), true},
		{"across", box(0, 4, 10, 6), box(4, 0, 6, 10), true},
		{"an edge", box(0, 0, 10, 10), box(10, 0, 20, 10), true},
		{"beside", box(0, 0, 10, 10), box(10.1, 0, 20, 10), false},
		{"above", box(0, 0, 10, 10), box(0, 10.1, 10, 20), false},
		{"west of the antimeridian", alaska, box(175, 52, 176, 53), true},
		{"east of it", alaska, box(-150, 60, -149, 61), true},
		{"outside of both", alaska, box(0, 60, 10, 61), false},
		{"both cross", alaska, box(170, 60, -170, 61), true},
		{"empty", geo.Box{}, box(0, 0, 10, 10), false},
	} {
		if got := tt.a.Meets(tt.b); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if got := tt.b.Meets(tt.a); got != tt.want {
			t.Errorf("%s, the other way: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func ExampleBox_Meets() {
	alaska := geo.Box{SouthWest: geo.MustLatLng(51, 172), NorthEast: geo.MustLatLng(72, -130)}
	hawaii := geo.Box{SouthWest: geo.MustLatLng(18, -161), NorthEast: geo.MustLatLng(23, -154)}
	fmt.Println(alaska.Meets(hawaii), alaska.Meets(alaska))
	// Output: false true
}
