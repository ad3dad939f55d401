package shape_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
)

func TestDissolve(t *testing.T) {
	square := func(x, y float64) orb.Polygon {
		return orb.Polygon{{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}, {x, y}}}
	}
	lake := orb.Ring{{0.2, 0.2}, {0.2, 0.4}, {0.4, 0.4}, {0.4, 0.2}, {0.2, 0.2}}
	island := orb.Ring{{0.2, 0.2}, {0.4, 0.2}, {0.4, 0.4}, {0.2, 0.4}, {0.2, 0.2}}
	backwards := orb.Polygon{{{1, 0}, {1, 1}, {2, 1}, {2, 0}, {1, 0}}}
	tests := map[string]struct {
		in    orb.MultiPolygon
		rings []int // of each polygon
		area  float64
	}{
		"nothing":                   {nil, nil, 0},
		"one":                       {orb.MultiPolygon{square(0, 0)}, []int{1}, 1},
		"neighbours":                {orb.MultiPolygon{square(0, 0), square(1, 0)}, []int{1}, 2},
		"a neighbour run backwards": {orb.MultiPolygon{square(0, 0), backwards}, []int{1}, 2},
		"apart":                     {orb.MultiPolygon{square(0, 0), square(3, 0)}, []int{1, 1}, 2},
		"corner to corner":          {orb.MultiPolygon{square(0, 0), square(1, 1)}, []int{1, 1}, 2},
		"a lake":                    {orb.MultiPolygon{append(square(0, 0), lake), square(1, 0)}, []int{2}, 1.96},
		"a lake filled":             {orb.MultiPolygon{append(square(0, 0), lake), {island}, square(1, 0)}, []int{1}, 2},
		"an island in a lake": {
			orb.MultiPolygon{append(square(0, 0), lake), {{{0.25, 0.25}, {0.35, 0.25}, {0.35, 0.35}, {0.25, 0.35}, {0.25, 0.25}}}}, []int{2, 1}, 0.97,
		},
		"around a gap": {
			orb.MultiPolygon{square(0, 0), square(1, 0), square(2, 0), square(0, 1), square(2, 1), square(0, 2), square(1, 2), square(2, 2)}, []int{2}, 8,
		},
		"around two gaps that touch": {
			orb.MultiPolygon{
				square(0, 0), square(1, 0), square(2, 0), square(3, 0), square(0, 1), square(2, 1), square(3, 1), square(0, 2), square(1, 2), square(3, 2),
				square(0, 3), square(1, 3), square(2, 3), square(3, 3),
			}, []int{3}, 14,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := shape.Dissolve(test.in)
			var rings []int
			for _, p := range got {
				rings = append(rings, len(p))
			}
			if diff := cmp.Diff(test.rings, rings); diff != "" {
				t.Errorf("rings of the polygons (-want +got):\n%s\n%v", diff, got)
			}
			if a := planar.Area(got); math.Abs(a-test.area) > 1e-9 {
				t.Errorf("area %v, want %v", a, test.area)
			}
		})
	}
}

// TestDissolveGrid joins the cells of random parts of a grid. The remaining
// edges are those between a cell of the part and one outside it.
func TestDissolveGrid(t *testing.T) {
	const n = 12
	rng := rand.New(rand.NewPCG(5, 7))
	for range 200 {
		var part [n + 2][n + 2]bool
		var in orb.MultiPolygon
		for x := 1; x <= n; x++ {
			for y := 1; y <= n; y++ {
				if part[x][y] = rng.IntN(3) > 0; part[x][y] {
					a, b := float64(x), float64(y)
					in = append(in, orb.Polygon{{{a, b}, {a + 1, b}, {a + 1, b + 1}, {a, b + 1}, {a, b}}})
				}
			}
		}
		edges := 0
		for x := range n + 1 {
			for y := range n + 1 {
				if part[x][y] != part[x+1][y] {
					edges++
				}
				if part[x][y] != part[x][y+1] {
					edges++
				}
			}
		}
		out := shape.Dissolve(in)
		got := 0
		for _, p := range out {
			for _, r := range p {
				got += len(r) - 1
				seen := map[orb.Point]bool{}
				for _, v := range r[1:] {
					if seen[v] {
						t.Fatalf("a ring passes %v twice", v)
					}
					seen[v] = true
				}
			}
		}
		if got != edges {
			t.Fatalf("%d edges are left, want %d", got, edges)
		}
		if a := planar.Area(out); math.Abs(a-float64(len(in))) > 1e-9 {
			t.Fatalf("area %v of %d cells", a, len(in))
		}
	}
}
