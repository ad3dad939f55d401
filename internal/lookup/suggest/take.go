package suggest

import (
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
)

// flush sorts the bucket and appends it to the hits, up to the limit.
func (s *search) flush() {
	if len(s.bucket) == 0 {
		return
	}
	slices.SortFunc(s.bucket, func(a, b hit) int { return s.compare(&a, &b) })
	kept := min(len(s.bucket), s.limit-len(s.hits))
	s.hits = append(s.hits, s.bucket[:kept]...)
	for _, h := range s.bucket[kept:] {
		switch {
		case h.entity >= 0:
			s.cutOff = append(s.cutOff, h.entity)
		case h.bucket != Prefix: // prefixes of codes are counted separately
			s.codesCut++
		}
	}
	s.bucket = s.bucket[:0]
}

// filter computes the classes of entities that match the types and states of the
// reading and the options.
func (s *search) filter(r *reading) {
	r.filtered = s.include != 0 || r.only != 0 || !r.states.empty()
	if !r.filtered {
		return
	}
	for kind := dataset.EntityState; kind <= dataset.EntityDistrict; kind++ {
		wanted := s.include.Has(typeOf(kind)) && r.only.Has(typeOf(kind))
		for state := range 256 {
			r.allow[classOfEntity(kind, uint8(state))] = wanted && (r.states.empty() || state == manyStates || r.states.has(dataset.StateID(state)))
		}
	}
}

// passes reports whether the entity of a key passes the filters.
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
	several := s.e.several[int(l.entity[i]&^dataset.AliasKey)]
	both := several.and(&r.states)
	return !both.empty()
}

// take adds the best keys of a span to the bucket, up to the limit. Each entity is
// added once.
func (s *search) take(l *keyList, in span, r *reading, b Bucket, bonus int32) {
	if in.size() <= 0 {
		return
	}
	b = max(b, r.typos)
	if !r.filtered && !s.near.on {
		s.takeBest(l, in, b, bonus)
		return
	}
	s.scan(l, in, r, b, bonus)
}

// takeBest adds the keys with the highest ranks, and all equals of the last one.
// [search.compare] decides between equals later.
func (s *search) takeBest(l *keyList, in span, b Bucket, bonus int32) {
	want := s.limit - len(s.hits)
	least := s.least(want, b)
	s.cursor = append(s.cursor[:0], l.top.pop(in))
	for got := 0; len(s.cursor) > 0; {
		p := s.popBest()
		score := int32(p.rank) + bonus
		if score < least {
			return
		}
		if s.add(int(l.entity[p.at]&^dataset.AliasKey), score, 0, b) {
			if got++; got == want {
				least = score
			}
		}
		s.pushRest(&l.top, &p)
	}
}

// pushRest adds the parts of a range before and after its maximum to the heap.
func (s *search) pushRest(m *rangeMax, p *popped) {
	if p.lo < p.at {
		s.pushBest(m.pop(span{p.lo, p.at}))
	}
	if p.at+1 < p.hi {
		s.pushBest(m.pop(span{p.at + 1, p.hi}))
	}
}

// popped is a range of keys with its maximum.
type popped struct {
	lo, hi, at int
	rank       uint16
}

func (r *rangeMax) pop(in span) popped {
	at := r.find(in.lo, in.hi)
	return popped{in.lo, in.hi, at, r.values[at]}
}

func (p *popped) better(q *popped) bool { return p.rank > q.rank || p.rank == q.rank && p.at < q.at }

// pushBest adds a range to the heap.
func (s *search) pushBest(p popped) {
	s.cursor = append(s.cursor, p)
	h := s.cursor
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !h[i].better(&h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

// popBest removes the best range from the heap.
func (s *search) popBest() popped {
	h := s.cursor
	best := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		k := 2*i + 1
		if k >= last {
			break
		}
		if k+1 < last && h[k+1].better(&h[k]) {
			k++
		}
		if !h[k].better(&h[i]) {
			break
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
	s.cursor = h
	return best
}

// raise replaces the hit of an entity by a better one and returns its position in
// the bucket. It returns -1 if the entity is in an earlier bucket.
func (s *search) raise(better *hit) int {
	for i := range s.bucket {
		if h := &s.bucket[i]; h.entity == better.entity {
			*h = *better
			s.best[h.entity] = h.merit()
			return i
		}
	}
	return -1
}

// represented returns the entity that represents another in the result: the place
// for the same postal city, if places are included.
func (s *search) represented(entity int) int {
	if s.include.Has(Place) {
		return int(s.e.merged[entity])
	}
	return entity
}

// add adds an entity to the bucket unless it is already a match.
func (s *search) add(entity int, score, near int32, b Bucket) bool {
	entity = s.represented(entity)
	h := hit{entity: entity, score: score, near: near, bucket: b}
	if s.seen[entity] == s.stamp {
		if h.merit() > s.best[entity] {
			s.raise(&h)
		}
		return false
	}
	s.seen[entity], s.best[entity] = s.stamp, h.merit()
	s.bucket = append(s.bucket, h)
	return true
}
