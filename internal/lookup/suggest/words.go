package suggest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
)

// mostScanned is the maximum number of keys that are read for words in any order.
const mostScanned = 4096

// anyOrder adds names with all words of the query in any order, if nothing else
// matched.
func (s *search) anyOrder() {
	const fewWords = 6
	if len(s.hits) > 0 || len(s.readings) == 0 || s.e.t.Len() == 0 {
		return
	}
	for i := range s.readings {
		r := &s.readings[i]
		if !r.found || r.words < 2 || r.words > fewWords {
			continue
		}
		parts := slices.DeleteFunc(bytes.Split(r.key, []byte(" ")), func(p []byte) bool { return string(p) == "of" || string(p) == "the" })
		open := !r.finished
		var starts, inner span
		least := mostScanned + 1
		for k, p := range parts {
			of := func(l *keyList) span {
				if in := l.prefix(p); open && k == len(parts)-1 {
					return in
				} else {
					return l.upTo(in, len(p), ' ')
				}
			}
			a, b := of(s.e.starts), of(s.e.inner)
			if n := a.size() + b.size(); n < least {
				starts, inner, least = a, b, n
			}
		}
		if len(parts) > 1 {
			s.takeWith(s.e.starts, starts, r, parts, open)
			s.takeWith(s.e.inner, inner, r, parts, open)
		}
	}
}

// takeWith adds names of a span with all words. If last is set, the last word may
// be unfinished.
func (s *search) takeWith(l *keyList, in span, r *reading, parts [][]byte, last bool) {
	for i := in.lo; i < in.hi; i++ {
		if l.entity[i]&dataset.AliasKey != 0 || !s.passes(l, i, r) {
			continue
		}
		b, ok := hasWords(l.whole(i), parts, last)
		if !ok {
			continue
		}
		near := s.near.exact(s.e, int(l.entity[i]), l.class[i])
		s.add(int(l.entity[i]), int32(l.rank[i])+near, near, b)
	}
}

// whole returns the name that ends with a key.
func (l *keyList) whole(i int) string {
	at := int(l.offset[i])
	start := strings.LastIndexByte(l.text[:at], endOfKey) + 1
	return l.text[start : at+strings.IndexByte(l.text[at:], endOfKey)]
}

// hasWords reports whether a name has all words, and the bucket of the match.
func hasWords(name string, parts [][]byte, last bool) (Bucket, bool) {
	b := AllWords
	for k, p := range parts {
		found, whole := false, false
		for w := range strings.SplitSeq(name, " ") {
			if w == string(p) {
				found, whole = true, true
				break
			}
			found = found || last && k == len(parts)-1 && strings.HasPrefix(w, string(p))
		}
		if !found {
			return 0, false
		}
		if !whole {
			b = InnerWord
		}
	}
	return b, true
}

// unfinishedState reads the last words as the beginning of a state's name, if
// nothing else matched: "springf, ill".
func (s *search) unfinishedState() {
	w := &s.words
	if len(s.hits) > 0 || s.finished || w.n < 2 {
		return
	}
	before := len(s.readings)
	for k := 1; k <= 2 && k < w.n; k++ {
		if set := s.statesBeginning(w.n - k); !set.empty() {
			s.nameReadings(0, w.n-k, set, true)
		}
	}
	s.again(before)
}

// again fills the buckets from readings that were added later.
func (s *search) again(from int) {
	all := s.readings
	for i := from; i < len(all); i++ {
		s.find(&all[i])
	}
	s.readings = all[from:]
	s.exactNames()
	s.aliasNames()
	s.allWords()
	s.prefixNames()
	s.innerWords()
	s.readings = all
}
