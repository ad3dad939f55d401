package pub28

import (
	"iter"
	"strconv"
	"strings"
)

// ordinals has the ordinal numbers in one word or two together, tens the cardinal ones that another
// ordinal may follow, and cardinals the digits of ONE to TEN.
var ordinals, tens, cardinals, ordinalWords = func() (ordinals, tens map[string]int, cardinals map[string]string, words []string) {
	ordinals, tens, cardinals = make(map[string]int, 128), map[string]int{}, map[string]string{}
	for i, w := range strings.Fields("ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN") {
		cardinals[w] = strconv.Itoa(i + 1)
	}
	words = strings.Fields("FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH TENTH ELEVENTH TWELFTH " +
		"THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH")
	for i, w := range words {
		ordinals[w] = i + 1
	}
	for i, ten := range strings.Fields("TWENTY THIRTY FORTY FIFTY SIXTY SEVENTY EIGHTY NINETY") {
		n, word := 20+10*i, strings.TrimSuffix(ten, "Y")+"IETH"
		tens[ten], ordinals[word], words = n, n, append(words, word)
		for k, unit := range words[:9] {
			ordinals[ten+unit] = n + k + 1
		}
	}
	return ordinals, tens, cardinals, words
}()

// OrdinalWords yields the ordinal numbers that are one word, FIRST to
// NINETIETH, with their values.
func OrdinalWords() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, w := range ordinalWords {
			if !yield(w, ordinals[w]) {
				return
			}
		}
	}
}

// Ordinal parses an ordinal number: FIFTH or 5TH, or TWENTY EIGHTH, whose second
// word is next. words is the number of words used, 0 if there is no ordinal.
func Ordinal(word, next string) (n, words int) {
	if ten, ok := tens[word]; ok {
		if n := ordinals[next]; n > 0 && n < 10 {
			return ten + n, 2
		}
		return 0, 0
	}
	if n, ok := ordinals[word]; ok {
		return n, 1
	}
	const most = 7 // digits, far more than streets have, and no overflow
	switch digits, ending := LeadingDigits(word); ending {
	case "ST", "ND", "RD", "TH":
		if digits != "" && len(digits) <= most {
			n, _ := strconv.Atoi(digits)
			return n, 1
		}
	}
	return 0, 0
}

// IsOrdinal reports whether the word alone is an ordinal number.
func IsOrdinal(word string) bool {
	_, words := Ordinal(word, "")
	return words == 1
}

// FormatOrdinal returns the digits of an ordinal number with their ending: 2ND.
func FormatOrdinal(n int) string {
	ending := "TH"
	if n/10%10 != 1 && n%10 < 4 {
		ending = [...]string{"TH", "ST", "ND", "RD"}[n%10]
	}
	return strconv.Itoa(n) + ending
}

// Cardinal returns the digits of a number from ONE to TEN that is written in
// letters, or "".
func Cardinal(word string) string { return cardinals[word] }
