package enrich

import (
	"regexp"
	"strings"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// A code in a table has often been through a spreadsheet, which takes it for a number: 00501
// becomes 501 or 501.0, 902101234 becomes 9.02101234E+08. Others are wrapped, so that the
// spreadsheet keeps them (="00501", '02139), or written as people do (ZIP: 02134). Keys that
// are valid as they stand are never touched. The others are repaired in this order, each step
// on the result of the one before: forms of cells, numbers with exponents, wrappings, leading
// zeros. Wrappings are only removed if a code or a coordinate remains. The row's reason names
// the repair, because a mistyped code can look the same.

// Reasons of rows whose code a spreadsheet had changed.
const (
	// CodeRepaired marks codes that were a formula (="00501"), text after an apostrophe
	// ('02139), or a number with a fraction (90210.0) or an exponent (9.0210E+04).
	CodeRepaired = "CODE_REPAIRED"
	// CodeRounded marks codes whose last digits a number with an exponent lacks, such as
	// 9.021E+04. They are read as zeros.
	CodeRounded = "CODE_ROUNDED"
)

// OtherCountry is the reason of rows of countries other than the US and Canada.
const OtherCountry = "OTHER_COUNTRY"

// home lists the names of the US, its territories and associated states, and Canada, in
// capital letters without marks: the two and three letters of ISO 3166-1, the numbers of the
// two countries, and names in English, French and Spanish. The associated states have ZIP
// Codes. CA is Canada here: a column of countries holds no states.
var home = func() map[string]bool {
	m := make(map[string]bool)
	for name := range strings.FieldsSeq("US USA UNITEDSTATES UNITEDSTATESOFAMERICA THEUNITEDSTATES AMERICA ETATSUNIS ETATSUNISDAMERIQUE ESTADOSUNIDOS 840 " +
		"CA CAN CANADA 124 PR PRI PUERTORICO VI VIR VIRGINISLANDS USVIRGINISLANDS GU GUM GUAM AS ASM AMERICANSAMOA MP MNP NORTHERNMARIANAISLANDS UM UMI " +
		"FM FSM MICRONESIA MH MHL MARSHALLISLANDS PW PLW PALAU") {
		m[name] = true
	}
	return m
}()

// IsForeign reports whether the cell of a country names neither the US nor Canada. Empty
// cells and those without a value, such as N/A, do not.
func IsForeign(country string) bool {
	if country = strings.TrimSpace(country); missingKeys(country) {
		return false
	}
	return !home[strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		case r == '\u00e9' || r == '\u00c9': // États-Unis
			return 'E'
		default:
			return -1
		}
	}, country)]
}

// JoinCoordinates returns the key of a row with a latitude and a longitude, or
// "" if both are empty. A comma in one of them is a decimal comma.
func JoinCoordinates(lat, lon string) string {
	lat, lon = decimal(lat), decimal(lon)
	if missingKeys(lat) && missingKeys(lon) {
		return ""
	}
	return lat + "," + lon
}

// decimal returns a number with a decimal point.
func decimal(text string) string {
	text = visible(strings.TrimSpace(text))
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		return strings.Replace(text, ",", ".", 1)
	}
	return text
}

// JoinAddress returns the key of a row whose address or city is split into
// several columns. Empty ones are left out.
func JoinAddress(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p = visible(strings.TrimSpace(p)); !missingKeys(p) {
			kept = append(kept, wholeCell(p))
		}
	}
	return strings.Join(kept, ", ")
}

// fieldMark divides the fields of a key. It is the unit separator of ASCII, which no address
// contains; JoinFields removes it from cells.
const fieldMark = "\x1f"

// JoinFields returns the key of a row whose columns are the fields of an address, "" if all
// are blank.
func JoinFields(f address.Fields) string {
	parts := []string{f.Street, f.Unit, f.City, f.State, f.ZIP, f.Country}
	for i, text := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(text, fieldMark, " "))
	}
	key := strings.Join(parts, fieldMark)
	if strings.Trim(key, fieldMark) == "" {
		return ""
	}
	return key
}

// fieldsOf reads the result of [JoinFields]. It returns false for other texts.
func fieldsOf(key string) (f address.Fields, ok bool) {
	parts := strings.Split(key, fieldMark)
	into := [...]*string{&f.Street, &f.Unit, &f.City, &f.State, &f.ZIP, &f.Country}
	if len(parts) != len(into) {
		return f, false
	}
	for i, text := range parts {
		*into[i] = strings.TrimSpace(text)
	}
	return f, true
}

// wholeCell returns a number without the fraction that a spreadsheet added to it: 115.0
// is 115.
func wholeCell(text string) string {
	if digits, fraction, ok := strings.Cut(text, "."); ok && isDigits(digits) && fraction != "" && strings.Trim(fraction, "0") == "" {
		return digits
	}
	return text
}

// missingKeys reports whether a cell has no value: it is empty, or a word or a dash for
// nothing. Such a row is empty and not invalid: invalid rows should be worth a look.
func missingKeys(cell string) bool {
	switch cell = strings.TrimSpace(cell); {
	case cell == "", strings.Trim(cell, "-\u2013\u2014") == "":
		return true
	case len(cell) > len("(blank)"): // the longest word; saves a copy of long keys
		return false
	}
	switch strings.ToUpper(cell) {
	case "N/A", "#N/A", "NA", "N.A.", "NULL", "(NULL)", "NONE", "NAN", "NIL", "(BLANK)":
		return true
	default:
		return false
	}
}

