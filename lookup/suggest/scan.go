package suggest

import (
	"cmp"
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// A scan takes the best of a span of keys where filters or a proximity decide,
// into a heap at the end of the bucket.
type scan struct {
	*search
	l     *keyList
	in    span
	r     *reading
	b     Bucket
	bonus int32
	start int   // of the heap, the worst first
	want  int   // most in it
	least int32 // a score up to which nothing is wanted any more
}

// manyKeys is the size from which on a span is not looked through key by key
// where something else leads to what is wanted.
const manyKeys = 512

// scan takes the best of a span with filters or a proximity.
func (s *search) scan(l *keyList, in span, r *reading, b Bucket, bonus int32) {
	c := scan{search: s, l: l, in: in, r: r, b: b, bonus: bonus, start: len(s.bucket), want: s.limit - len(s.hits), least: -1}
	if keys, ok := s.ofState(l, in, r); ok {
		for _, i := range keys {
			c.consider(int(i))
		}
		return
	}
	if s.near.on && in.size() > s.e.many && c.nearFirst() {
		return
	}
	for i := in.lo; i < in.hi; i++ {
		c.consider(i)
	}
}

// ofState returns the keys of a span that lie in the one state that a reading
// and the options allow; it is false where they allow several or the span is
// small.
func (s *search) ofState(l *keyList, in span, r *reading) ([]uint32, bool) {
	if in.size() <= s.e.many || r.states.empty() {
		return nil, false
	}
	id, ok := r.states.only()
	if !ok {
		return nil, false
	}
	return l.byState.within(int(id), in), true
}

// nearFirst considers the best known keys, as many as lead to what is wanted,
// and of the others those that nearness adds to: what is far and less known
// than those cannot be wanted. It is false where too few of the best known pass
// the filters.
func (c *scan) nearFirst() bool {
	const mostTried = 512
	c.cursor = append(c.cursor[:0], c.l.pop(c.in))
	for tried := 0; len(c.cursor) > 0; tried++ {
		p := c.popBest()
		if int32(p.rank)+c.bonus <= c.least {
			break
		}
		if tried == mostTried {
			return false
		}
		c.consider(p.at)
		c.pushRest(c.l, &p)
	}
	if c.near.state != 0 {
		for _, i := range c.l.byState.within(int(c.near.state), c.in) {
			c.consider(int(i))
		}
		return true
	}
	for _, nearby := range [...]bool{true, false} {
		for _, cell := range c.near.cells {
			gain := c.near.table[cell]
			if nearby != (gain > nearMost/3) || int32(c.l.cellTop[cell])+int32(gain)+c.bonus <= c.least {
				continue
			}
			for _, i := range c.l.byCell.within(cell, c.in) {
				c.consider(int(i))
			}
		}
	}
	return true
}

// consider takes a key if its entity passes the filters and is among the best
// so far.
func (c *scan) consider(i int) {
	l, s := c.l, c.search
	score := int32(l.rank[i]) + c.bonus
	if s.near.on {
		score += s.near.most(l.cell[i], l.class[i])
	}
	if score <= c.least || !s.passes(l, i, c.r) {
		return
	}
	entity := s.told(int(l.entity[i] &^ dataset.AliasKey))
	near := s.near.exact(s.e, entity, l.class[i])
	score = int32(l.rank[i]) + near + c.bonus
	heap := s.bucket[c.start:]
	full := len(heap) >= c.want
	if s.seen[entity] == s.stamp {
		if score <= s.best[entity] {
			return
		}
		if at := s.raise(entity, score, near); at >= c.start && full {
			sink(heap, at-c.start)
			c.least = heap[0].score
		}
		return
	}
	if full && score <= c.least {
		return
	}
	s.seen[entity], s.best[entity] = s.stamp, score
	h := hit{entity: entity, score: score, near: near, bucket: c.b}
	if full {
		s.seen[heap[0].entity] = 0 // another of its names may be better
		heap[0] = h
		sink(heap, 0)
		c.least = heap[0].score
		return
	}
	s.bucket = append(s.bucket, h)
	if heap = s.bucket[c.start:]; len(heap) == c.want {
		heapify(heap)
		c.least = heap[0].score
	}
}

// heapify puts the worst of some hits first, as sink wants them.
func heapify(h []hit) {
	slices.SortFunc(h, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(b.entity, a.entity), cmp.Compare(b.code, a.code))
	})
}

// worse reports whether a comes after b.
func worse(a, b *hit) bool {
	switch {
	case a.score != b.score:
		return a.score < b.score
	case a.entity != b.entity:
		return a.entity > b.entity
	default:
		return a.code > b.code
	}
}

// sink restores a heap whose element i was replaced by a better one.
func sink(h []hit, i int) {
	for {
		k := 2*i + 1
		if k >= len(h) {
			return
		}
		if k+1 < len(h) && worse(&h[k+1], &h[k]) {
			k++
		}
		if !worse(&h[k], &h[i]) {
			return
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}
