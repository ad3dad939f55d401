package address

import (
	"slices"
	"sync"
)

// A rule is one row of a table: if its pattern matches, its weight is added to
// the score of a reading. The test of the table reads the example of each rule
// and requires that the rule applies to it.
type rule struct {
	name    string
	pattern string
	weight  int
	each    int    // added for each word in a gap of the pattern
	kind    Kind   // of the delivery that the words name
	as      string // type of the unit that the words name
	example string // an address that needs the rule

	compiled pattern
}

// A table holds sets of rules. Of each set the first rule that matches applies.
type table struct {
	name  string
	sets  [][]rule
	heads class // of the first word after the span
}

// prepare compiles the rules before the first word is read. Programs that read no
// addresses do not link them.
var prepare sync.Once

// tables lists all tables.
func tables() []*table {
	formTable.sets = [][]rule{forms[:]}
	return []*table{
		formTable, provinceRules, canadaKinds, canadaSuffixes, canadaDirections, canadaUnits,
		stationRules, unitRules, unitStartRules, boxRules, boxNumberRules, routeRules,
		weakRouteRules, otherRules, attentionRules, stateRules, numberRules, streetEndRules,
		knownCityRules, cityRules, noCityRules, placeRules, bareUnitRules,
		frenchRules, numberLetterRules, streetPartRules, besideRules,
	}
}

// classes returns the lexicon. The first call compiles the rules, too.
func classes() map[string]class {
	prepare.Do(compileAll)
	return lexicon
}

// compileAll compiles the patterns of all rules.
func compileAll() {
	knownCities, directionCities, canadaTowns = townSets()
	lexicon = newLexicon()
	for _, t := range tables() {
		for _, set := range t.sets {
			for i := range set {
				c := compile(set[i].pattern)
				set[i].compiled = c
				t.heads |= c.around.after
				for _, it := range slices.Concat(c.left, c.inside, c.right) {
					for _, w := range it.words {
						lexicon[w] |= isLiteral
					}
				}
			}
		}
	}
}

func (p *parser) mayBegin(t *table, i int) bool {
	return i >= len(p.tokens) || p.tokens[i].bits&t.heads != 0
}

// score returns the sum of the weights of the rules that apply to a span in the
// scope between two positions.
func (p *parser) score(t *table, s span, from, end int) int {
	m := &p.match
	*m = match{p: p, span: s, from: from, end: end}
	a := m.around()
	sum := 0
	for _, set := range t.sets {
		for i := range set {
			r := &set[i]
			if _, ok := m.try(&r.compiled, &a); ok {
				sum += r.weight + r.each*m.gaps
				p.note(r)
				break
			}
		}
	}
	return sum
}

// accepts reports whether the first rule that applies to a span, if any, has a
// positive weight.
func (p *parser) accepts(t *table, s span, from, end int) bool { return p.score(t, s, from, end) > 0 }

// recognize returns the first rule that matches at word i, or nil. next is the
// position after its words; captured are the words in brackets.
func (p *parser) recognize(t *table, i, from, end int) (r *rule, next int, captured span) {
	if !p.mayBegin(t, i) {
		return nil, i, span{}
	}
	m := &p.match
	*m = match{p: p, span: span{uint16(i), uint16(i)}, from: from, end: end}
	a := m.around()
	for _, set := range t.sets {
		for k := range set {
			m.open, m.close = 0, 0
			if next, ok := m.try(&set[k].compiled, &a); ok {
				p.note(&set[k])
				return &set[k], next, span{uint16(m.open), uint16(m.close)}
			}
		}
	}
	return nil, i, span{}
}

// note records a rule that applied, in the test of the rules.
func (p *parser) note(r *rule) {
	if p.applied != nil {
		p.applied[r] = true
	}
}

func (p *parser) form(k int) int {
	p.note(&forms[k])
	return forms[k].weight
}

var formTable = &table{name: "form"}
