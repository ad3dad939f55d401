package address

import (
	_ "embed" // of the rules
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A rule is one row of a table: if its pattern matches, its weight is added to
// the score of a reading. Rules are data instead of code, because the conditions and
// weights of about 270 of them were functions with a cyclomatic complexity of up to 74 before.
// A test requires that each rule applies to its example, so that no row is dead.
//
// Weights are points, set by hand against labeled addresses; a fit to half of these kept
// them. Differences of scores matter only between readings of one address.
type rule struct {
	name    string
	pattern string
	weight  int
	each    int    // added for each word in a gap of the pattern
	kind    Kind   // of the delivery that the words name
	as      string // type of the unit or route that the words name
	example string // an address that needs the rule

	compiled pattern
}

// A table holds sets of rules. Of each set the first rule that matches applies, so that
// rows go from the special to the general. The weights of the sets add up.
type table struct {
	name  string // in rules.txt
	sets  [][]rule
	heads class // that some rule accepts as the first word after the span; see mayBegin
}

// The tables of rules.txt, which describes them.
var (
	provinceRules     = &table{name: "province"}
	canadaKinds       = &table{name: "kind of street"}
	frenchRules       = &table{name: "French street"}
	canadaSuffixes    = &table{name: "Canadian suffix"}
	canadaDirections  = &table{name: "direction"}
	canadaUnits       = &table{name: "Canadian unit"}
	stationRules      = &table{name: "station"}
	unitRules         = &table{name: "unit"}
	unitStartRules    = &table{name: "unit's start"}
	boxRules          = &table{name: "box"}
	boxNumberRules    = &table{name: "box number"}
	routeRules        = &table{name: "route"}
	weakRouteRules    = &table{name: "weak route"}
	otherRules        = &table{name: "delivery"}
	attentionRules    = &table{name: "attention"}
	stateRules        = &table{name: "state"}
	numberRules       = &table{name: "house number"}
	streetEndRules    = &table{name: "street"}
	knownCityRules    = &table{name: "known city"}
	cityRules         = &table{name: "city"}
	noCityRules       = &table{name: "no city"}
	placeRules        = &table{name: "place"}
	bareUnitRules     = &table{name: "bare unit"}
	numberLetterRules = &table{name: "letter of a number"}
	streetPartRules   = &table{name: "part"}
	besideRules       = &table{name: "street beside a box"}
	formTable         = &table{name: "form"}
)

// tables lists all tables.
func tables() []*table {
	return []*table{
		provinceRules, canadaKinds, frenchRules, canadaSuffixes, canadaDirections, canadaUnits, stationRules,
		unitRules, unitStartRules, boxRules, boxNumberRules, routeRules, weakRouteRules, otherRules, attentionRules,
		stateRules, numberRules, streetEndRules, knownCityRules, cityRules, noCityRules, placeRules, bareUnitRules,
		numberLetterRules, streetPartRules, besideRules, formTable,
	}
}

//go:embed rules.txt
var rulesText string

// readRules fills the tables.
func readRules() {
	byName := map[string]*table{}
	for _, t := range tables() {
		byName[t.name] = t
	}
	var t *table
	for part := range strings.SplitSeq(rulesText, "\n\n") {
		var set []rule
		for line := range strings.Lines(part) {
			switch line = strings.TrimSpace(line); line[0] {
			case '#':
			case '[':
				t = byName[strings.Trim(line, "[]")]
			default:
				set = append(set, readRule(line))
			}
		}
		if set != nil {
			t.sets = append(t.sets, set)
		}
	}
}

// never is the weight of rules that exclude a reading: other weights are
// from -80 to 100, so that no sum of them outweighs it.
const never = -1000

// readRule reads a row: name, weights, pattern with its result, and example.
func readRule(line string) rule {
	var columns [4]string
	for i, rest := 0, line; i < len(columns); i++ {
		columns[i], rest, _ = strings.Cut(rest, "  ")
		rest = strings.TrimLeft(rest, " ")
	}
	r := rule{name: columns[0], weight: never, example: columns[3]}
	if weight, each, _ := strings.Cut(columns[1], ","); weight != "never" {
		var err error
		if r.weight, err = strconv.Atoi(weight); err != nil {
			panic("address: bad rule: " + line)
		}
		r.each, _ = strconv.Atoi(each)
	}
	r.pattern, r.as, _ = strings.Cut(columns[2], " => ")
	for _, k := range [...]Kind{Street, POBox, RuralRoute, HighwayContract, GeneralDelivery, Military} {
		if route, ok := strings.CutPrefix(r.as, string(k)); ok {
			r.kind, r.as = k, strings.TrimLeft(route, " ")
			break
		}
	}
	return r
}

// prepare compiles the rules before the first word is read. Programs that read no
// addresses do not link them.
var prepare sync.Once

// classes returns the lexicon. The first call compiles the rules, too.
func classes() map[string]class {
	prepare.Do(compileAll)
	return lexicon
}

// compileAll compiles the patterns of all rules. The order matters: patterns mark their
// words as literals in the lexicon, which must exist, and words are classified only after
// that.
func compileAll() {
	knownCities, directionCities, canadaTowns = townSets()
	lexicon = newLexicon()
	readRules()
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
	forms = map[string]*rule{}
	for i := range formTable.sets[0] {
		r := &formTable.sets[0][i]
		forms[r.name] = r
	}
}

// mayBegin reports whether a rule of a table can match before word i, by the class of the
// word alone. Units are looked for at every word, and most words begin none.
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

// accepts reports whether the rules that apply to a span have a positive sum. Tables
// that only accept or refuse have a single set, in which the first rule decides.
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

// forms holds the rules of formTable by name: weights of decisions that code makes,
// since no pattern expresses them. They stand in rules.txt to be comparable with others.
var forms map[string]*rule

// form applies a form and returns its weight.
func (p *parser) form(name string) int {
	r := forms[name]
	p.note(r)
	return r.weight
}
