package format

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Encoding is the character encoding of a text, by its IANA name.
type Encoding string

// The encodings that the sources use. UTF-8 is verified; the others are
// converted to it. The zero value is UTF-8, too.
const (
	UTF8        Encoding = "UTF-8"
	Latin1      Encoding = "ISO-8859-1"
	Windows1252 Encoding = "windows-1252"
	// Detected means windows-1252 for a text whose beginning is not UTF-8.
	Detected Encoding = "detected"
)

// ParseEncoding reads the name in a .cpg file: UTF-8, ISO-8859-1 (or 88591,
// LATIN1), windows-1252 (or CP1252, ANSI 1252, 1252), in any letter case.
func ParseEncoding(name string) (Encoding, bool) {
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToUpper(strings.TrimSpace(name))) {
	case "UTF8", "65001", "USASCII", "ASCII":
		return UTF8, true
	case "ISO88591", "88591", "LATIN1":
		return Latin1, true
	case "WINDOWS1252", "CP1252", "ANSI1252", "1252":
		return Windows1252, true
	default:
		return "", false
	}
}

// windows1252 holds the characters from 0x80 to 0x9f, in which the encoding differs from
// ISO-8859-1. Five are undefined. The tests of the library read sources, so a table here
// spares its users the module golang.org/x/text.
var windows1252 = []rune("€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ")

// decode returns the text in UTF-8, or why it is not valid. NUL is refused in any encoding: it
// shows a binary file or UTF-16. ASCII, which nearly all fields are, is returned as it
// is.
func (e Encoding) decode(raw string) (s, reason string) {
	ascii := true
	for i := range len(raw) {
		if raw[i] == 0 {
			return "", fmt.Sprintf("NUL at byte %d, expected text", i+1)
		}
		ascii = ascii && raw[i] < utf8.RuneSelf
	}
	s = raw
	switch {
	case ascii:
	case e == Latin1 || e == Windows1252:
		list := make([]rune, len(raw))
		for i := range len(raw) {
			list[i] = rune(raw[i])
			if own := raw[i] - 0x80; e == Windows1252 && int(own) < len(windows1252) {
				list[i] = windows1252[own]
			}
		}
		s = string(list)
	}
	if !ascii {
		for i, r := range s {
			if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && (size == 1 || s != raw) {
				return "", fmt.Sprintf("byte %d (0x%02x) is not %s", i+1, s[i], cmp.Or(e, UTF8))
			}
		}
	}
	return s, ""
}
