package address

import (
	"strconv"

	"github.com/postgeo/postgeo/dataset/pub28"
)

// rest reads the words between a street, box or route and the state: units, a
// direction after a comma, and the city, which is last.
func (p *parser) rest(f *frame, from, end int) {
	var middle span // the last part that may be the city, if the last one is a county
	for i := from; i < end; {
		to := p.partEnd(i, end)
		// A direction behind a comma is the street's where a unit or nothing
		// follows it, or where it is a quarter of a town: M ST, NW.
		if f.kind == Street && f.post < 0 && p.is(i, isDir) && i > 0 && p.is(i-1, isSuffix) &&
			(i+1 == to || p.unitStart(i+1, i, to) || len(p.word(i)) == 2 && p.word(i) != "NO" && p.word(i) != "SO") {
			f.post = int16(i)
			if i++; i == to {
				continue
			}
		}
		at := p.unitsAt(f, i, to)
		words := to - at
		switch {
		case words == 0:
		case words == 1 && p.is(at, hasDigit) && (at == i || f.secondary == Unit{}):
			p.putUnit(f, Unit{"#", p.word(at)})
		case to < end:
			f.leave(middle)
			middle = span{uint16(at), uint16(to)}
		case p.word(to-1) == "COUNTY" && words > 1 && !middle.empty():
			f.city, middle = middle, span{}
			f.leave(span{uint16(at), uint16(to)})
		default:
			f.city = span{uint16(at), uint16(to)}
		}
		i = to
	}
	if f.city.empty() && !middle.empty() && p.last.end == end {
		f.city, middle = middle, span{}
	}
	f.leave(middle)
}

// partEnd returns the position of the next word behind a comma.
func (p *parser) partEnd(i, end int) int {
	for i++; i < end && !p.is(i, breakBefore); i++ {
	}
	return i
}

// putUnit notes a unit: the last one is the most exact, but for buildings and
// floors, which hold others.
func (p *parser) putUnit(f *frame, u Unit) {
	switch {
	case f.secondary == Unit{}:
		f.secondary = u
	case f.building == Unit{} && (u.Type == "BLDG" || u.Type == "FL"):
		f.building = u
	case f.building == Unit{}:
		f.building, f.secondary = f.secondary, u
	case f.secondary.Number == "" && u.Number != "":
		f.secondary = u
	}
}

// unitsAt reads units from word i on and returns the position of the first
// word behind them.
func (p *parser) unitsAt(f *frame, i, end int) int {
	for i < end {
		k := p.unitAt(f, i, end)
		if k == i {
			break
		}
		i = k
	}
	return i
}

// unitAt reads one unit.
func (p *parser) unitAt(f *frame, i, end int) int {
	if p.is(i, isPound) {
		switch {
		case i+1 >= end:
			return i + 1
		case p.is(i+1, isUnit):
			return p.unitAt(f, i+1, end)
		case p.is(i+1, hasDigit) || len(p.word(i+1)) <= 2:
			p.putUnit(f, Unit{"#", p.word(i + 1)})
			return i + 2
		default:
			return i + 1
		}
	}
	if k := p.floorAt(f, i, end); k > i {
		return k
	}
	switch w := p.word(i); w {
	case "PMB", "PBM":
		if i+1 < end {
			at := i + 1
			if p.is(at, isPound) && at+1 < end {
				at++
			}
			f.mailbox = "PMB " + p.word(at)
			return at + 1
		}
	case "BOX", "BX", "NO", "NUM", "NUMBER", "FLAT", "MAILBOX":
		at := i + 1
		if p.is(at, isPound) && at < end {
			at++
		}
		if at < end && p.is(at, hasDigit) {
			p.putUnit(f, Unit{"#", p.word(at)})
			return at + 1
		}
	case "MAIL", "MS", "MSC", "MAILSTOP":
		at := i + 1
		if p.equal(i, end, "MAIL", "STOP") || p.equal(i, end, "MAIL", "CODE") {
			at++
		}
		if at < end && p.is(at, hasDigit) {
			f.leave(span{uint16(i), uint16(at + 1)})
			return at + 1
		}
	default:
		abbr, ranged, ok := pub28.Unit(w)
		if !ok {
			return i
		}
		at := i + 1
		for at < end && (p.is(at, isPound) || p.equal(at, end, "NO") || p.equal(at, end, "NUMBER") || p.equal(at, end, "NUM")) {
			at++
		}
		switch {
		case at < end && p.unitNumber(at, end, ranged):
			number := p.word(at)
			if p.is(at, isDigits) && at+1 < end && len(p.word(at+1)) == 1 && p.is(at+1, isAlpha) && !p.is(at+1, breakBefore|isDir) {
				number, at = number+p.word(at+1), at+1 // APT 4 B
			} else if len(number) == 1 && p.is(at, isAlpha) && at+1 < end && p.is(at+1, isDigits) && !p.is(at+1, breakBefore) && len(p.word(at+1)) < 5 {
				number, at = number+p.word(at+1), at+1 // APT B 4
			}
			p.putUnit(f, Unit{abbr, number})
			return at + 1
		case ranged && (p.is(i, isSuffix) || w == "LOT" || w == "STOP" || w == "SPACE" || w == "SLIP" || w == "PIER"):
			return i
		case ranged || at == end || p.is(at, breakBefore) || i > 0 && p.is(i-1, isSure|isDir|hasDigit):
			p.putUnit(f, Unit{Type: abbr})
			return i + 1
		}
	}
	return i
}

