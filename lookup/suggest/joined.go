package suggest

import "github.com/postgeo/postgeo/dataset"

// mostShared is the most letters that are told of what a name as one word
// shares with the name in words.
const mostShared = 63

// shareWith notes how many letters each name as one word shares with the name
// in words, at most: "newyork" and "new york" share three. As long as no more
// are asked for, what the one begins with the other does, too.
func (l *keyList) shareWith(starts *keyList, entities int) {
	first, next := make([]uint32, entities), make([]uint32, len(starts.offset)) // 1 more than the key; 0 none
	for i, e := range starts.entity {
		if e&dataset.AliasKey == 0 {
			next[i], first[e] = first[e], uint32(i+1)
		}
	}
	l.shared = make([]uint8, len(l.offset))
	numbers := make([]uint16, len(l.offset))
	for i, e := range l.entity {
		for k := first[e&^dataset.AliasKey]; k > 0; k = next[k-1] {
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

// takeJoined takes what a reading's name begins when it is written as one
// word, and not in words, too.
func (s *search) takeJoined(r *reading) {
	const few = 32
	l, in := s.e.joined, span{r.joinExact.hi, r.join.hi}
	switch {
	case in.size() <= 0:
	case r.words > 1:
		s.take(l, in, r, Prefix, 0)
	case in.size() <= few:
		c := s.newScan(l, in, r, max(Prefix, r.typos), 0)
		for i := in.lo; i < in.hi; i++ {
			if int(l.shared[i]) < len(r.key) {
				c.consider(i)
			}
		}
	default:
		c := s.newScan(l, in, r, max(Prefix, r.typos), 0)
		for n := range min(len(r.key), mostShared+1) {
			for _, i := range l.byShared.within(n, in) {
				c.consider(int(i))
			}
		}
	}
}
