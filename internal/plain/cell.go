package plain

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown returns s as the text of one cell of a Markdown table: a line
// without markup, links or HTML.
func Markdown(s string) string {
	s = Line(s)
	if strings.IndexFunc(s, isMarkup) < 0 {
		return s
	}
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == '&':
			b.WriteString("&amp;")
			continue
		case c == '<':
			b.WriteString("&lt;")
			continue
		case c == '>':
			b.WriteString("&gt;")
			continue
		case c == '_' && inWord(s, i), c == ':' && !strings.HasPrefix(s[i:], "://"), c == '.' && (i < 3 || !strings.EqualFold(s[i-3:i], "www")):
		case isMarkup(c):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func isMarkup(r rune) bool { return strings.ContainsRune("\\`|*~$[]@&<>_:.", r) }

// inWord reports whether the character at i is between letters or digits,
// where an underscore is not markup.
func inWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+1:])
	return isWord(before) && isWord(after)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Formula returns s with an apostrophe before it if a spreadsheet would take it
// for a formula, see [IsFormula].
func Formula(s string) string {
	if IsFormula(s) {
		return "'" + s
	}
	return s
}

// IsFormula reports whether a spreadsheet would take a cell for a formula. Such
// a cell begins with = + - @, their full-width forms, a tab or a line end, and
// is not a decimal number. Quotes and hidden characters before these do not
// count: a spreadsheet may drop them.
func IsFormula(s string) bool {
	s = strings.TrimLeft(s, `"`)
	if s == "" || strings.IndexByte("\t\r\n", s[0]) >= 0 {
		return s != ""
	}
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r == '"' || r < ' ' || r == 0x7f || hidden(r) })
	if r, _ := utf8.DecodeRuneInString(s); s == "" || !strings.ContainsRune("=+-@＝＋－＠", r) {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil || strings.Trim(s, "+-.0123456789eE") != ""
}
