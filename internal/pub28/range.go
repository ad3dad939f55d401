package pub28

import "strings"

// A Fit is the position of a number relative to a range of the ZIP+4 product.
type Fit uint8

const (
	// Outside means that the range does not contain the number.
	Outside Fit = iota
	// Stem means that the range contains the number without its letter or
	// fraction, 5515 of 5515A. If it is two numbers (912-914), the range
	// contains both.
	Stem
	// Inside means that the range contains the number.
	Inside
)

// InRange returns the position of a number relative to a range of numbers, by
// the rules of appendix E. The range is of one side of a street, of boxes or of
// units. oddEven is O, E or B; any other value means both.
//
// Digits are compared by value, without padding zeros. Other numbers are
// compared part by part. All parts must be equal, except varying digits and
// letters. For example, B is in A to F, 92-10 in 92-01 to 92-99, and N6W23001
// in N6W23000 to N6W23998. A range without ends contains only the number "".
func InRange(number, low, high string, oddEven byte) Fit {
	low, high = Trim(low), Trim(high)
	if high == "" {
		high = low
	}
	number = Trim(number)
	if number == "" || low == "" {
		if number == "" && low == "" {
			return Inside
		}
		return Outside
	}
	if within(number, low, high) && parityFits(number, oddEven) {
		return Inside
	}
	// 5515A lies in a range of plain numbers by its stem. In a range with letters it would
	// have been found above.
	if !AllDigits(low) || !AllDigits(high) {
		return Outside
	}
	stem, rest := LeadingDigits(number)
	if stem == "" || !within(stem, low, high) || !parityFits(stem, oddEven) {
		return Outside
	}
	switch {
	case isSuffixOfNumber(rest):
		return Stem
	case rest != "" && rest[0] == '-' && AllDigits(rest[1:]) && within(Trim(rest[1:]), low, high) && Less(stem, Trim(rest[1:])):
		return Stem
	default:
		return Outside
	}
}

// isSuffixOfNumber reports whether the rest of a number behind its digits is a
// letter or a fraction: A, -A, " 1/2", " A".
func isSuffixOfNumber(rest string) bool {
	rest = strings.TrimLeft(rest, " -")
	switch len(rest) {
	case 1:
		return rest[0] >= 'A' && rest[0] <= 'Z'
	case 3:
		return rest[1] == '/' && AllDigits(rest[:1]) && AllDigits(rest[2:])
	default:
		return false
	}
}

// Trim removes the zeros that pad a number, and the hyphen that keeps those of
// a box (section 282: -0145 is box 0145).
func Trim(s string) string {
	if s == "" || s[0] != '0' && s[0] != '-' {
		return s
	}
	s = strings.TrimPrefix(s, "-")
	trimmed := strings.TrimLeft(s, "0")
	if trimmed == "" && s != "" {
		return "0"
	}
	return trimmed
}

// LeadingDigits divides a text behind the digits that it begins with.
func LeadingDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// AllDigits reports whether a text is digits, and not empty.
func AllDigits[S string | []byte](s S) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return len(s) > 0
}

// Less compares digits without leading zeros: the shorter number is the smaller one. Parsing
// them could overflow.
func Less(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }

// within compares the parts of a number, which are runs of digits, of letters
// and of anything else, with those of both ends. Texts as they are would put 1010 between 101
// and 199.
func within(number, low, high string) bool {
	for number != "" {
		n, k := run(number)
		l, lk := run(low)
		h, hk := run(high)
		number, low, high = number[len(n):], low[len(l):], high[len(h):]
		if k == runDigits {
			n, l, h = strings.TrimLeft(n, "0"), strings.TrimLeft(l, "0"), strings.TrimLeft(h, "0")
		}
		switch {
		case k != lk || k != hk, k == runOther && (n != l || n != h), k != runOther && (Less(n, l) || Less(h, n)):
			return false
		}
	}
	return low == "" && high == ""
}

// The kinds of runs; of the empty text none of them.
const (
	runDigits = iota + 1
	runLetters
	runOther
)

func kindOf(c byte) int {
	switch {
	case isDigit(c):
		return runDigits
	case c >= 'A' && c <= 'Z':
		return runLetters
	default:
		return runOther
	}
}

// run returns the first run of a text and its kind.
func run(s string) (text string, kind int) {
	if s == "" {
		return "", 0
	}
	i := 1
	for kind = kindOf(s[0]); i < len(s) && kindOf(s[i]) == kind; i++ {
	}
	return s[:i], kind
}

// parityFits looks at the last digits of a number.
func parityFits(number string, oddEven byte) bool {
	if oddEven != 'O' && oddEven != 'E' {
		return true
	}
	for i := len(number) - 1; i >= 0; i-- {
		if isDigit(number[i]) {
			return (number[i]-'0')%2 == 1 == (oddEven == 'O')
		}
	}
	return false
}
