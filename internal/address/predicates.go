package address

import "github.com/postgeo/postgeo/internal/dataset/pub28"

// A predicate is a condition that no class of words expresses. i is the position
// that the pattern has reached.
type predicate func(m *match, i int) bool

// wordPredicates take the word at i.
var wordPredicates = map[string]predicate{
	"abbreviated": func(m *match, i int) bool { // a suffix written as its abbreviation
		abbr, ok := pub28.Suffix(m.p.word(i))
		return ok && abbr == m.p.word(i) && abbr != "HWY"
	},
	"beginning":   func(m *match, i int) bool { return pub28.HighwayStart(m.p.word(i)) }, // of a highway's name
	"designation": func(m *match, i int) bool { return m.p.highwayNumber(m.from, i) },    // of a highway
	"numbered":    func(m *match, i int) bool { return m.p.is(i, hasDigit) && m.p.highwayNumber(m.from, i) },
}

// predicates take no word.
var predicates = map[string]predicate{
	"highway": func(m *match, _ int) bool { return m.p.isHighway(m.from, m.end) },
	"listed": func(m *match, _ int) bool {
		return m.p.cities.knowsCity(m.p.phrase(m.span), m.p.last.state, m.p.last.zip)
	},
	"large": func(m *match, _ int) bool {
		if m.p.last.country == canada {
			return canadaTowns[m.p.phrase(m.span)]
		}
		return knownCities[m.p.phrase(m.span)]
	},
	"canada":    func(m *match, _ int) bool { return m.p.last.country == canada },
	"directed":  func(m *match, _ int) bool { return directionCities[m.p.phrase(span{m.span.from + 1, m.span.to})] },
	"state":     func(m *match, _ int) bool { return m.p.last.state != "" },
	"nostate":   func(m *match, _ int) bool { return m.p.last.state == "" },
	"zip":       func(m *match, _ int) bool { return m.p.last.zip != "" },
	"nozip":     func(m *match, _ int) bool { return m.p.last.zip == "" },
	"capital":   func(m *match, _ int) bool { return m.p.last.zip != "" && pub28.ZIPInState(m.p.last.zip, "DC") },
	"agrees":    func(m *match, _ int) bool { return m.zipInState() },
	"disagrees": func(m *match, _ int) bool { return !m.zipInState() },
	"overseas": func(m *match, i int) bool {
		switch m.p.last.state {
		case "AA", "AE", "AP":
			return true
		}
		for k := i; k < m.end; k++ {
			switch m.p.word(k) {
			case "APO", "FPO", "DPO":
				return true
			}
		}
		return false
	},
}

// zipInState reports whether the ZIP Code lies in the state that the span names.
func (m *match) zipInState() bool {
	state, ok := pub28.State(m.p.phrase(m.span))
	return ok && m.p.last.zip != "" && pub28.ZIPInState(m.p.last.zip, state)
}
