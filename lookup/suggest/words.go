package suggest

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
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
		if l.entity[i]&store.AliasKey != 0 || !s.passes(l, i, r) {
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

// mostShared is the maximum of keyList.shared.
const mostShared = 63

// shareWith computes the number of leading letters that each name as one word
// shares with the name in words: three for "newyork" and "new york". For shorter
// queries both names match.
func (l *keyList) shareWith(starts *keyList, entities int) {
	first, next := make([]uint32, entities), make([]uint32, len(starts.offset)) // 1 more than the key; 0 none
	for i, e := range starts.entity {
		if e&store.AliasKey == 0 {
			next[i], first[e] = first[e], uint32(i+1)
		}
	}
	l.shared = make([]uint8, len(l.offset))
	numbers := make([]uint16, len(l.offset))
	for i, e := range l.entity {
		for k := first[e&^store.AliasKey]; k > 0; k = next[k-1] {
			l.shared[i] = max(l.shared[i], uint8(sharedLetters(l.text[l.offset[i]:], l.text[starts.offset[k-1]:])))
		}
		numbers[i] = uint16(l.shared[i])
	}
	l.byShared = newGroups(mostShared+1, numbers, nil)
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

// A sound is a well-known name as it sounds.
type sound struct {
	text string
	key  uint32 // number of the key in the list of names
}

// leastForSound is the minimum rank of names that are found by their sound, about
// 4,000 residents.
const leastForSound = 12 * rankUnit

// newSounds returns the sounds of well-known names, ascending.
func newSounds(l *keyList) []sound {
	var list []sound
	var buf []byte
	for i, rank := range l.rank {
		if rank < leastForSound {
			continue
		}
		at := int(l.offset[i])
		buf = appendSound(buf[:0], l.text[at:at+strings.IndexByte(l.text[at:], endOfKey)])
		list = append(list, sound{string(buf), uint32(i)})
	}
	slices.SortFunc(list, func(a, b sound) int { return strings.Compare(a.text, b.text) })
	return list
}

// appendSound appends a spelling that words of the same sound share: "memfis" for
// "memphis". It maps letters of the same sound to one of them, omits a silent h, and
// writes repeated letters once.
func appendSound(dst []byte, key string) []byte {
	start := len(dst)
	for i := 0; i < len(key); i++ {
		c, next := key[i], byte(0)
		if i+1 < len(key) {
			next = key[i+1]
		}
		switch {
		case c == 'p' && next == 'h':
			c = 'f'
		case c == 'c' && (next == 'e' || next == 'i' || next == 'y'), c == 'z':
			c = 's'
		case c == 'c' && next != 'h', c == 'q':
			c = 'k'
		case c == 'y', c == 'e' && (next == 'e' || next == 'a'):
			c = 'i'
		case c == 'o' && next == 'u':
			continue
		case c == 'h' && i > 0 && strings.IndexByte("aeiougprtk", key[i-1]) >= 0:
			continue
		case (c == 'e' || c == 'a') && i > 0 && key[i-1] == 'e':
			continue
		}
		if len(dst) == start || dst[len(dst)-1] != c {
			dst = append(dst, c)
		}
	}
	return dst
}

// sounding offers well-known names that sound like the readings.
func (s *search) sounding() {
	l, list := s.e.starts, s.e.sounds
	for i := range s.readings {
		r := &s.readings[i]
		if !r.found || letters(r.key) < leastForTypo {
			continue
		}
		s.tmp = appendSound(s.tmp[:0], string(r.key))
		if len(s.tmp) < shortForTypo {
			continue
		}
		text := string(s.tmp)
		from := sort.Search(len(list), func(k int) bool { return list[k].text >= text })
		for _, x := range list[from:] {
			rest, ok := strings.CutPrefix(x.text, text)
			if !ok {
				break
			}
			switch {
			case rest == "":
				s.considerOther(l, int(x.key), r, soundAlike)
			case !r.finished || r.context:
				s.considerOther(l, int(x.key), r, typoPrefix)
			}
		}
	}
}
