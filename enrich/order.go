package enrich

import (
	"context"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
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
	order := nearby(n, func(i int) geo.LatLng {
		if c, err := lookup.ParseCode(key(i)); err == nil && c.Type() == lookup.Coordinates {
			points[i] = c.LatLng()
		}
		return points[i]
	})
	decide := e.opt.Kind == Coordinates && !e.measures() && (e.needs[byIdentity] || e.needs[byRecord])
	same := door.Same{Zone: e.needs[byZone] || e.include.Timezone, Code: e.needs[byIdentity]}
	for _, o := range order {
		i := int(uint32(o))
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

// nearby returns the numbers of n points in the lower halves of its items, so that near
// ones follow each other. Looked up in this order, many points read each outline once,
// while it is in the cache of the processor. The order has no other meaning.
func nearby(n int, point func(i int) geo.LatLng) []uint64 {
	order, sorted := make([]uint64, n), make([]uint64, n)
	for i := range order {
		const units = 1<<16 - 1
		p := point(i)
		x, y := max(0, p.Lng()+180)*(units/360.), max(0, p.Lat()+90)*(units/180.)
		order[i] = (spread(uint64(x))|spread(uint64(y))<<1)<<32 | uint64(i)
	}
	const bits, buckets = 11, 1 << 11
	for shift := 32; shift < 64; shift += bits {
		var ends [buckets]int
		for _, o := range order {
			ends[o>>shift%buckets]++
		}
		sum := 0
		for b, count := range ends {
			ends[b], sum = sum, sum+count
		}
		for _, o := range order {
			to := &ends[o>>shift%buckets]
			sorted[*to] = o
			*to++
		}
		order, sorted = sorted, order
	}
	return order
}

// spread puts a zero before each of 16 bits.
func spread(v uint64) uint64 {
	v = (v | v<<8) & 0x00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f
	v = (v | v<<2) & 0x33333333
	return (v | v<<1) & 0x55555555
}
