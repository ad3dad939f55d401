package shape_test

import (
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/spatial"
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

// FuzzRepair checks that no resulting ring is open or degenerate, and that the
// index takes the result.
func FuzzRepair(f *testing.F) {
	f.Add([]byte{0, 0, 2, 2, 2, 0, 0, 2})
	f.Add([]byte{0, 0, 4, 0, 4, 3, 1, 3, 1, 1, 3, 1, 3, 4, 0, 4})
	f.Add([]byte{0, 0, 9, 1, 1, 8, 8, 8, 2, 0, 5, 9, 4, 0, 0, 7})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 200 {
			return
		}
		var r orb.Ring
		for i := 0; i+1 < len(b); i += 2 {
			r = append(r, orb.Point{float64(b[i]) / 2, float64(b[i+1]) / 4})
		}
		if len(r) == 0 {
			return
		}
		r = append(r, r[0])
		got := new(shape.Repairs).Repair(orb.MultiPolygon{{r}})
		for _, p := range got {
			for _, r := range p {
				if len(r) < 4 || !r.Closed() {
					t.Errorf("ring %v", r)
				}
			}
		}
		var index spatial.PolygonIndexBuilder
		if err := index.Add(got); err != nil {
			t.Error(err)
		}
	})
}
