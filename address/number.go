package address

import "github.com/postgeo/postgeo/dataset/pub28"

// A start is a place where a house number may stand.
type start struct {
	at, next int // of the number, and of the street behind it
	score    int
}

// starts finds the likeliest house numbers, best first.
func (p *parser) starts(from, end int, list []start) int {
	n := 0
	for i := from; i+1 < end; i++ {
		s := start{at: i, next: i + 1}
		lead := i == from || p.is(i, breakBefore)
		switch {
		case p.is(i, isNumber):
		case lead && pub28.Cardinal(p.word(i)) != "" && i+2 < end && !p.is(i+1, breakBefore): // ONE MICROSOFT WAY
			s.score = -8
		default:
			continue
		}
		if i > from && !p.is(i, breakBefore) {
			if p.is(i-1, isPound) {
				if i-1 != from && !p.is(i-1, breakBefore) {
					continue
				}
				if p.is(i+1, isNumber) {
					continue // # 42, 233 S WACKER DR
				}
				s.score -= 15
				lead = true
			}
			if highwayWord(p.word(i-1)) || p.word(i-1) == "FLAT" || p.word(i-1) == "I" {
				continue
			}
			if p.is(i-1, isRanged) && !(p.is(i-1, isSuffix) && i-1 > from) && !(i-2 >= from && p.is(i-2, isOrdinal)) { // 4TH FLOOR 300 MAIN ST
				if i-2 < from || !p.is(i-2, isAlpha) || p.is(i-2, isUnit) || p.is(i-1, breakBefore) || !p.publicHouse(i-1) {
					continue
				}
				s.score -= 10 // FIRE DEPARTMENT 300 MAIN ST
			}
			if i-2 >= from && p.is(i-1, isSure) && p.is(i-2, isDigits) { // 10929 RD 32
				continue
			}
			if p.is(i-1, isDir) {
				s.score -= 40
			}
		}
		switch { // 11 1/2, 10 20, N95 W16915
		case p.gridPair(i, end):
			s.next++
		case p.is(s.next, isFraction), p.numberRange(i, end):
			s.next++
		case p.word(s.next) == "KM":
			continue // of CARR 2 KM 45.6
		case joinsStreets(p.word(s.next)), s.next+1 < end && p.is(s.next, isSuffix) && joinsStreets(p.word(s.next+1)):
			continue // 1 ST AND 2 AVE
		case p.is(s.next, isPound), p.is(s.next, isRanged) && !p.is(s.next, isSuffix):
			s.score -= 10
		}
		if s.next >= end {
			continue
		}
		to := p.partEnd(s.next, end)
		switch {
		case p.is(s.next, breakBefore):
			s.score -= 25
		case s.next+1 == to && to == end && p.last.state == "" && p.last.zip == "" && p.is(s.next, isSure) && s.next == i+1: // 10 AVE
			continue
		case !lead && p.is(i-1, isSuffix) && buildings[p.word(i-1)] && p.suffixIn(s.next, to):
			s.score += 24
		}
		if lead {
			s.score += 20
			if i > from {
				s.score += 2 // the recipient precedes it
			}
		} else {
			s.score -= 2 * (i - from)
		}
		if !isDigit(p.word(i)[0]) {
			s.score -= 12
		}
		for k := s.next; k < to; k++ {
			if k > s.next && p.is(k, isSure) || k == s.next && k+1 < to && p.is(k, isDir) && !lead {
				s.score += 30 - 3*(k-s.next)
				break
			}
			if k > s.next && p.is(k, isSuffix) {
				s.score += 18 - 3*(k-s.next)
				break
			}
			if k > s.next && p.is(k, isNumber) && !p.is(k-1, isDir) && !highwayWord(p.word(k-1)) && !p.is(k-1, isUnit) {
				s.score -= 6
			}
		}
		i2 := n
		if n == len(list) {
			if list[n-1].score >= s.score {
				continue
			}
			i2--
		} else {
			n++
		}
		for i2 > 0 && list[i2-1].score < s.score {
			list[i2] = list[i2-1]
			i2--
		}
		list[i2] = s
	}
	// Only the near-best may stay: others are numbers of something else.
	for n > 1 && list[n-1].score < list[0].score-30 {
		n--
	}
	return n
}

// publicHouse reports whether a designator of units is as often the end of the
// name of somebody who has a house.
func (p *parser) publicHouse(i int) bool {
	switch p.word(i) {
	case "DEPARTMENT", "DEPT", "BUILDING", "BLDG":
		return true
	default:
		return false
	}
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

// joinsStreets reports whether a word joins the names of two crossing streets.
func joinsStreets(w string) bool { return w == "AND" || w == "&" || w == "@" || w == "AT" }

// numberRange reports whether a number and the next one are the ends of a range
// of numbers before a street's name: 10 20 DORRANCE ST.
func (p *parser) numberRange(i, end int) bool {
	if i+2 >= end || !p.is(i, isDigits) || !p.is(i+1, isDigits) || p.is(i+1, breakBefore) || p.is(i+2, isSuffix|isDir|isOrdinal|breakBefore) || !p.is(i+2, isAlpha) {
		return false
	}
	a, b := p.word(i), p.word(i+1)
	return len(a) == len(b) && a < b && (a[len(a)-1]-b[len(b)-1])%2 == 0 && !p.is(i+2, isUnit)
}
