package lookup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
)

// MaxCodeLength is the maximum length of a code in characters, without
// surrounding spaces.
const MaxCodeLength = 50

// ParseCode reads a ZIP, ZIP+4, FSA, Canadian postal code or
// latitude,longitude. Input is trimmed, letters may be of either case, and runs
// of spaces count as one. Full-width characters, Unicode dashes and Unicode
// spaces are read as their ASCII counterparts (decision D1). Letters that
// Canada Post never uses are well-formed.
//
// The error is a [*envelope.Failure] that matches [envelope.ErrInvalidCode]. Input in
// canonical form is read without allocating.
func ParseCode(s string) (Code, error) {
	// From the most common form to the rarest: a text in canonical form is never folded.
	if c, ok := parseASCII(s); ok {
		return c, nil
	}
	if p, ok := parsePoint(s); ok {
		return Code{typ: pointKind, point: p}, nil
	}
	return parseFolded(s)
}

// parsePoint reads most coordinates in canonical form.
func parsePoint(s string) (p geo.LatLng, ok bool) {
	if len(s) > MaxCodeLength-zeros {
		return p, false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && c != '.' && c != ',' && c != '-' {
			return p, false
		}
	}
	p, err := geo.ParseLatLng(s)
	return p, err == nil && p.IsValid()
}

// zeros may precede the decimal points in the text of a point: .5,.5 becomes 0.5,0.5, which
// must not exceed [MaxCodeLength] either, or it could not be parsed back.
const zeros = 2

// MustParseCode is ParseCode for constants; it panics on bad input.
func MustParseCode(s string) Code {
	c, err := ParseCode(s)
	if err != nil {
		panic(err)
	}
	return c
}

// parseASCII reads the code shapes in ASCII, without surrounding spaces.
func parseASCII(s string) (Code, bool) {
	switch len(s) {
	case 3:
		if f, ok := parseFSA(s[0], s[1], s[2]); ok {
			return fsaCode(f), true
		}
	case 5:
		if z, ok := postcode.ParseZIP(s); ok {
			return zipCode(z), true
		}
	case 6:
		return parsePostal(s[:3], s[3:])
	case 7:
		if s[3] == ' ' || s[3] == '-' {
			return parsePostal(s[:3], s[4:])
		}
	case 9:
		return parseZIP4(s[:5], s[5:])
	case 10:
		if s[5] == '-' || s[5] == ' ' {
			return parseZIP4(s[:5], s[6:])
		}
	}
	return Code{}, false
}

func parseZIP4(zip, plus4 string) (Code, bool) {
	z, ok := postcode.ParseZIP(zip)
	if !ok {
		return Code{}, false
	}
	p, ok := postcode.ParsePlus4(plus4)
	if !ok {
		return Code{}, false
	}
	return zip4Code(z, p), true
}

// parseFSA reads letter, digit, letter of either case.
func parseFSA(a, d, b byte) (postcode.FSA, bool) {
	letter, digit, last := upper(a)-'A', d-'0', upper(b)-'A' // bytes below wrap around to large ones
	if letter > 25 || digit > 9 || last > 25 {
		return 0, false
	}
	return (postcode.FSA(letter)*10+postcode.FSA(digit))*26 + postcode.FSA(last), true
}

// parsePostal reads an FSA, and digit, letter, digit of either case.
func parsePostal(fsa, ldu string) (Code, bool) {
	f, ok := parseFSA(fsa[0], fsa[1], fsa[2])
	first, letter, last := ldu[0]-'0', upper(ldu[1])-'A', ldu[2]-'0'
	if !ok || first > 9 || letter > 25 || last > 9 {
		return Code{}, false
	}
	return codeOfPostal(f.PostalCode((int(first)*26+int(letter))*10 + int(last))), true
}

// parseFolded folds the input to ASCII before it reads it.
func parseFolded(input string) (Code, error) {
	trimmed := strings.TrimFunc(input, isBlank)
	// A rune has at most four bytes, so longer strings need no counting.
	if len(trimmed) > MaxCodeLength*utf8.UTFMax || utf8.RuneCountInString(trimmed) > MaxCodeLength {
		return Code{}, &envelope.Failure{Op: op, Kind: envelope.KindInvalidCode, Reason: envelope.ReasonTooLong, Input: input, Chars: MaxCodeLength}
	}
	s := fold(trimmed)
	if s == "" {
		return Code{}, &envelope.Failure{Op: op, Kind: envelope.KindInvalidCode, Reason: envelope.ReasonEmpty, Input: input}
	}
	if c, ok := parseASCII(s); ok {
		return c, nil
	}
	if strings.Contains(s, ",") {
		p, err := geo.ParseLatLng(s)
		if err != nil {
			return Code{}, &envelope.Failure{Op: op, Kind: envelope.KindInvalidCode, Thing: envelope.ThingCoordinates, Input: input, Range: expectedCoordinates, Err: err}
		}
		if len(s)+zeros <= MaxCodeLength && p.IsValid() && !strings.ContainsAny(s, "eE") {
			return Code{typ: pointKind, point: p}, nil // which has no more digits than s
		}
		return PointCode(p), nil
	}
	return Code{}, shapeless(input, s)
}

// expectedCoordinates describes a coordinate.
const expectedCoordinates = "latitude,longitude in decimal degrees"

// shapeless returns the error of an input that is not a code or a coordinate. It
// names the type of code that the folded input s resembles (decision D2).
func shapeless(input, s string) error {
	thing, expected := envelope.ThingZIP, "5 digits, or ZIP+4 as 12345-6789"
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsLetter(first) {
		thing, expected = envelope.ThingPostal, "A1A 1A1, such as K1A 0B1"
		if utf8.RuneCountInString(s) <= 3 {
			thing, expected = envelope.ThingFSA, "letter-digit-letter, such as K1A"
		}
	}
	return &envelope.Failure{Op: op, Kind: envelope.KindInvalidCode, Thing: thing, Input: input, Range: expected}
}

// fold trims s, replaces every run of whitespace by one space, and replaces
// full-width characters and dashes by their ASCII counterparts.
func fold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range s {
		if isBlank(r) {
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		switch {
		case r >= '！' && r <= '～': // the full-width forms of ASCII, in its order
			b.WriteByte(byte(r - '！' + '!'))
		case isDash(r):
			b.WriteByte('-')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isBlank reports whether r is a space of any width, a tab or a line break.
func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) }

// isDash reports whether r is a dash, a hyphen or a minus sign.
func isDash(r rune) bool { return r == '-' || r == '\u2212' || unicode.Is(unicode.Pd, r) }
