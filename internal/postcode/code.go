package postcode

// A ZIP is a five-digit US ZIP Code as a number, 0 to 99999.
type ZIP uint32

// NumZIPs is the number of values a ZIP can take.
const NumZIPs = 100_000

// ParseZIP reads exactly five ASCII digits.
func ParseZIP(s string) (ZIP, bool) {
	z, ok := digits(s, 5)
	return ZIP(z), ok
}

// String returns the five digits, leading zeros included.
func (z ZIP) String() string {
	var b [5]byte
	for i := 4; i >= 0; i-- {
		b[i] = byte('0' + z%10)
		z /= 10
	}
	return string(b[:])
}

// ZIPOf returns the ZIP of a ZIP or ZIP+4 in canonical form, else 0.
func ZIPOf(code string) ZIP {
	z, _ := ParseZIP(code[:min(5, len(code))])
	return z
}

// A Plus4 is the four-digit add-on of a ZIP+4 Code, 0 to 9999.
type Plus4 uint16

// ParsePlus4 reads exactly four ASCII digits.
func ParsePlus4(s string) (Plus4, bool) {
	p, ok := digits(s, 4)
	return Plus4(p), ok
}

// String returns the four digits, leading zeros included.
func (p Plus4) String() string {
	return string([]byte{
		'0' + byte(p/1000%10), '0' + byte(p/100%10), '0' + byte(p/10%10), '0' + byte(p%10),
	})
}

// An FSA is a Canadian forward sortation area (letter, digit, letter) as a number, 0
// (A0A) to 6759 (Z9Z), in the order of its text. A0A exists: it is in Newfoundland. So 0
// does not mean "none", and an FSA that may be absent needs a second value.
type FSA uint16

// NumFSAs is the number of values an FSA can take.
const NumFSAs = 26 * 10 * 26

// ParseFSA reads an upper-case letter, a digit and an upper-case letter. It
// accepts letters that Canada Post does not use.
func ParseFSA(s string) (FSA, bool) {
	if len(s) != 3 {
		return 0, false
	}
	a, d, b := s[0]-'A', s[1]-'0', s[2]-'A' // bytes below the range wrap around to large ones
	if a > 25 || d > 9 || b > 25 {
		return 0, false
	}
	return (FSA(a)*10+FSA(d))*26 + FSA(b), true
}

// FSAOf returns the FSA of an FSA or postal code in canonical form, else 0.
func FSAOf(code string) FSA {
	f, _ := ParseFSA(code[:min(3, len(code))])
	return f
}

// String returns the three characters.
func (f FSA) String() string {
	return string([]byte{'A' + byte(f/260), '0' + byte(f/26%10), 'A' + byte(f%26)})
}

// A PostalCode is a full Canadian postal code (K1A 0B1) as a number: its FSA
// times 2600 plus the number of its local delivery unit. Numbers have the order
// of the text.
type PostalCode uint32

// NumLDUs is the number of local delivery units (digit, letter, digit) that
// an FSA can have.
const NumLDUs = 10 * 26 * 10

// NumPostalCodes is the number of values a PostalCode can take.
const NumPostalCodes = NumFSAs * NumLDUs

// ParsePostalCode reads the canonical form "K1A 0B1", or "K1A0B1", in upper
// case.
func ParsePostalCode(s string) (PostalCode, bool) {
	if len(s) == 7 && s[3] == ' ' {
		return parsePostalCode(s[:3], s[4:])
	}
	if len(s) == 6 {
		return parsePostalCode(s[:3], s[3:])
	}
	return 0, false
}

func parsePostalCode(fsa, ldu string) (PostalCode, bool) {
	f, ok := ParseFSA(fsa)
	if !ok {
		return 0, false
	}
	a, l, b := ldu[0]-'0', ldu[1]-'A', ldu[2]-'0'
	if a > 9 || l > 25 || b > 9 {
		return 0, false
	}
	return f.PostalCode((int(a)*26+int(l))*10 + int(b)), true
}

// PostalCode returns the postal code of the FSA whose local delivery unit has
// the number ldu, from 0 for "0A0" to 2599 for "9Z9".
func (f FSA) PostalCode(ldu int) PostalCode { return PostalCode(f)*NumLDUs + PostalCode(ldu) }

// FSA returns the forward sortation area of the code.
func (p PostalCode) FSA() FSA { return FSA(p / NumLDUs) }

// String returns the canonical form with one space, "K1A 0B1".
func (p PostalCode) String() string {
	f, l := p.FSA(), p%NumLDUs
	return string([]byte{
		'A' + byte(f/260), '0' + byte(f/26%10), 'A' + byte(f%26), ' ',
		'0' + byte(l/260), 'A' + byte(l/10%26), '0' + byte(l%10),
	})
}

// digits returns the value of a text of exactly n decimal digits.
func digits(s string, n int) (v uint32, ok bool) {
	if len(s) != n {
		return 0, false
	}
	for i := range n {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		v = v*10 + uint32(d)
	}
	return v, true
}
