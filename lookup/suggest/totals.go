package suggest

import (
	"github.com/postgeo/postgeo/internal/store"
)

// leastTotal is the minimum number of keys with a common beginning whose total is
// computed with the engine.
const leastTotal = 192

// A tally counts the matches of a beginning by country and kind. At eitherKind, a
// place and the same postal city count once.
type tally [2][numKinds]uint32

const (
	eitherKind = int(store.EntityDistrict) + 1
	numKinds   = eitherKind + 1
)

// of returns the number of matches of the types in a country, or in both for 0.
func (t *tally) of(include kinds, country store.Country) int {
	n := uint32(0)
	for i, c := range [...]store.Country{store.US, store.CA} {
		if country != 0 && c != country {
			continue
		}
		for kind := store.EntityState; kind <= store.EntityDistrict; kind++ {
			if kind != store.EntityPlace && kind != store.EntityCity && include.has(typeOf(kind)) {
				n += t[i][kind]
			}
		}
		switch places, cities := include.has(kindPlace), include.has(kindCity); {
		case places && cities:
			n += t[i][eitherKind]
		case places:
			n += t[i][store.EntityPlace]
		case cities:
			n += t[i][store.EntityCity]
		}
	}
	return int(n)
}

// tallyBeginnings counts the matches of every common beginning of a word.
func (e *Engine) tallyBeginnings() {
	e.totals = map[string]*tally{}
	s, _ := e.pool.Get().(*search)
	defer e.pool.Put(s)
	either := make([]uint32, e.t.Len())
	var countries [256]uint8 // by state; areas in several states are in the United States
	ca := e.country(store.CA)
	for id := range ca.all() {
		countries[id] = 1
	}
	for text := range e.manyBegin() {
		if s.begin(text, Options{}) != nil {
			continue
		}
		for i := range s.readings {
			s.find(&s.readings[i])
		}
		s.newStamp()
		t := &tally{}
		s.spans(func(l *keyList, in span, _ *reading) {
			for i := in.lo; i < in.hi; i++ {
				entity := int(l.entity[i] &^ store.AliasKey)
				if s.seen[entity] == s.stamp {
					continue
				}
				s.seen[entity] = s.stamp
				kind, country := store.EntityKind(l.class[i]>>8), countries[l.class[i]&0xff]
				t[country][kind]++
				if kind != store.EntityPlace && kind != store.EntityCity {
					continue
				}
				if place := e.merged[entity]; either[place] != s.stamp {
					either[place] = s.stamp
					t[country][eitherKind]++
				}
			}
		})
		e.totals[text] = t
	}
}

// manyBegin returns the beginnings of words that at least leastTotal keys of all
// lists share.
func (e *Engine) manyBegin() map[string]int {
	const longest = 16
	counts := map[string]int{}
	for _, l := range []*keyList{e.starts, e.inner, e.joined} {
		var since [longest + 1]int // by length: the first key with the same beginning as the last
		finish := func(end, from, to int) {
			for n := from; n <= to; n++ {
				if size := end - since[n]; size >= leastTotal/3 {
					at := int(l.offset[end-1])
					counts[l.text[at:at+n]] += size
				}
			}
		}
		last := 0 // letters of the previous key
		for i := range l.offset {
			at := int(l.offset[i])
			n := 0
			for n < longest && l.text[at+n] >= 'a' && l.text[at+n] <= 'z' {
				n++
			}
			shared := 0
			if i > 0 {
				before := int(l.offset[i-1])
				for shared < min(n, last) && l.text[at+shared] == l.text[before+shared] {
					shared++
				}
				finish(i, shared+1, last)
			}
			for k := shared + 1; k <= n; k++ {
				since[k] = i
			}
			last = n
		}
		finish(len(l.offset), 1, last)
	}
	for text, n := range counts {
		if n < leastTotal {
			delete(counts, text)
		}
	}
	return counts
}
