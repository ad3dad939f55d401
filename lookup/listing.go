package lookup

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// AreaIDs yields the GEOIDs of a layer's areas in ascending order, with boxes only of
// those whose bounding boxes meet one. The error matches [envelope.ErrInvalidParam] if
// no dataset has such a layer, [envelope.ErrUnavailable] if this one lacks it, or is a
// failure of the dataset.
func (r *Reader) AreaIDs(ctx context.Context, layer Layer, boxes ...geo.Box) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		l, err := r.layer(ctx, layer)
		if err != nil {
			yield("", err)
			return
		}
		for i := range l.Len() {
			if len(boxes) > 0 {
				around, err := l.Box(ctx, i)
				if err != nil {
					yield("", fmt.Errorf("lookup: outlines of %s: %w", layer, err))
					return
				}
				if !slices.ContainsFunc(boxes, around.Meets) {
					continue
				}
			}
			if !yield(l.GEOID(i), nil) {
				return
			}
		}
	}
}

// A StateOutline is the outline of a state or province.
type StateOutline struct {
	State   string // two letters
	Outline orb.MultiPolygon
}
