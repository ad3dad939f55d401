package source

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// An ACSProfileRow is the row of one area of a profile's table.
type ACSProfileRow struct {
	GEOID uint64
	// Cells has one for each column of the table. It is the reader's and
	// holds until the next row.
	Cells []store.ACSCell
	// Faults are figures that were not taken; the cells have ACSFiltered in
	// their place.
	Faults []ACSFault
	Line   int
}

// An ACSFault is a figure that was not taken.
type ACSFault struct {
	Reason string // the same words for all such figures
	Given  string
}

// An ACSProfile is an open table of a profile: one year at one level. It reads
// three layouts: "-Data.csv" files of data.census.gov, "with_ann" files of the
// former American FactFinder, and the JSON arrays of the Census Bureau's interface.
type ACSProfile struct {
	name    string
	table   store.ACSTable
	profile acs.Profile
	fields  []*acs.Field
	sums    [][]int // columns that add up: each total with its parts after it
	records acsRecords
	columns []acsColumn // by field of a record
	first   *acsRecord
	others  []error // rows of other areas before first
}

// ErrOtherArea is matched by the error for a row of another kind of area than
// the table's. The rows after it can be read.
var ErrOtherArea = fmt.Errorf("area of another kind: %w", format.ErrColumns)

// acsRecords are the records of a layout.
type acsRecords interface {
	// next returns the next record, which holds until the call after; io.EOF
	// after the last.
	next() (*acsRecord, error)
}

type acsRecord struct {
	geoid  string // GEO_ID
	fields []string
	line   int
}

// An acsColumn is the meaning of a field of a record: a measure of a column of
// the table. at is negative for anything else.
type acsColumn struct {
	at      int
	measure acsMeasure
	note    bool // the field is the measure's annotation
}

type acsMeasure uint8

const (
	acsEstimate acsMeasure = iota
	acsMOE
	acsPercent
	acsPercentMOE
	numACSMeasures
)

// The list of fields, of package acs.
var (
	surveyLayout = door.Take[func(store.ACSLevel, acs.Profile, int) (store.ACSTable, []*acs.Field, [][]int)]()
	checkLabel   = door.Take[func(f *acs.Field, label string, year int) string]()
)

// OpenACSProfile reads the head of a table and compares it with the list of
// fields. It compares the year in the file's name, the columns, and any labels.
// A table outside the profiles is refused with an error that matches
// [format.ErrColumns], as is one with the head of another year.
func OpenACSProfile(in *format.Input) (*ACSProfile, error) {
	p := &ACSProfile{name: in.Name()}
	head, records, err := openACSRecords(in)
	if err != nil {
		return nil, err
	}
	p.records = records
	if p.table.Year, err = acsYear(p.name); err != nil {
		return nil, err
	}
	if err := p.match(head); err != nil {
		return nil, err
	}
	// The first record of a ZCTA or tract decides the level.
	var level store.ACSLevel
	for level == 0 {
		if p.first, err = p.records.next(); errors.Is(err, io.EOF) {
			if len(p.others) > 0 {
				return nil, p.others[0]
			}
			return nil, &format.Error{File: p.name, Line: 2, Reason: "no rows below the head", Err: format.ErrTruncated}
		}
		if err == nil {
			level, _, err = p.area(p.first)
		}
		if errors.Is(err, ErrOtherArea) {
			p.others, err = append(p.others, err), nil
		}
		if err != nil {
			return nil, err
		}
	}
	p.table, _, p.sums = surveyLayout(level, p.profile, p.table.Year)
	return p, nil
}

// Table returns level, year, name and columns of the table.
func (p *ACSProfile) Table() store.ACSTable { return p.table }

// An acsHead describes the columns of a layout.
type acsHead struct {
	line    int
	columns []acsHeadColumn
}

type acsHeadColumn struct {
	table   string // "DP05", or "" if the layout lacks it
	number  int    // 0: the field is not a column of a table
	measure acsMeasure
	note    bool
	label   string // "" if the layout has none
}

// match finds the profile and gives every column of the head its place.
func (p *ACSProfile) match(head *acsHead) error {
	var tables []string
	for _, c := range head.columns {
		if c.number > 0 && c.table != "" {
			tables = append(tables, c.table)
			break
		}
	}
	if tables == nil {
		if t := acsTableName.FindString(path.Base(p.name)); t != "" {
			tables = append(tables, strings.ToUpper(t))
		} else {
			tables = []string{"DP02", "DP03", "DP04", "DP05"}
		}
	}
	var last error
	for _, t := range tables {
		all := acs.AllProfiles()
		i := slices.IndexFunc(all[:], func(p acs.Profile) bool { return p.Table() == t })
		if i < 0 {
			return p.refuse(head.line, "", "table %s; expected DP02, DP03, DP04 or DP05", t)
		}
		if last = p.matchProfile(head, all[i]); last == nil {
			return nil
		}
	}
	if len(tables) > 1 {
		return p.refuse(head.line, "", "the head fits no profile of %d, of DP02 to DP05; put the table's name into the file's", p.table.Year)
	}
	return last
}

