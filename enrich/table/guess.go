package table

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/lookup"
)

// sampled is the maximum number of rows that decide about columns.
const sampled = 1000

// codeWords are words in the names of columns of codes, codeParts those that words can
// begin with, and notCodes words of columns about codes.
var (
	codeWords = []string{"zip", "zips", "postal", "postcode", "zcta", "fsa"}
	codeParts = []string{"zipcode", "zipcd", "postalcode", "zip5", "zcta5"}
	notCodes  = []string{
		"type", "name", "city", "state", "county", "country", "province", "valid", "status", "flag", "lat", "latitude", "lon", "lng", "longitude", "class",
		"count", "file", "addon", "plus4", "population", "description", "desc", "date", "distance", "box",
	}
)

// words divides a name at other characters than letters and digits, and at capitals
// after small letters: "MailingPostalCode" is mailing, postal and code.
func words(name string) []string {
	var b strings.Builder
	small := false
	for _, c := range name {
		capital, digit := c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
		lower := c >= 'a' && c <= 'z'
		switch {
		case capital && small:
			b.WriteByte(' ')
		case !capital && !lower && !digit:
			c = ' '
		}
		small = lower
		b.WriteRune(c)
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// namesCode reports whether the name of a column is likely that of codes.
func namesCode(name string) bool {
	list := words(name)
	if slices.ContainsFunc(list, func(w string) bool { return slices.Contains(notCodes, w) }) {
		return false
	}
	return slices.ContainsFunc(list, func(w string) bool {
		return slices.Contains(codeWords, w) || slices.ContainsFunc(codeParts, func(part string) bool { return strings.HasPrefix(w, part) })
	})
}

// isPlus4 reports whether the name of a column is likely that of the last four digits of
// ZIP+4 codes, if there is another column of codes.
func isPlus4(name string) bool {
	n := letters(name)
	return n != "zipplus4" && strings.HasSuffix(n, "4")
}

// Points of a column that can hold codes. A usual name has one more for each
// name of codeNames after it.
const (
	pointsUsual  = 15
	pointsWord   = 10
	pointsPlus4  = 5
	pointsValues = 40 // at least half of its values look like codes
	pointsEmpty  = 15 // no value is known
)

// guessCode returns the column of codes, which has the most points for its name and
// its first values. It returns -1 without one, and an error for several.
func guessCode(header []string, exact bool, values func(column int) []string) (int, error) {
	found, most, equal := -1, pointsWord, -1
	for i, name := range header {
		var points int
		switch rank := slices.Index(codeNames, letters(name)); {
		case isPlus4(name) && (rank >= 0 || !exact && namesCode(name)):
			points = pointsPlus4
		case rank >= 0:
			points = pointsUsual + len(codeNames) - rank
		case !exact && namesCode(name):
			points = pointsWord
		default:
			continue
		}
		switch codes, all := countCodes(values(i)); {
		case all == 0:
			points += pointsEmpty
		case 2*codes >= all:
			points += pointsValues
		}
		if points > most {
			found, most, equal = i, points, -1
		} else if points == most && found >= 0 && letters(name) != letters(header[found]) {
			equal = i
		}
	}
	if equal >= 0 {
		return -1, keyError("the columns %q and %q both look like codes; name one of them", header[found], header[equal])
	}
	return found, nil
}

// countCodes counts the values that are not empty, and those that look like codes,
// with leading zeros or without.
func countCodes(values []string) (codes, all int) {
	for _, v := range values {
		if v = strings.Trim(v, ` ='"`); v == "" {
			continue
		}
		all++
		digits, _, _ := strings.Cut(v, ".")
		c, err := lookup.ParseCode(v)
		if err == nil && c.Type() != lookup.Coordinates || len(digits) > 2 && len(digits) < 10 && strings.Trim(digits, "0123456789") == "" {
			codes++
		}
	}
	return codes, all
}

// sample returns the first values of a column.
func (s *csvSource) sample(column int) (values []string) {
	for _, row := range s.ahead(sampled) {
		if column < len(row) {
			values = append(values, row[column])
		}
	}
	return values
}
