package address

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// A class is a set of properties of a word, regardless of its neighbors. A word has all
// that may apply: ST is a suffix and may be a saint, E is a direction and a single letter.
// Patterns of rules choose between them by the words around. Because the classes are bits,
// most patterns fail at one AND per side of a span (see [around]).
type class uint32

const (
	isWord      class = 1 << iota // every word
	isNumber                      // a house number: 12, 12A, 92-10, N6W23001
	isDigits                      // digits only
	hasDigit                      // a digit somewhere
	isSuffix                      // a street suffix in any spelling
	isSure                        // a suffix that is seldom anything else
	isDir                         // a direction
	isUnit                        // a designator of units
	isRanged                      // a designator that needs a number
	isOrdinal                     // 5TH, FIFTH
	isFraction                    // 1/2
	isPound                       // #
	breakBefore                   // a comma or new line precedes it
	isAlpha                       // letters only
	isSingle                      // one character
	isShort                       // at most two characters
	isBrief                       // at most three characters
	isCardinal                    // ONE to TEN
	isHighway                     // a number after it names a highway
	isTail                        // it may follow the number of a highway
	isJoin                        // it joins the names of crossing streets
	isKind                        // a Spanish kind of street, before its name
	isSaint                       // a name that follows ST when it means Saint
	isBuilding                    // a suffix that often ends the name of a building
	isOpening                     // it begins the names of towns of several words
	isBox                         // a box of a post office
	isGrid                        // a house number that begins with a letter
	isPrefix                      // a number often follows it without a space
	isLiteral                     // a pattern holds it
	isDashed                      // a unit and a house number: 4B-345
	isTied                        // a hyphen ties it to the next word
)

// classNames holds the names of the classes in patterns.
var classNames = map[string]class{
	"any": isWord, "number": isNumber, "digits": isDigits, "digit": hasDigit, "suffix": isSuffix, "sure": isSure, "dir": isDir, "unit": isUnit, "ranged": isRanged,
	"ordinal": isOrdinal, "fraction": isFraction, "pound": isPound, "alpha": isAlpha, "single": isSingle, "short": isShort, "brief": isBrief, "cardinal": isCardinal,
	"highway": isHighway, "tail": isTail, "join": isJoin, "kind": isKind, "saint": isSaint, "building": isBuilding, "opening": isOpening, "box": isBox, "grid": isGrid, "dashed": isDashed,
}

// A token is one word of the cleaned address.
type token struct {
	start, end uint16
	bits       class
}

// maxTokens bounds the number of words. Texts of MaxClean characters reach it only if
// words without a space between them are divided, as in "#4#5"; the rest is dropped.
const maxTokens = MaxClean/2 + 1

// A line is an address cut into words. A span of words is a piece of its text, without
// copying, because the words stand between single spaces there.
type line struct {
	text   string
	tokens []token
	spare  []string // texts in parentheses and others that are not part of the address
	buf    [maxTokens]token
}

// A span is a run of words.
type span struct{ from, to uint16 }

func (s span) empty() bool { return s.from >= s.to }
func (s span) len() int    { return int(s.to) - int(s.from) }

func (l *line) word(i int) string {
	t := l.tokens[i]
	return l.text[t.start:t.end]
}

// is reports whether word i has one of the bits; words outside have none.
func (l *line) is(i int, bits class) bool {
	return i >= 0 && i < len(l.tokens) && l.tokens[i].bits&bits != 0
}

func (l *line) phrase(s span) string {
	if s.empty() {
		return ""
	}
	return l.text[l.tokens[s.from].start:l.tokens[s.to-1].end]
}

// equal reports whether the words from i on are the given ones, and ends
// before end.
func (l *line) equal(i, end int, words ...string) bool {
	if i < 0 || i+len(words) > end {
		return false
	}
	for k, w := range words {
		if l.word(i+k) != w {
			return false
		}
	}
	return true
}

// maxParts is the most cleaned texts that a line is cut from.
const maxParts = 3

// split cuts cleaned texts into words and returns how many there are up to the
// end of each text. No text changes the words of another one: a comma is between
// them, and brackets end with their text.
func (l *line) split(parts ...string) (ends [maxParts]int) {
	// The text is rewritten: words separated by single spaces, without the
	// punctuation that was read.
	var store [2 * MaxClean]byte
	w := splitter{line: l, b: store[:0]}
	l.tokens, l.spare = l.buf[:0], nil
	for i, clean := range parts {
		w.broken = len(l.tokens) > 0
		w.part(clean)
		ends[i] = len(l.tokens)
	}
	l.text = string(w.b)
	for i := range l.tokens {
		t := &l.tokens[i]
		t.bits |= classify(l.text[t.start:t.end])
	}
	l.settle()
	return ends
}

