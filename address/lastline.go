package address

import (
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// A lastLine is the end of an address without the city. It is read before the
// rest.
type lastLine struct {
	zip, plus4, state string
	country           string
	stateWords        span
	end               int // words before it
}

// readLastLine reads country, ZIP and state from the right, the last two in
// either order. Canadian addresses are tried first: a postal code, province or country
// makes them known, and gives their words other classes (settleCanada).
func (p *parser) readLastLine() {
	last := &p.last
	*last = lastLine{end: p.phone(len(p.tokens))}
	if p.readCanada() {
		return
	}
	last.end = p.country(last)
	for range 2 {
		if last.zip == "" && p.zip(last) {
			continue
		}
		if last.state == "" && p.state(last, pub28.State, stateRules) {
			continue
		}
		break
	}
	if last.zip == "" && last.state == "" {
		p.earlierLastLine(last)
	}
}

// earlierLastLine finds a state with a ZIP behind it before words that belong
// to nothing, such as a note: ELY MN 55731 CALL BEFORE. Both are necessary, because five
// digits alone may be a house number there.
func (l *line) earlierLastLine(last *lastLine) {
	for i := last.end - 2; i > 1; i-- {
		zip, plus4 := zipOf(l.word(i))
		if zip == "" {
			continue
		}
		if state := pub28.State(l.word(i - 1)); state != "" && len(l.word(i-1)) == 2 {
			l.spare = append(l.spare, l.phrase(span{uint16(i + 1), uint16(last.end)}))
			last.zip, last.plus4, last.state, last.end = zip, plus4, state, i-1
			last.stateWords = span{uint16(i - 1), uint16(i)}
			return
		}
	}
}

// phone takes a telephone number off the end and returns the position of the
// first word that belongs to it, so that the ZIP before it becomes the last word.
func (l *line) phone(end int) int {
	i := end - 1
	if i < 2 {
		return end
	}
	w := l.word(i)
	switch {
	case len(w) == 12 && w[3] == '-' && w[7] == '-' && pub28.AllDigits(w[:3]) && pub28.AllDigits(w[4:7]) && pub28.AllDigits(w[8:]):
	case len(w) == 8 && w[3] == '-' && pub28.AllDigits(w[:3]) && pub28.AllDigits(w[4:]):
		if i > 2 && len(l.word(i-1)) == 3 && l.is(i-1, isDigits) {
			i--
		}
	default:
		return end
	}
	switch l.word(i - 1) {
	case "PHONE", "TEL", "TELEPHONE", "CALL", "CELL", "FAX":
		i--
	}
	l.spare = append(l.spare, l.phrase(span{uint16(i), uint16(end)}))
	return i
}

// country takes the name of the United States off the end.
func (l *line) country(last *lastLine) int {
	for n := min(maxCountryWords, last.end-1); n >= 1; n-- {
		from := last.end - n
		name := l.phrase(span{uint16(from), uint16(last.end)})
		if countries[name] != "US" || name == "US" && !l.is(from, breakBefore) && !l.isZIP(from-1) && pub28.State(l.word(from-1)) == "" {
			continue // US 1 without its number is a street
		}
		last.country = "US"
		return from
	}
	return last.end
}

// countries are the names of both countries.
var countries = map[string]string{
	"UNITED STATES OF AMERICA": "US", "UNITED STATES": "US", "U S A": "US", "U S": "US", "USA": "US", "US": "US",
	"CA": canada, "CAN": canada, "CANADA": canada,
}

const maxCountryWords = 4

func (l *line) isZIP(i int) bool {
	zip, _ := zipOf(l.word(i))
	return zip != ""
}

// zipOf reads 22314, 22314-1234 and 223141234, and the 22314.0 of
// spreadsheets.
func zipOf(w string) (zip, plus4 string) {
	w = strings.TrimSuffix(w, ".0")
	switch {
	case len(w) < 5:
		return "", ""
	case len(w) == 5 && pub28.AllDigits(w):
		return w, ""
	case len(w) == 9 && pub28.AllDigits(w):
		return w[:5], w[5:]
	case len(w) == 10 && w[5] == '-' && pub28.AllDigits(w[:5]) && pub28.AllDigits(w[6:]):
		return w[:5], w[6:]
	default:
		return "", ""
	}
}

// zip takes a ZIP Code off the end, unless it is the number of a highway. It also takes
// an add-on behind a space, and four digits whose zero a spreadsheet dropped, if the
// prefixes of the state confirm these. Other numbers of up to four digits behind a state are
// a code that was cut, and become a note.
func (l *line) zip(last *lastLine) bool {
	i := last.end - 1
	if i < 0 {
		return false
	}
	w := l.word(i)
	if zip, plus4 := zipOf(w); zip != "" {
		if l.isRouteNumber(i) && last.state == "" {
			return false // 100 HIGHWAY 22314
		}
		last.zip, last.plus4, last.end = zip, plus4, i
		return true
	}
	if !pub28.AllDigits(w) || i == 0 {
		return false
	}
	if zip, plus4 := zipOf(l.word(i - 1)); len(w) == 4 && zip != "" && plus4 == "" { // 22314 1234
		last.zip, last.plus4, last.end = zip, w, i-1
		return true
	}
	state := pub28.State(l.word(i - 1))
	switch {
	case state == "":
	case len(w) == 4 && i > 1 && pub28.ZIPInState("0"+w, state): // MA 2139
		last.zip, last.end = "0"+w, i
		return true
	case len(w) < 5 && i > 2 && l.is(i-1, breakBefore) && len(l.word(i-1)) == 2: // PA 191
		l.spare = append(l.spare, w)
		last.end = i
	}
	return false
}

// isRouteNumber reports whether a word follows the name of a highway on a street.
func (l *line) isRouteNumber(i int) bool {
	return i > 1 && l.is(i-1, isHighway) && !l.is(i, breakBefore) && (l.is(i-2, isNumber|isDir) || pub28.HighwayStart(l.word(i-2)))
}

// state removes the name or letters of a state or province from the end, if the rules
// accept them. Longer names come first, so that WEST VIRGINIA isn't Virginia.
func (p *parser) state(last *lastLine, letters func(name string) string, rules *table) bool {
	for n := min(maxStateWords, last.end); n >= 1; n-- {
		s := span{uint16(last.end - n), uint16(last.end)}
		if state := letters(p.phrase(s)); state != "" && p.accepts(rules, s, 0, last.end) {
			last.state, last.stateWords, last.end = state, s, int(s.from)
			return true
		}
	}
	return false
}

// maxStateWords is the most words of the name of a state or province.
const maxStateWords = 5
