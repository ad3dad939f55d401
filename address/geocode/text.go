package geocode

import (
	"slices"
	"strings"
	"unicode"

	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
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

// ordered puts a country, a state and a code before the other parts of a text behind them:
// Canada, ON, Toronto.
func (e *Engine) ordered(text string) string {
	var country, state, code string
	rest := text
	for {
		first, after, found := strings.Cut(rest, ",")
		first = strings.TrimSpace(first)
		_, isCode := e.codeOf(strings.ReplaceAll(strings.ToUpper(first), " ", ""))
		switch {
		case !found || !strings.ContainsFunc(after, unicode.IsLetter):
		case country == "" && isCountry(first):
			country, rest = ", "+first, after
			continue
		case code == "" && isCode:
			code, rest = " "+first, after
			continue
		case state == "" && e.isState(first) && !e.endsInState(after):
			state, rest = ", "+first, after
			continue
		}
		break
	}
	if first, after, _ := strings.Cut(rest, " "); country == "" && strings.EqualFold(first, "USA") {
		country, rest = ", "+first, after
	}
	if len(rest) == len(text) {
		return text
	}
	return strings.TrimSpace(rest) + state + code + country
}

func isCountry(name string) bool {
	switch strings.ToUpper(strings.ReplaceAll(name, ".", "")) {
	case "US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA", "CANADA":
		return true
	default:
		return false
	}
}

func (e *Engine) isState(name string) bool {
	return slices.ContainsFunc(e.data.States(), func(s store.State) bool {
		return strings.EqualFold(name, s.Abbr) || sameName(name, s.Name)
	})
}

// endsInState reports whether the last part of a text, or the end of it, is a state before
// a code or country.
func (e *Engine) endsInState(text string) bool {
	parts := strings.Split(text, ",")
	for i := len(parts) - 1; i >= 0; i-- {
		words := strings.Fields(strings.TrimRight(parts[i], " 0123456789-"))
		if len(words) == 0 || isCountry(strings.Join(words, " ")) {
			continue
		}
		return e.isState(words[len(words)-1]) || e.isState(strings.Join(words, " "))
	}
	return false
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