// settle corrects the properties of words by their neighbors, if a wrong class would
// mislead many rules at once. What a single rule can see belongs to rules.txt.
func (l *line) settle() {
	if l.is(0, isRanged|isPound) && l.is(1, hasDigit) && isUnitAndNumber(l.word(1)) && l.is(2, isAlpha|isOrdinal) { // APT 4B-345 MAIN ST, #4-345 MAIN ST
		l.tokens[1].bits |= isNumber | isDashed
	}
	for i := 1; i < len(l.tokens); i++ {
		t := &l.tokens[i]
		switch l.word(i) {
		case "LA": // of PLAZA DE LA CRUZ, and of MAIN ST LA PLACE
			if i+1 < len(l.tokens) && !l.is(i+1, breakBefore) && (l.word(i-1) == "DE" || l.is(i-1, isSure|isDir) && l.is(i+1, isAlpha)) {
				t.bits &^= isSuffix | isSure
			}
		case "NO": // HIGHWAY NO 33
			if l.is(i-1, isHighway) && l.is(i+1, isDigits) {
				t.bits &^= isDir
			}
		case "ST", "STE": // 12 ST-CHARLES AVE, but not 12 MAIN ST-REAR
			if l.is(i, isTied) && l.is(i-1, isNumber|isDir|isKind) && l.is(i+1, isAlpha) && !l.is(i+1, isUnit|isDir) {
				l.asSaint(i)
			}
		case "JR", "SR": // MARTIN LUTHER KING, JR BLVD
			if l.is(i+1, isSure) && !l.is(i+1, breakBefore) {
				t.bits &^= breakBefore
			}
		}
	}
}

// asSaint makes ST or STE the first word of a name.
func (l *line) asSaint(i int) { l.tokens[i].bits &^= isSuffix | isSure | isUnit | isRanged }

// isUnitText reports whether a text in parentheses is a unit: APT 5, # 5, REAR,
// but not SIDE DOOR.
func isUnitText(s string) bool {
	first, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	if first != "" && first[0] == '#' {
		return true
	}
	return classify(first)&isUnit != 0 && (rest == "" || len(rest) == 1 || strings.ContainsAny(rest, "0123456789"))
}

// A splitter writes the words of a line.
type splitter struct {
	*line
	b      []byte
	start  int  // of the word that is being written
	dotted bool // it consists of single letters that had points between them
	broken bool // a comma precedes it

	joining bool // a hyphen between spaces waits for its second number
	tied    bool // a hyphen without spaces ends the word
}

// part writes the words of one text. Signs may add spaces, so that the output can be
// longer than the input: it stops before the buffer of split grows onto the heap.
func (w *splitter) part(clean string) {
	for i := 0; i < len(clean) && len(w.b) < cap(w.b)-4; i++ {
		c := clean[i]
		var next, after byte
		if i+1 < len(clean) {
			next = clean[i+1]
		}
		if i+2 < len(clean) {
			after = clean[i+2]
		}
		switch {
		case isLetter(c) || isDigit(c):
			w.b = append(w.b, c)
			w.joining = false
		case c == '(':
			i += w.parenthesis(clean[i+1:])
		default:
			w.sign(c, next, after)
		}
	}
	w.end()
	w.joining = false
}

// end ends the word that is being written, if any. A word that two words run together
// make, such as APT4B, is divided by a space.
func (w *splitter) end() {
	if w.start < len(w.b) {
		w.b = w.b[:w.start+wholeNumber(w.b[w.start:])]
		if cut := w.start + runTogether(w.b[w.start:]); cut > w.start {
			w.b = append(w.b, 0)
			copy(w.b[cut+1:], w.b[cut:])
			w.b[cut] = ' '
			w.add(w.start, cut)
			w.start = cut + 1
		}
		w.add(w.start, len(w.b))
		w.b = append(w.b, ' ')
	}
	w.start, w.dotted, w.tied = len(w.b), false, false
}

func (w *splitter) add(start, end int) {
	if len(w.tokens) == maxTokens {
		return
	}
	t := token{start: uint16(start), end: uint16(end)}
	if w.broken {
		t.bits, w.broken = breakBefore, false
	}
	if w.tied {
		t.bits |= isTied
	}
	w.tokens = append(w.tokens, t)
}

