package enrich

import "strings"

// Reasons of rows whose code a spreadsheet had changed.
const (
	// CodeRepaired marks codes that were a formula (="00501"), text after an apostrophe
	// ('02139), or a number with a fraction (90210.0) or an exponent (9.0210E+04).
	CodeRepaired = "CODE_REPAIRED"
	// CodeRounded marks codes whose last digits a number with an exponent lacks, such as
	// 9.021E+04. They are read as zeros.
	CodeRounded = "CODE_ROUNDED"
)

// plainCode returns the code in a cell of a spreadsheet and why it differs from the
// text, or "" for other texts.
func plainCode(text string) (code, reason string) {
	code = text
	if formula, ok := strings.CutPrefix(code, "="); ok {
		if n := len(formula); n > 1 && formula[0] == '"' && formula[n-1] == '"' {
			formula = formula[1 : n-1]
		}
		code = formula
	}
	code = strings.TrimSpace(strings.TrimPrefix(code, "'"))
	digits, fraction, decimal := strings.Cut(code, ".")
	const zip, zip4 = 5, 9
	if decimal && isDigits(digits) && (len(digits) == zip || len(digits) == zip4) && fraction != "" && strings.Trim(fraction, "0") == "" {
		code = digits
	}
	if whole, given, ok := wholeNumber(code); ok {
		if given < len(whole) {
			return whole, CodeRounded
		}
		code = whole
	}
	if code == text || code == "" {
		return "", ""
	}
	return code, CodeRepaired
}

// wholeNumber returns the digits of a number with an exponent, such as 9.021E+04, and
// how many of them it states.
func wholeNumber(text string) (digits string, stated int, ok bool) {
	mantissa, exponent, found := strings.Cut(strings.ToUpper(text), "E+")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if !found || len(whole) != 1 || !isDigits(whole+fraction) || whole == "0" || len(exponent) == 0 || len(exponent) > 2 || !isDigits(exponent) {
		return "", 0, false
	}
	power := 0
	for _, c := range exponent {
		power = 10*power + int(c-'0')
	}
	const shortest, longest = 2, 8 // powers of ten of 501 and of a ZIP+4
	if power < shortest || power > longest || len(fraction) > power {
		return "", 0, false
	}
	return whole + fraction + strings.Repeat("0", power-len(fraction)), len(whole + fraction), true
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
