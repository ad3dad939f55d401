package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// An ACSLevel is a sort of area that the American Community Survey is
// published for.
type ACSLevel uint8

// The levels.
const (
	ACSZCTA  ACSLevel = iota + 1 // ZIP Code Tabulation Areas; an area's number is its five digits
	ACSTract                     // census tracts; an area's number is its eleven digits
)

const numACSLevels = 2

// String returns "zcta" or "tract", or "" for an invalid level.
func (l ACSLevel) String() string {
	switch l {
	case ACSZCTA:
		return "zcta"
	case ACSTract:
		return "tract"
	default:
		return ""
	}
}

// An ACSMark is the meaning of a published figure: a number, a bound, or the reason
// for a missing one.
type ACSMark uint8

// The marks, with the sign that the Census Bureau prints.
const (
	ACSAbsent        ACSMark = iota // there is no such figure
	ACSNumber                       // an exact number
	ACSAtLeast                      // a number and +: the lower end of the highest interval
	ACSAtMost                       // a number and -: the upper end of the lowest interval
	ACSNotApplicable                // (X)
	ACSTooFewSamples                // -
	ACSTooFewCases                  // N
	ACSNoMargin                     // **
	ACSOpenInterval                 // ***
	ACSControlled                   // *****
	ACSFiltered                     // empty
	numACSMarks
)

var markSigns = [numACSMarks]string{
	ACSNotApplicable: "(X)", ACSTooFewSamples: "-", ACSTooFewCases: "N", ACSNoMargin: "**", ACSOpenInterval: "***", ACSControlled: "*****",
}

// Sign returns the text that the Census Bureau prints in place of a number,
// e.g. "(X)". It returns "" for numbers, bounds and empty cells.
func (m ACSMark) Sign() string {
	if m >= numACSMarks {
		return ""
	}
	return markSigns[m]
}

// IsNumber reports whether a number goes with the mark.
func (m ACSMark) IsNumber() bool { return m == ACSNumber || m == ACSAtLeast || m == ACSAtMost }

// An ACSFigure is a number in units of the column's last decimal, or a mark.
type ACSFigure struct {
	N    int32
	Mark ACSMark
}

// An ACSCell is what one row of a table holds of one column. Percentages are
// in tenths of a percent.
type ACSCell struct {
	Estimate, MOE, Percent, PercentMOE ACSFigure
}

// An ACSClass is the set of figures of a column.
type ACSClass uint8

// The classes of columns.
const (
	ACSPlain       ACSClass = iota // estimate and margin of error; percentages are absent
	ACSShare                       // and a percentage of another column
	ACSPercentOnly                 // a percentage and its margin; estimate and margin are (X)
)

// An ACSColumn is a column of a table: one field with its estimate, margin of
// error and percentages.
type ACSColumn struct {
	Field       string // full name of the field, e.g. "economic.income.median_household_income"
	Number      uint16 // within the published table, e.g. 62 for DP03_0062E; ascending
	Decimals    uint8  // of estimate and margin of error, at most 6
	Class       ACSClass
	Denominator int  // position of the column that the percentage is a share of; -1: none
	Core        bool // one of the interface's fields
	Stable      bool // under its own label
}

// The tables of the survey have 528 fields of 33,800 ZCTAs in 14 years. With one row of SQL for
// each figure they would take 8 GB; in this form they take 1 GB. A row has all figures of
// an area in a table, as varints in two texts ([ACSRow]). Pages hold rows of areas that follow
// each other, and areas are numbered along a curve over the map. So one area is one page of
// each table, and all areas of a radius are a few runs of pages.

// An ACSTable is one profile of one year for one level.
type ACSTable struct {
	Level   ACSLevel
	Year    int    // last of the five years
	Name    string // published table: DP02 to DP05
	Columns []ACSColumn
	Rows    int // areas; set by the writer

	pages []acsPage // in the order of their first areas
}

// String returns for example "DP05 2022 zcta".
func (t *ACSTable) String() string { return fmt.Sprintf("%s %d %s", t.Name, t.Year, t.Level) }

// An acsPage is the place of a page of rows: its number in the file and the
// position of its first area.
type acsPage struct {
	id    uint32
	first uint32
}

// ACSTables returns the tables of the American Community Survey, by level,
// then ascending years, then names. They must not be changed.
func (d *Dataset) ACSTables() []ACSTable {
	d.Need(SectionSurvey)
	return d.acsTables
}

// ACSYears returns the years of the tables of a level, newest first. They must
// not be changed.
func (d *Dataset) ACSYears(l ACSLevel) []int {
	if l == 0 || l > numACSLevels {
		return nil
	}
	return d.acsYears[l-1]
}

// ACSArea returns the position of an area within its level. Areas that lie
// near each other have positions near each other, in every table. It is false
// for an area that no table of the dataset holds.
func (d *Dataset) ACSArea(l ACSLevel, geoid uint64) (position uint32, ok bool) {
	d.Need(SectionSurvey)
	if l == 0 || l > numACSLevels {
		return 0, false
	}
	return findACSArea(d.acsAreas[l-1], geoid)
}

// ACSGEOIDs returns the areas of a level by their positions, in a slice of the
// caller's.
func (d *Dataset) ACSGEOIDs(l ACSLevel) []uint64 {
	d.Need(SectionSurvey)
	if l == 0 || l > numACSLevels {
		return nil
	}
	areas := d.acsAreas[l-1]
	list := make([]uint64, len(areas))
	for _, a := range areas {
		list[a.Position] = a.GEOID
	}
	return list
}

