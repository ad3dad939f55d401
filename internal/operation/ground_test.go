package operation_test

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/operation"
)

// TestGround checks that neighbors keep a common border
// after it was simplified, and that points of three areas remain.
func TestGround(t *testing.T) {
	// Three areas: west, and east in two halves that meet at (1, 0.5).
	wiggle := []orb.Point{{1, 0}, {1.02, 0.1}, {0.98, 0.2}, {1.3, 0.3}, {1.01, 0.4}, {1, 0.5}, {0.99, 0.7}, {1.02, 0.9}, {1, 1}}
	back := slices.Clone(wiggle)
	slices.Reverse(back)
	outlines := []orb.MultiPolygon{
		{{append(slices.Concat(orb.Ring{{0, 1}, {0, 0}}, orb.Ring(wiggle)), orb.Point{0, 1})}},
		{{append(slices.Concat(orb.Ring{{2, 0}, {2, 0.5}}, orb.Ring(back[3:])), orb.Point{2, 0})}},
		{{append(slices.Concat(orb.Ring{{2, 0.5}, {2, 1}}, orb.Ring(back[:4])), orb.Point{2, 0.5})}},
	}
	edges := map[[4]int]int{}
	for i, rings := range operation.NewGround(outlines, 0.01, 5, 32) {
		for _, ring := range rings {
			if len(ring) >= 2*len(wiggle) {
				t.Errorf("area %d has %d numbers after simplification", i, len(ring))
			}
			var points [][2]int
			at := [2]int{}
			for k := 0; k < len(ring); k += 2 {
				at[0], at[1] = at[0]+ring[k], at[1]+ring[k+1]
				points = append(points, at)
			}
			if i == 0 && !slices.Contains(points, [2]int{100, 50}) {
				t.Errorf("the point of three areas is missing: %v", points)
			}
			if i == 0 && !slices.Contains(points, [2]int{130, 30}) {
				t.Errorf("a cape of 0.3 degrees is missing: %v", points)
			}
			for k, a := range points {
				b := points[(k+1)%len(points)]
				if edges[[4]int{b[0], b[1], a[0], a[1]}] > 0 {
					edges[[4]int{b[0], b[1], a[0], a[1]}]--
				} else {
					edges[[4]int{a[0], a[1], b[0], b[1]}]++
				}
			}
		}
	}
	for edge, n := range edges {
		inner := func(x, y int) bool { return x > 0 && x < 200 && y > 0 && y < 100 }
		if n > 0 && (inner(edge[0], edge[1]) || inner(edge[2], edge[3])) {
			t.Errorf("the border from %v is not that of a neighbor", edge)
		}
	}
}
