package spatial_test

import (
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// TestContainingAtGridLines finds points in boxes whose sides lie on and near the lines
// of the grid. Some are large, some are at a pole or at the antimeridian.
func TestContainingAtGridLines(t *testing.T) {
	const quarter, unit = 0.0125, 1e-6 // degrees
	random := rand.New(rand.NewPCG(3, 9))
	line := func(from, to float64) float64 {
		steps := random.IntN(int((to - from) / quarter))
		return from + float64(steps)*quarter + float64(random.IntN(3)-1)*unit
	}
	var areas []orb.MultiPolygon
	var boxes []orb.Bound
	for _, c := range []struct{ south, north, west, east float64 }{
		{-89, 88, -179, 178},
		{40, 40.2, -80.2, -80},
		{40, 40.2, 179.5, 179.9},
		{89.8, 90, -100, -99.8},
	} {
		for i := range 50 {
			size := quarter * float64(1+random.IntN(8))
			if i%10 == 0 {
				size = 5 // more cells than a small shape has
			}
			b := orb.Bound{Min: orb.Point{line(c.west, c.east), line(c.south, c.north)}}
			b.Max = orb.Point{b.Min[0] + size, min(90, b.Min[1]+size)}
			areas, boxes = append(areas, orb.MultiPolygon{b.ToPolygon()}), append(boxes, b)
		}
	}
	index := pack(t, areas)
	for i, b := range boxes {
		for range 40 {
			at := orb.Point{b.Min[0] + unit, b.Min[1] + unit}
			for k := range at {
				switch side := b.Max[k] - b.Min[k]; random.IntN(4) {
				case 0:
					at[k] = b.Max[k] - unit
				case 1:
					at[k] = b.Min[k] + side*random.Float64()
				}
			}
			lng := at[0]
			if lng > 180 {
				lng -= 360
			}
			p := geo.MustLatLng(at[1], lng)
			found := map[int]bool{}
			for _, k := range index.AppendContaining(nil, p) {
				found[k] = true
			}
			if !found[i] {
				t.Fatalf("box %v has %v, which is found in %v", b, p, found)
			}
			for k := range areas {
				if want := index.Covers(k, p); found[k] != want {
					t.Fatalf("box %v has %v: %v, found %v", boxes[k], p, want, found[k])
				}
			}
			around := index.AppendAround(nil, p)
			if first, ok := index.Containing(p); !ok || len(around) == 0 || around[0] != first || !found[first] {
				t.Fatalf("%v lies in %d, %v, and is around %v", p, first, ok, around)
			}
		}
	}
}
