package suggest

import "github.com/postgeo/postgeo/dataset"

// countedKeys is how many keys a search looks at to count the things that they
// belong to. Where more match, the keys are counted themselves: that takes no
// look at each, and some things have several.
const countedKeys = 4096

// count finds out how many matches there would be without a limit: all that
// were found where they are fewer than the limit, else what the query's codes
// and keys lead to.
func (s *search) count() {
	s.total = len(s.hits)
	if s.total < s.limit {
		return
	}
	keys := 0
	s.spans(func(_ *keyList, in span, _ *reading) { keys += max(0, in.size()) })
	n := s.countCodes()
	if keys <= countedKeys {
		n += s.countEntities()
	} else {
		s.spans(func(l *keyList, in span, r *reading) { n += s.countKeys(l, in, r) })
	}
	s.total = max(s.total, n)
}

// spans calls do with each span of keys that the buckets choose from.
func (s *search) spans(do func(l *keyList, in span, r *reading)) {
	for i := range s.readings {
		r := &s.readings[i]
		if !r.found {
			continue
		}
		start, inner, join := r.start, r.inner, r.join
		if r.finished && !r.context {
			start, inner, join = r.whole, r.innerWhole, r.joinExact
		}
		do(s.e.starts, start, r)
		do(s.e.inner, inner, r)
		do(s.e.joined, join, r)
	}
}

// countEntities counts the entities that were taken or have a key in a span
// and pass the filters, each once.
func (s *search) countEntities() int {
	s.newStamp()
	n := 0
	once := func(entity int) {
		if s.seen[entity] != s.stamp {
			s.seen[entity] = s.stamp
			n++
		}
	}
	for i := range s.hits {
		if s.hits[i].entity >= 0 {
			once(s.hits[i].entity)
		}
	}
	s.spans(func(l *keyList, in span, r *reading) {
		for i := in.lo; i < in.hi; i++ {
			if s.passes(l, i, r) {
				once(s.told(int(l.entity[i] &^ dataset.AliasKey)))
			}
		}
	})
	return n
}

// countKeys counts the keys of a span that pass the filters. Areas that lie in
// several states count.
func (s *search) countKeys(l *keyList, in span, r *reading) int {
	if !r.filtered {
		return max(0, in.size())
	}
	n := 0
	for i := in.lo; i < in.hi; i++ {
		if r.allow[l.class[i]] {
			n++
		}
	}
	return n
}

// countCodes counts the codes that the query begins, wherever they lie, at
// least those that were taken.
func (s *search) countCodes() int {
	taken := 0
	for i := range s.hits {
		if s.hits[i].entity < 0 {
			taken++
		}
	}
	c := &s.code
	if !c.whole || s.finished {
		return taken
	}
	n := 0
	switch {
	case len(c.zip) > 0:
		if s.include.Has(ZIP) {
			lo, hi := zipRange(c.zip)
			n = s.e.zips.rows(uint32(lo), uint32(hi)).size()
		}
	case len(c.postal) >= fsaLetters:
		if s.include.Has(Postal) {
			lo, hi := postalRange(c.postal)
			n = s.e.d.CountPostalCodes(lo, hi)
		}
		if s.include.Has(FSA) && len(c.postal) == fsaLetters {
			n++
		}
	case len(c.postal) > 0 && s.include.Has(FSA):
		lo, hi := fsaRange(c.postal)
		n = s.e.fsas.rows(uint32(lo), uint32(hi)).size()
	}
	return max(n, taken)
}
