package pub28

import (
	_ "embed"
	"strings"
)

// stateTable has the states, districts, territories and military "states" of
// Publication 28, appendix B. It also has the freely associated states, which the
// Postal Service serves at domestic rates. Each entry has:
//
//   - Its letters and its FIPS code.
//   - The number of its Census division, 0 outside the fifty states and the District of
//     Columbia.
//   - The first three digits of its ZIP Codes, as ranges.
//   - Its name, and other names.
//
//go:embed states.txt
var stateTable string

// A USState is a state, a territory or a military "state" with ZIP Codes.
type USState struct {
	Abbr     string
	Name     string
	FIPS     string // two digits; "" for the military
	Division int    // number of the Census division; 0 without
	prefixes [][2]string
}

// stateList has the states with ZIP Codes, byLetters the same, and states the letters
// of all names.
var stateList, byLetters, states = readStates()

func readStates() (list []USState, byLetters map[string]*USState, letters map[string]string) {
	byLetters, letters = map[string]*USState{}, map[string]string{}
	for line := range strings.Lines(stateTable) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 5)
		names := strings.Split(f[4], ",")
		s := USState{Abbr: f[0], Name: names[0], FIPS: strings.Trim(f[1], "-"), Division: int(f[2][0] - '0')}
		letters[s.Abbr] = s.Abbr
		for _, name := range names {
			letters[strings.ToUpper(name)] = s.Abbr
		}
		if f[3] == "-" {
			continue
		}
		for r := range strings.SplitSeq(f[3], "+") {
			low, high, _ := strings.Cut(r, "-")
			s.prefixes = append(s.prefixes, [2]string{low, high})
		}
		byLetters[s.Abbr] = &s
		list = append(list, s)
	}
	return list, byLetters, letters
}

// States returns the states that have ZIP Codes: the fifty and the District of
// Columbia, then territories, then the military ones. They must not be changed.
func States() []USState { return stateList }

// State returns the two letters of a state, territory or military region. The
// input is its name, an old abbreviation (CALIF), or the letters themselves.
func State(name string) (abbr string, ok bool) {
	abbr, ok = states[name]
	return abbr, ok
}

// MaxStateWords is the number of words of the longest name that State supports.
const MaxStateWords = 4

// ZIPInState reports whether a ZIP Code with these first three digits or more
// may be one of the state, by the plan of the prefixes.
func ZIPInState(zip, state string) bool {
	s := byLetters[state]
	if s == nil || len(zip) < 3 {
		return false
	}
	for _, r := range s.prefixes {
		if r[0] <= zip[:3] && zip[:3] <= r[1] {
			return true
		}
	}
	return false
}
