package spatial_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/spatial"
)

// TestOverlapIndex checks against measuring every pair that an index leaves out
// none that shares something: small outlines, some across the antimeridian,
// one that is nearly everywhere, and one without polygons.
func TestOverlapIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var outlines []*spatial.Outline
	add := func(m orb.MultiPolygon) {
		o, err := spatial.NewOutline(m)
		if err != nil {
			t.Fatal(err)
		}
		outlines = append(outlines, o)
	}
	for range 150 {
		west, south := 176+8*rng.Float64(), 50+3*rng.Float64()
		if rng.IntN(2) == 0 {
			west -= 360
		}
		add(lngLatBox(west, south, west+rng.Float64(), south+rng.Float64()/2))
	}
	add(lngLatBox(-170, -80, 170, 80))
	add(nil)
	outlines = append(outlines, nil)
	finder := spatial.NewOverlapIndex(outlines).Finder()
	var meter spatial.OverlapMeter
	found := 0
	for i, o := range outlines {
		near := finder.AppendMeeting(nil, o)
		if !slices.IsSorted(near) || len(slices.Compact(slices.Clone(near))) != len(near) {
			t.Errorf("outline %d meets %v, not in order", i, near)
		}
		for k, p := range outlines {
			if o == nil || p == nil {
				continue
			}
			if v := meter.Area(o, p); v > 1e-3 && !slices.Contains(near, int32(k)) {
				t.Errorf("outlines %d and %d share %.3f m², and are not told to meet", i, k, float64(v))
			} else if v > 1e-3 {
				found++
			}
		}
	}
	if found < 500 {
		t.Errorf("%d pairs share something", found)
	}
}

// TestOverlapFollowsEdges lays outlines with long slanting edges over others
// and compares with the same outlines whose edges are cut to short ones.
func TestOverlapFollowsEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 60 {
		lat := 20 + 45*rng.Float64()
		corner := func(x, y float64) orb.Point {
			return orb.Point{-100 + x + 0.3*rng.Float64(), lat + y + 0.3*rng.Float64()}
		}
		quad := func() orb.Ring {
			r := orb.Ring{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)}
			return append(r, r[0])
		}
		a, b := quad(), quad()
		got, err := spatial.OverlapArea(orb.MultiPolygon{{a}}, orb.MultiPolygon{{b}})
		if err != nil {
			t.Fatal(err)
		}
		want, err := spatial.OverlapArea(orb.MultiPolygon{{dense(a, 2000)}}, orb.MultiPolygon{{dense(b, 2000)}})
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(float64(got/want - 1)); off > 1e-8 {
			t.Errorf("at latitude %.1f: %.3f m², cut to short edges %.3f m², off %.2g", lat, float64(got), float64(want), off)
		}
	}
}

// dense returns the ring with every edge cut into so many.
func dense(r orb.Ring, parts int) orb.Ring {
	var out orb.Ring
	for i := 1; i < len(r); i++ {
		for k := range parts {
			t := float64(k) / float64(parts)
			out = append(out, orb.Point{r[i-1][0] + t*(r[i][0]-r[i-1][0]), r[i-1][1] + t*(r[i][1]-r[i-1][1])})
		}
	}
	return append(out, out[0])
}
