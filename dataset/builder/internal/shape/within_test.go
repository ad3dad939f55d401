package shape_test

import (
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
)

func ring(points ...float64) orb.Ring {
	var r orb.Ring
	for i := 0; i < len(points); i += 2 {
		r = append(r, orb.Point{points[i], points[i+1]})
	}
	return append(r, r[0])
}

// TestPointWithin checks that the points lie within, also if the centroid does not.
func TestPointWithin(t *testing.T) {
	for name, polygon := range map[string]orb.MultiPolygon{
		"square":   {{ring(0, 0, 1, 0, 1, 1, 0, 1)}},
		"crescent": {{ring(0, 0, 10, 0, 10, 10, 0, 10, 0, 9, 9, 9, 9, 1, 0, 1)}},
		"ring":     {{ring(0, 0, 9, 0, 9, 9, 0, 9), ring(1, 1, 1, 8, 8, 8, 8, 1)}},
		"islands":  {{ring(50, 50, 50.1, 50, 50.1, 50.1)}, {ring(0, 0, 3, 0, 3, 3, 0, 3)}},
	} {
		for p := range shape.PointsWithin(polygon) {
			if !planar.MultiPolygonContains(polygon, orb.Point{p.Lng(), p.Lat()}) {
				t.Errorf("the point of the %s, %v, is not within", name, p)
			}
		}
	}
	if p := shape.PointWithin(nil); p.IsValid() {
		t.Errorf("nothing has the point %v", p)
	}
}
