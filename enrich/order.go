package enrich

import (
	"context"
	"iter"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/lookup"
)

// EachPlace calls find with the number of each of n coordinates. Near ones follow each
// other, so that outlines are still in the cache of the processor. The function key
// returns the text of a coordinate.
//
// The argument areas of find is a key of the areas around the coordinate, valid until find
// returns. Rows with equal keys that are answered have equal values and outcomes, so that
// a caller needs to look up only one of them. It is nil if values depend on more than
// areas, such as a distance does, or if the text is not a coordinate.
//
// The error is the first one of find, the context's, or a failure of the dataset.
func (e *Enricher) EachPlace(ctx context.Context, n int, key func(i int) string, find func(i int, areas []byte) error) error {
	points := make([]geo.LatLng, n)
	order := nearby(n, func(i int) uint32 {
		if c, err := lookup.ParseCode(key(i)); err == nil && c.Type() == lookup.Coordinates {
			points[i] = c.LatLng()
		}
		return spatial.CurveKey(points[i])
	})
	decide := e.opt.Kind == Coordinates && !e.measures() && (e.needs[byIdentity] || e.needs[byRecord])
	same := door.Same{Zone: e.needs[byZone] || e.include.Timezone}
	for i := range order {
		var areas []byte
		if decide && points[i].IsValid() {
			same.Key = same.Key[:0]
			if err := e.sameAt(ctx, points[i], &same); err != nil {
				return err
			}
			if same.Known {
				areas = same.Key
			}
		}
		if err := find(i, areas); err != nil {
			return err
		}
	}
	return nil
}

// nearby yields the numbers of n places, so that near ones follow each other. Looked up
// in this order, many places read each outline once, while it is in the cache of the
// processor. The order has no other meaning. The function curve returns the key of a
// place, as [spatial.CurveKey] does.
func nearby(n int, curve func(i int) uint32) iter.Seq[int] {
	order := make([]uint64, n) // keys, with the numbers in their lower halves
	for i := range n {
		order[i] = uint64(curve(i))<<32 | uint64(uint32(i))
	}
	slices.Sort(order)
	return func(yield func(int) bool) {
		for _, o := range order {
			if !yield(int(uint32(o))) {
				return
			}
		}
	}
}
