package suggest

import "github.com/postgeo/postgeo/internal/dataset"

// A scan adds the best keys of a span, with filters or a proximity, to a heap at the
// end of the bucket.
type scan struct {
	*search
	l     *keyList
	in    span
	r     *reading
	b     Bucket
	bonus int32
	start int   // of the heap, the worst first
	want  int   // maximum size
	least int32 // minimum useful score
}

// manyKeys is the maximum size of a span that is always read key by key.
const manyKeys = 512

// newScan returns a scan of a span.
func (s *search) newScan(l *keyList, in span, r *reading, b Bucket, bonus int32) scan {
	want := s.limit - len(s.hits)
	return scan{search: s, l: l, in: in, r: r, b: b, bonus: bonus, start: len(s.bucket), want: want, least: s.least(want, b)}
}

// scan adds the best of a span with filters or a proximity.
func (s *search) scan(l *keyList, in span, r *reading, b Bucket, bonus int32) {
	c := s.newScan(l, in, r, b, bonus)
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

// ofState returns the keys of a span in the only possible state. It returns false
// if there are several states or the span is small.
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

// nearFirst considers the keys with the highest ranks until there are enough, and
// all nearby keys. Others cannot be better. It returns false if too few keys with
// a high rank pass the filters.
func (c *scan) nearFirst() bool {
	const mostTried = 512
	c.cursor = append(c.cursor[:0], c.l.top.pop(c.in))
	for tried := 0; len(c.cursor) > 0; tried++ {
		p := c.popBest()
		if int32(p.rank)+c.bonus < c.least {
			break
		}
		if tried == mostTried {
			return false
		}
		c.consider(p.at)
		c.pushRest(&c.l.top, &p)
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
			if nearby != (gain > nearMost/3) || int32(c.l.cellTop[cell])+int32(gain)+c.bonus < c.least {
				continue
			}
			for _, i := range c.l.byCell.within(cell, c.in) {
				c.consider(int(i))
			}
		}
	}
	return true
}

// consider adds a key if its entity passes the filters and is among the best.
func (c *scan) consider(i int) {
	l, s := c.l, c.search
	score := int32(l.rank[i]) + c.bonus
	if s.near.on {
		score += s.near.most(l.cell[i], l.class[i])
	}
	if score < c.least || !s.passes(l, i, c.r) {
		return
	}
	entity := int(l.entity[i] &^ dataset.AliasKey)
	near := s.near.exact(s.e, entity, l.class[i])
	entity = s.represented(entity)
	h := hit{entity: entity, score: int32(l.rank[i]) + near + c.bonus, near: near, bucket: c.b}
	heap := s.bucket[c.start:]
	full := len(heap) >= c.want
	if s.seen[entity] == s.stamp {
		if h.merit() <= s.best[entity] {
			return
		}
		if at := s.raise(&h); at >= c.start && full {
			s.sink(heap, at-c.start)
			c.least = max(c.least, heap[0].score)
		}
		return
	}
	if full && s.compare(&h, &heap[0]) > 0 {
		return
	}
	s.seen[entity], s.best[entity] = s.stamp, h.merit()
	if full {
		s.seen[heap[0].entity] = 0 // another of its names may be better
	}
	if s.keep(c.start, c.want, &h) {
		c.least = max(c.least, s.bucket[c.start].score)
	}
}