// unitNumber reports whether a word behind a designator is its number.
func (p *parser) unitNumber(at, end int, ranged bool) bool {
	if p.is(at, breakBefore) {
		return false
	}
	w := p.word(at)
	switch {
	case p.is(at, hasDigit):
		return !p.is(at, isOrdinal)
	case !ranged:
		return false
	case len(w) == 1:
		return true
	case p.is(at, isUnit):
		return false
	default:
		return p.is(at, isAlpha) && (len(w) <= 3 && at+1 == end || pub28.Cardinal(w) != "") || len(w) == 2 && !p.is(at, isSuffix|isDir)
	}
}

// floorAt reads a floor whose number precedes the word: 2ND FLOOR, LOWER LEVEL.
func (p *parser) floorAt(f *frame, i, end int) int {
	if i+1 >= end || p.is(i+1, breakBefore) {
		return i
	}
	switch p.word(i + 1) {
	case "FLOOR", "FL", "FLR":
		n, words := pub28.Ordinal(p.word(i), "")
		switch {
		case words == 1:
			p.putUnit(f, Unit{"FL", strconv.Itoa(n)})
		case p.is(i, isDigits) && len(p.word(i)) <= 3 && (i+2 >= end || !p.is(i+2, hasDigit)):
			p.putUnit(f, Unit{"FL", p.word(i)})
		case p.word(i) == "GROUND" || p.word(i) == "TOP" || p.word(i) == "MAIN" || p.word(i) == "LOWER" || p.word(i) == "UPPER":
			p.putUnit(f, Unit{"FL", p.word(i)})
		default:
			return i
		}
		return i + 2
	case "LEVEL":
		if abbr, _, ok := pub28.Unit(p.word(i)); ok && (abbr == "LOWR" || abbr == "UPPR") {
			p.putUnit(f, Unit{Type: abbr})
			return i + 2
		}
	case "UNIT", "APT", "APARTMENT", "FRONT", "REAR":
		if p.is(i, isUnit) && !p.is(i, isRanged) && (i+2 >= end || !p.is(i+2, hasDigit)) { // UPPER UNIT
			abbr, _, _ := pub28.Unit(p.word(i))
			p.putUnit(f, Unit{Type: abbr})
			return i + 2
		}
	}
	return i
}

// unitStart reports whether units begin at a word behind a street's name.
func (p *parser) unitStart(i, from, end int) bool {
	if i > from && highwayWord(p.word(i-1)) && (i-1 == from || p.is(i-2, isDir) || pub28.HighwayStart(p.word(i-2)) && (i-2 == from || p.is(i-3, isDir))) && i+1 < end && (p.is(i+1, hasDigit) || len(p.word(i+1)) == 1) && (p.is(i, isPound) || p.equal(i, end, "NO")) {
		return false // HIGHWAY NO 33
	}
	if p.is(i, isPound) {
		return true
	}
	ended := i > from && p.is(i-1, isSuffix|isDir|hasDigit)
	next := i + 1
	for next < end && (p.is(next, isPound) || p.equal(next, end, "NO")) {
		next++
	}
	numbered := next < end && !p.is(next, breakBefore) && p.is(next, hasDigit) && !p.is(next, isOrdinal)
	switch w := p.word(i); w {
	case "PMB", "PBM", "FLAT", "MAILSTOP", "MSC", "MAILBOX":
		return numbered
	case "BOX", "NO", "NUM", "NUMBER":
		return numbered && ended
	case "MAIL":
		return ended && (p.equal(i, end, "MAIL", "STOP") || p.equal(i, end, "MAIL", "CODE"))
	case "STE":
		// STE GENEVIEVE is a saint.
		return i > from && (next >= end || p.is(next, breakBefore|hasDigit) || len(p.word(next)) < 4 || pub28.Cardinal(p.word(next)) != "")
	case "APT", "APARTMENT", "SUITE", "APMT":
		return i > from
	case "UNIT", "BLDG", "BUILDING", "RM", "ROOM", "DEPT", "FLOOR", "TRLR":
		if numbered || next < end && len(p.word(next)) == 1 {
			return true
		}
		return ended
	}
	if p.is(i, isUnit) {
		letter := next < end && len(p.word(next)) == 1 && !p.is(next, breakBefore)
		switch {
		case p.is(i, isRanged):
			return numbered && (ended || i > from+1) || ended && letter
		default:
			return ended && (next >= end || p.is(next, breakBefore) || numbered || p.word(i) != "FRONT" && p.word(i) != "SIDE" && !p.suffixIn(i, end)) ||
				i > from && next >= end
		}
	}
	if i+1 < end && !p.is(i+1, breakBefore) {
		switch p.word(i + 1) {
		case "FLOOR", "FL", "FLR":
			return p.is(i, isOrdinal) || ended && (p.is(i, isDigits) || p.word(i) == "GROUND" || p.word(i) == "TOP" || p.word(i) == "MAIN")
		}
	}
	return false
}
