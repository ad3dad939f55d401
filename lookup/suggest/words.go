package suggest

import (
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

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

// mostShared is the maximum of keyList.shared.
const mostShared = 63

// shareWith computes the number of leading letters that each name as one word
// shares with the name in words: three for "newyork" and "new york". For shorter
// queries both names match, and the joined one is passed over: it would add nothing but a
// second look at each name.
func (l *keyList) shareWith(starts *keyList, entities int) {
	first, next := make([]uint32, entities), make([]uint32, len(starts.offset)) // 1 more than the key; 0 none
	for i, e := range starts.entity {
		if e&store.AliasKey == 0 {
			next[i], first[e] = first[e], uint32(i+1)
		}
	}
	l.shared = make([]uint8, len(l.offset))
	for i, e := range l.entity {
		for k := first[e&^store.AliasKey]; k > 0; k = next[k-1] {
			l.shared[i] = max(l.shared[i], uint8(sharedLetters(l.text[l.offset[i]:], l.text[starts.offset[k-1]:])))
		}
	}
	l.byShared = newGroups(mostShared+1, l.shared)
}

func sharedLetters(a, b string) (n int) {
	for n < mostShared && n < len(a) && n < len(b) && a[n] == b[n] && a[n] != endOfKey {
		n++
	}
	return n
}

// takeJoined offers names that begin with the reading as one word, but not in
// words.
func (s *search) takeJoined(r *reading) {
	const few = 32
	l, in, m := s.e.joined, span{r.joinExact.hi, r.join.hi}, r.adjust(joinPrefix)
	switch {
	case in.size() <= 0:
	case r.words > 1:
		s.take(l, in, r, prefix)
	case in.size() <= few:
		for i := in.lo; i < in.hi; i++ {
			if int(l.shared[i]) < len(r.key) {
				s.consider(l, i, r, m)
			}
		}
	default:
		for n := range min(len(r.key), mostShared+1) {
			for _, i := range l.byShared.within(n, in) {
				s.consider(l, int(i), r, m)
			}
		}
	}
}
