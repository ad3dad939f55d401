package spatial_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/spatial"
)

// drawn is one side of a border that was drawn with so many vertices, each up
// to so many degrees beside it.
func drawn(rng *rand.Rand, vertices int, beside float64, east float64) orb.MultiPolygon {
	ring := orb.Ring{{-84 + east, 41}, {-84 + east, 40}}
	for i := range vertices {
		t := float64(i) / float64(vertices-1)
		if i > 0 && i+1 < vertices {
			t += (rng.Float64() - 0.5) / (2 * float64(vertices))
		}
		ring = append(ring, orb.Point{-84 + 0.4*t + beside*(2*rng.Float64()-1), 40.2 + 0.7*t})
	}
	return orb.MultiPolygon{{append(ring, ring[0])}}
}

// TestOverlapOfBordersDrawnTwice measures the slivers along a border that two
// agencies drew, each with separate vertices. The common area does not depend
// on how their edges are cut.
func TestOverlapOfBordersDrawnTwice(t *testing.T) {
	const least = 2e-3 // square meters
	rng := rand.New(rand.NewPCG(5, 5))
	var worst, smallest float64 = 0, math.Inf(1)
	for range 60 {
		beside := math.Pow(10, -6.5-1.5*rng.Float64())
		a := drawn(rng, 20+rng.IntN(60), beside, -0.5)
		b := drawn(rng, 20+rng.IntN(60), beside, 0.9)
		got, err := spatial.OverlapArea(a, b)
		if err != nil {
			t.Fatal(err)
		}
		want, err := spatial.OverlapArea(orb.MultiPolygon{{dense(a[0][0], 50)}}, orb.MultiPolygon{{dense(b[0][0], 50)}})
		if err != nil {
			t.Fatal(err)
		}
		smallest = min(smallest, float64(want))
		off := math.Abs(float64(got - want))
		worst = max(worst, off/float64(want))
		if off > least+1e-6*float64(want) {
			t.Errorf("with vertices within %.1g degrees two share %.6f m², want %.6f", beside, got, want)
		}
	}
	t.Logf("at most %.1g of the overlap off; the smallest has %.3g m²", worst, smallest)
}
