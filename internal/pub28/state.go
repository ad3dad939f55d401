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
// Behind an empty line are the provinces and territories of Canada with Statistics
// Canada's number and their names in both languages.
//
//go:embed states.txt
var stateTable string

// A USState is a state, a territory or a military "state" with ZIP Codes, or a province
// of Canada.
type USState struct {
	Abbr     string
	Name     string
	FIPS     string // two digits; "" for the military, in Canada the number of Statistics Canada
	Division int    // number of the Census division; 0 without
	prefixes [][2]string
}

// stateList has the states with ZIP Codes, byLetters the same, and states the letters
// of all names; provinceList and provinces are those of Canada.
var stateList, provinceList, byLetters, states, provinces = readStates()

func readStates() (stateList, provinceList []USState, byLetters map[string]*USState, states, provinces map[string]string) {
	byLetters, states, provinces = map[string]*USState{}, map[string]string{}, map[string]string{}
	american, canadian, _ := strings.Cut(stateTable, "\n\n")
	for line := range strings.Lines(american) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 5)
		s := named(f[0], f[4], states)
		s.FIPS, s.Division = strings.Trim(f[1], "-"), int(f[2][0]-'0')
		if f[3] == "-" {
			continue
		}
		for r := range strings.SplitSeq(f[3], "+") {
			low, high, _ := strings.Cut(r, "-")
			s.prefixes = append(s.prefixes, [2]string{low, high})
		}
		byLetters[s.Abbr] = &s
		stateList = append(stateList, s)
	}
	for line := range strings.Lines(canadian) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 3)
		s := named(f[0], f[2], provinces)
		s.FIPS = f[1]
		provinceList = append(provinceList, s)
	}
	return stateList, provinceList, byLetters, states, provinces
}

// named returns a state and adds its names.
func named(abbr, names string, letters map[string]string) USState {
	letters[abbr] = abbr
	list := strings.Split(names, ",")
	for _, name := range list {
		letters[strings.ToUpper(name)] = abbr
	}
	return USState{Abbr: abbr, Name: list[0]}
}

// States returns the states that have ZIP Codes: the fifty and the District of
// Columbia, then territories, then the military ones. They must not be changed.
func States() []USState { return stateList }

// State returns the two letters of a state, territory or military region. The
// input is its name, an old abbreviation (CALIF), or the letters themselves. It returns
// "" for other words.
func State(name string) string { return states[name] }

// Provinces returns the provinces and territories of Canada. They must not be changed.
func Provinces() []USState { return provinceList }

// Province returns the letters of a province by a name in capitals, without accents and
// hyphens, or by an abbreviation; "" for other words.
func Province(name string) string { return provinces[name] }

// ZIPInState reports whether a ZIP Code with these first three digits or more
// may be one of the state, by the plan of the prefixes. It needs no dataset, and is evidence
// rather than a proof.
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
