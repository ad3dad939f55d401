package suggest

import (
	"encoding/binary"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// count computes the number of matches without a limit. If the limit was reached,
// it counts the distinct results of the query's codes and keys. That reads all keys of the
// spans, which the search avoided; the totals of short beginnings, which many keys share, are
// therefore remembered.
func (s *search) count() {
	s.total = len(s.hits)
	if s.total >= s.limit {
		s.total = max(s.total, s.countCodes()+s.countEntities())
	}
}

// A countedSpan is a span of keys that a search for typos used.
type countedSpan struct {
	in span
	r  int // number of the reading
}

func (s *search) spans(do func(l *keyList, in span, r *reading)) {
	e := s.e
	for i := range s.readings {
		r := &s.readings[i]
		if !r.found {
			continue
		}
		start, inner, join := r.start, r.inner, r.join
		if r.finished && !r.context {
			start, inner, join = r.whole, r.innerWhole, r.joinExact
		}
		do(e.starts, start, r)
		do(e.inner, inner, r)
		do(e.joined, join, r)
		do(e.starts, r.one, r)
	}
	for i := range s.guesses {
		r := &s.guesses[i]
		do(e.starts, r.exact, r)
	}
	for _, c := range s.misread {
		do(e.starts, c.in, &s.readings[c.r])
	}
}

// totalsSize bounds the remembered totals, in bytes.
const totalsSize = 4 << 20

// countEntities counts the distinct entities that have a key in a span and pass the
// filters, and the others that were offered. The engine remembers the totals of the
// beginnings of single words that many keys share.
func (s *search) countEntities() int {
	const many = 192
	if s.words.n != 1 || s.finished || s.beyond || s.keys < many || s.e.totals == nil {
		return s.countKeys()
	}
	key := binary.LittleEndian.AppendUint16(append(s.tmp[:0], s.words.text...), uint16(s.include))
	for _, states := range s.where {
		key = binary.LittleEndian.AppendUint64(key, states)
	}
	s.tmp = key
	_, n, ok := s.e.totals.Get(key)
	if !ok {
		n = s.countKeys()
		s.e.totals.Put(key, nil, n, 0)
	}
	return n
}

func (s *search) countKeys() int {
	s.newStamp()
	n := 0
	once := func(entity int) {
		if s.seen[entity] != s.stamp {
			s.seen[entity] = s.stamp
			n++
		}
	}
	for _, entity := range s.others {
		once(entity)
	}
	s.spans(func(l *keyList, in span, r *reading) {
		if keys, ok := s.ofState(l, in, r); ok {
			for _, i := range keys {
				if s.passes(l, int(i), r) {
					once(s.represented(int(l.entity[i] &^ store.AliasKey)))
				}
			}
			return
		}
		for i := in.lo; i < in.hi; i++ {
			if s.passes(l, i, r) {
				once(s.represented(int(l.entity[i] &^ store.AliasKey)))
			}
		}
	})
	return n
}

// countCodes counts the loose codes, and those that begin with the query and pass
// the filters.
func (s *search) countCodes() int {
	n, t := s.loose, s.code.longer()
	if t == 0 || !s.code.whole || s.finished || !s.include.has(t) {
		return n
	}
	lo, hi := s.code.within(t)
	switch {
	case t != kindPostal:
		l := s.e.codes(t)
		in := l.rows(lo, hi)
		if s.where.empty() {
			return n + in.size()
		}
		for _, state := range l.state[in.lo:in.hi] {
			if s.where.has(store.StateID(state)) {
				n++
			}
		}
	case s.where.empty() || s.where == s.e.country(store.CA):
		n += s.e.d.CountPostalCodes(postcode.PostalCode(lo), postcode.PostalCode(hi))
	default:
		n += s.countPostal(lo, hi)
	}
	return n
}

// countPostal counts the postal codes from lo up to hi that pass the filters.
func (s *search) countPostal(lo, hi uint32) (n int) {
	for row := range s.postalCodes(lo, hi) {
		if s.where.has(row.Province) {
			n++
		}
	}
	return n
}
