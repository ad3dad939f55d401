package address

import (
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// A start is a possible position of the house number.
type start struct {
	at, next int // of the number, and of the street behind it
	score    int
}

// maxBehind is how far the score of a house number may be below the best one. Each start
// makes frames of its own, and there is room for six in all.
const maxBehind = 30

// starts finds the likeliest house numbers, best first.
func (p *parser) starts(from, end int, list []start) int {
	n := 0
	for i := from; i+1 < end; i++ {
		if !p.is(i, isNumber|isCardinal) {
			continue
		}
		s := start{at: i, next: i + 1}
		if p.gridPair(i, end) || p.is(s.next, isFraction) || p.numberRange(i, end) { // N95 W16915, 11 1/2, 10 20
			s.next++
		}
		if s.next >= end {
			continue
		}
		if s.score = p.score(numberRules, span{uint16(i), uint16(s.next)}, from, end); s.score > never/2 {
			n = insert(list, n, s)
		}
	}
	for n > 1 && list[n-1].score < list[0].score-maxBehind {
		n--
	}
	return n
}

func (s start) rank() int { return s.score }

// insert adds x to the n best of a list in the order of their ranks, and returns their
// new number. Equals keep their order. The lists are arrays of three to six places, so that
// nothing is allocated.
func insert[T interface{ rank() int }](list []T, n int, x T) int {
	i := n
	if n < len(list) {
		n++
	} else if i--; list[i].rank() >= x.rank() {
		return n
	}
	for ; i > 0 && list[i-1].rank() < x.rank(); i-- {
		list[i] = list[i-1]
	}
	list[i] = x
	return n
}

// gridPair reports whether a word and the next one are the halves of a grid
// number: the distances north or south and east or west.
func (p *parser) gridPair(i, end int) bool {
	if i+2 >= end || p.is(i+1, breakBefore) || !isGridPart(p.word(i)) || !isGridPart(p.word(i+1)) {
		return false
	}
	upright := func(w string) bool { return w[0] == 'N' || w[0] == 'S' }
	return upright(p.word(i)) != upright(p.word(i+1))
}

// numberRange reports whether a number and the next one are the ends of a range
// of numbers before a street's name: 10 20 DORRANCE ST. In Canada they are a unit and
// a house number.
func (p *parser) numberRange(i, end int) bool {
	if i+2 >= end || p.last.country == canada || !p.is(i, isDigits) || !p.is(i+1, isDigits) || p.is(i+1, breakBefore) || p.is(i+2, isSuffix|isDir|isOrdinal|breakBefore) || !p.is(i+2, isAlpha) {
		return false
	}
	a, b := p.word(i), p.word(i+1)
	return len(a) == len(b) && a < b && (a[len(a)-1]-b[len(b)-1])%2 == 0 && !p.is(i+2, isUnit)
}

// unitAhead divides a number into unit and house number, and takes the unit or its
// designator out of the words before it: SUITE 12-345 MAIN ST, and in Canada 12-345
// MAIN ST and 12 345 MAIN ST.
func (p *parser) unitAhead(f *frame) {
	if p.last.country != canada && !p.is(int(f.number.from), isDashed) {
		return
	}
	last := int(f.before.to) - 1
	unit, number, found := strings.Cut(p.phrase(f.number), "-")
	if !found || number == "" || !isDigit(number[0]) {
		if f.before.len() == 1 && p.is(last, hasDigit|isSingle) && !p.is(last, isPound|isOrdinal|isDir) {
			p.putUnit(f, Unit{asNumber, p.word(last)})
			f.before = span{}
		}
		return
	}
	f.numberIs = number
	u := Unit{asNumber, unit}
	if !f.before.empty() && p.is(last, isPound) {
		f.before.to, last = f.before.to-1, last-1
	}
	if !f.before.empty() && p.is(last, isUnit) && !p.is(last+1, breakBefore) {
		f.before.to--
		u.Type = p.unitType(last)
	}
	p.putUnit(f, u)
}

// slash divides a number with a slash: 14/16 is a range, and 1917/2 has a unit behind
// it. In Canada the unit is before it.
func (p *parser) slash(f *frame) {
	left, right, found := strings.Cut(p.word(int(f.number.from)), "/")
	if !found || f.number.len() > 1 {
		return
	}
	switch {
	case pub28.Less(left, right) && pub28.AllDigits(left) && pub28.AllDigits(right) && p.last.country != canada:
		f.numberIs = left + "-" + right
	case p.last.country == canada && !(len(right) == 1 && len(left) > 2):
		f.numberIs = right
		p.putUnit(f, Unit{asNumber, left})
	default:
		f.numberIs = left
		p.putUnit(f, Unit{asNumber, right})
	}
}
