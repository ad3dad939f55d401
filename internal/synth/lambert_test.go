package synth_test

import (
	"math"
	"testing"
)

// TestCanadianShapesComeBackInDegrees compares outlines with their original
// grid. They were projected to Statistics Canada Lambert, and projected back by
// the reader, which is a separate implementation.
func TestCanadianShapesComeBackInDegrees(t *testing.T) {
	w := newWorld(t)
	n := 0
	for _, s := range w.shapes(t, csdFile, "CSDUID", "", "") {
		for _, p := range s.polygon {
			for _, r := range p {
				for _, v := range r {
					n++
					c := cornerOf(v)
					if math.Abs(v[0]*1e6-float64(c[0])) > 0.05 || math.Abs(v[1]*1e6-float64(c[1])) > 0.05 {
						t.Fatalf("municipality %s: %.9f,%.9f is not on the grid of a millionth of a degree", s.id, v[0], v[1])
					}
				}
			}
		}
	}
	if n == 0 {
		t.Fatal("no vertices")
	}
}
