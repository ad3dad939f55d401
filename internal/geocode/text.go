package geocode

import (
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// prepared gives a text forms that the parser reads. These are numbers of one word, ranges
// with a hyphen, highways without one, and & between crossing streets.
func prepared(text string) string {
	text = strings.TrimSpace(text)
	if number, rest := gridNumber(text); number != "" {
		text = number + rest
	} else if number, rest := rangeNumber(text); number != "" {
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
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

func isLetterByte(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// rangeNumber joins the ends of a range at the beginning: 14 - 16, 14/16. Of ends with
// letters it takes the first: 14A-16B.
func rangeNumber(text string) (number, rest string) {
	low, after := leadingDigits(text)
	letter := ""
	if low != "" && after != "" && isLetterByte(after[0]) {
		letter, after = after[:1], after[1:]
	}
	after = strings.TrimLeft(after, " ")
	joined := strings.TrimLeft(strings.TrimPrefix(after, "–"), "-/")
	if low == "" || len(joined) == len(after) {
		return "", ""
	}
	high, end := leadingDigits(strings.TrimLeft(joined, " "))
	if high == "" || after[0] == '/' && len(high) == 1 { // 1/2
		return "", ""
	}
	if letter != "" && end != "" && isLetterByte(end[0]) {
		high, end = "", end[1:]
	}
	switch {
	case end == "" || end[0] != ' ':
		return "", ""
	case letter != "":
		return low + letter, end
	}
	return low + "-" + high, end
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
