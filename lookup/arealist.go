package lookup

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// AreaIDsAt yields the GEOID of the area of a layer around each point, or "" if
// there is none or the point is not valid. If areas lie within one another, it is
// the smallest. Districts come from the plans in force at the time. The
// error matches [envelope.ErrUnavailable] if the dataset lacks the layer's outlines.
func (r *Reader) AreaIDsAt(ctx context.Context, layer Layer, points iter.Seq[geo.LatLng], at time.Time) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		l, err := r.layer(ctx, layer)
		if err == nil && !l.HasOutlines() {
			err = &envelope.Failure{Op: op, Kind: envelope.KindUnavailable, Thing: envelope.ThingLayer, Input: string(layer), Lacks: "outlines of the layer " + string(layer)}
		}
		choice, bad := r.planChoice(time.Time{}, at, "")
		if err == nil {
			err = bad
		}
		if err != nil {
			yield("", err)
			return
		}
		id := l.ID()
		planned := len(r.data.Plans(id)) > 1
		var around []int
		for p := range points {
			in := l
			if planned {
				var state store.StateID
				if _, state, err = r.stateAround(ctx, p); err == nil {
					in = r.data.InForce(id, choice, state).Areas
				}
			}
			if err == nil {
				around, err = in.Containing(ctx, p, around[:0])
			}
			if err != nil {
				yield("", fmt.Errorf("lookup: areas of the layer %s: %w", id, err))
				return
			}
			geoid := ""
			if len(around) > 0 {
				geoid = in.GEOID(around[0])
			}
			if !yield(geoid, nil) {
				return
			}
		}
	}
}