// A form is that of a cell around a code or coordinate, and the template of these.
type form struct {
	of   *regexp.Regexp
	held string // $1 is the first group
}

var (
	// cells are forms that spreadsheets make of codes: formulas, text and fractions.
	cells = []form{
		{regexp.MustCompile(`^="(.*)"$|^='?(.*)$|^'(.*)$`), "$1$2$3"},
		{regexp.MustCompile(`^(\d{5}|\d{9})\.0+$`), "$1"},
	}
	// wrappings are brackets, words for a kind or country, and stray dashes. Coordinates
	// have decimals, and are divided by a blank or semicolon or have N and W. Without
	// decimals, "34 118" could be anything. WKT has the longitude first. Brackets go before
	// words, so that "(US 02134)" loses both.
	wrappings = []form{
		{regexp.MustCompile(`(?i)^(?:srid=\d+;)?point ?\( ?(\S+) (\S+) ?\)$`), "$2,$1"},
		{regexp.MustCompile(`(?i)^([+-]?\d{1,2}\.\d+) ?°? ?n?[ ,;]+([+-]?\d{1,3}\.\d+) ?°? ?e?$`), "$1,$2"},
		{regexp.MustCompile(`(?i)^(\d{1,2}\.\d+) ?°? ?n?[ ,;]+(\d{1,3}\.\d+) ?°? ?w$`), "$1,-$2"},
		{regexp.MustCompile(`(?i)^(\d{1,2}\.\d+) ?°? ?s[ ,;]+(\d{1,3}\.\d+) ?°? ?w$`), "-$1,-$2"},
		{regexp.MustCompile(`^\(\s*(.+?)\s*\)$|^\[\s*(.+?)\s*\]$`), "$1$2"},
		{regexp.MustCompile(`(?i)^(?:zip(?:[ -]?code)?|postal(?:[ -]?code)?|post ?code|u\.?s\.?a?\.?|united states|canada|can|ca)[ :#.,-]+(.+)$`), "$1"},
		{regexp.MustCompile(`(?i)^(.+?)[ ,]+(?:u\.?s\.?a?\.?|united states(?: of america)?|canada|can|ca)$`), "$1"},
	}
)

// without returns the content of a text that has some of the forms.
func without(forms []form, text string) string {
	for _, f := range forms {
		text = strings.TrimSpace(f.of.ReplaceAllString(text, f.held))
	}
	return text
}

// hidden reports whether a character has no width: spaces and joiners, marks of direction,
// the word joiner, the byte order mark and the soft hyphen. Cells copied from web pages and
// PDF files contain them.
func hidden(r rune) bool {
	return r >= '\u200b' && r <= '\u200f' || r == '\u2060' || r == '\ufeff' || r == '\u00ad'
}

// visible returns a text without characters that have no width.
func visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, text))
}

// plainCode returns the code in a cell of a spreadsheet and why it differs from the
// text, or "" for other texts.
func plainCode(text string, restore bool) (code, reason string) {
	if _, err := lookup.ParseCode(text); err == nil {
		return "", ""
	}
	code = without(cells, visible(text))
	if whole, given, ok := wholeNumber(code); ok {
		if given < len(whole) {
			return whole, CodeRounded
		}
		code = whole
	}
	short := without(wrappings, code)
	for _, short := range [...]string{short, strings.Trim(short, "-\u2013\u2014 ;\"")} { // a sign is no stray dash
		_, err := lookup.ParseCode(short)
		if _, ok := restoreZeros(short); ok || err == nil {
			code = short
			break
		}
	}
	const short4 = "2134-1234"
	if restore && len(code) == len(short4) && code[4] == '-' && isDigits(code[:4]) && isDigits(code[5:]) {
		code = "0" + code
	}
	if code == text || code == "" {
		return "", ""
	}
	return code, CodeRepaired
}

// lookalike returns the reason of a text that is a ZIP but for letters that look like
// digits, or one beside other words, or "".
func lookalike(text string) string {
	bad := func(more string) string {
		out, _ := failed(&envelope.Failure{Op: "lookup", Kind: envelope.KindInvalidCode, Thing: envelope.ThingZIP, Input: text, Range: "5 digits, or ZIP+4 as 12345-6789"})
		return out.Reason + more
	}
	digits := strings.NewReplacer("O", "0", "o", "0", "I", "1", "l", "1").Replace(text)
	if c, err := lookup.ParseCode(digits); digits != text && err == nil && (c.Type() == lookup.ZIP || c.Type() == lookup.ZIP4) {
		return bad(" It has a letter in place of a digit.")
	}
	for i, run := 0, 0; i < len(text); i++ {
		if run++; text[i] == '.' {
			return "" // a coordinate
		} else if text[i] < '0' || text[i] > '9' {
			run = 0
		} else if run == len("02134") { // MA 02134
			return bad("")
		}
	}
	return ""
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

// restoreZeros restores the leading zeros of a code that became a number. Such a text has
// three or four digits (a ZIP) or seven or eight (a ZIP+4). Before a fraction such as ".0" it
// may have all five or nine. It returns false for others.
func restoreZeros(text string) (padded string, ok bool) {
	digits, fraction, decimal := strings.Cut(text, ".")
	if !isDigits(digits) || strings.Trim(fraction, "0") != "" {
		return "", false
	}
	for _, whole := range [...]int{len("00501"), len("005011234")} {
		if n := len(digits); n == whole-2 || n == whole-1 || n == whole && decimal {
			return strings.Repeat("0", whole-n) + digits, true
		}
	}
	return "", false
}
