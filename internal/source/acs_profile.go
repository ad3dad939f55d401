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
	*acsTable
	table   store.ACSTable
	profile acs.Profile
	fields  []*acs.Field
	sums    [][]int // columns that add up: each total with its parts after it
	columns []acsColumn
	others  []error // rows of other areas before first
}

// ErrOtherArea is matched by the error for a row of another kind of area than
// the table's. The rows after it can be read.
var ErrOtherArea = fmt.Errorf("area of another kind: %w", format.ErrColumns)

// An acsColumn is the meaning of a field of a record: a measure of a field of the
// profile.
type acsColumn struct {
	at      int  // of the field; negative for anything else
	measure int  // of acsMeasures
	note    bool // the field is the measure's annotation
}

// acsMeasures are the ends of the names of a field's columns: estimate, margin of error,
// percentage and its margin of error.
var acsMeasures = [...]string{"E", "M", "PE", "PM"}

// acsPercent is the first measure that is a percentage.
const acsPercent = 2

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
	t, err := newACSTable(in)
	if err != nil {
		return nil, err
	}
	p := &ACSProfile{acsTable: t}
	if p.table.Year, err = acsYear(p.name); err != nil {
		return nil, err
	}
	if err := p.match(); err != nil {
		return nil, err
	}
	// The first record of a ZCTA or tract decides the level.
	var level store.ACSLevel
	for level == 0 {
		r, err := p.next()
		if errors.Is(err, io.EOF) {
			if len(p.others) > 0 {
				return nil, p.others[0]
			}
			return nil, &format.Error{File: p.name, Line: 2, Reason: "no rows below the head", Err: format.ErrTruncated}
		}
		if err == nil {
			p.first = &r
			level, _, err = p.area(r)
		}
		if errors.Is(err, ErrOtherArea) {
			p.others, p.first = append(p.others, err), nil
		} else if err != nil {
			return nil, err
		}
	}
	p.table, _, p.sums = surveyLayout(level, p.profile, p.table.Year)
	return p, nil
}

// Table returns level, year, name and columns of the table.
func (p *ACSProfile) Table() store.ACSTable { return p.table }

var (
	acsColumnName = regexp.MustCompile(`^(DP0\d|)_(\d{4})(E|M|PE|PM)(A?)$`)
	acsTableName  = regexp.MustCompile(`(?i)DP0[2-5]`)
)

// match finds the profile, by the first column that names one, else by the file's name,
// and gives every column of the head its place.
func (p *ACSProfile) match() error {
	name := strings.ToUpper(acsTableName.FindString(path.Base(p.name)))
	for _, id := range p.header {
		if m := acsColumnName.FindStringSubmatch(id); len(m) > 1 && m[1] != "" {
			name = m[1]
			break
		}
	}
	var err error
	tried := 0
	for _, profile := range acs.AllProfiles() {
		if name == "" || profile.Table() == name {
			if tried, err = tried+1, p.matchProfile(profile); err == nil {
				return nil
			}
		}
	}
	switch tried {
	case 0:
		return p.refuse("", "table %s; expected DP02, DP03, DP04 or DP05", name)
	case 1:
		return err
	default:
		return p.refuse("", "the head fits no profile of %d, of DP02 to DP05; put the table's name into the file's", p.table.Year)
	}
}

func (p *ACSProfile) matchProfile(profile acs.Profile) error {
	year := p.table.Year
	_, fields, _ := surveyLayout(0, profile, year)
	if len(fields) == 0 {
		return p.refuse("", "the list of fields has no table of %d; expected %d to %d", year, acs.FirstYear, acs.LastYear)
	}
	at := map[int]int{}
	for i, f := range fields {
		at[int(f.Number(year))] = i
	}
	seen := make([][len(acsMeasures)]bool, len(fields))
	p.columns = make([]acsColumn, len(p.header))
	for i, name := range p.header {
		p.columns[i].at = -1
		m := acsColumnName.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		number, _ := strconv.Atoi(m[2])
		c := acsColumn{measure: slices.Index(acsMeasures[:], m[3]), note: m[4] != ""}
		id := fmt.Sprintf("%s_%04d", profile.Table(), number)
		var known bool
		c.at, known = at[number]
		switch {
		case m[1] != "" && m[1] != profile.Table():
			return p.refuse(id, "a column of %s in a table of %s", m[1], profile.Table())
		case !known:
			return p.refuse(id, "%s of %d has no such column; is the file one of another year?", profile.Table(), year)
		case !c.note && seen[c.at][c.measure]:
			return p.refuse(id, "the column is duplicated")
		case !c.note && p.labels != nil:
			if why := checkLabel(fields[c.at], p.labels[i], year); why != "" {
				return p.refuse(id, "%s", why)
			}
		}
		seen[c.at][c.measure] = seen[c.at][c.measure] || !c.note
		p.columns[i] = c
	}
	for k := range seen {
		for m, ok := range seen[k] {
			if !ok {
				id := fmt.Sprintf("%s_%04d%s", profile.Table(), fields[k].Number(year), acsMeasures[m])
				return p.refuse(id, "the column is missing: the file is incomplete, or one of another year than %d", year)
			}
		}
	}
	p.profile, p.fields = profile, fields
	return nil
}

func (p *ACSProfile) refuse(column, reason string, args ...any) error {
	return &format.Error{File: p.name, Line: p.line, Column: column, Reason: fmt.Sprintf(reason, args...), Err: format.ErrColumns}
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

// lastOldZCTAs is the last year whose tables name ZCTAs without their vintage.
const lastOldZCTAs = 2019

var acsAreas = [...]struct {
	prefix   string
	level    store.ACSLevel
	digits   int
	from, to int // years
}{
	{"8600000US", store.ACSZCTA, 5, 0, lastOldZCTAs},
	{"860Z200US", store.ACSZCTA, 5, lastOldZCTAs + 1, 9999},
	{"1400000US", store.ACSTract, 11, 0, 9999},
}

// area returns the level and the code of a record's area.
func (p *ACSProfile) area(r acsRecord) (store.ACSLevel, uint64, error) {
	geoid, cause := r.fields[p.geoid], ErrOtherArea
	reason := fmt.Sprintf("%q is neither a ZCTA nor a census tract; download the table for one of these geographies", geoid)
	for _, of := range acsAreas {
		code, ok := strings.CutPrefix(geoid, of.prefix)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(code, 10, 64)
		switch cause = format.ErrColumns; {
		case p.table.Year < of.from || p.table.Year > of.to:
			reason = fmt.Sprintf("%q is not how tables of %d name ZCTAs; the file is one of another year", geoid, p.table.Year)
		case len(code) == of.digits && err == nil:
			return of.level, n, nil
		}
	}
	return 0, 0, &format.Error{File: p.name, Line: r.line, Column: "GEO_ID", Reason: reason, Err: cause}
}