var acsTableName = regexp.MustCompile(`(?i)DP0[2-5]`)

func (p *ACSProfile) matchProfile(head *acsHead, profile acs.Profile) error {
	year := p.table.Year
	_, fields, _ := surveyLayout(0, profile, year)
	if len(fields) == 0 {
		return p.refuse(head.line, "", "the list of fields has no table of %d; expected %d to %d", year, acs.FirstYear, acs.LastYear)
	}
	at := map[int]int{}
	for i, f := range fields {
		at[int(f.Number(year))] = i
	}
	seen := make([][numACSMeasures]bool, len(fields))
	p.columns = make([]acsColumn, len(head.columns))
	for i, c := range head.columns {
		p.columns[i].at = -1
		if c.number == 0 {
			continue
		}
		id := fmt.Sprintf("%s_%04d", profile.Table(), c.number)
		k, ok := at[c.number]
		switch {
		case c.table != "" && c.table != profile.Table():
			return p.refuse(head.line, id, "a column of %s in a table of %s", c.table, profile.Table())
		case !ok:
			return p.refuse(head.line, id, "%s of %d has no such column; is the file one of another year?", profile.Table(), year)
		case !c.note && seen[k][c.measure]:
			return p.refuse(head.line, id, "the column is duplicated")
		}
		if why := checkLabel(fields[k], c.label, year); why != "" && !c.note {
			return p.refuse(head.line, id, "%s", why)
		}
		if !c.note {
			seen[k][c.measure] = true
		}
		p.columns[i] = acsColumn{at: k, measure: c.measure, note: c.note}
	}
	for k := range seen {
		for m, ok := range seen[k] {
			if !ok {
				id := fmt.Sprintf("%s_%04d%s", profile.Table(), fields[k].Number(year), [...]string{"E", "M", "PE", "PM"}[m])
				return p.refuse(head.line, id, "the column is missing: the file is incomplete, or one of another year than %d", year)
			}
		}
	}
	p.profile, p.fields = profile, fields
	return nil
}

func (p *ACSProfile) refuse(line int, column, reason string, args ...any) error {
	return &format.Error{File: p.name, Line: line, Column: column, Reason: fmt.Sprintf(reason, args...), Err: format.ErrColumns}
}

var acsYears = []*regexp.Regexp{
	regexp.MustCompile(`(?i)ACSDP5Y(20\d\d)`),      // ACSDP5Y2022.DP05-Data.csv
	regexp.MustCompile(`(?i)ACS_(\d\d)_5YR`),       // ACS_15_5YR_DP05_with_ann.csv
	regexp.MustCompile(`(?:^|\D)(20\d\d)(?:\D|$)`), // 2015_NY_DP05.aff.csv.gz
}

// acsYear reads the year from a file's name, of a zip from the member's or
// else the zip's.
func acsYear(name string) (int, error) {
	zip, member, _ := strings.Cut(name, ".zip:")
	for _, text := range []string{path.Base(member), path.Base(strings.ReplaceAll(zip, `\`, "/"))} {
		for _, pattern := range acsYears {
			if m := pattern.FindStringSubmatch(text); m != nil {
				y, _ := strconv.Atoi(m[1])
				if y < 100 {
					y += 2000
				}
				return y, nil
			}
		}
	}
	return 0, &format.Error{File: name, Reason: "the name has no year; name the file as it was downloaded, for example ACSDP5Y2022.DP05-Data.csv", Err: format.ErrColumns}
}

func (p *ACSProfile) area(r *acsRecord) (store.ACSLevel, uint64, error) {
	level, digits, want, geoid := store.ACSLevel(0), "", 0, r.geoid
	for _, form := range [...]struct {
		prefix string
		level  store.ACSLevel
		digits int
		from   int // first year
		to     int
	}{
		{"8600000US", store.ACSZCTA, 5, 0, 2019},
		{"860Z200US", store.ACSZCTA, 5, 2020, 9999},
		{"1400000US", store.ACSTract, 11, 0, 9999},
	} {
		code, ok := strings.CutPrefix(geoid, form.prefix)
		if !ok {
			continue
		}
		if p.table.Year < form.from || p.table.Year > form.to {
			return 0, 0, &format.Error{
				File: p.name, Line: r.line, Column: "GEO_ID", Err: format.ErrColumns,
				Reason: fmt.Sprintf("%q is not how tables of %d name ZCTAs; the file is one of another year", geoid, p.table.Year),
			}
		}
		level, digits, want = form.level, code, form.digits
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if level == 0 || len(digits) != want || err != nil {
		reason := ErrOtherArea
		if level != 0 {
			reason = format.ErrColumns // a ZCTA or tract with a bad code
		}
		return 0, 0, &format.Error{
			File: p.name, Line: r.line, Column: "GEO_ID", Err: reason,
			Reason: fmt.Sprintf("%q is neither a ZCTA nor a census tract; download the table for one of these geographies", geoid),
		}
	}
	return level, n, nil
}
