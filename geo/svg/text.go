package svg

import (
	"strings"
	"unicode/utf8"
)

// Texts are bounded, so that a map cannot be blown up by them.
const (
	maxTitle       = 200 // runes
	maxLabel       = 40
	maxNote        = 400
	maxAttribution = 2000
)

// appendText appends a text with everything escaped that has a meaning in XML,
// cut to a number of runes. Blanks become single spaces. What XML 1.0 cannot
// hold becomes U+FFFD, and so does invalid UTF-8.
func appendText(dst []byte, s string, limit int) []byte {
	return appendEscaped(dst, plain(s, limit))
}

func appendEscaped(dst []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		case '\'':
			dst = append(dst, "&apos;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// plain returns the text that is shown, at most limit runes of it.
func plain(s string, limit int) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range s {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			blank = n > 0
			continue
		}
		if blank {
			blank = false
			b.WriteByte(' ')
			n++
		}
		if n >= limit {
			b.WriteRune('…')
			break
		}
		if !inXML(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// inXML reports whether XML 1.0 (section 2.2) allows the rune, and it is not a
// control character.
func inXML(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0xfffe, r == 0xffff:
		return false
	default:
		return utf8.ValidRune(r)
	}
}

// letterWidth is the usual width of a letter in sans-serif type, in parts of
// its size.
const letterWidth = 0.56

// textWidth guesses how wide a text is, in pixels.
func textWidth(s string, size float64) float64 {
	return float64(utf8.RuneCountInString(s)) * size * letterWidth
}

// wrap breaks a text into lines of about the width.
func wrap(s string, size, width float64) []string {
	perLine := max(int(width/(size*letterWidth)), 10)
	var lines []string
	line, n := "", 0
	for word := range strings.SplitSeq(s, " ") {
		w := utf8.RuneCountInString(word)
		for ; w > perLine; w -= perLine { // such as an address
			if line != "" {
				lines = append(lines, line)
				line, n = "", 0
			}
			head := 0
			for range perLine {
				_, size := utf8.DecodeRuneInString(word[head:])
				head += size
			}
			lines = append(lines, word[:head])
			word = word[head:]
		}
		switch {
		case n == 0:
			line, n = word, w
		case n+1+w <= perLine:
			line += " " + word
			n += 1 + w
		default:
			lines = append(lines, line)
			line, n = word, w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
