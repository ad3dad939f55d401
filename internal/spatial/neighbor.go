package spatial

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// A Neighbor is a point of a [PointIndex] and its distance from the center of
// a search.
type Neighbor struct {
	// Distance is the length of the geodesic from the center. It may be off
	// by 4e-9 of itself, but never so that its rounding to 0.01 mile differs
	// from that of the exact length.
	Distance geo.Meters
	// Index is the point's position in the slice that the index was made of.
	Index int
}

// compareNeighbors orders by distance and then by index.
func compareNeighbors(a, b Neighbor) int {
	if a.Distance != b.Distance {
		return cmp.Compare(a.Distance, b.Distance)
	}
	return cmp.Compare(a.Index, b.Index)
}

const (
	// fewNeighbors is the length below which comparing sorts sooner than counting.
	fewNeighbors = 48
	// manyNeighbors is the length at which longer keys become faster.
	manyNeighbors = 3000
	shortDigit    = 8
	longDigit     = 11
	// insertable is the longest run of equal keys that is sorted by insertion.
	insertable = 24
)

// sortNeighbors sorts dst[from:] by distance, at most limit, and then by index.
// It may use the capacity of dst, and returns dst, moved to a larger array if
// needed.
//
// Distances are spread over 0 to limit, so two passes of a radix sort by keys of 16 or 22 bits
// put nearly all in order without comparing. Runs of equal keys are compared afterwards.
func sortNeighbors(dst []Neighbor, from int, limit float64) []Neighbor {
	n := len(dst) - from
	if n <= insertable {
		insertNeighbors(dst[from:])
		return dst
	}
	if n < fewNeighbors {
		slices.SortFunc(dst[from:], compareNeighbors)
		return dst
	}
	dst = slices.Grow(dst, n)
	hits, scratch := dst[from:], dst[len(dst):len(dst)+n]
	// Two passes over such keys leave almost nothing to be done.
	digit := shortDigit
	if n >= manyNeighbors {
		digit = longDigit
	}
	keys := radixKeys{digit: digit, top: float64(uint32(1)<<(2*digit) - 1)}
	keys.scale = keys.top / max(limit, 1e-3)
	if digit == shortDigit {
		var low, high [1 << shortDigit]int32
		keys.spread(hits, scratch, low[:], high[:])
	} else {
		var low, high [1 << longDigit]int32
		keys.spread(hits, scratch, low[:], high[:])
	}
	for i := 0; i < n; {
		j, k := i+1, keys.of(&hits[i])
		for j < n && keys.of(&hits[j]) == k {
			j++
		}
		if j-i > insertable {
			slices.SortFunc(hits[i:j], compareNeighbors)
		} else if j-i > 1 {
			insertNeighbors(hits[i:j])
		}
		i = j
	}
	return dst
}

// radixKeys turns distances into keys of two digits.
type radixKeys struct {
	digit      int // bits
	scale, top float64
}

func (r *radixKeys) of(h *Neighbor) uint32 { return uint32(min(float64(h.Distance)*r.scale, r.top)) }

// spread sorts the hits by their keys; equal keys keep their order. The slices
// low and high count the values of the two digits and must be zero.
func (r *radixKeys) spread(hits, scratch []Neighbor, low, high []int32) {
	mask := uint32(len(low) - 1)
	for i := range hits {
		k := r.of(&hits[i])
		low[k&mask]++
		high[k>>r.digit&mask]++
	}
	var a, b int32
	for i := range low {
		a, low[i] = a+low[i], a
		b, high[i] = b+high[i], b
	}
	for i := range hits {
		p := &low[r.of(&hits[i])&mask]
		scratch[*p] = hits[i]
		*p++
	}
	for i := range scratch {
		p := &high[r.of(&scratch[i])>>r.digit&mask]
		hits[*p] = scratch[i]
		*p++
	}
}

func insertNeighbors(run []Neighbor) {
	for i := 1; i < len(run); i++ {
		for j := i; j > 0 && compareNeighbors(run[j], run[j-1]) < 0; j-- {
			run[j], run[j-1] = run[j-1], run[j]
		}
	}
}

// A neighborHeap keeps the nearest of many neighbors, the farthest of those
// on top.
type neighborHeap []Neighbor

// down restores the order below the top.
func (h neighborHeap) down() {
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].Distance > h[c].Distance {
			c++
		}
		if h[c].Distance <= h[i].Distance {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// up restores the order above the last one.
func (h neighborHeap) up() {
	for i := len(h) - 1; i > 0; {
		p := (i - 1) / 2
		if h[p].Distance >= h[i].Distance {
			return
		}
		h[i], h[p] = h[p], h[i]
		i = p
	}
}

// leafCount returns the number of leaves, a power of two, for n points and at
// most most per leaf.
func leafCount(n, most int) int {
	if n <= most {
		return 1
	}
	return 1 << bits.Len(uint((n-1)/most))
}
