package table

import (
	"slices"
	"strings"
)

// titled is the maximum number of rows that are searched for the header.
const titled = 20

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

// headerAt returns which of the first rows of a table is the header: the first with text,
// or one below titles. That one has more cells than each row above and names that keys
// are found by, and the first row has none among several cells.
func headerAt(rows [][]string) int {
	first, widest := -1, 0
	for i, row := range rows {
		filled, known := 0, 0
		for _, cell := range row {
			if strings.TrimSpace(cell) == "" {
				continue
			}
			filled++
			if isHeading(cell) {
				known++
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

// ahead returns the first rows, as far as one read of the stream brings them, without
// reading them.
func (s *csvSource) ahead(most int) (rows [][]string) {
	text := s.buf[s.at:]
	r := csvRow{shape: &csvShape{comma: s.shape.comma, lenient: true}}
	for len(rows) < most {
		n := csvRowEnd(text, s.shape.comma)
		if n == 0 || r.split(text[:n]) != nil {
			break
		}
		row := make([]string, len(r.cells))
		for i := range row {
			row[i] = r.cellText(i)
		}
		rows, text = append(rows, row), text[n:]
	}
	return rows
}
