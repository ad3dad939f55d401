package spatial_test

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

func TestSharedBorder(t *testing.T) {
	side := float64(geo.Distance(geo.MustLatLng(40, -100), geo.MustLatLng(40.1, -100))) // a tenth of a degree of the meridian
	holed := lngLatBox(-100.3, 39.7, -99.7, 40.4)
	holed[0] = append(holed[0], lngLatBox(-100, 40, -99.9, 40.1)[0][0])
	wavy := lngLatBox(-100.1, 40, -100, 40.1) // its eastern side waves over the common one, longer by a seventh
	wavy[0][0] = wavy[0][0][:0]
	for i := range 201 {
		wavy[0][0] = append(wavy[0][0], orb.Point{-100 + 0.00036*float64(i%2), 40 + 0.1*float64(i)/200})
	}
	wavy[0][0] = append(wavy[0][0], orb.Point{-100.1, 40.1}, orb.Point{-100.1, 40}, wavy[0][0][0])
	for _, c := range []struct {
		name      string
		of, other orb.MultiPolygon
		tolerance geo.Meters
		want      float64 // meters
	}{
		{"a common side", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-100.1, 40, -100, 40.1), 1, side},
		{"half a common side", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-100.1, 40.05, -100, 40.3), 1, side / 2},
		{"a wavy side", lngLatBox(-100, 40, -99.9, 40.1), wavy, 50, 1.07 * side},
		{"a corner", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-100.1, 40.1, -100, 40.2), 1, 0},
		{"a gap of 30 m with a tolerance of 20", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-100.1, 40, -100.00035, 40.1), 20, 0},
		{"a gap of 30 m with a tolerance of 40", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-100.1, 40, -100.00035, 40.1), 40, side},
		{"far away", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-90, 40, -89, 41), 1000, 0},
		{"on both sides of the antimeridian", lngLatBox(179.9, 40, 180, 40.1), lngLatBox(-180, 40, -179.9, 40.1), 1, side},
		{"a ring that runs on beyond 180", lngLatBox(179.9, 40, 180.05, 40.1), lngLatBox(-179.95, 40, -179.9, 40.1), 1, side},
		{"itself", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-100, 40, -99.9, 40.1), 1, math.NaN()},
		{"a hole", lngLatBox(-100, 40, -99.9, 40.1), holed, 1, math.NaN()},
		{"nothing", lngLatBox(-100, 40, -99.9, 40.1), nil, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := spatial.NewBorder(c.of, c.tolerance)
			if err != nil {
				t.Fatal(err)
			}
			want := c.want
			if math.IsNaN(want) { // all of it
				want = float64(b.Length())
			}
			for range 2 { // the second time as the first
				got, err := b.Shared(c.other)
				if err != nil {
					t.Fatal(err)
				}
				if most := 2*float64(c.tolerance) + 41; math.Abs(float64(got)-want) > most {
					t.Errorf("they share %.1f m, want %.1f within %.0f", float64(got), want, most)
				}
				back, err := spatial.NewBorder(c.other, c.tolerance)
				if err != nil {
					t.Fatal(err)
				}
				if same, err := back.Shared(c.of); err != nil || same != got {
					t.Errorf("they share %v m, and %v in return: %v", got, same, err)
				}
			}
		})
	}
}

// A border is as long as the geodesics between the points of its edges.
func TestBorderLength(t *testing.T) {
	const n = 2000
	var ring orb.Ring
	want := geo.Meters(0)
	previous := geo.MustLatLng(61, -150)
	for i := 1; i <= n; i++ { // down a meridian, along a parallel, and back along a slanted edge
		at := geo.MustLatLng(61-2*float64(i)/n, -150)
		want += geo.Distance(previous, at)
		previous = at
	}
	for i := 1; i <= n; i++ {
		at := geo.MustLatLng(59, -150+4*float64(i)/n)
		want += geo.Distance(previous, at)
		previous = at
	}
	for i := 1; i <= n; i++ {
		at := geo.MustLatLng(59+2*float64(i)/n, -146-4*float64(i)/n)
		want += geo.Distance(previous, at)
		previous = at
	}
	ring = orb.Ring{{-150, 61}, {-150, 59}, {-146, 59}, {-150, 61}}
	b, err := spatial.NewBorder(orb.MultiPolygon{{ring}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := math.Abs(float64(b.Length()-want)) / float64(want); diff > 1e-6 {
		t.Errorf("the border is %v long, want %v", b.Length(), want)
	}
}

func TestBorderRefuses(t *testing.T) {
	for _, tolerance := range []geo.Meters{0, -1, 1001, geo.Meters(math.NaN())} {
		if _, err := spatial.NewBorder(lngLatBox(0, 0, 1, 1), tolerance); err == nil {
			t.Errorf("the tolerance %v was taken", tolerance)
		}
	}
	bad := lngLatBox(0, 0, 1, math.Inf(1))
	if _, err := spatial.NewBorder(bad, 1); !errors.Is(err, geo.ErrInvalidPolygon) {
		t.Errorf("a border with an infinite vertex: %v", err)
	}
	b, err := spatial.NewBorder(lngLatBox(0, 0, 1, 1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Shared(bad); !errors.Is(err, geo.ErrInvalidPolygon) {
		t.Errorf("another border with an infinite vertex: %v", err)
	}
	if _, err := spatial.NewBorder(nil, 1); err != nil {
		t.Errorf("no area: %v", err)
	}
}

// lngLatBox returns a box of longitudes and latitudes.
func lngLatBox(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{rectangle(west, south, east, north)}}
}
