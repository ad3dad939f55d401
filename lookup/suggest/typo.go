package suggest

import (
	"math/bits"

	"github.com/postgeo/postgeo/internal/edit"
)

// One typo is searched in the sorted list of keys as in a tree: the keys with the first i
// letters of the query are a span, and each edit at i narrows it by the rest of the query.
// That also finds unfinished names with a typo. Two typos are searched by comparing all names
// with the same first letter, filtered by length and letters. Both come last: only if few
// names match as typed, and no well-known one.

// Limits of the search for typos, in letters of a name.
const (
	// shortForTypo letters may have a typo after the first one if nothing else
	// matches. Prefix matches then need all letters.
	shortForTypo = 4
	leastForTypo = 5 // for one typo
	leastForTwo  = 7 // for two typos
	mostForTypo  = 40
	// wellKnown is the minimum score that disables the search.
	wellKnown = 21 * rankUnit
	// fewForTypo is the maximum number of keys that match without typos.
	fewForTypo = 30
)

// misspelled offers names that differ from the query by typos, unless there are
// many other names or a well-known one. Codes are not corrected.
func (s *search) misspelled() {
	if letters(s.words.text) < shortForTypo || s.code.size > 0 && len(s.hits) > 0 || s.most() >= wellKnown || s.keys > fewForTypo {
		return
	}
	others := len(s.others)
	s.oneTypo()
	if len(s.hits) == 0 && !s.inState {
		s.misspelledState()
	}
	if len(s.others) == others && !s.corrected() {
		s.twoTypos()
	}
}

func (s *search) corrected() bool {
	for _, c := range s.misread {
		for i := c.in.lo; i < c.in.hi; i++ {
			if s.passes(s.e.starts, i, &s.readings[c.r]) {
				return true
			}
		}
	}
	return false
}

// letters returns the number of letters, or 0 if the text has a digit.
func letters(text []byte) int {
	n := 0
	for _, c := range text {
		switch {
		case isDigit(c):
			return 0
		case c != ' ':
			n++
		}
	}
	return n
}

// A typoSpan is a span of keys whose first n bytes are the query with a typo.
type typoSpan struct {
	span
	n   int
	all bool // all letters of the query are right
}

// oneTypo adds names that begin with a reading after one edit: a letter is wrong,
// missing or superfluous, or two are swapped.
func (s *search) oneTypo() {
	for i := range s.readings {
		r := &s.readings[i]
		right := 0 // leading letters that are assumed right
		n := letters(r.key)
		short := n == shortForTypo
		if short {
			right = 1
		} else if n < leastForTypo {
			continue
		}
		if !r.found || len(r.key) > mostForTypo {
			continue
		}
		s.edit(r.key, right)
		l := s.e.starts
		for _, f := range s.found {
			s.take(l, l.upTo(f.span, f.n, endOfKey), r, typoName)
		}
		for _, f := range s.found {
			in, complete := f.span, l.upTo(f.span, f.n, endOfKey)
			switch {
			case short && !f.all:
				in = complete
			case r.finished:
				in = l.upTo(in, f.n, ' ')
			}
			s.take(l, span{complete.hi, in.hi}, r, typoPrefix)
			s.misread = append(s.misread, countedSpan{in, i})
		}
	}
}

// edit finds the keys that begin with q after one edit, which follows the first
// right letters. For each position it tries all edits on the keys that begin with
// the letters before.
func (s *search) edit(q []byte, right int) {
	const alphabet = "abcdefghijklmnopqrstuvwxyz "
	l := s.e.starts
	s.found = s.found[:0]
	at := l.prefix(q[:right]) // the keys that begin with q[:i]
	for i := right; i < len(q) && at.size() > 0; i++ {
		s.try(at, q, i, nil, q[i+1:]) // one letter less
		if i+1 < len(q) && q[i] != q[i+1] {
			swapped := [2]byte{q[i+1], q[i]}
			s.try(at, q, i, swapped[:], q[i+2:])
		}
		// The table of the first three letters is faster than finding which letters follow.
		if i < 3 {
			for j := range len(alphabet) {
				s.edits(at, q, i, alphabet[j])
			}
		} else {
			for k := at.lo; k < at.hi; {
				c := l.text[int(l.offset[k])+i]
				child := l.upTo(span{k, at.hi}, i, c)
				if c != endOfKey {
					s.edits(child, q, i, c)
				}
				k = child.hi
			}
		}
		at = l.narrow(at, q[i:i+1], i)
	}
}

