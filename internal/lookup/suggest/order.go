package suggest

import (
	"cmp"
	"math"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
)

// compare returns a negative number if a precedes b. It compares bucket, score,
// type, residents, name and position in the dataset. The order is total, so that
// the limit does not affect it.
func (s *search) compare(a, b *hit) int {
	switch {
	case a.bucket != b.bucket:
		return int(a.bucket) - int(b.bucket)
	case a.score != b.score:
		return int(b.score) - int(a.score)
	default:
		return s.compareEquals(a, b)
	}
}

// compareEquals compares hits of the same bucket and score.
func (s *search) compareEquals(a, b *hit) int {
	if c := cmp.Compare(s.typeOf(a), s.typeOf(b)); c != 0 {
		return c
	}
	if c := cmp.Compare(s.population(b), s.population(a)); c != 0 {
		return c
	}
	if a.entity < 0 {
		return cmp.Compare(a.code, b.code)
	}
	return cmp.Or(cmp.Compare(s.e.t.Name(a.entity), s.e.t.Name(b.entity)), cmp.Compare(a.entity, b.entity))
}

func (s *search) typeOf(h *hit) Type {
	if h.entity < 0 {
		return h.typ
	}
	return typeOf(s.e.t.Kind(h.entity))
}

// population returns the residents of a hit, or [dataset.NoPopulation].
func (s *search) population(h *hit) int32 {
	n, ok := int32(0), false
	switch {
	case h.entity >= 0:
		return s.e.t.Population(h.entity)
	case h.typ == ZIP:
		n, ok = s.e.d.ZIPPopulation(dataset.ZIP(h.code))
	case h.typ == FSA:
		n, ok = s.e.d.FSAPopulation(dataset.FSA(h.code))
	}
	if !ok {
		return dataset.NoPopulation
	}
	return n
}

// merit combines the bucket and the score of an entity. Greater is better.
func (h *hit) merit() int32 { return h.bucket.merit() + h.score }

// merit returns the merit of a score of zero. Scores of entities are below
// meritOfBucket.
func (b Bucket) merit() int32 { return int32(TwoTypos-b) * meritOfBucket }

const meritOfBucket = 1 << 20

// least returns the minimum useful score in a bucket, given that want matches are
// enough.
func (s *search) least(want int, b Bucket) int32 {
	if len(s.bucket) < want {
		return -1
	}
	least := int32(math.MaxInt32)
	for i := range s.bucket {
		least = min(least, s.bucket[i].merit())
	}
	return least - b.merit()
}

// keep adds a hit to the want best ones from start in the bucket. If there are
// already that many, it replaces the worst; they form a heap with the worst
// first. keep reports whether there are want hits.
func (s *search) keep(start, want int, h *hit) bool {
	heap := s.bucket[start:]
	if len(heap) == want {
		heap[0] = *h
		s.sink(heap, 0)
		return true
	}
	s.bucket = append(s.bucket, *h)
	if heap = s.bucket[start:]; len(heap) < want {
		return false
	}
	slices.SortFunc(heap, func(a, b hit) int { return s.compare(&b, &a) })
	return true
}

// sink restores a heap whose element i was replaced by a better one.
func (s *search) sink(h []hit, i int) {
	for {
		k := 2*i + 1
		if k >= len(h) {
			return
		}
		if k+1 < len(h) && s.compare(&h[k+1], &h[k]) > 0 {
			k++
		}
		if s.compare(&h[k], &h[i]) < 0 {
			return
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}
