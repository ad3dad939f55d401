package spatial_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// sampledDistance measures to many points of every edge, then to many near
// the best.
func sampledDistance(m orb.MultiPolygon, p geo.LatLng) geo.Meters {
	best := geo.Meters(math.Inf(1))
	at := func(a, b orb.Point, t float64) geo.LatLng {
		x := math.Remainder(a[0]+t*(b[0]-a[0]), 360)
		return geo.MustLatLng(a[1]+t*(b[1]-a[1]), x)
	}
	for _, poly := range m {
		for _, r := range poly {
			for i := 1; i < len(r); i++ {
				const n = 60
				edge, where := geo.Meters(math.Inf(1)), 0.0
				for k := 0; k <= n; k++ {
					t := float64(k) / n
					if d := geo.Distance(p, at(r[i-1], r[i], t)); d < edge {
						edge, where = d, t
					}
				}
				if edge > best+20000 {
					continue
				}
				for width := 1.0 / n; width > 1e-9; width /= 5 {
					center := where
					for k := -5; k <= 5; k++ {
						t := max(0, min(1, center+width*float64(k)/5))
						if d := geo.Distance(p, at(r[i-1], r[i], t)); d < edge {
							edge, where = d, t
						}
					}
				}
				best = min(best, edge)
			}
		}
	}
	return best
}

func TestDistanceToBoundary(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	worst := 0.0
	for _, c := range []struct{ west, south, step float64 }{
		{-102, 38, 0.4}, {-75.2, 45.2, 0.01}, {179.5, 50, 0.5}, {-150, 10, 5}, {-120, 82, 2},
	} {
		areas := tessellate(rng, c.west, c.south, c.step, 2, 2, 4)
		index := pack(t, areas)
		for range fewer(20) {
			i := rng.IntN(len(areas))
			v := areas[i][0][0][rng.IntN(8)]
			p := nudge(rng, geo.MustLatLng(v[1], math.Remainder(v[0], 360)), c.step*math.Pow(10, 1-3*rng.Float64()))
			got, ok := index.DistanceToBoundary(i, p)
			want := sampledDistance(index.Polygons(i), p)
			off := math.Abs(float64(got - want))
			worst = max(worst, off)
			if !ok || off > 1e-3 {
				t.Errorf("%v is %v m from the edge of an area, %v; want %v", p, got, ok, want)
			}
		}
	}
	t.Logf("largest difference %.2g m", worst)
}

func TestDistanceToBoundaryOfNothing(t *testing.T) {
	index := pack(t, []orb.MultiPolygon{nil, {{closed(orb.Point{0, 0}, orb.Point{1, 0}, orb.Point{1, 1})}}})
	for _, c := range []struct {
		area int
		p    geo.LatLng
	}{{0, geo.MustLatLng(1, 1)}, {2, geo.MustLatLng(1, 1)}, {-1, geo.MustLatLng(1, 1)}, {1, geo.LatLng{}}} {
		if d, ok := index.DistanceToBoundary(c.area, c.p); ok || d != 0 {
			t.Errorf("area %d, point %v: %v, %v", c.area, c.p, d, ok)
		}
	}
	if d, ok := index.DistanceToBoundary(1, geo.MustLatLng(0, 0.5)); !ok || d > 1e-5 {
		t.Errorf("a point on the edge is %v m from it, %v", d, ok)
	}
}

func ExamplePolygonIndex_Containing() {
	var b spatial.PolygonIndexBuilder
	for _, west := range []float64{-80, -79} { // two squares side by side
		ring := orb.Ring{{west, 40}, {west + 1, 40}, {west + 1, 41}, {west, 41}, {west, 40}}
		if err := b.Add(orb.MultiPolygon{{ring}}); err != nil {
			fmt.Println(err)
			return
		}
	}
	data, err := b.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := spatial.DecodePolygonIndex(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range []geo.LatLng{geo.MustLatLng(40.5, -79.1), geo.MustLatLng(40.5, -79), geo.MustLatLng(40.5, -77)} {
		area, ok := index.Containing(p)
		fmt.Println(area, ok)
	}
	c, err := spatial.NewCircle(geo.MustLatLng(40.5, -79), geo.Miles(20).Meters())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range index.AppendShares(nil, c) {
		fmt.Printf("%.1f %% of area %d\n", s.Percent, s.Index)
	}
	d, _ := index.DistanceToBoundary(0, geo.MustLatLng(40.5, -79.1))
	fmt.Printf("%.1f miles to the edge\n", d.Miles())
	// Output:
	// 0 true
	// 1 true
	// 0 false
	// 17.3 % of area 0
	// 17.3 % of area 1
	// 5.3 miles to the edge
}