// edits tries c instead of the letter at i, and before it.
func (s *search) edits(at span, q []byte, i int, c byte) {
	one := [1]byte{c}
	if c != q[i] {
		s.try(at, q, i, one[:], q[i+1:])
	}
	s.try(at, q, i, one[:], q[i:])
}

// try finds the keys of at, which begin with q[:i], that continue with middle and
// rest.
func (s *search) try(at span, q []byte, i int, middle, rest []byte) {
	l := s.e.starts
	n := i + len(middle) + len(rest)
	if i < 3 { // the table of first letters is faster
		s.tmp = append(append(append(s.tmp[:0], q[:i]...), middle...), rest...)
		at = l.prefix(s.tmp)
	} else {
		if len(middle) > 1 || len(middle) == 1 && at.size() > 0 && l.text[int(l.offset[at.lo])+i] != middle[0] {
			at = l.narrow(at, middle, i)
		}
		at = l.narrow(at, rest, i+len(middle))
	}
	if at.size() > 0 {
		s.found = append(s.found, typoSpan{at, n, len(middle) > 1 || n > len(q)})
	}
}

// misspelledState reads the last words as the name of a state with a typo, if
// nothing else matched.
func (s *search) misspelledState() {
	s.again(s.readMisspelledState)
}

func (s *search) readMisspelledState() {
	w := &s.words
	before := len(s.readings)
	for k := 1; k <= 2 && k < w.n; k++ {
		tail := string(s.canonical(w.n-k, w.n))
		if len(tail) < leastForTypo {
			continue
		}
		var set stateSet
		for _, n := range s.e.stateList {
			most := 1
			if len(n.key) > leastForTwo {
				most = 2
			}
			if len(n.key) >= leastForTypo && edit.Distance(tail, n.key, most) <= most {
				set.addAll(&n.set)
			}
		}
		if !set.empty() {
			s.nameReadings(0, w.n-k, set, true)
		}
	}
	for i := before; i < len(s.readings); i++ {
		s.readings[i].typos = OneTypo
	}
}

// twoTypos adds names that equal a reading after two edits, not in the first
// letter.
func (s *search) twoTypos() {
	l := s.e.starts
	for i := range s.readings {
		r := &s.readings[i]
		if !r.found || letters(r.key) < leastForTwo || len(r.key) > mostForTypo {
			continue
		}
		own := string(r.key)
		in := l.prefix(r.key[:1])
		mask := letterMask(r.key)
		const most = 2
		for k := in.lo; k < in.hi; k++ {
			if d := int(s.e.typos.length[k]) - len(r.key); d > most || d < -most ||
				bits.OnesCount32(s.e.typos.mask[k]^mask) > 2*most || !s.passes(l, k, r) {
				continue
			}
			key := l.text[l.offset[k] : int(l.offset[k])+int(s.e.typos.length[k])]
			if edit.Distance(own, key, most) > most {
				continue
			}
			s.considerOther(l, k, r, twoTypos)
		}
	}
}

// A typoList serves to exclude keys that are more than two edits away, without reading
// them: an edit changes the length by at most one and the set of letters by at most two.
type typoList struct {
	length []uint8
	mask   []uint32 // of the letters
}

func newTypoList(l *keyList) typoList {
	t := typoList{length: make([]uint8, len(l.offset)), mask: make([]uint32, len(l.offset))}
	for i, at := range l.offset {
		n := 0
		for l.text[int(at)+n] != endOfKey {
			t.mask[i] |= letterBit(l.text[int(at)+n])
			n++
		}
		t.length[i] = uint8(min(n, 255))
	}
	return t
}

func letterBit(c byte) uint32 { return 1 << (c & 31) }

func letterMask(text []byte) (m uint32) {
	for _, c := range text {
		m |= letterBit(c)
	}
	return m
}