// ACSRow reads the row of the area at a position into cells, one for each of the
// table's columns in their order. It grows the slice as needed and returns it. It
// returns false if the table has no row of the area.
func (d *Dataset) ACSRow(ctx context.Context, t *ACSTable, position uint32, cells []ACSCell) ([]ACSCell, bool, error) {
	found := false
	err := d.ACSRows(ctx, t, []uint32{position}, func(_ int, r *ACSRow) error {
		found = true
		cells = slices.Grow(cells[:0], len(t.Columns))[:len(t.Columns)]
		return r.Cells(cells)
	})
	return cells, found, err
}

// ACSRows reads the rows of the areas at the ascending positions. It calls f with
// the index of each position and its row, in their order, and skips areas without
// a row. The row is valid until f returns. It reads neighboring rows together and
// caches at most 8 MiB of pages.
func (d *Dataset) ACSRows(ctx context.Context, t *ACSTable, positions []uint32, f func(i int, r *ACSRow) error) error {
	if err := cmp.Or(d.Usable(), ctx.Err()); err != nil {
		return err
	}
	// Positions and rows both ascend, so one walk meets all. Pages in between are skipped by
	// searching their first positions.
	at, next := -1, 0 // the page, and the row of it
	var page *tablePage
	row := ACSRow{columns: t.Columns}
	positionOf := func(k int) int64 {
		n, _ := page.Number(columnACSPosition, k)
		return n
	}
	for i, position := range positions {
		if at+1 < len(t.pages) && position >= t.pages[at+1].first {
			at += sort.Search(len(t.pages)-at-1, func(k int) bool { return t.pages[at+1+k].first > position })
			var err error
			if page, err = readPage[ACSPageRow](ctx, d, d.acsPages, "acs_page", int64(t.pages[at].id)); err != nil {
				return err
			}
			next = 0
		}
		if at < 0 { // before the first area of the table
			continue
		}
		for next < page.Rows && positionOf(next) < int64(position) {
			next++
		}
		if next == page.Rows || positionOf(next) != int64(position) { // positions can repeat
			continue
		}
		row.first, row.rest = page.Text(columnACSFirst, next), page.Text(columnACSRest, next)
		if err := f(i, &row); errors.Is(err, errFigure) {
			return d.Damaged("row %d of the table acs_page: %v", t.pages[at].id, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// An ACSPageRow is a row of a page, which holds the rows of consecutive areas of one table.
// The numbers of pages in the file run from 0 on, table after table.
type ACSPageRow struct {
	Position    uint32
	First, Rest string // of an ACSRow
}

// The columns of an ACSPageRow.
const (
	columnACSPosition = iota
	columnACSFirst
	columnACSRest
)

// An ACSArea is an area of a level with its position along the curve.
type ACSArea struct {
	GEOID    uint64
	Position uint32
}

// findACSArea returns the position of an area among ascending ones.
func findACSArea(areas []ACSArea, geoid uint64) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(areas, geoid, func(a ACSArea, g uint64) int { return cmp.Compare(a.GEOID, g) })
	if !ok {
		return 0, false
	}
	return areas[i].Position, true
}

// acsParts returns the parts of the survey: the years of the tables of each level, newest first,
// which are known without the tables; and the areas of each level, the tables with their
// columns, and the places of their pages.
func (d *Dataset) acsParts() []file.Part {
	return []file.Part{{Load: func(m *file.Connection) error {
		clear(d.acsYears[:])
		var list []struct{ Level, Year int }
		err := m.Query("SELECT DISTINCT level, year FROM acs_table ORDER BY level, year DESC", file.Into(&list, 0))
		for _, r := range list {
			d.acsYears[r.Level-1] = append(d.acsYears[r.Level-1], r.Year)
		}
		return err
	}}, {
		Section: SectionSurvey,
		Queries: []file.Query{
			{Name: "acs_area", SQL: "SELECT level, geoid, position FROM acs_area ORDER BY level, geoid"},
			{Name: "acs_table", SQL: "SELECT level, year, name, row_count FROM acs_table ORDER BY id"},
			{Name: "acs_column", SQL: "SELECT table_id, f.field, number, decimals, class, denominator, core, stable FROM acs_column c JOIN acs_field f ON f.id = c.field ORDER BY table_id, position"},
			{Name: "acs_page", SQL: "SELECT table_id, first_area FROM acs_page ORDER BY id"},
		},
		Load: d.loadSurvey,
	}}
}

func (d *Dataset) loadSurvey(m *file.Connection) error {
	areas, errAreas := file.Rows[struct {
		Level ACSLevel
		ACSArea
	}](m, "acs_area")
	tables, errTables := file.Rows[struct {
		Level ACSLevel
		Year  int
		Name  string
		Rows  int
	}](m, "acs_table")
	columns, errColumns := file.Rows[struct {
		Table int
		ACSColumn
	}](m, "acs_column")
	pages, errPages := file.Rows[struct {
		Table int
		First uint32
	}](m, "acs_page")
	clear(d.acsAreas[:])
	for _, a := range areas {
		d.acsAreas[a.Level-1] = append(d.acsAreas[a.Level-1], a.ACSArea)
	}
	d.acsTables = make([]ACSTable, len(tables))
	for i, t := range tables {
		d.acsTables[i] = ACSTable{Level: t.Level, Year: t.Year, Name: t.Name, Rows: t.Rows}
	}
	for _, c := range columns {
		t := &d.acsTables[c.Table]
		if t.Columns = append(t.Columns, c.ACSColumn); len(t.Columns) > maxACSColumns {
			return file.ErrRange
		}
	}
	for i, p := range pages {
		t := &d.acsTables[p.Table]
		t.pages = append(t.pages, acsPage{uint32(i), p.First})
	}
	return cmp.Or(errAreas, errTables, errColumns, errPages)
}

// CompareACSTables orders tables by their levels, years and names.
func CompareACSTables(a, b ACSTable) int {
	return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Year, b.Year), cmp.Compare(a.Name, b.Name))
}
