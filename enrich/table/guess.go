package table

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/lookup"
)

const (
	sampled = 1000 // rows that decide about columns
	titled  = 20   // rows that are searched for the header
)

// codeWords are words in the names of columns of codes, codeParts those that words can
// begin with, and notCodes words of columns about codes.
var (
	codeWords = strings.Fields("zip zips postal postcode zcta fsa")
	codeParts = strings.Fields("zipcode zipcd postalcode zip5 zcta5")
	notCodes  = strings.Fields("type name city state county country province valid status flag lat latitude lon lng longitude class " +
		"count file addon plus4 population description desc date distance box")
)

// letters returns the letters and digits of a name, in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		default:
			return -1
		}
	}, name)
}

// words divides a name at other characters than letters and digits, and at capitals after
// small letters: "MailingPostalCode" is mailing, postal and code.
func words(name string) []string {
	var b strings.Builder
	small := false
	for _, c := range name {
		capital, digit, lower := c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c >= 'a' && c <= 'z'
		if capital && small {
			b.WriteByte(' ')
		}
		if small = lower; !capital && !lower && !digit {
			c = ' '
		}
		b.WriteRune(c)
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// namesCode reports whether the name of a column is likely that of codes.
func namesCode(name string) bool {
	list := words(name)
	return !anyOf(list, notCodes) && slices.ContainsFunc(list, func(w string) bool {
		return slices.Contains(codeWords, w) || slices.ContainsFunc(codeParts, func(part string) bool { return strings.HasPrefix(w, part) })
	})
}

// isPlus4 reports whether the name of a column is likely that of the last four digits of
// ZIP+4 codes, if there is another column of codes.
func isPlus4(name string) bool {
	n := letters(name)
	return n != "zipplus4" && strings.HasSuffix(n, "4")
}

// Points of a column that can hold codes. A usual name has one more for each name of
// codeNames after it.
const (
	pointsUsual  = 15
	pointsWord   = 10
	pointsPlus4  = 5
	pointsValues = 40 // at least half of its values look like codes
	pointsEmpty  = 15 // no value is known
)

// guessCode returns the column of codes, which has the most points for its name and its
// first values. It returns -1 without one, and an error for several.
func (f *finder) guessCode() (int, error) {
	found, most, equal := -1, pointsWord, -1
	for i, name := range f.header {
		var points int
		switch rank := slices.Index(codeNames, letters(name)); {
		case isPlus4(name) && (rank >= 0 || namesCode(name)):
			points = pointsPlus4
		case rank >= 0:
			points = pointsUsual + len(codeNames) - rank
		case namesCode(name):
			points = pointsWord
		default:
			continue
		}
		var values []string
		for _, row := range f.rows {
			if i < len(row) {
				values = append(values, row[i])
			}
		}
		switch codes, all := countCodes(values); {
		case all == 0:
			points += pointsEmpty
		case 2*codes >= all:
			points += pointsValues
		}
		if points > most {
			found, most, equal = i, points, -1
		} else if points == most && found >= 0 && letters(name) != letters(f.header[found]) {
			equal = i
		}
	}
	if equal >= 0 {
		return -1, keyError("the columns %q and %q both look like codes; name one of them", f.header[found], f.header[equal])
	}
	return found, nil
}

// countCodes counts the values that are not empty, and those that look like codes, with
// leading zeros or without.
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

// commonGroups are the groups of columns of addresses that a header is recognized by.
var commonGroups = strings.Fields("mailing shipping billing ship bill business home work default customer contact company account delivery property site")

// isHeading reports whether a cell is the name of a column that keys are found by.
func isHeading(cell string) bool {
	name := letters(cell)
	if slices.Contains(latNames, name) || slices.Contains(lonNames, name) || slices.Contains(codeNames, name) {
		return true
	}
	c := partOf(cell)
	return c.part != noPart && (c.group == "" || slices.Contains(commonGroups, c.group))
}

// headerAt returns the number of the header among the first rows of a table: the first
// with text, or one below titles. That one has more cells than each row above and names
// that keys are found by, and the first row has none among several cells.
func headerAt(rows [][]string) int {
	first, widest := -1, 0
	for i, row := range rows {
		filled, known := 0, 0
		for _, cell := range row {
			if strings.TrimSpace(cell) != "" {
				filled++
				if isHeading(cell) {
					known++
				}
			}
		}
		switch {
		case filled == 0:
			continue
		case first < 0:
			first = i
			if known > 0 && filled > 1 {
				return i
			}
		case filled > widest && known > 0:
			return i
		}
		widest = max(widest, filled)
	}
	return max(first, 0)
}
