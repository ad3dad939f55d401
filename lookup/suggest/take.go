package suggest

import (
	"iter"

	"github.com/postgeo/postgeo/internal/store"
)

// filter computes the classes of entities that match the types and states of the
// reading and the options.
func (s *search) filter(r *reading) {
	r.filtered = s.include != 0 || r.only != 0 || !r.states.empty()
	if !r.filtered {
		return
	}
	for kind := store.EntityState; kind <= store.EntityDistrict; kind++ {
		wanted := s.include.has(typeOf[kind]) && r.only.has(typeOf[kind])
		for state := range 256 {
			r.allow[classOfEntity(kind, uint8(state))] = wanted && (r.states.empty() || state == manyStates || r.states.has(store.StateID(state)))
		}
	}
}

func (s *search) passes(l *keyList, i int, r *reading) bool {
	if !r.filtered {
		return true
	}
	class := l.class[i]
	if !r.allow[class] {
		return false
	}
	if class&0xff != manyStates || r.states.empty() {
		return true
	}
	several := s.e.several[int(l.entity[i]&^store.AliasKey)]
	both := several.and(&r.states)
	return !both.empty()
}

// take offers the keys of a span that pass the filters of a reading, in the way that reads
// the fewest. Without filters it goes by rank. Of a large span it reads only the keys of the
// only state, of rare kinds or around the proximity. Otherwise it reads all. The result is
// the same, because offer keeps the best of whatever comes.
func (s *search) take(l *keyList, in span, r *reading, m manner) {
	if in.size() <= 0 {
		return
	}
	m = r.adjust(m)
	if !r.filtered && !s.near.on {
		s.takeBest(l, in, m)
		return
	}
	if keys, ok := s.ofState(l, in, r); ok {
		for _, i := range keys {
			s.consider(l, int(i), r, m)
		}
		return
	}
	if kinds := s.include & ^kindsOf(kindPlace, kindCity); in.size() > s.e.many && s.include != 0 && kinds == s.include {
		for kind := store.EntityState; kind <= store.EntityDistrict; kind++ {
			if s.include.has(typeOf[kind]) {
				for _, i := range l.byKind.within(int(kind), in) {
					s.consider(l, int(i), r, m)
				}
			}
		}
		return
	}
	if s.near.on && in.size() > s.e.many && s.nearFirst(l, in, r, m) {
		return
	}
	for i := in.lo; i < in.hi; i++ {
		s.consider(l, i, r, m)
	}
}

// adjust returns the manner of a match by a reading. A typo in the state makes any match one
// with a typo. The loss is of names that continue the text.
func (r *reading) adjust(m manner) manner {
	if r.typos != 0 {
		return manner{max(m.bucket, r.typos), m.gain + typoName.gain - exactName.gain}
	}
	if m.bucket > ExactAlias {
		m.gain -= r.loss
	}
	return m
}

// takeBest offers the keys with the highest ranks, and all equals of the last one.
// [search.compare] decides between equals.
func (s *search) takeBest(l *keyList, in span, m manner) {
	for at, rank := range s.ranked(&l.top, in) {
		score := rank + m.gain
		if score < s.least() {
			return
		}
		s.offer(hit{entity: s.represented(int(l.entity[at] &^ store.AliasKey)), score: score, bucket: m.bucket})
	}
}

// consider offers a key if its entity passes the filters.
func (s *search) consider(l *keyList, i int, r *reading, m manner) {
	score := int32(l.rank[i]) + m.gain
	if score+s.near.most(l.cell[i], l.class[i]) < s.least() || !s.passes(l, i, r) {
		return
	}
	entity := int(l.entity[i] &^ store.AliasKey)
	s.offer(hit{entity: s.represented(entity), score: score + s.near.exact(s.e, entity, l.class[i]), bucket: m.bucket})
}

// considerOther does the same with a key outside of the spans of readings.
func (s *search) considerOther(l *keyList, i int, r *reading, m manner) {
	if s.passes(l, i, r) {
		s.others = append(s.others, s.represented(int(l.entity[i]&^store.AliasKey)))
		s.consider(l, i, r, m)
	}
}

// manyKeys is the maximum size of a span that is always read key by key. Tests set other
// values to compare both ways.
const manyKeys = 512

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
func (s *search) nearFirst(l *keyList, in span, r *reading, m manner) bool {
	const mostTried = 512
	tried := 0
	for at, rank := range s.ranked(&l.top, in) {
		if rank+m.gain < s.least() {
			break
		}
		if tried == mostTried {
			return false
		}
		tried++
		s.consider(l, at, r, m)
	}
	if s.near.state != 0 {
		for _, i := range l.byState.within(int(s.near.state), in) {
			s.consider(l, int(i), r, m)
		}
		return true
	}
	// The nearby cells first: they raise the least score, which passes over most others.
	for _, nearby := range [...]bool{true, false} {
		for _, cell := range s.near.cells {
			gain := s.near.table[cell]
			if nearby != (gain > nearMost/3) || int32(l.cellTop[cell])+int32(gain)+m.gain < s.least() {
				continue
			}
			for _, i := range l.byCell.within(cell, in) {
				s.consider(l, int(i), r, m)
			}
		}
	}
	return true
}

// popped is a range of keys with its maximum.
//
// The maximum of a span is yielded and divides it into two ranges, whose maxima go into a
// heap. k keys take k divisions, however long the span is. Hsu and Ottaviano describe the
// method in Space-Efficient Data Structures for Top-k Completion (2013). A list of 500
// suggestions has as many ranges, which would be costly to keep sorted.
type popped struct {
	lo, hi, at int
	rank       uint16
}

func (r *rangeMax) pop(in span) popped {
	at := r.find(in.lo, in.hi)
	return popped{in.lo, in.hi, at, r.values[at]}
}

func (p *popped) better(q *popped) bool { return p.rank > q.rank || p.rank == q.rank && p.at < q.at }

// push adds a range of keys to the heap.
func (s *search) push(m *rangeMax, in span) {
	if in.size() <= 0 {
		return
	}
	s.cursor = append(s.cursor, m.pop(in))
	h := s.cursor
	for i := len(h) - 1; i > 0 && h[i].better(&h[(i-1)/2]); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

// popBest removes the range with the greatest rank.
func (s *search) popBest() popped {
	h, best, last := s.cursor, s.cursor[0], len(s.cursor)-1
	h[0], h = h[last], h[:last]
	for i, k := 0, 1; k < last; i, k = k, 2*k+1 {
		if k+1 < last && h[k+1].better(&h[k]) {
			k++
		}
		if !h[k].better(&h[i]) {
			break
		}
		h[i], h[k] = h[k], h[i]
	}
	s.cursor = h
	return best
}

// ranked yields the keys of a range by descending rank, with the rank.
func (s *search) ranked(m *rangeMax, in span) iter.Seq2[int, int32] {
	return func(yield func(at int, rank int32) bool) {
		s.cursor = s.cursor[:0]
		s.push(m, in)
		for len(s.cursor) > 0 {
			p := s.popBest()
			if !yield(p.at, int32(p.rank)) {
				return
			}
			s.push(m, span{p.lo, p.at})
			s.push(m, span{p.at + 1, p.hi})
		}
	}
}
