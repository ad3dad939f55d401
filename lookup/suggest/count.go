package suggest

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
)

// count computes the number of matches without a limit. If the limit was reached,
// it counts the distinct results of the query's codes and keys.
func (s *search) count() {
	s.total = len(s.hits)
	if s.total < s.limit {
		return
	}
	n := s.countCodes()
	if total, ok := s.tallied(); ok {
		n += total
	} else {
		n += s.countEntities()
	}
	s.total = max(s.total, n)
}

// tallied returns a count that was computed with the engine. It is available for
// the beginning of a single word, filtered at most by type and country.
func (s *search) tallied() (n int, ok bool) {
	if s.words.n != 1 || s.finished || s.beyond {
		return 0, false
	}
	country := store.Country(0)
	if !s.where.empty() {
		switch s.where {
		case s.e.country(store.US):
			country = store.US
		case s.e.country(store.CA):
			country = store.CA
		default:
			return 0, false
		}
	}
	t, ok := s.e.totals[string(s.words.text)]
	if !ok {
		return 0, false
	}
	return t.of(s.include, country), true
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

// countEntities counts the distinct entities that have a key in a span and pass the
// filters, and the others that were offered.
func (s *search) countEntities() int {
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
	n := s.loose
	c := &s.code
	if !c.whole || s.finished {
		return n
	}
	switch {
	case len(c.zip) > 0 && len(c.zip) < zipDigits && s.include.has(kindZIP):
		lo, hi := zipRange(c.zip)
		n += s.countList(&s.e.zips, uint32(lo), uint32(hi))
	case len(c.postal) >= fsaLetters && len(c.postal) < postalLength && s.include.has(kindPostal):
		n += s.countPostal(postalRange(c.postal))
	case len(c.postal) > 0 && len(c.postal) < fsaLetters && s.include.has(kindFSA):
		lo, hi := fsaRange(c.postal)
		n += s.countList(&s.e.fsas, uint32(lo), uint32(hi))
	}
	return n
}

// countList counts the codes from lo up to hi that pass the filters.
func (s *search) countList(l *codeList, lo, hi uint32) int {
	in := l.rows(lo, hi)
	if s.where.empty() {
		return in.size()
	}
	n := 0
	for _, state := range l.state[in.lo:in.hi] {
		if s.where.has(store.StateID(state)) {
			n++
		}
	}
	return n
}

// countPostal does the same for postal codes.
func (s *search) countPostal(lo, hi dataset.PostalCode) int {
	if s.where.empty() || s.where == s.e.country(store.CA) {
		return s.e.d.CountPostalCodes(lo, hi)
	}
	n := 0
	for row := range s.e.d.PostalCodesFrom(lo) {
		if row.Code >= hi {
			break
		}
		if s.where.has(row.Province) {
			n++
		}
	}
	return n
}
