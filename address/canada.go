package address

import (
	"cmp"
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// canada is the country of Canadian addresses.
const canada = "CA"

// readCanada reads the last line of a Canadian address: city, province, postal code
// and country. It reports whether the address is Canadian. Country, code and province come
// in any order, so that the first two are tried before and after the province.
func (p *parser) readCanada() bool {
	last := &p.last
	// Most addresses are American and end in digits: they leave at the last word.
	if end := last.end - 1; end < 0 || !p.is(end, isAlpha) && !isPostal(p.word(end)) && !isHalfPostal(p.word(end)) && !isForward(p.word(end)) {
		return false
	}
	p.takeCanada(last)
	p.postal(last)
	p.takeCanada(last)
	if p.state(last, pub28.Province, provinceRules) {
		last.country = canada
	}
	if last.country != canada {
		return false
	}
	p.takeCanada(last) // in any order
	p.postal(last)
	p.settleCanada()
	return true
}

// takeCanada takes the country's name off the end.
func (p *parser) takeCanada(last *lastLine) {
	if end := last.end - 1; end > 0 && (p.word(end) == "CANADA" || p.word(end) == "CAN" && p.is(end, breakBefore)) {
		last.country, last.end = canada, end
	}
}

// postal takes a postal code off the end: K1A 0B1, K1A0B1, K1A-0B1, or its first half
// behind a province.
func (p *parser) postal(last *lastLine) {
	end := last.end
	switch {
	case last.zip != "" || end == 0:
	case isPostal(p.word(end - 1)):
		w := p.word(end - 1)
		last.zip, last.country, last.end = w[:3]+" "+w[len(w)-3:], canada, end-1
	case end > 1 && isForward(p.word(end-1)) && pub28.Province(p.word(end-2)) != "" && len(p.word(end-2)) == 2: // BC V6P
		last.zip, last.country, last.end = p.word(end-1), canada, end-1
	case end > 1 && isHalfPostal(p.word(end-1)) && isForward(p.word(end-2)):
		last.zip, last.country, last.end = p.word(end-2)+" "+p.word(end-1), canada, end-2
	}
}

// isPostal, isForward and isHalfPostal report whether a word has the form of a
// postal code, or of its first or second half.
func isPostal(w string) bool {
	return len(w) == 6 && isForward(w[:3]) && isHalfPostal(w[3:]) || len(w) == 7 && w[3] == '-' && isForward(w[:3]) && isHalfPostal(w[4:])
}

func isForward(w string) bool {
	return len(w) == 3 && isLetter(w[0]) && isDigit(w[1]) && isLetter(w[2])
}

func isHalfPostal(w string) bool {
	return len(w) == 3 && isDigit(w[0]) && isLetter(w[1]) && isDigit(w[2])
}

// settleCanada gives the words before the last line their Canadian meanings. It goes from
// left to right once: a French kind of street comes before its name (RUE, BOUL), and then
// no later word of the part is a suffix or highway. Directions and units stay what they are.
// The classes are changed in place, so that the tables of rules serve both countries. The
// standard forms of Canada Post are noted apart, since pub28 knows those of the United
// States: BOULEVARD is BOUL here and BLVD there.
func (p *parser) settleCanada() {
	p.standards = p.standardRoom[:len(p.tokens)]
	clear(p.standards)
	french := false // a French kind of street comes before
	for i := range p.last.end {
		t := &p.tokens[i]
		if t.bits&breakBefore != 0 {
			french = false
		}
		if isFrenchOrdinal(p.word(i)) && p.is(i+1, isAlpha) {
			t.bits = t.bits&^isNumber | isOrdinal
		}
		if isUnitAndNumber(p.word(i)) {
			t.bits |= isNumber | isDashed
		}
		if french {
			t.bits &^= isSuffix | isSure | isHighway
		}
		if p.isSaint(i, french) {
			p.asSaint(i)
		}
		if r, _, _ := p.recognize(frenchRules, i, 0, p.last.end); r != nil {
			t.bits &^= isSuffix | isSure
			if p.isSaint(i+1, true) {
				p.asSaint(i + 1)
			}
		}
		for _, x := range [...]struct {
			table *table
			bits  class
		}{{canadaDirections, isDir}, {canadaUnits, isUnit | isRanged}, {canadaSuffixes, isSuffix | isSure}, {canadaKinds, isKind}} {
			r, _, _ := p.recognize(x.table, i, 0, p.last.end)
			if r == nil || french && x.bits&isDir == 0 && x.bits&isUnit == 0 {
				continue
			}
			bits := x.bits
			if bits == isKind && p.is(i-1, isOrdinal) {
				if !isFrenchOrdinal(p.word(i - 1)) {
					continue // 4TH AVENUE SW
				}
				bits = isSuffix | isSure // 2E RUE
			}
			p.standards[i] = cmp.Or(canadaWords[p.word(i)], p.word(i))
			t.bits = t.bits&^(isHighway|isUnit|isRanged) | bits
			if bits == isKind && r.weight > 0 {
				french = true
				t.bits &^= isSuffix | isSure
			}
			break
		}
	}
}

// canadaWords are the standard forms of Canada Post for kinds of streets, directions and
// designators of units in other spellings.
var canadaWords = map[string]string{
	"RG": "RANG", "MONTEE": "MONTÉE", "ALLEE": "ALLÉE", "IMPASSE": "IMP", "RUELLE": "RLE", "CROISSANT": "CROIS", "TERRASSE": "TSSE", "SENTIER": "SENT",
	"AUTOROUTE": "AUT", "CHEMIN": "CH", "CHEM": "CH", "BOULEVARD": "BOUL", "BLVD": "BOUL", "BD": "BOUL", "AVENUE": "AV", "COTE": "CÔTE", "CARRE": "CAR",
	"PROMENADE": "PROM", "SIDEROAD": "SIDERD", "NORD": "N", "SUD": "S", "EST": "E", "OUEST": "O",
	"APPT": "APP", "APPARTEMENT": "APP", "BUR": "BUREAU", "UNITE": "UNITÉ", "STE": "SUITE",
}

// isUnitAndNumber reports whether a word is a unit, a hyphen or slash, and a house
// number: 12-345, 4B-345, TH3-345, 12/345.
func isUnitAndNumber(w string) bool {
	at := strings.IndexAny(w, "-/")
	return at > 0 && at <= 6 && isPlainNumber(w[at+1:]) && !(w[at] == '/' && at == 1 && pub28.Less(w[:1], w[2:]) && len(w) == 3)
}

// isSaint reports whether word i is the Saint of a French or English name: ST-HENRI, and
// ST HENRI in a French street; and STE behind a house number.
func (p *parser) isSaint(i int, french bool) bool {
	if i >= p.last.end || p.word(i) != "ST" && p.word(i) != "STE" || !p.is(i+1, isAlpha) || i+1 == p.last.end ||
		p.is(i, breakBefore) || p.is(i+1, breakBefore|isUnit|isDir|isSingle) {
		return false
	}
	return french || p.is(i, isTied) && !p.is(i-1, isAlpha) || p.word(i) == "STE" && p.is(i-1, isNumber) && len(p.word(i+1)) > 2
}

func (last *lastLine) inQuebec() bool {
	return last.state == "QC" || last.state == "" && last.zip != "" && strings.IndexByte("GHJ", last.zip[0]) >= 0
}

// isFrenchOrdinal reports whether a word is a number with a French ending: 1RE, 2E.
func isFrenchOrdinal(w string) bool {
	return frenchNumber(w) != ""
}

// frenchNumber returns the digits of a number with a French ending, or "".
func frenchNumber(w string) string {
	digits := strings.TrimRight(w, "ERMI")
	switch w[len(digits):] {
	case "E", "ER", "RE", "EME", "IEME":
		if pub28.AllDigits(digits) {
			return digits
		}
	}
	return ""
}

// station reads the station of a box, route or general delivery and returns the
// position after it, or i if none begins there.
func (p *parser) station(f *frame, i, end int) int {
	if p.last.country != canada {
		return i
	}
	r, from, _ := p.recognize(stationRules, i, 0, end)
	if r == nil || from == end {
		return i
	}
	to := p.partEnd(from, end)
	if to == end {
		to = p.stationEnd(from, end)
	}
	f.station = r.as + " " + p.phrase(span{uint16(from), uint16(to)})
	return to
}

// stationEnd returns the position after the name of a station if the city may
// follow it without a comma: before the longest known city, else after a street's
// suffix, else after a word.
func (p *parser) stationEnd(from, end int) int {
	for to := from + 1; to < end; to++ {
		if p.isTown(span{uint16(to), uint16(end)}) {
			return to
		}
	}
	for to := end - 1; to > from+1; to-- {
		if at := to - 1; p.is(at, isSure) && !(p.word(at) == "ST" && p.is(to, isSaint)) || p.is(at, isDir) && p.is(at-1, isSure) {
			return to
		}
	}
	if p.word(from) == "CENTRE" && from+1 < end {
		return from + 2
	}
	return from + 1
}

// isTown reports whether words are a name of the place, or of a large town without a
// list of cities.
func (p *parser) isTown(s span) bool {
	name := p.phrase(s)
	return canadaTowns[name] || p.cities != nil && p.cities.knowsCity(name, p.last.state, p.last.zip)
}

// standard returns the standard form of a Canadian word, or the abbreviation of
// Publication 28.
func (p *parser) standard(i int, abbr string) string {
	if i < len(p.standards) {
		abbr = cmp.Or(p.standards[i], abbr)
	}
	return abbr
}

func (p *parser) direction(i int) string {
	abbr, _ := pub28.Directional(p.word(i))
	return p.standard(i, abbr)
}

// suffix returns the abbreviation of a street's suffix.
func (p *parser) suffix(i int) string {
	abbr, _ := pub28.Suffix(p.word(i))
	return p.standard(i, abbr)
}

// unitType returns the abbreviation of a unit's designator.
func (p *parser) unitType(i int) string {
	abbr, _, _ := pub28.Unit(p.word(i))
	return p.standard(i, abbr)
}

// kindOfStreet returns the kind of street before a name.
func (p *parser) kindOfStreet(s span) string {
	if s.len() == 1 {
		return p.standard(int(s.from), p.word(int(s.from)))
	}
	return p.phrase(s)
}

// frenchKind reports whether a word can only be a kind of street before a name.
func (p *parser) frenchKind(i int) bool { return p.is(i, isKind) && !p.is(i, isSuffix) }