// sign reads a space or a punctuation mark.
func (w *splitter) sign(c, next, after byte) {
	switch {
	case c == ' ' && w.joining: // 100 - 102
	case c == '.':
		w.point(next, after)
	case c == '-' && isDigit(next) && after == '/':
		w.end() // 410-1/2
	case c == '-':
		w.hyphen(next, after)
	case c == '/' && w.keepsSlash(next):
		w.b = append(w.b, c)
	case c == '#' || c == '&' || c == '@':
		w.end()
		w.b = append(w.b, c)
		w.end()
	default:
		w.end()
		w.broken = w.broken || c == ',' || c == ')'
	}
}

// keepsSlash reports whether a slash is part of a word, as in 1/2, 36R/2 and C/O, but
// not in 2850N/2120E.
func (w *splitter) keepsSlash(next byte) bool {
	word := w.b[w.start:]
	if len(word) == 0 {
		return false
	}
	last := word[len(word)-1]
	return isDigit(next) && (isDigit(last) || isDigit(word[0]) && strings.IndexByte("NSEW", last) < 0) || len(word) == 1 && last == 'C' && next == 'O'
}

// parenthesis reads an opening parenthesis before rest. It sets a text in
// parentheses apart, unless it is a unit, and returns the number of characters
// that it took.
func (w *splitter) parenthesis(rest string) int {
	w.end()
	w.broken = true
	inside, _, closed := strings.Cut(rest, ")")
	if !closed || strings.IndexByte(inside, '(') >= 0 || len(w.b) == 0 || inside == "" || isUnitText(inside) || pub28.Province(strings.ReplaceAll(inside, "-", " ")) != "" {
		return 0
	}
	w.spare = append(w.spare, strings.TrimSpace(inside))
	return len(inside) + 1
}

// point reads a full stop: it stays in 39.2, goes out of P.O. and N.E., and
// separates elsewhere.
func (w *splitter) point(next, after byte) {
	word := w.b[w.start:]
	switch n := len(word); {
	case n > 0 && isDigit(word[n-1]) && isDigit(next):
		w.b = append(w.b, '.')
	case n > 0 && isLetter(next) && !isLetter(after) && !isDigit(after) && (w.dotted || n == 1 && isLetter(word[0])):
		w.dotted = true
	default:
		w.end()
	}
}

// hyphen reads a hyphen. It stays in 92-10 and A-12 and otherwise separates
// words. Between spaces it is a comma, unless it makes a range of two numbers.
func (w *splitter) hyphen(next, after byte) {
	word := w.b[w.start:]
	if len(word) == 0 {
		t := len(w.tokens) - 1
		if t >= 0 && !w.broken && next == ' ' && isDigit(after) && pub28.AllDigits(w.b[w.tokens[t].start:w.tokens[t].end]) {
			w.start, w.b = int(w.tokens[t].start), w.b[:w.tokens[t].end]
			w.broken = w.tokens[t].bits&breakBefore != 0
			w.tokens = w.tokens[:t]
			w.b = append(w.b, '-')
			w.joining = true
			return
		}
		w.broken = true
		return
	}
	last := word[len(word)-1]
	keep := false
	switch {
	case !isLetter(next) && !isDigit(next):
		w.end()
		w.broken = true
		return
	case isDigit(last):
		keep = isDigit(next) || !isLetter(after) // 92-10, 12-A, but not 100-MAIN
	case isDigit(next): // A-12, but not I-35 and US-1
		keep = len(word) == 1 && last != 'I' || slices.ContainsFunc(word, isDigit)
	}
	if keep {
		w.b = append(w.b, '-')
	} else {
		w.tied = true
		w.end()
	}
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// wholeNumber returns the length of a word without the .0 that spreadsheets add to
// numbers.
func wholeNumber(w []byte) int {
	i := len(w)
	for i > 0 && w[i-1] == '0' {
		i--
	}
	if i > 1 && i < len(w) && w[i-1] == '.' && isDigit(w[i-2]) {
		return i - 1
	}
	return len(w)
}

// runTogether returns the position at which a word is divided, or 0: POBOX12,
// APT4B, VA22314, 123MAIN.
func runTogether(w []byte) int {
	if isDigit(w[0]) {
		i := 0
		for i < len(w) && isDigit(w[i]) {
			i++
		}
		if rest := w[i:]; len(rest) < 3 || slices.ContainsFunc(rest, func(c byte) bool { return !isLetter(c) }) {
			return 0
		}
		return i
	}
	i := 0
	for i < len(w) && isLetter(w[i]) {
		i++
	}
	if i == len(w) || i < 2 || !isDigit(w[i]) {
		return 0
	}
	if classes()[string(w[:i])]&isPrefix != 0 {
		return i
	}
	if i == 2 && (len(w) == 7 || len(w) == 11 || len(w) == 12) {
		if pub28.State(string(w[:2])) != "" {
			return i
		}
	}
	return 0
}
