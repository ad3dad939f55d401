package address

import (
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// classify returns the properties of a word. Each word of each address passes it, so that
// directions and ordinals are looked up only if length and first or last letter allow one.
func classify(w string) class {
	if w == "" {
		return 0
	}
	bits := isWord
	switch len(w) {
	case 1:
		bits |= isSingle | isShort | isBrief
	case 2:
		bits |= isShort | isBrief
	case 3:
		bits |= isBrief
	}
	switch {
	case w[0] == '#':
		return bits | isPound
	case isDigit(w[0]):
		return bits | classifyNumber(w)
	case isLetter(w[0]):
		return bits | classifyLetters(w)
	default:
		return bits | classes()[w]
	}
}

// classifyLetters returns the properties of a word that begins with a letter.
func classifyLetters(w string) class {
	bits := classes()[w]
	alpha := true
	for i := range len(w) {
		switch {
		case isDigit(w[i]):
			bits |= hasDigit
			alpha = false
		case !isLetter(w[i]):
			alpha = false
		}
	}
	if !alpha {
		if bits&hasDigit != 0 && isGridNumber(w) {
			bits |= isNumber | isGrid
		}
		return bits
	}
	bits |= isAlpha
	if _, ok := pub28.Suffix(w); ok {
		bits |= isSuffix
		if pub28.SureSuffix(w) {
			bits |= isSure
		}
	}
	if len(w) <= 9 && strings.IndexByte("NSEWO", w[0]) >= 0 {
		if _, ok := pub28.Directional(w); ok {
			bits |= isDir
		}
	}
	if _, ranged, ok := pub28.Unit(w); ok {
		bits |= isUnit
		if ranged {
			bits |= isRanged
		}
	}
	if end := w[len(w)-1]; len(w) >= 5 && (end == 'H' || end == 'T' || end == 'D') && pub28.IsOrdinal(w) {
		bits |= isOrdinal
	}
	return bits
}

// classifyNumber returns the properties of a word that begins with a digit.
func classifyNumber(w string) class {
	i := 0
	for i < len(w) && isDigit(w[i]) {
		i++
	}
	if i == len(w) {
		if i > 10 { // the house numbers of the ZIP+4 product have ten characters
			return hasDigit | isDigits
		}
		return hasDigit | isDigits | isNumber
	}
	rest := w[i:]
	switch {
	case rest[0] == '/' && i == 1 && pub28.Less(w[:1], rest[1:]):
		return hasDigit | isFraction
	case isNumberPair(w): // 14/16, 1917A/2, 14A-16B
		return hasDigit | isNumber
	case pub28.IsOrdinal(w):
		return hasDigit | isOrdinal
	case len(w) <= 12:
		// 12A, 12-34, 12-A, 36W200, 100-102
		letters := 0
		for j := range len(rest) {
			if isLetter(rest[j]) {
				letters++
			}
		}
		if letters <= 2 && (rest[0] == '-' || letters == 1 || letters == len(rest)) {
			return hasDigit | isNumber
		}
	}
	return hasDigit
}

// isNumberPair reports whether a word is two numbers around a hyphen or slash, with or
// without a letter behind them: 14-16, 14A-16B, 1917A/2. The second number after a
// slash has no letter and is not longer.
func isNumberPair(w string) bool {
	at := strings.IndexAny(w, "-/")
	if at < 0 {
		return false
	}
	low, high := w[:at], w[at+1:]
	return isPlainNumber(low) && isPlainNumber(high) && (w[at] == '-' || len(high) <= len(low) && pub28.AllDigits(high))
}

// isPlainNumber reports whether a word is a number of up to six digits, with or
// without a letter behind it.
func isPlainNumber(w string) bool {
	if n := len(w) - 1; n > 0 && isLetter(w[n]) {
		w = w[:n]
	}
	return len(w) <= 6 && pub28.AllDigits(w)
}

// isGridPart reports whether a word is one half of a number on a grid, N95 of
// N95 W16915.
func isGridPart(w string) bool {
	return len(w) >= 2 && strings.IndexByte("NSEW", w[0]) >= 0 && pub28.AllDigits(w[1:])
}

// isGridNumber reports whether a word that begins with a letter is a house
// number: N6W23001, W204N11912, N5432, A17, B-12.
func isGridNumber(w string) bool {
	if len(w) <= 6 && isGridPart(w) {
		return true
	}
	if strings.IndexByte("NSEW", w[0]) >= 0 && len(w) >= 4 && isDigit(w[1]) {
		return strings.ContainsAny(w[2:], "NSEW") && isDigit(w[len(w)-1])
	}
	return len(w) <= 5 && isDigit(w[len(w)-1]) && !isLetter(w[1])
}
