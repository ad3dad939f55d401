package address

import (
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// rest reads the words between a street, box or route and the state: units, a
// direction after a comma, and the city, which is last. It goes from part to part, as commas
// divide them. Only the last part can be the city, unless that is a county; what the parts
// between have beside units is unused.
func (p *parser) rest(f *frame, from, end int) {
	var middle span // the last part that may be the city, if the last one is a county
	for i := from; i < end; {
		to := p.partEnd(i, end)
		if to == end && !middle.empty() && int(middle.to) == i && p.listed(int(middle.from), to) { // KINGS, SUBD A
			f.city, middle = span{middle.from, uint16(to)}, span{}
			break
		}
		if to == end && p.is(i, isUnit|isDir) && p.listed(i, to) { // UPPER DARBY, WEST
			f.city = span{uint16(i), uint16(to)}
			break
		}
		if p.partedDirection(f, i, to) {
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
		case to == end && at == i && f.kind == Street && p.unitBeforeCity(at, to): // 12 ELM ST, 4B ELY MN
			p.putUnit(f, Unit{"#", p.word(at)})
			f.city = span{uint16(at + 1), uint16(to)}
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

// unitBeforeCity reports whether the first of several words is the number of a
// unit before the city, and not of the name of a city, as in 100 MILE HOUSE and 29
// PALMS.
func (p *parser) unitBeforeCity(at, to int) bool {
	number := strings.TrimLeft(p.word(at), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") // PH1
	if !isPlainNumber(number) || len(p.word(at))-len(number) > 2 || p.is(at, isOrdinal) || !p.is(at+1, isAlpha) || p.is(at+1, isSure) || to == at+2 && p.is(at+1, isDir) {
		return false
	}
	switch p.word(at + 1) {
	case "MILE", "PALMS", "OAKS":
		return false
	}
	return p.cities == nil || !p.cities.knowsCity(p.phrase(span{uint16(at), uint16(to)}), p.last.state, p.last.zip)
}

// partedDirection reports whether a direction after a comma belongs to the
// street. A unit or nothing follows it, or it is a quarter of a town as in M
// ST, NW.
func (p *parser) partedDirection(f *frame, i, to int) bool {
	return f.kind == Street && f.post < 0 && p.is(i, isDir) && i > 0 && p.is(i-1, isSuffix) &&
		(i+1 == to || p.unitStart(i+1, i, to) || len(p.word(i)) == 2 && p.word(i) != "NO" && p.word(i) != "SO")
}

// partEnd returns the position of the next word behind a comma.
func (p *parser) partEnd(i, end int) int {
	for i++; i < end && !p.is(i, breakBefore); i++ {
	}
	return i
}

// putUnit notes a unit: the last one is the most exact, but for buildings, floors
// and sites, which hold others.
func (p *parser) putUnit(f *frame, u Unit) {
	switch {
	case f.secondary == Unit{}:
		f.secondary = u
	case f.building == Unit{} && (u.Type == "BLDG" || u.Type == "FL" || u.Type == "SITE"):
		f.building = u
	case f.building == Unit{}:
		f.building, f.secondary = f.secondary, u
	case f.secondary.Number == "" && u.Number != "":
		f.secondary = u
	}
}

// Results of unitRules.
const (
	asDesignator = ""        // the abbreviation of the first word
	asNumber     = "#"       // a number without a designator
	asFloor      = "FL"      // a floor
	asMailbox    = "PMB"     // a private mailbox
	asUnused     = "unused"  // not a unit
	asSkipped    = "skipped" // words without a unit
	asNone       = "none"    // not a unit, and no other rule applies
)

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

// unitAt reads one unit and returns the position after it, or i if none begins
// there.
func (p *parser) unitAt(f *frame, i, end int) int {
	r, next, captured := p.recognize(unitRules, i, 0, end)
	if r == nil || r.as == asNone {
		return i
	}
	u := Unit{Type: r.as, Number: p.phrase(captured)}
	if captured.len() == 2 { // APT 4 B
		u.Number = p.word(int(captured.from)) + p.word(int(captured.from)+1)
	}
	switch r.as {
	case asSkipped:
		return i + 1
	case asUnused:
		f.leave(span{uint16(i), uint16(next)})
		return next
	case asMailbox:
		f.mailbox = joinWords(asMailbox, u.Number)
		return next
	case asFloor:
		if n, words := pub28.Ordinal(u.Number, ""); words == 1 {
			u.Number = strconv.Itoa(n)
		} else if digits := frenchNumber(u.Number); digits != "" {
			u.Number = digits
		}
	case asDesignator:
		u.Type = p.unitType(i)
	}
	p.putUnit(f, u)
	return next
}

// unitStart reports whether units begin at a word after a street's name.
func (p *parser) unitStart(i, from, end int) bool {
	return p.mayBegin(unitStartRules, i) && p.accepts(unitStartRules, span{uint16(i), uint16(i)}, from, end)
}
