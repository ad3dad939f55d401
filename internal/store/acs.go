package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// name returns the name of an area in errors, e.g. "ZCTA 10001".
func (l ACSLevel) name(geoid uint64) string {
	if l == ACSTract {
		return fmt.Sprintf("tract %011d", geoid)
	}
	return fmt.Sprintf("ZCTA %05d", geoid)
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
	d.file.Need(SectionSurvey)
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

// ACSTable finds a table. It returns nil if the dataset does not have it.
func (d *Dataset) ACSTable(l ACSLevel, year int, name string) *ACSTable {
	d.file.Need(SectionSurvey)
	i, ok := slices.BinarySearchFunc(d.acsTables, ACSTable{Level: l, Year: year, Name: name}, compareACSTables)
	if !ok {
		return nil
	}
	return &d.acsTables[i]
}

// ACSArea returns the position of an area within its level. Areas that lie
// near each other have positions near each other, in every table. It is false
// for an area that no table of the dataset holds.
func (d *Dataset) ACSArea(l ACSLevel, geoid uint64) (position uint32, ok bool) {
	d.file.Need(SectionSurvey)
	if l == 0 || l > numACSLevels {
		return 0, false
	}
	return findACSArea(d.acsAreas[l-1], geoid)
}

// ACSGEOIDs returns the areas of a level by their positions, in a slice of the
// caller's.
func (d *Dataset) ACSGEOIDs(l ACSLevel) []uint64 {
	d.file.Need(SectionSurvey)
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
	if err := cmp.Or(d.file.Usable(), ctx.Err()); err != nil {
		return err
	}
	return d.readACSRows(ctx, t, positions, true, f)
}

// readACSRows is ACSRows. Without keep it does not cache the pages.
func (d *Dataset) readACSRows(ctx context.Context, t *ACSTable, positions []uint32, keep bool, f func(i int, r *ACSRow) error) error {
	next := 0
	for next < len(positions) {
		at, found := slices.BinarySearchFunc(t.pages, positions[next], func(p acsPage, first uint32) int {
			return cmp.Compare(p.first, first)
		})
		if !found {
			at--
		}
		if at < 0 {
			next++
			continue
		}
		to := next + 1
		for to < len(positions) && (at+1 == len(t.pages) || positions[to] < t.pages[at+1].first) {
			to++
		}
		page := t.pages[at]
		payload, err := d.acsPayload(ctx, page.id, keep)
		if err != nil {
			return err
		}
		if err := t.eachRow(payload, page.first, positions[next:to], next, f); err != nil {
			return d.acsDamage(int64(page.id), err)
		}
		next = to
	}
	return nil
}

// acsDamage returns the error of a damaged page, unless the caller's function
// ended the reading.
func (d *Dataset) acsDamage(id int64, err error) error {
	if isCodecError(err) {
		return d.file.DamagedRow(acsRows, id, err)
	}
	return err
}
