package geocode

import (
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// prepared gives a text forms that the parser reads. These are numbers of one word,
// highways without a hyphen, and & between crossing streets.
func prepared(text string) string {
	text = strings.TrimSpace(text)
	if number, rest := gridNumber(text); number != "" {
		text = number + rest
	}
	return plainCrossing(highwayWords(text))
}

// gridNumber joins the parts of a number of a grid: W349 N5293, W 349 N 5293.
func gridNumber(text string) (number, rest string) {
	rest = text
	for range 2 {
		if rest == "" || strings.IndexByte("NSEWnsew", rest[0]) < 0 {
			return "", ""
		}
		digits, after := leadingDigits(strings.TrimLeft(rest[1:], " "))
		if digits == "" {
			return "", ""
		}
		number += rest[:1] + digits
		text, rest = after, strings.TrimLeft(after, " -")
	}
	if text == "" || text[0] != ' ' {
		return "", ""
	}
	return number, text
}

func leadingDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && isDigitByte(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }

// firstNumber returns the first end of a range with letters: 14A of 14A-16B.
func firstNumber(number string) string {
	if low, _, ok := strings.Cut(number, "-"); ok && low != "" && isDigitByte(low[0]) && !isDigitByte(low[len(low)-1]) {
		return low
	}
	return number
}

// possessive returns a name with the apostrophes that were typed as blanks: LAMEYS
// MILL of LAMEY S MILL.
func possessive(name string) string {
	return strings.TrimSuffix(strings.ReplaceAll(name+" ", " S ", "S "), " ")
}

// highwayWords replaces the hyphen of a highway behind a house number, another street or
// nothing: 8 VT-100, US-7 & Elm St.
func highwayWords(text string) string {
	at := strings.IndexByte(text, '-')
	if at < 2 || at+1 == len(text) || text[at+1] < '0' || text[at+1] > '9' {
		return text
	}
	letters := strings.ToUpper(text[at-2 : at])
	switch letters {
	case "US", "SR", "CR", "FM", "SH", "RT":
	default:
		if _, ok := pub28.State(letters); !ok {
			return text
		}
	}
	before := strings.TrimRight(text[:at-2], " ")
	if len(before) == at-2 && before != "" { // a longer word
		return text
	}
	if last := before[strings.LastIndexByte(before, ' ')+1:]; last != "" && last != "&" && !strings.EqualFold(last, "and") && strings.Trim(last, "0123456789") != "" {
		return text
	}
	return text[:at] + " " + text[at+1:]
}
