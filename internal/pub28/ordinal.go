package pub28

import (
	"iter"
	"strconv"
	"strings"
)

var ordinalUnits = [...]string{
	"FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH", "NINTH", "TENTH", "ELEVENTH", "TWELFTH",
	"THIRTEENTH", "FOURTEENTH", "FIFTEENTH", "SIXTEENTH", "SEVENTEENTH", "EIGHTEENTH", "NINETEENTH",
}

var ordinalTens = [...]struct{ cardinal, ordinal string }{
	{"TWENTY", "TWENTIETH"},
	{"THIRTY", "THIRTIETH"},
	{"FORTY", "FORTIETH"},
	{"FIFTY", "FIFTIETH"},
	{"SIXTY", "SIXTIETH"},
	{"SEVENTY", "SEVENTIETH"},
	{"EIGHTY", "EIGHTIETH"},
	{"NINETY", "NINETIETH"},
}

// tensCardinals are the words of tens that another ordinal follows.
var ordinals, tensCardinals = func() (map[string]int, map[string]int) {
	ord, tens := make(map[string]int, 128), make(map[string]int, 8)
	for i, w := range ordinalUnits {
		ord[w] = i + 1
	}
	for i, t := range ordinalTens {
		n := 20 + 10*i
		ord[t.ordinal] = n
		tens[t.cardinal] = n
		for k := range 9 {
			ord[t.cardinal+ordinalUnits[k]] = n + k + 1
		}
	}
	return ord, tens
}()

// Ordinal parses an ordinal number: FIFTH or 5TH, or TWENTY EIGHTH, whose second
// word is next. words is the number of words used, 0 if there is no ordinal.
func Ordinal(word, next string) (n, words int) {
	if tens, ok := tensCardinals[word]; ok {
		if n := ordinals[next]; n > 0 && n < 10 {
			return tens + n, 2
		}
		return 0, 0
	}
	if n, ok := ordinals[word]; ok {
		return n, 1
	}
	if n, ok := digitOrdinal(word); ok {
		return n, 1
	}
	return 0, 0
}

// FormatOrdinal returns the digits of an ordinal number with their ending: 2ND.
func FormatOrdinal(n int) string {
	ending := "TH"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			ending = "ST"
		case 2:
			ending = "ND"
		case 3:
			ending = "RD"
		}
	}
	return strconv.Itoa(n) + ending
}

// OrdinalWords yields the ordinal numbers that are one word, FIRST to
// NINETIETH, with their values.
func OrdinalWords() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i, w := range ordinalUnits {
			if !yield(w, i+1) {
				return
			}
		}
		for i, t := range ordinalTens {
			if !yield(t.ordinal, 20+10*i) {
				return
			}
		}
	}
}

// digitOrdinal parses digits followed by ST, ND, RD or TH.
func digitOrdinal(word string) (n int, ok bool) {
	i := 0
	for i < len(word) && i < 7 && word[i] >= '0' && word[i] <= '9' {
		n = n*10 + int(word[i]-'0')
		i++
	}
	if i == 0 || len(word) != i+2 {
		return 0, false
	}
	switch word[i:] {
	case "ST", "ND", "RD", "TH":
		return n, true
	default:
		return 0, false
	}
}

// IsOrdinal reports whether the word alone is an ordinal number.
func IsOrdinal(word string) bool {
	_, words := Ordinal(word, "")
	return words == 1
}

var cardinals = func() map[string]string {
	m := map[string]string{}
	for i, w := range strings.Fields("ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN") {
		m[w] = strconv.Itoa(i + 1)
	}
	return m
}()

// Cardinal returns the digits of a number from ONE to TEN that is written in
// letters, or "".
func Cardinal(word string) string { return cardinals[word] }
