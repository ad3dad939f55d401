package acs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/door"
)

// A column's number means another field in another year, so a file that is read under a wrong
// year has plausible numbers in wrong fields. Its labels show that. They are compared by
// words, because the Census Bureau changes capitals, punctuation and small words nearly every
// year.

// sameWords replaces wordings of labels that changed without a change of
// meaning, in the form of [words].
var sameWords = strings.NewReplacer(
	" of the householder ", " ",
	" own ", " ",
	" percent unemployed ", " unemployment rate ",
	" percent high school ", " high school ",
	" percent bachelor s ", " bachelor s ",
	" worked at home ", " worked from home ",
	" no husband present ", " no spouse present ",
	" married couple family ", " married couple household ",
	" grandparents responsible for ", " responsible for ",
	" guamanian or chamorro ", " chamorro ",
	" other native hawaiian and other pacific islander ", " other pacific islander ",
	" public transportation excluding taxicab ", " public transportation ",
	" bottled or tank gas propane butane etc ", " bottled tank or lp gas ",
)

// words returns the words of a label in lower case, with a space before and
// after each.
func words(label string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for i := range len(label) {
		c := label[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '$', c == '%', c == '+':
		default:
			c = ' '
		}
		if c != ' ' || !strings.HasSuffix(b.String(), " ") {
			b.WriteByte(c)
		}
	}
	if b.Len() > 1 && !strings.HasSuffix(b.String(), " ") {
		b.WriteByte(' ')
	}
	// Wordings begin and end with the space that the next one needs. The second pass finds
	// those.
	return sameWords.Replace(sameWords.Replace(b.String()))
}

var _ = door.Offer(checkLabel)

// checkLabel returns why the label of a published column is not that of a field in a year,
// or "".
func checkLabel(f *Field, label string, year int) string {
	if d := dollarYear(label); d != 0 && d != year {
		return fmt.Sprintf("the label speaks of dollars of %d; the file is one of that year, not of %d", d, year)
	}
	if label != "" && !f.agrees(label) {
		return fmt.Sprintf("the label is %q, expected one that ends with that of %s: %q", label, f.Key(), f.Label)
	}
	return ""
}

// agrees reports whether the label of a published column is the field's: it
// must end with the field's own words in any known wording. Only the last part
// of the label counts: levels above it come and go, such as "Total population" in DP05.
func (f *Field) agrees(label string) bool {
	return strings.HasSuffix(words(label), words(f.leaf()))
}

func (f *Field) leaf() string {
	parts := strings.Split(f.Label, "!!")
	return parts[len(parts)-1]
}

// LabelIn returns the field's label in a year. Labels of amounts contain the
// year of their dollars. LabelIn replaces it by the given year, or removes it
// if the year is 0.
func (f *Field) LabelIn(year int) string {
	named := dollarYear(f.Label)
	if named == 0 || named == year {
		return f.Label
	}
	was := strconv.Itoa(named) + " "
	is := ""
	if year != 0 {
		is = strconv.Itoa(year) + " "
	}
	return strings.Replace(f.Label, was, is, 1)
}

// dollarYear returns the year of the dollars in a label, or 0.
func dollarYear(label string) int {
	const before, after = "(IN ", " INFLATION-ADJUSTED"
	label = strings.ToUpper(label)
	i := strings.Index(label, before)
	if i < 0 {
		return 0
	}
	rest := label[i+len(before):]
	if len(rest) < 4 || !strings.HasPrefix(rest[4:], after) {
		return 0
	}
	year := 0
	for _, c := range []byte(rest[:4]) {
		if c < '0' || c > '9' {
			return 0
		}
		year = year*10 + int(c-'0')
	}
	return year
}
