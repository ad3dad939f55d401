package radius_test

import (
	"context"
	"errors"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/pace"
	"github.com/postgeo/postgeo/radius"
)

// TestPolygonSteps checks that a search in a polygon with many long edges steps aside
// often, in every part of its work, and that an error of a step ends it.
func TestPolygonSteps(t *testing.T) {
	w := newWorld(t, 2000, 200, 2000)
	const teeth = 2000
	ring := orb.Ring{}
	for i := range teeth {
		x, width := -170+340*float64(i)/teeth, 340.0/teeth
		ring = append(ring, orb.Point{x, -60}, orb.Point{x + width/2, 60})
	}
	ring = append(ring, orb.Point{170, -60}, orb.Point{170, -61}, orb.Point{-170, -61}, ring[0])
	away := errors.New("away")
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		steps, last := 0, -1
		ctx := pace.With(t.Context(), func(context.Context) error {
			if steps++; steps == last {
				return away
			}
			return nil
		})
		search := func() error {
			steps = 0
			_, err := w.engine.InPolygon(ctx, orb.Polygon{ring}, radius.PolygonOptions{Mode: mode})
			return err
		}
		if err := search(); err != nil || steps < 20 {
			t.Errorf("%s: %d steps, %v; want more", mode, steps, err)
		}
		all := steps
		for last = 1; last <= all; last += 1 + all/10 {
			if err := search(); !errors.Is(err, away) || steps > last {
				t.Errorf("%s: step %d of %d fails: %v after %d", mode, last, all, err, steps)
			}
		}
	}
}
