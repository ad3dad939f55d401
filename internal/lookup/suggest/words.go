package suggest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
)

// mostScanned is the maximum number of keys that are read for words in any order.
const mostScanned = 4096

// anyOrder offers names with all words of the query in any order.
func (s *search) anyOrder() {
	const fewWords = 6
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

// takeWith offers names of a span with all words. If last is set, the last word may
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
		s.considerOther(l, i, r, manner{b, allWords.gain})
	}
}

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
