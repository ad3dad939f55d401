package suggest

import (
	"cmp"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// The order of hits is total: no two of them are equal, and so it does not
// depend on how many are asked for which of them come first.

// compare returns a negative number where a comes before b in the list. The
// bucket decides, then the score. Of equals a type comes before those that the
// contract names after it, then more residents before fewer, then the name,
// then the place in the dataset.
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

// compareEquals compares hits that nothing else tells apart.
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

// merit puts bucket and score of an entity into one number, the greater the
// better.
func (h *hit) merit() int32 { return h.bucket.merit() + h.score }

// merit returns the merit of a score of zero. Scores of entities are below
// meritOfBucket.
func (b Bucket) merit() int32 { return int32(TwoTypos-b) * meritOfBucket }

const meritOfBucket = 1 << 20

// least returns the score below which nothing of a bucket is wanted any more,
// because as many as are wanted are better already.
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

// keep adds a hit to those from start on in the bucket, of which the best are
// wanted, so many of them. It takes the place of the worst where there are
// that many; they are then a heap with the worst first. It reports whether
// there are that many now.
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
