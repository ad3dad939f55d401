package address

import (
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// special looks for boxes, routes, military addresses and general delivery, and
// reports whether it made frames. A street on the same line as a box makes
// separate frames; the one nearer to the last line comes first (section 28).
// What the other frame uses is unused in each, so that a match reports it. Only the first
// box counts.
func (p *parser) special(end int) bool {
	for i := range end {
		f := frame{post: -1}
		after := p.route(&f, i, end)
		if after == 0 {
			continue
		}
		f.score = p.form("box or route")
		after = p.station(&f, after, end)
		p.rest(&f, after, end)
		f.before = span{uint16(p.sites(&f, 0, i)), uint16(i)}
		before, behind := p.streetIn(0, i), p.streetIn(after, end)
		if before {
			f.before = span{}
			f.leave(span{0, uint16(i)})
		}
		p.add(f)
		if before {
			bonus := "street before a box"
			if p.word(i) == "LOCKBOX" || p.word(i) == "LBX" { // a bank's, at the street
				bonus = "street of a lockbox"
			}
			p.streets(0, i, f.city, p.form(bonus))
		}
		if behind {
			p.streets(after, end, span{}, p.form("street after a box"))
		}
		for k := range p.n {
			g := &p.frames[k]
			switch {
			case g.kind == Street:
				g.leave(span{uint16(i), uint16(after)})
			case behind:
				g.city = p.frames[0].city
			}
		}
		return true
	}
	return false
}

// streetIn reports whether words hold a street with a house number.
func (p *parser) streetIn(from, end int) bool {
	return p.accepts(besideRules, span{uint16(from), uint16(end)}, from, end)
}

// route reads a box or route at word i and returns the position behind it, or
// 0.
func (p *parser) route(f *frame, i, end int) int {
	if next := p.box(f, i, end); next > 0 {
		return next
	}
	if next := p.other(f, i, end); next > 0 {
		return next
	}
	return p.rural(f, i, end)
}

func (p *parser) box(f *frame, i, end int) int {
	r, at, _ := p.recognize(boxRules, i, 0, end)
	if r == nil {
		return 0
	}
	sure := r.weight > 0
	number, next := p.boxNumber(at, end)
	if next == 0 {
		if !sure {
			return 0
		}
		next = at
	}
	if next < end && !sure { // BOX 12 RR 2
		if r, after, _ := p.recognize(routeRules, next, 0, end); r != nil {
			if id, after := p.routeNumber(after, end); after > 0 {
				f.kind, f.routeIs, f.numberIs = r.kind, routeName(r, id), number
				return after
			}
		}
	}
	f.kind, f.routeIs, f.numberIs = POBox, "PO BOX", number
	return next
}

func (p *parser) boxNumber(i, end int) (number string, next int) {
	r, next, s := p.recognize(boxNumberRules, i, 0, end)
	switch {
	case r == nil:
		return "", 0
	case s.len() == 2: // BOX 12 A
		return p.word(int(s.from)) + p.word(int(s.from)+1), next
	default:
		return p.phrase(s), next
	}
}

// other reads general delivery, or PSC, CMR or UNIT with a box.
func (p *parser) other(f *frame, i, end int) int {
	r, next, _ := p.recognize(otherRules, i, 0, end)
	switch {
	case r == nil:
		return 0
	case r.kind == GeneralDelivery:
		f.kind, f.routeIs = GeneralDelivery, "GENERAL DELIVERY"
		return next
	}
	id, next := p.routeNumber(next, end)
	if next == 0 {
		return 0
	}
	unit := p.word(i)
	if unit == "UNT" {
		unit = "UNIT"
	}
	f.kind, f.routeIs = Military, unit+" "+id
	if next < end && (p.word(next) == "BOX" || p.word(next) == "BX" || p.is(next, isPound)) {
		if number, after := p.boxNumber(next+1, end); after > 0 {
			f.numberIs = number
			return after
		}
	}
	return next
}

// rural reads a rural or highway contract route.
func (p *parser) rural(f *frame, i, end int) int {
	r, at, _ := p.recognize(routeRules, i, 0, end)
	weak := r == nil
	if weak {
		if r, at, _ = p.recognize(weakRouteRules, i, 0, end); r == nil {
			return 0
		}
	}
	id, next := p.routeNumber(at, end)
	if next == 0 {
		if p.word(i) != "STAR" {
			return 0
		}
		next = at // a star route seldom has a number
	}
	next = p.sites(f, next, end)
	number, after := p.routeBox(next, end, weak)
	if after == 0 {
		// A route alone: a ranch road if a house number precedes it.
		if weak || i > 0 && p.is(i-1, isNumber|isDir) && !p.is(i, breakBefore) && p.sites(&frame{}, 0, i) < i {
			return 0
		}
		after = next
		if after < end && (p.word(after) == "BOX" || p.is(after, isPound)) {
			after++
		}
	}
	f.kind, f.routeIs, f.numberIs = r.kind, routeName(r, id), number
	return after
}

// sites reads the site and compartment of a Canadian route and returns the position
// after them.
func (p *parser) sites(f *frame, i, end int) int {
	for i < end && p.last.country == canada {
		switch p.word(i) {
		case "SITE", "COMP", "COMPARTMENT", "COMPARTIMENT":
		default:
			return i
		}
		next := p.unitAt(f, i, end)
		if next == i {
			break
		}
		i = next
	}
	return i
}

// routeBox reads the box of a route; a weak route needs the word BOX.
func (p *parser) routeBox(i, end int, weak bool) (number string, next int) {
	switch {
	case i >= end:
		return "", 0
	case p.word(i) == "BOX" || p.word(i) == "BX" || p.word(i) == "BUZON":
		return p.boxNumber(i+1, end)
	case p.is(i, isPound) && !weak:
		return p.boxNumber(i, end)
	default:
		return "", 0
	}
}

func (p *parser) routeNumber(k, end int) (id string, next int) {
	for k < end && (p.is(k, isPound) || p.equal(k, end, "NO")) {
		k++
	}
	if k < end && p.is(k, hasDigit) {
		return pub28.Trim(p.word(k)), k + 1
	}
	return "", 0
}

func routeName(r *rule, id string) string {
	name := r.as
	switch {
	case name != "":
	case r.kind == HighwayContract:
		name = "HC"
	default:
		name = "RR"
	}
	return strings.TrimRight(name+" "+id, " ")
}
