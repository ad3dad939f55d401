package address

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/pub28"
)

// misspelled looks for streets with nearly the names of the readings in the given ZIP
// Code, or in the areas of the last line. limit is the cost of other differences. It goes
// through the keys of all streets there, which are cached.
func (s *search) misspelled(where scope, limit int) (*candidate, bool, error) {
	if s.knownStreet {
		return nil, false, nil
	}
	if where == inZIP {
		keys, err := s.ref.streetKeys(s.ctx, s.zip)
		if err != nil {
			return nil, false, err
		}
		return s.nearest(keys, where, limit)
	}
	s.recs, s.cands = s.recs[:0], s.cands[:0]
	for _, area := range s.areas {
		keys, err := s.ref.areaKeys(s.ctx, area)
		if err != nil {
			return nil, false, err
		}
		if found, ambiguous, err := s.nearest(keys, where, limit); found != nil || ambiguous || err != nil {
			return found, ambiguous, err
		}
	}
	return nil, false, nil
}

// nearest looks for the keys nearest to those of the readings. extra is the
// cost of other differences that it allows.
func (s *search) nearest(keys []string, where scope, extra int) (*candidate, bool, error) {
	if found, ambiguous, err := s.rejoined(keys, where); found != nil || ambiguous || err != nil {
		return found, ambiguous, err
	}
	near := s.near(keys)
	for edit := 1; edit <= 2; edit++ {
		found, ambiguous, err := s.try(edit*costEdit+extra, false, func() error {
			for _, n := range near {
				if n.edit != edit {
					continue
				}
				if err := s.read(where, n.key, s.keys[n.reading], edit, 0); err != nil {
					return err
				}
			}
			return nil
		})
		if found != nil || err != nil {
			return found, ambiguous, err
		}
		extra = 0 // a name with two letters wrong is already low confidence; nothing else may differ
	}
	return nil, false, nil
}

// A nearKey is a street's key that differs in a letter or two from that of a
// reading.
type nearKey struct {
	key     string
	reading int
	edit    int
}

// near finds the keys that are near those of the readings. Ordinals are also
// compared in letters, because their keys are digits: SEENTH ST is 7TH ST.
func (s *search) near(keys []string) []nearKey {
	var list []nearKey
	for i := range s.reads {
		own := s.keys[i]
		if s.reads[i].Kind != Street || s.reads[i].Number == "" || slices.Contains(s.keys[:i], own) {
			continue
		}
		// An edit changes at most one letter of either word, so that sets of letters that
		// differ by more than the limit rule a key out without comparing it.
		letters := letterSet(own)
		for _, key := range keys {
			if limit := editLimit(max(len(own), len(key))); limit > 0 && len(key)-len(own) <= limit && len(own)-len(key) <= limit {
				theirs := letterSet(key)
				if bits.OnesCount64(letters&^theirs) > limit || bits.OnesCount64(theirs&^letters) > limit {
					continue
				}
				if away := edit.Distance(own, key, limit); away > 0 && away <= limit && sameDigits(own, key) {
					list = append(list, nearKey{key, i, away})
				}
			}
		}
		for word, n := range pub28.OrdinalWords() {
			if len(word) > 4 && len(own) >= 4 && edit.Distance(own, word, 1) == 1 {
				list = append(list, nearKey{strconv.Itoa(n), i, 1})
			}
		}
	}
	return list
}

// letterSet returns the set of a key's characters. The low six bits of capitals are 1 to 26
// and those of digits 48 to 57, so that no two of them share a bit.
func letterSet(key string) (set uint64) {
	for i := range len(key) {
		set |= 1 << (key[i] & 63)
	}
	return set
}

// rejoined looks for names whose words were joined or divided at an
// abbreviation: MTVERNON, COL UMBUS.
func (s *search) rejoined(keys []string, where scope) (*candidate, bool, error) {
	return s.try(costMoved, false, func() error {
		for i := range s.reads {
			a := &s.reads[i]
			if a.Kind != Street {
				continue
			}
			for _, other := range respellings(pub28.Squeezed(a.Name())) {
				if _, known := slices.BinarySearch(keys, other); !known || other == s.keys[i] {
					continue
				}
				if err := s.read(where, other, s.keys[i], 0, 0); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// abbreviations are words of names that are also written in full. The first three are
// often joined with the next word.
var abbreviations = [...][2]string{
	{"MT", "MOUNT"},
	{"ST", "SAINT"},
	{"FT", "FORT"},
	{"N", "NORTH"},
	{"S", "SOUTH"},
	{"E", "EAST"},
	{"W", "WEST"},
	{"NE", "NORTHEAST"},
	{"NW", "NORTHWEST"},
	{"SE", "SOUTHEAST"},
	{"SW", "SOUTHWEST"},
}

// king holds ways to write the name of Martin Luther King, the longer ones first.
var king = [...]string{"MARTINLUTHERKING", "MARTINLKING", "DRMARTINLUTHERKING", "DRMLKING", "MLKING", "MLK"}

// respellings returns other keys of a name that is written without spaces.
func respellings(name string) []string {
	list := []string{name}
	for _, a := range abbreviations[:3] {
		if rest, ok := strings.CutPrefix(name, a[0]); ok && len(rest) > 2 {
			list = append(list, a[1]+rest)
		}
	}
	for _, own := range king {
		rest, ok := strings.CutPrefix(name, own)
		if !ok || rest != "" && rest != "JR" {
			continue
		}
		for _, other := range king {
			list = append(list, other, other+"JR")
		}
		break
	}
	return list
}

// editLimit returns how far a misspelt key may be from a right one, by the
// length of the longer of them. With a letter changed, words of three letters are often
// other words: ELM, ELK.
func editLimit(length int) int {
	switch {
	case length < 4:
		return 0
	case length < 8:
		return 1
	default:
		return 2
	}
}

// sameDigits reports whether two keys hold the same digits in the same order:
// numbers are never misspelt, 28TH is not 29TH.
func sameDigits(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && !isDigit(a[i]) {
			i++
		}
		for j < len(b) && !isDigit(b[j]) {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] {
			return false
		}
		i, j = i+1, j+1
	}
}
