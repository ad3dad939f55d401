package address

import (
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// cores divides a street into direction, kind, name, suffix and direction. The
// first division follows Publication 28, the others leave one of these parts in
// the name. Only the records can tell which one is meant: in N WEST END BLVD, WEST is a
// part of the name. Equal divisions are listed once.
func (p *parser) cores(i int, list *[8]core) int {
	f := &p.frames[i]
	none := core{frame: int8(i), pre: -1, suffix: -1, post: -1}
	if f.kind != Street {
		list[0] = none
		return 1
	}
	a, b := int(f.core.from), int(f.core.to)
	full := p.divide(a, b, none)
	n := 0
	add := func(c core) {
		if c.name.empty() && c.kind.empty() {
			return
		}
		for _, other := range list[:n] {
			if other == c {
				return
			}
		}
		if n < len(list) {
			list[n] = c
			n++
		}
	}
	add(full)
	if full.pre2 { // the second direction belongs to the name: N WEST END BLVD
		c := full
		c.pre2, c.kind, c.name.from = false, span{}, uint16(full.pre)+1
		add(c)
	}
	if full.suffix >= 0 { // the suffix belongs to the name
		c := full
		c.suffix = -1
		c.name.to = uint16(full.suffix) + 1
		add(c)
	}
	if full.post >= 0 {
		c := full
		c.post, c.suffix = -1, -1
		c.name.to = uint16(b)
		add(c)
	}
	if full.pre >= 0 {
		c := full
		c.pre, c.pre2, c.kind = -1, false, span{}
		c.name.from = uint16(a)
		add(c)
	}
	if full.post < 0 && p.is(b-1, isDir) && b-a >= 2 && full.suffix < 0 { // AVENUE E with E as a direction after all
		c := full
		c.post = int16(b - 1)
		c.name.to = uint16(b - 1)
		add(c)
	}
	if !full.kind.empty() {
		c := full
		c.name.from, c.kind = full.kind.from, span{}
		if full.pre >= 0 {
			c.name.from = uint16(full.pre) + 1
		}
		add(c)
	}
	whole := none
	whole.name = f.core
	add(whole)
	return n
}

// divide makes the division of Publication 28. Directions come off both ends first; the
// kind is then the first word, and the suffix the last one.
func (p *parser) divide(a, b int, c core) core {
	from, to := a, b
	if at := p.postDirection(from, to); at > 0 {
		c.post, to = int16(at), at
	}
	// A direction before the name, unless it is the name, as in N ST and WEST ST.
	if to-from >= 2 && p.is(from, isDir) && !p.onlySuffix(from+1, to) {
		c.pre = int16(from)
		from++
		if to-from >= 2 && p.is(from, isDir) && compound(p.direction(from-1), p.direction(from)) && !p.onlySuffix(from+1, to) {
			c.pre2 = true
			from++
		}
	}
	if kind, rest := pub28.Highway(p.phrase(span{uint16(from), uint16(to)})); kind != "" {
		name := to - 1 - strings.Count(rest, " ")
		c.kind = span{uint16(from), uint16(name)}
		from = name
	} else if to-from >= 2 && (!p.is(to-1, isSure) || p.standards != nil && p.frenchKind(from)) && (p.is(from, isKind) || p.word(from) == "AVE") {
		c.kind = span{uint16(from), uint16(from + 1)}
		from++
	}
	if k := to - 1; k > from && p.is(k, isSuffix) {
		c.suffix = int16(k)
		to = k
	}
	c.name = span{uint16(from), uint16(to)}
	return c
}

// postDirection returns the position of the direction after a street's name, or
// 0.
func (p *parser) postDirection(from, to int) int {
	at := to - 1
	if at <= from || !p.is(at, isDir) {
		return 0
	}
	if at-1 > from && p.is(at-1, isDir) && compound(p.direction(at-1), p.direction(at)) {
		at--
	}
	if at == from+1 && p.is(from, isSuffix) { // AVENUE E
		if kind, _ := pub28.Highway(p.phrase(span{uint16(from), uint16(to)})); kind == "AVENUE" || p.is(from, isSure) {
			return 0
		}
	}
	return at
}

// onlySuffix reports whether a sure suffix is the only word between two
// positions. The direction before it is then the name of the street: N ST.
func (p *parser) onlySuffix(from, to int) bool {
	return to-from == 1 && p.is(from, isSure) && !p.is(from, isOrdinal)
}

// compound reports whether two directions are one: NORTH EAST.
func compound(a, b string) bool {
	return (a == "N" || a == "S") && (b == "E" || b == "W" || b == "O")
}
