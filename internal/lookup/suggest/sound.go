package suggest

import (
	"slices"
	"sort"
	"strings"
)

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
