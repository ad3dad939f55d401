package format

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/postgeo/postgeo/internal/enum"
)

// Encoding is the character encoding of a text.
type Encoding uint8

// The encodings that the sources use. UTF-8 is verified; the others are
// converted to it.
const (
	UTF8 Encoding = iota
	Latin1
	Windows1252
)

var encodingNames = enum.Names[Encoding]{UTF8: "UTF-8", Latin1: "ISO-8859-1", Windows1252: "windows-1252"}

// String returns the name that the IANA has for the encoding.
func (e Encoding) String() string { return encodingNames.Shown("Encoding", e) }

// ParseEncoding reads the name in a .cpg file: UTF-8, ISO-8859-1 (or 88591,
// LATIN1), windows-1252 (or CP1252, ANSI 1252, 1252), in any letter case.
func ParseEncoding(name string) (Encoding, bool) {
	n := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToUpper(strings.TrimSpace(name)))
	switch n {
	case "UTF8", "65001", "USASCII", "ASCII":
		return UTF8, true
	case "ISO88591", "88591", "LATIN1":
		return Latin1, true
	case "WINDOWS1252", "CP1252", "ANSI1252", "1252":
		return Windows1252, true
	default:
		return 0, false
	}
}

// decode returns the text in UTF-8, or why it is none.
func (e Encoding) decode(raw string) (s, reason string) {
	if i := strings.IndexByte(raw, 0); i >= 0 {
		return "", fmt.Sprintf("NUL at byte %d, expected text", i+1)
	}
	switch e {
	case UTF8:
		if !utf8.ValidString(raw) {
			i := invalidAt(raw)
			return "", fmt.Sprintf("byte %d (0x%02x) is not UTF-8", i+1, raw[i])
		}
		return raw, ""
	case Latin1:
		return decodeChars(raw, charmap.ISO8859_1), ""
	default:
		s = decodeChars(raw, charmap.Windows1252)
		if i := strings.IndexRune(s, utf8.RuneError); i >= 0 {
			return "", fmt.Sprintf("a byte near %s is not in windows-1252", excerpt(s[max(0, i-10):]))
		}
		return s, ""
	}
}

// decodeChars returns the text itself if it is ASCII.
func decodeChars(raw string, m *charmap.Charmap) string {
	at := strings.IndexFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf })
	if at < 0 {
		return raw
	}
	var s strings.Builder
	s.Grow(len(raw) + len(raw)/8)
	for i := range len(raw) {
		s.WriteRune(m.DecodeByte(raw[i]))
	}
	return s.String()
}

func invalidAt(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return 0
}
