package address

import (
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// leastNumber is the score of a house number below which the street may have
// none: the number may belong to the name.
const leastNumber = -20

// streets makes the frames of a street between two words. city is the city if
// the words hold none. bonus is added to the scores.
//
// A street is found from its house number on: starts finds the likeliest numbers, and for
// each the end of the street is a comma (closed), a unit (core), or, without either, the
// cut with the best sum of the scores of street and city (open). Words before the number
// are the recipient, an urbanization or units.
func (p *parser) streets(from, end int, city span, bonus int) {
	var starts [3]start
	n := p.starts(from, end, starts[:])
	for _, s := range starts[:n] {
		p.streetFrames(s, from, end, city, bonus)
	}
	if n == 0 || starts[0].score < leastNumber {
		p.unnumbered(from, end, city, bonus+p.form("no house number"))
	}
}

// streetFrames makes the frames of a street behind a house number.
func (p *parser) streetFrames(s start, from, end int, city span, bonus int) {
	f := frame{kind: Street, post: -1, number: span{uint16(s.at), uint16(s.next)}, score: s.score + bonus, city: city}
	f.before = span{uint16(from), uint16(s.at)}
	if s.at == from+1 && p.is(s.at, isDigits) && (p.equal(from, end, "NO") || p.equal(from, end, "NUMBER")) { // NO 10 DOWNING ST
		f.before.to = f.before.from
	}
	p.slash(&f)
	p.unitAhead(&f)
	p.leadingUnits(&f, from)
	p.urbanization(&f)
	to := p.partEnd(s.next, end)
	if p.is(s.next, isPound|isRanged) && !p.is(s.next, isSuffix) { // 6910 # G MARY CAROLINE CIR
		g := f
		if at := p.unitsAt(&g, s.next, to); at > s.next && at < to {
			p.core(g, at, to, end, city)
			return
		}
	}
	if x := p.crossingAt(s.next, to); x > 0 && p.is(x-1, isSure) && x-1 > s.next { // 100 OAK RD & ELM AVE
		g := f
		g.core = span{uint16(s.next), uint16(x)}
		p.secondStreet(&g, x+1, to, end)
		p.addStreet(g)
		return
	}
	// A single letter may belong to the number: 5515 A READING AVE.
	if k := s.next; p.accepts(numberLetterRules, span{uint16(k), uint16(k + 1)}, from, to) {
		g := f
		g.numberIs = p.word(s.at) + p.word(k)
		p.core(g, k+1, to, end, city)
		f.score += p.form("letter of the street")
	}
	p.core(f, s.next, to, end, city)
}

// leadingUnits reads units before the number: APT 4, 100 MAIN ST.
func (p *parser) leadingUnits(f *frame, from int) {
	i := int(f.before.from)
	to := int(f.before.to)
	if i >= to || i != from {
		return
	}
	for k := i; k < to; k++ {
		if !p.is(k, isUnit|isPound|isOrdinal) || k > i && !p.is(k, breakBefore) && !p.is(k, isRanged|isPound) {
			continue
		}
		g := *f
		if at := p.unitsAt(&g, k, to); at > k && !(at == k+1 && p.is(k, isRanged)) && (at == to || p.is(at, breakBefore)) && (at == to || k == i) {
			*f = g
			if k == i {
				f.before.from = uint16(at)
			} else {
				f.before.to = uint16(k)
			}
			return
		}
	}
}

// urbanization takes the urbanization of Puerto Rico out of the words before the
// number.
func (p *parser) urbanization(f *frame) {
	for i := int(f.before.from); i < int(f.before.to); i++ {
		switch p.word(i) {
		case "URB", "URBANIZACION", "URBZ":
			to := p.partEnd(i, int(f.before.to))
			f.urb = span{uint16(i + 1), uint16(to)}
			if i == int(f.before.from) {
				f.before.from = uint16(to)
			} else {
				f.before.to = uint16(i)
			}
			return
		}
	}
}

// core finds the end of the street. to is the end of the part that it begins
// in, end that of the words. A unit ends the street wherever it stands, unless its
// designator belongs to the name of the city (UPPER DARBY) or of the street (HIGH UNIT B
// ST); for the latter there is a second frame, and the records decide.
func (p *parser) core(f frame, from, to, end int, city span) {
	for i := from + 1; i < to; i++ {
		if !p.unitStart(i, from, to) || to == end && !p.is(i, isRanged) && p.inCity(i, from, end) {
			continue
		}
		whole := f
		f.core = span{uint16(from), uint16(i)}
		at := p.unitsAt(&f, i, to)
		if at == i {
			continue
		}
		if at < to && p.is(at, isSure) && !p.is(i-1, isSuffix|isDir) { // HIGH UNIT B ST
			p.unitInName(whole, from, at+1, to, end)
		}
		switch {
		case at == to:
			p.rest(&f, to, end)
		case to == end:
			f.score += p.cityScore(at, end)
			f.city = span{uint16(at), uint16(end)}
		default:
			f.leave(span{uint16(at), uint16(to)})
			f.dropped = true
			p.rest(&f, to, end)
		}
		p.addStreet(f)
		return
	}
	if to < end || !city.empty() || p.fixed { // a comma ends the street
		p.closed(f, from, to, end)
		return
	}
	p.open(f, from, to)
}

// inCity reports whether the last words, with word i, are a listed city: UPPER DARBY, SHADY
// SIDE.
func (p *parser) inCity(i, from, end int) bool {
	for k := i; k > from && k > i-3; k-- {
		if p.listed(k, end) {
			return true
		}
	}
	return false
}

// unitInName makes the frame of a street whose name holds a unit. cut is the
// position behind its suffix.
func (p *parser) unitInName(f frame, from, cut, to, end int) {
	f.score += p.form("unit in the name")
	f.core = span{uint16(from), uint16(cut)}
	if cut < to && to == end {
		f.score += p.cityScore(cut, end)
		f.city = span{uint16(cut), uint16(end)}
	} else {
		p.rest(&f, cut, end)
	}
	p.addStreet(f)
}

// closed makes the frames of a street that ends at a comma. The comma may be wrong or come
// late: the part may also hold a unit without a designator (12 ELM ST 4), or a complex or
// quarter behind the suffix. The whole part is the last frame, with a lower score then.
func (p *parser) closed(f frame, from, to, end int) {
	p.rest(&f, to, end)
	whole := f
	whole.core = span{uint16(from), uint16(to)}
	if u := p.bareUnit(from, to); u > 0 {
		p.addWithUnit(f, from, u, "unit without a designator")
	}
	if u := to - 1; to-from == 3 && p.is(from, isDir) && p.is(from+1, isSure) && p.is(u, hasDigit) && !p.is(u, isOrdinal) { // EAST RD 5B
		p.addWithUnit(f, from, u, "unit after a road of a direction")
	}
	if cut := p.complexAt(from, to); cut > 0 { // MAIN RD OAKWOOD GARDENS
		g := f
		g.core = span{uint16(from), uint16(cut)}
		g.leave(span{uint16(cut), uint16(to)})
		g.dropped = true
		p.addStreet(g)
		whole.score += p.form("words after the suffix in the name")
	}
	// Words behind a sure suffix are a building or a part of the town.
	if cut := p.lastSure(from, to); cut > 0 && cut < to && !p.is(to-1, isSuffix|isDir) && !p.isHighway(from, to) {
		g := f
		g.core = span{uint16(from), uint16(cut)}
		if f.city.empty() {
			g.city = span{uint16(cut), uint16(to)}
		} else {
			g.leave(span{uint16(cut), uint16(to)})
			g.dropped = true
		}
		whole.score += p.form("words after the suffix in the name")
		p.addStreet(g)
	}
	p.addStreet(whole)
}

// complexAt returns the position after a street's suffix and direction if the
// words after them name a group of houses, else 0.
func (p *parser) complexAt(from, to int) int {
	if !p.is(to-1, isSuffix) {
		return 0
	}
	switch abbr, _ := pub28.Suffix(p.word(to - 1)); abbr {
	case "GDNS", "SQ", "CV", "CTR", "PLZ", "PARK", "MALL", "FLTS", "ESTS", "MNR", "VLG", "HTS", "CMNS", "CMN":
	default:
		return 0
	}
	for i := from + 1; i+2 < to; i++ {
		if !p.is(i, isSure) || p.word(i) == "GROVE" || i == from+1 && p.is(from, isDir) || p.is(i+1, isSuffix) { // ELK GROVE TOWN CENTER
			continue
		}
		if cut := i + 1; p.is(cut, isDir) && cut+2 < to {
			return cut + 1
		} else if !p.is(cut, isDir) {
			return cut
		}
	}
	return 0
}

// lastSure returns the position behind the last sure suffix, and the direction
// after it, that leave a name before them; 0 for none.
func (p *parser) lastSure(from, to int) int {
	for i := to - 1; i > from; i-- {
		if p.is(i, isSure) && !(i == from+1 && p.is(from, isDir)) {
			if i+1 < to && p.is(i+1, isDir) {
				return i + 2
			}
			return i + 1
		}
	}
	return 0
}

func (p *parser) isHighway(from, to int) bool {
	if p.is(to-1, hasDigit) && p.word(from) == "OLD" && p.highwayNumber(from+1, to-1) {
		return true
	}
	if to-from > 2 && p.is(from, isDir) {
		from++
	}
	kind, _ := pub28.Highway(p.phrase(span{uint16(from), uint16(to)}))
	return kind != ""
}

// countyLetters reports whether word i is the letters of a county's road: COUNTY
// ROAD ZZ.
func (p *parser) countyLetters(from, i int) bool {
	if !p.is(i, isAlpha) || p.is(i, isDir) || i < from+2 {
		return false
	}
	kind, rest := pub28.Highway(p.phrase(span{uint16(i - 2), uint16(i + 1)}))
	return strings.HasPrefix(kind, "COUNTY") && rest == p.word(i)
}

// highwayNumber reports whether word i may be the number of a highway whose name begins at
// from or later, so that it is not a unit: HIGHWAY 20. ROAD, AVENUE, LOOP and SPUR before a
// number are suffixes as often; they count only at the beginning of the name.
func (p *parser) highwayNumber(from, i int) bool {
	if i <= from {
		return true
	}
	if p.is(i-1, isHighway) {
		return true
	}
	for k := from; k < i; k++ {
		if kind, rest := pub28.Highway(p.phrase(span{uint16(k), uint16(i + 1)})); kind != "" && rest == p.word(i) {
			return kind != "ROAD" && kind != "AVENUE" && kind != "LOOP" && kind != "SPUR" || k == from || k == from+1 && p.is(from, isDir)
		}
	}
	return false
}

// A division cuts words into street, unit and city.
type division struct{ cut, unit, score int }

func (d division) rank() int { return d.score }

// open makes the frames of a street that no comma divides from the city: the
// likeliest places to cut.
func (p *parser) open(f frame, from, end int) {
	var best [3]division
	n := 0
	put := func(cut, unit, score int) { n = insert(best[:], n, division{cut, unit, score}) }
	for cut := from + 1; cut < end; cut++ {
		score := p.streetScore(from, cut)
		put(cut, 0, score+p.cityScore(cut, end))
		if p.is(cut, hasDigit) && !p.is(cut, isOrdinal) && p.is(cut-1, isSuffix|isDir) && cut > from+1 && !p.highwayNumber(from, cut) {
			score += p.form("unit before the city")
			if cut+1 < end {
				score += p.cityScore(cut+1, end)
			}
			put(cut, cut, score)
		}
	}
	whole := p.score(noCityRules, span{uint16(from), uint16(end)}, from, end)
	put(end, 0, whole+p.streetScore(from, end))
	if u := p.bareUnit(from, end); u > 0 {
		put(u, u, whole+p.form("unit without a designator")+p.streetScore(from, u))
	}
	top := 0
	for i, b := range best[:n] {
		g := f
		g.core = span{uint16(from), uint16(b.cut)}
		g.guessed = b.cut < end && p.streetScore(from, b.cut) < likelyStreet
		cityFrom := b.cut
		if b.unit > 0 {
			p.putUnit(&g, Unit{"#", p.word(b.unit)})
			cityFrom++
		}
		g.city = span{uint16(cityFrom), uint16(end)}
		if i == 0 {
			top = b.score
		}
		g.score += (b.score - top) / 2
		p.addStreet(g)
	}
}

// likelyStreet is the least score of words that are a street by themselves. A cut below it
// is guessed: an address without a known place is then insufficient input, since what was
// taken for the city may be the rest of the street.
const likelyStreet = 12

func (p *parser) streetScore(from, cut int) int {
	return p.score(streetEndRules, span{uint16(from), uint16(cut)}, from, len(p.tokens))
}

func (p *parser) cityScore(from, end int) int {
	s := span{uint16(from), uint16(end)}
	if p.cities != nil {
		// The names of the dataset decide alone. The shapes of cities are for words that it
		// doesn't list.
		if score := p.score(knownCityRules, s, from, end); score != 0 {
			return score
		}
	}
	return p.score(cityRules, s, 0, end)
}

// bareUnit returns the position of a unit's number without a designator at the
// end of a street, or 0.
func (p *parser) bareUnit(from, to int) int {
	if p.accepts(bareUnitRules, span{uint16(to - 1), uint16(to)}, from, to) {
		return to - 1
	}
	return 0
}

// addWithUnit adds a frame whose street ends before the number of a unit.
func (p *parser) addWithUnit(f frame, from, unit int, form string) {
	f.core = span{uint16(from), uint16(unit)}
	p.putUnit(&f, Unit{"#", p.word(unit)})
	f.score += p.form(form)
	p.addStreet(f)
}

// addStreet adds a frame unless its street has no name.
func (p *parser) addStreet(f frame) {
	if f.core.empty() {
		return
	}
	p.add(f)
}

// crossingAt returns the position of a word that joins two streets, or 0.
func (p *parser) crossingAt(from, to int) int {
	for i := from + 1; i+1 < to; i++ {
		if p.is(i, isJoin) {
			return i
		}
	}
	return 0
}

// secondStreet reads the second street of a crossing and the city behind it.
func (p *parser) secondStreet(f *frame, from, to, end int) {
	f.cross = span{uint16(from), uint16(to)}
	if to < end {
		p.rest(f, to, end)
		return
	}
	if p.last.state == "" && p.last.zip == "" {
		return
	}
	best, cut := p.streetScore(from, to), to
	for k := from + 1; k < to; k++ {
		if s := p.streetScore(from, k) + p.cityScore(k, to); s > best {
			best, cut = s, k
		}
	}
	f.cross.to = uint16(cut)
	f.city = span{uint16(cut), uint16(to)}
}

// unnumbered makes the frame of a street without a house number, or of a city
// alone. The first part that holds a crossing or looks like a street is taken, else a city
// before its county, else the first of several parts, else a place.
func (p *parser) unnumbered(from, end int, city span, bonus int) {
	f := frame{kind: Street, post: -1, score: bonus, city: city}
	for i := from; i < end; {
		to := p.partEnd(i, end)
		if x := p.crossingAt(i, to); x > 0 {
			f.before = span{uint16(from), uint16(i)}
			f.core = span{uint16(i), uint16(x)}
			p.secondStreet(&f, x+1, to, end)
			p.add(f)
			return
		}
		if i == from && to == end && p.isPlace(from, end) {
			break
		}
		if p.accepts(streetPartRules, span{uint16(i), uint16(to)}, i, to) && (to < end || p.last.state == "" || p.streetScore(i, to) >= likelyStreet || to-i > 1) {
			f.before = span{uint16(from), uint16(i)}
			p.core(f, i, to, end, city)
			return
		}
		i = to
	}
	first := p.partEnd(from, end)
	if first < end && p.word(end-1) == "COUNTY" && p.listed(from, first) { // ELY, ST LOUIS COUNTY
		f.kind, f.city = NoDelivery, span{uint16(from), uint16(first)}
		f.leave(span{uint16(first), uint16(end)})
		p.add(f)
		return
	}
	if first < end && !p.is(from, hasDigit) {
		f.core = span{uint16(from), uint16(first)}
		p.rest(&f, first, end)
		f.score += p.form("first part as the street")
		p.addStreet(f)
		return
	}
	// No street: a place.
	f.kind = NoDelivery
	last := from
	for i := from; i < end; i = p.partEnd(i, end) {
		last = i
	}
	f.city = span{uint16(last), uint16(end)}
	f.before = span{uint16(from), uint16(last)}
	p.add(f)
}

// isPlace reports whether words before a state are the city alone: LONG BEACH, CA.
func (p *parser) isPlace(from, end int) bool {
	s := span{uint16(from), uint16(end)}
	return p.last.state != "" && (p.listed(from, end) || p.accepts(placeRules, s, from, end))
}

// listed reports whether words are a city of the dataset in the state or ZIP Code.
func (p *parser) listed(from, end int) bool {
	return p.cities != nil && p.cities.knowsCity(p.phrase(span{uint16(from), uint16(end)}), p.last.state, p.last.zip)
}
