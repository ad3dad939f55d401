package enrich

import (
	"iter"
	"slices"
)

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
