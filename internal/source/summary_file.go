package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// A SummaryLevel is a kind of area in the summary file of the American
// Community Survey.
type SummaryLevel uint8

// The levels that a build uses.
const (
	OtherLevel SummaryLevel = iota
	CountyLevel
	SubdivisionLevel
	PlaceLevel
	ZCTALevel
)

// summaryLevels are the prefixes of GEO_IDs of whole areas.
var summaryLevels = [...]struct {
	prefix string
	level  SummaryLevel
	digits int
}{
	{"0500000US", CountyLevel, 5},
	{"0600000US", SubdivisionLevel, 10},
	{"1600000US", PlaceLevel, 7},
	{"860Z200US", ZCTALevel, 5},
}

// A SummaryRow is the count of one area.
type SummaryRow struct {
	Level SummaryLevel
	GEOID string // digits of the area; the whole GEO_ID if Level is OtherLevel
	Count *int64 // nil if blank, and for OtherLevel
	Line  int
}

// SummaryFile reads a table of the table-based summary file, for example
// acsdt5y2024-b01003.dat: text with "|" between GEO_ID, estimates and margins
// of error. It takes the first estimate, which is the total. A row of another
// level is yielded as OtherLevel.
func SummaryFile(in *format.Input, name string) iter.Seq2[SummaryRow, error] {
	total := name + "_E001"
	o := format.TableOptions{Delimiter: '|', Columns: format.Columns("GEO_ID", total)}
	return table(in, o, func(r format.Row) (SummaryRow, error) {
		id := r.Get("GEO_ID")
		row := SummaryRow{GEOID: id, Line: r.Line()}
		for _, l := range summaryLevels {
			code, ok := strings.CutPrefix(id, l.prefix)
			if !ok {
				continue
			}
			if !isDigits(code, l.digits) {
				return row, r.Errorf("GEO_ID", "%q is not %s and %d digits", id, l.prefix, l.digits)
			}
			row.Level, row.GEOID = l.level, code
			var err error
			row.Count, err = optionalCount(r, total)
			return row, err
		}
		return row, nil
	})
}
