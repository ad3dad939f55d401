package lookup

import (
	"math"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
)

// CodeType is a kind of input, named as in the contract. The zero CodeType is none.
type CodeType string

// The kinds of input.
const (
	ZIP         CodeType = "ZIP"         // 90210
	ZIP4        CodeType = "ZIP+4"       // 90210-1234
	FSA         CodeType = "FSA"         // K1A
	Postal      CodeType = "Postal"      // K1A 0B1
	Coordinates CodeType = "Coordinates" // 34.0901,-118.4065
)

// A codeKind is a CodeType in one byte, which is compared faster than a text: with texts, a
// quick lookup took 15 % longer.
type codeKind uint8

const (
	zipKind codeKind = iota + 1
	zip4Kind
	fsaKind
	postalKind
	pointKind
)

var codeTypes = [...]CodeType{zipKind: ZIP, zip4Kind: ZIP4, fsaKind: FSA, postalKind: Postal, pointKind: Coordinates}

// A Code is one well-formed input of any kind: comparable, with equal inputs
// ("k1a0b1" and "K1A 0B1") giving equal Codes. A well-formed Code need not
// exist. The zero Code is invalid.
type Code struct {
	num   uint32 // a ZIP, FSA or PostalCode
	plus4 postcode.Plus4
	typ   codeKind
	point geo.LatLng // Coordinates only
}

// zipCode returns the Code of a ZIP.
func zipCode(z postcode.ZIP) Code { return Code{typ: zipKind, num: uint32(z)} }

// zip4Code returns the Code of a ZIP+4.
func zip4Code(z postcode.ZIP, p postcode.Plus4) Code {
	return Code{typ: zip4Kind, num: uint32(z), plus4: p}
}

// fsaCode returns the Code of a forward sortation area.
func fsaCode(f postcode.FSA) Code { return Code{typ: fsaKind, num: uint32(f)} }

// codeOfPostal returns the Code of a full Canadian postal code.
func codeOfPostal(p postcode.PostalCode) Code { return Code{typ: postalKind, num: uint32(p)} }

// PointCode returns the Code of a coordinate, or the zero Code if the point is
// not valid.
func PointCode(p geo.LatLng) Code {
	if !p.IsValid() {
		return Code{}
	}
	return Code{typ: pointKind, point: shorten(p)}
}

// shorten returns p, rounded to 1e-12 degrees if its text is longer than a code
// may be. That is a ten-thousandth of a millimeter.
func shorten(p geo.LatLng) geo.LatLng {
	const tiny = 1e-4 // numbers from it on have at most 22 characters
	if min(math.Abs(p.Lat()), math.Abs(p.Lng())) >= tiny || len(p.String()) <= MaxCodeLength {
		return p
	}
	const unit = 1e12 // 180e12 is a whole number in a float64
	return geo.MustLatLng(math.Round(p.Lat()*unit)/unit, math.Round(p.Lng()*unit)/unit)
}

// Type returns the kind of the code.
func (c Code) Type() CodeType { return codeTypes[c.typ] }

// IsValid reports whether c is a code at all; the zero Code is not.
func (c Code) IsValid() bool { return c.typ != 0 }

// zip returns the five-digit part of a ZIP or ZIP+4; 0 for other kinds.
func (c Code) zip() postcode.ZIP {
	if c.typ == zipKind || c.typ == zip4Kind {
		return postcode.ZIP(c.num)
	}
	return 0
}

// fsa returns the forward sortation area of an FSA or postal code; 0 (A0A)
// for other kinds.
func (c Code) fsa() postcode.FSA {
	switch c.typ {
	case fsaKind:
		return postcode.FSA(c.num)
	case postalKind:
		return postcode.PostalCode(c.num).FSA()
	default:
		return 0
	}
}

// LatLng returns the point of a coordinate; an invalid point for other kinds.
func (c Code) LatLng() geo.LatLng { return c.point }

// Parent returns the ZIP of a ZIP+4 and the FSA of a postal code, and the
// zero Code for other kinds.
func (c Code) Parent() Code {
	switch c.typ {
	case zip4Kind:
		return zipCode(c.zip())
	case postalKind:
		return fsaCode(c.fsa())
	default:
		return Code{}
	}
}

// String returns the canonical form: 90210, 90210-1234, K1A, K1A 0B1, or
// latitude,longitude with as many digits as were given. [ParseCode] reads it
// back. The zero Code is the empty string.
func (c Code) String() string {
	switch c.typ {
	case zipKind:
		return c.zip().String()
	case zip4Kind:
		return c.zip().String() + "-" + c.plus4.String()
	case fsaKind:
		return c.fsa().String()
	case postalKind:
		return postcode.PostalCode(c.num).String()
	case pointKind:
		return c.point.String()
	default:
		return ""
	}
}

// MarshalText returns String. The zero Code is empty text.
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what [ParseCode] reads, with its errors. Empty text is the zero
// Code.
func (c *Code) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*c = Code{}
		return nil
	}
	*c, err = ParseCode(string(text))
	return err
}

// canonical returns String, without allocating when input is canonical
// already.
func (c Code) canonical(input string) string {
	var want int
	switch c.typ {
	case zipKind:
		want = 5
	case fsaKind:
		want = 3
	case zip4Kind:
		want = 10
	case postalKind:
		want = 7
	default:
		return c.String()
	}
	// An input of the canonical length differs only in letter case, a dash in a
	// postal code or a space in a ZIP+4.
	if len(input) != want {
		return c.String()
	}
	switch c.typ {
	case zip4Kind:
		if input[5] != '-' {
			return c.String()
		}
	case postalKind:
		if input[3] != ' ' || hasLower(input) {
			return c.String()
		}
	case fsaKind:
		if hasLower(input) {
			return c.String()
		}
	default: // five digits
	}
	return input
}

func hasLower(s string) bool {
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' {
			return true
		}
	}
	return false
}

// normalizes reports whether the canonical form of c differs from the trimmed
// input in more than letter case, which callers report (decisions D1 and D75).
func (c Code) normalizes(input string) bool {
	trimmed := strings.TrimFunc(input, isBlank)
	if c.typ == pointKind {
		return c.pointText(trimmed) != trimmed
	}
	canonical := c.canonical(trimmed)
	return len(canonical) != len(trimmed) || !equalFoldASCII(canonical, trimmed)
}

// pointText returns String of a coordinate, without allocating if the trimmed input is
// canonical already.
func (c Code) pointText(trimmed string) string {
	var room [64]byte
	text := append(strconv.AppendFloat(room[:0], c.point.Lat(), 'f', -1, 64), ',')
	if text = strconv.AppendFloat(text, c.point.Lng(), 'f', -1, 64); string(text) == trimmed {
		return trimmed
	}
	return string(text)
}

// equalFoldASCII compares strings of one length; strings.EqualFold would take
// the Kelvin sign for a K.
func equalFoldASCII(a, b string) bool {
	for i := range len(a) {
		if upper(a[i]) != upper(b[i]) {
			return false
		}
	}
	return true
}

// upper upper-cases an ASCII letter.
func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}
