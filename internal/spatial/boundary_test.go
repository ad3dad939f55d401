package spatial_test

import (
	"math"
	"math/rand/v2"
	"runtime"
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
		{"the middle of a long parallel", lngLatBox(-90.01, 59.99, -89.99, 60), lngLatBox(-91, 60, -89, 61), 1, float64(geo.Distance(geo.MustLatLng(60, -90.01), geo.MustLatLng(60, -89.99)))},
		{"far away", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-90, 40, -89, 41), 1000, 0},
		{"on both sides of the antimeridian", lngLatBox(179.9, 40, 180, 40.1), lngLatBox(-180, 40, -179.9, 40.1), 1, side},
		{"a ring that runs on beyond 180", lngLatBox(179.9, 40, 180.05, 40.1), lngLatBox(-179.95, 40, -179.9, 40.1), 1, side},
		{"itself", lngLatBox(-100, 40, -99.9, 40.1), lngLatBox(-100, 40, -99.9, 40.1), 1, math.NaN()},
		{"a hole", lngLatBox(-100, 40, -99.9, 40.1), holed, 1, math.NaN()},
		{"nothing", lngLatBox(-100, 40, -99.9, 40.1), nil, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := spatial.NewBorder(c.of, c.tolerance)
			check(t, err)
			want := c.want
			if math.IsNaN(want) { // all of it
				want = float64(b.Length())
			}
			for range 2 { // the second time as the first
				got, err := b.Shared(c.other)
				check(t, err)
				if most := 2*float64(c.tolerance) + 41; math.Abs(float64(got)-want) > most {
					t.Errorf("they share %.1f m, want %.1f within %.0f", float64(got), want, most)
				}
				back, err := spatial.NewBorder(c.other, c.tolerance)
				check(t, err)
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
	want := geo.Meters(0)
	ring := orb.Ring{{-150, 61}, {-150, 59}, {-146, 59}, {-150, 61}} // down a meridian, along a parallel, and back along a slanted edge
	previous := geo.MustLatLng(61, -150)
	for _, point := range dense(ring, n)[1:] {
		at := geo.MustLatLng(point[1], point[0])
		want += geo.Distance(previous, at)
		previous = at
	}
	b, err := spatial.NewBorder(orb.MultiPolygon{{ring}}, 10)
	check(t, err)
	if diff := math.Abs(float64(b.Length()-want)) / float64(want); diff > 1e-6 {
		t.Errorf("the border is %v long, want %v", b.Length(), want)
	}
}

// Edges around a pole are as short as their distance from it and as long as their longitudes.
// Their pieces have a limit, too.
func TestBorderAtPole(t *testing.T) {
	var ring orb.Ring
	for i := range 40 {
		ring = append(ring, orb.Point{float64(i%2) * 90, 89.9999 - 1e-6*float64(i)})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b, err := spatial.NewBorder(orb.MultiPolygon{{ring}}, 10)
	check(t, err)
	runtime.ReadMemStats(&after)
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 512 || b.Length() > 1000 {
		t.Errorf("a border of %v m took %d MB; it has 40 edges of less than 25 m", b.Length(), made)
	}
}

func TestBorderRefuses(t *testing.T) {
	for _, tolerance := range []geo.Meters{0, -1, 1001, geo.Meters(math.NaN())} {
		if _, err := spatial.NewBorder(lngLatBox(0, 0, 1, 1), tolerance); err == nil {
			t.Errorf("the tolerance %v was taken", tolerance)
		}
	}
	if _, err := spatial.NewBorder(nil, 1); err != nil {
		t.Errorf("no area: %v", err)
	}
}

// lngLatBox returns a box of longitudes and latitudes.
func lngLatBox(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{rectangle(west, south, east, north)}}
}

// TestClear draws points around those that Clear reports far from outlines. Both lie in
// the same areas.
func TestClear(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	x := pack(t, tessellate(rng, -118, 22, 0.5, 60, 50, 6))
	found := 0
	for range fewer(20_000) {
		p := geo.MustLatLng(20+30*rng.Float64(), -120+40*rng.Float64())
		d := geo.Meters(math.Pow(10, 1+3.5*rng.Float64()))
		if !x.Clear(p, d) {
			continue
		}
		found++
		want := x.AppendAround(nil, p)
		for range 20 {
			sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
			r := float64(d) * math.Sqrt(rng.Float64()) / 111_500
			q := geo.MustLatLng(p.Lat()+r*sin, p.Lng()+r*cos/math.Cos(p.Lat()*math.Pi/180))
			if got := x.AppendAround(nil, q); len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
				t.Fatalf("%v within %v m of %v lies in %v, expected %v", q, d, p, got, want)
			}
		}
	}
	if found == 0 {
		t.Error("no outline is ever far")
	}
}
