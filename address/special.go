package address

import (
	"strings"

	"github.com/postgeo/postgeo/dataset/pub28"
)

// special looks for boxes, routes, military addresses and general delivery, and
// reports whether it made frames. A street on the same line as a box makes
// separate frames; the one nearer to the last line comes first (section 28).
func (p *parser) special(end int) bool {
	for i := range end {
		f := frame{post: -1}
		after := p.route(&f, i, end)
		if after == 0 {
			continue
		}
		f.score = 100
		p.rest(&f, after, end)
		f.before = span{0, uint16(i)}
		before, behind := p.streetIn(0, i), p.streetIn(after, end)
		if before {
			f.before = span{}
			f.leave(span{0, uint16(i)})
		}
		p.add(f)
		if before {
			bonus := -60
			if p.word(i) == "LOCKBOX" || p.word(i) == "LBX" { // a bank's, at the street
				bonus = 60
			}
			p.streets(0, i, f.city, bonus)
		}
		if behind {
			p.streets(after, end, span{}, 60)
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

// streetIn reports whether a house number begins a part of the words and a
// sure suffix follows it.
func (p *parser) streetIn(from, end int) bool {
	for i := from; i < end; i++ {
		if p.is(i, isNumber) && (i == from || p.is(i, breakBefore)) && i+2 < end {
			for k := i + 2; k < end; k++ {
				if p.is(k, isSure|isDir) {
					return true
				}
			}
		}
	}
	return false
}

// route reads a box or route at word i and returns the position behind it, or
// 0.
func (p *parser) route(f *frame, i, end int) int {
	if k := p.box(f, i, end); k > 0 {
		return k
	}
	if k := p.general(f, i, end); k > 0 {
		return k
	}
	if k := p.military(f, i, end); k > 0 {
		return k
	}
	return p.rural(f, i, end)
}

// box reads a post office box.
func (p *parser) box(f *frame, i, end int) int {
	k, sure := p.boxWords(i, end)
	if k == 0 {
		return 0
	}
	number, next := p.boxNumber(k, end)
	if next == 0 {
		if !sure {
			return 0
		}
		next = k
	}
	if next < end && !sure { // BOX 12 RR 2
		if kind, after := p.routeWords(next, end); kind != NoDelivery {
			if id, k := p.routeNumber(after, end); k > 0 {
				f.kind, f.routeIs, f.numberIs = kind, routeName(kind, id), number
				return k
			}
		}
	}
	f.kind, f.routeIs, f.numberIs = POBox, "PO BOX", number
	return next
}

// boxWords reads the words for a box. sure means that they have no other
// meaning.
func (p *parser) boxWords(i, end int) (next int, sure bool) {
	kind := func(k int) int {
		if k >= end {
			return 0
		}
		switch p.word(k) {
		case "BOX", "BX", "BOXES", "DRAWER", "DRAWR", "DRWR", "BIN", "LOCKBOX", "CALLER", "BUZON", "BXO", "BO":
			if p.equal(k, end, "CALLER", "SERVICE") {
				return k + 2
			}
			return k + 1
		case "LOCK", "FIRM":
			if p.equal(k, end, "LOCK", "BOX") || p.equal(k, end, "FIRM", "CALLER") {
				return k + 2
			}
		}
		return 0
	}
	at := 0
	switch w := p.word(i); w {
	case "POBOX", "PBOX", "POBX":
		return i + 1, true
	case "POB":
		if k := kind(i + 1); k > 0 {
			return k, true
		}
		return i + 1, i+1 < end && p.is(i+1, hasDigit|isPound)
	case "PO":
		at = i + 1
	case "P":
		switch {
		case p.equal(i, end, "P", "O"):
			at = i + 2
		case p.equal(i, end, "P", "BOX"):
			at = i + 1
		case p.equal(i, end, "P", "O", "B"):
			return i + 3, true
		}
	case "POST":
		if p.equal(i, end, "POST", "OFFICE") || p.equal(i, end, "POST", "OFC") || p.equal(i, end, "POST", "OFF") {
			at = i + 2
		}
	case "POSTOFFICE", "POSTAL":
		at = i + 1
	case "APARTADO", "APTDO", "APDO":
		if p.equal(i, end, w, "POSTAL") {
			return i + 2, false
		}
		return i + 1, false
	}
	if at > 0 {
		if k := kind(at); k > 0 {
			return k, true
		}
		if p.is(at, isPound) && at < end && p.word(i) == "PO" {
			return at, true
		}
		return 0, false
	}
	lead := i == 0 || p.is(i, breakBefore)
	switch p.word(i) {
	case "LBX", "LOCKBOX":
		return i + 1, false
	case "BOX", "BX", "DRAWER", "CALLER", "LOCK", "FIRM", "BIN", "BUZON":
		if lead {
			return kind(i), false
		}
	}
	return 0, false
}

// boxNumber reads the number of a box.
func (p *parser) boxNumber(k, end int) (number string, next int) {
	for k < end && (p.is(k, isPound) || p.equal(k, end, "NO") || p.equal(k, end, "NUMBER") || p.equal(k, end, "NUM")) {
		k++
	}
	switch {
	case k >= end:
		return "", 0
	case p.is(k, hasDigit):
		n := p.word(k)
		if p.is(k, isDigits) && k+1 < end && len(p.word(k+1)) == 1 && !p.is(k+1, breakBefore|isDir) && p.is(k+1, isAlpha) {
			return n + p.word(k+1), k + 2 // BOX 12 A
		}
		return n, k + 1
	case len(p.word(k)) == 1 && p.is(k, isAlpha):
		return p.word(k), k + 1
	default:
		return "", 0
	}
}

// general reads general delivery.
func (p *parser) general(f *frame, i, end int) int {
	next := 0
	switch p.word(i) {
	case "GENERAL", "GEN", "GENL", "GNRL":
		if i+1 >= end {
			return 0
		}
		switch p.word(i + 1) {
		case "DELIVERY", "DEL", "DELIV", "DELVRY", "DLVRY", "DELY", "DLVY", "DELIVER", "DELIVRY", "DELVERY":
			next = i + 2
		}
	case "GENERALDELIVERY", "GENDEL", "GENDELIVERY":
		next = i + 1
	}
	if next > 0 {
		f.kind, f.routeIs = GeneralDelivery, "GENERAL DELIVERY"
	}
	return next
}

// military reads PSC, CMR or UNIT with a box.
func (p *parser) military(f *frame, i, end int) int {
	w := p.word(i)
	switch w {
	case "PSC", "CMR", "UNIT", "UNT":
	default:
		return 0
	}
	overseas := p.last.state == "AE" || p.last.state == "AP" || p.last.state == "AA"
	if !overseas {
		for k := i; k < end; k++ {
			switch p.word(k) {
			case "APO", "FPO", "DPO":
				overseas = true
			}
		}
	}
	if !overseas {
		return 0
	}
	id, k := p.routeNumber(i+1, end)
	if k == 0 {
		return 0
	}
	if w == "UNT" {
		w = "UNIT"
	}
	f.kind, f.routeIs = Military, w+" "+id
	if k < end && (p.word(k) == "BOX" || p.word(k) == "BX" || p.is(k, isPound)) {
		if number, next := p.boxNumber(k+1, end); next > 0 {
			f.numberIs = number
			return next
		}
	}
	return k
}

// routeWords reads the words for a rural or highway contract route.
func (p *parser) routeWords(i, end int) (Kind, int) {
	two := func(kind Kind, words ...string) (Kind, int) {
		if i+1 < end {
			for _, w := range words {
				if p.word(i+1) == w {
					return kind, i + 2
				}
			}
		}
		return NoDelivery, 0
	}
	switch p.word(i) {
	case "RR", "RFD":
		if p.equal(i, end, "RFD", "ROUTE") || p.equal(i, end, "RFD", "RT") {
			return RuralRoute, i + 2
		}
		return RuralRoute, i + 1
	case "R":
		if p.equal(i, end, "R", "F", "D") {
			return RuralRoute, i + 3
		}
		return two(RuralRoute, "R")
	case "RURAL":
		return two(RuralRoute, "ROUTE", "RTE", "RT", "RD", "DELIVERY", "FREE")
	case "HC", "HCR":
		if p.equal(i, end, "HC", "ROUTE") || p.equal(i, end, "HC", "RT") || p.equal(i, end, "HC", "RTE") {
			return HighwayContract, i + 2
		}
		return HighwayContract, i + 1
	case "H":
		if p.equal(i, end, "H", "C", "R") {
			return HighwayContract, i + 3
		}
		return two(HighwayContract, "C")
	case "HIGHWAY", "HWY":
		kind, k := two(HighwayContract, "CONTRACT", "CONTR")
		if k > 0 && k < end {
			switch p.word(k) {
			case "ROUTE", "RTE", "RT":
				k++
			}
		}
		return kind, k
	case "STAR":
		return two(HighwayContract, "ROUTE", "RTE", "RT")
	}
	return NoDelivery, 0
}

// rural reads a rural or highway contract route.
func (p *parser) rural(f *frame, i, end int) int {
	kind, k := p.routeWords(i, end)
	weak := false
	if kind == NoDelivery {
		switch p.word(i) {
		case "RT", "RTE", "ROUTE", "RD", "R":
			kind = RuralRoute
		case "SR":
			kind = HighwayContract
		default:
			return 0
		}
		weak, k = true, i+1
	}
	id, next := p.routeNumber(k, end)
	if next == 0 {
		if weak || p.word(i) != "STAR" {
			return 0
		}
		next = k // a star route has seldom a number
	}
	number, after := "", 0
	if next < end {
		switch {
		case p.word(next) == "BOX" || p.word(next) == "BX" || p.word(next) == "BUZON":
			number, after = p.boxNumber(next+1, end)
		case p.is(next, isPound) && !weak:
			number, after = p.boxNumber(next, end)
		}
	}
	if after == 0 {
		// A route alone: a ranch road if a house number precedes it.
		if weak || i > 0 && p.is(i-1, isNumber|isDir) && !p.is(i, breakBefore) {
			return 0
		}
		after = next
		if after < end && (p.word(after) == "BOX" || p.is(after, isPound)) {
			after++
		}
	}
	f.kind, f.routeIs, f.numberIs = kind, routeName(kind, id), number
	return after
}

// routeNumber reads the number of a route.
func (p *parser) routeNumber(k, end int) (id string, next int) {
	for k < end && (p.is(k, isPound) || p.equal(k, end, "NO")) {
		k++
	}
	if k < end && p.is(k, hasDigit) {
		return pub28.Trim(p.word(k)), k + 1
	}
	return "", 0
}

func routeName(kind Kind, id string) string {
	name := "RR"
	if kind == HighwayContract {
		name = "HC"
	}
	return strings.TrimRight(name+" "+id, " ")
}
