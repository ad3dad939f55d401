package address

// A start is a possible position of the house number.
type start struct {
	at, next int // of the number, and of the street behind it
	score    int
}

// maxBehind is how far the score of a house number may be below the best one.
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
			n = s.insert(list, n)
		}
	}
	for n > 1 && list[n-1].score < list[0].score-maxBehind {
		n--
	}
	return n
}

// insert adds a start to a list of n ordered by score and returns its new length.
func (s start) insert(list []start, n int) int {
	i := n
	if n == len(list) {
		if list[n-1].score >= s.score {
			return n
		}
		i--
	} else {
		n++
	}
	for i > 0 && list[i-1].score < s.score {
		list[i] = list[i-1]
		i--
	}
	list[i] = s
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
// of numbers before a street's name: 10 20 DORRANCE ST.
func (p *parser) numberRange(i, end int) bool {
	if i+2 >= end || !p.is(i, isDigits) || !p.is(i+1, isDigits) || p.is(i+1, breakBefore) || p.is(i+2, isSuffix|isDir|isOrdinal|breakBefore) || !p.is(i+2, isAlpha) {
		return false
	}
	a, b := p.word(i), p.word(i+1)
	return len(a) == len(b) && a < b && (a[len(a)-1]-b[len(b)-1])%2 == 0 && !p.is(i+2, isUnit)
}
