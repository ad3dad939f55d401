package source

import (
	"cmp"
	"errors"
	"fmt"
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

// An ACSProfile is a table of a profile: one year at one level. It has one of three
// layouts: "-Data.csv" files of data.census.gov, "with_ann" files of the former American
// FactFinder, and the JSON arrays of the Census Bureau's interface.
//
// The three differ in the names of columns, in the row of labels, and in how an area is
// named. OpenACSProfile turns the head of each into the same thing: for each column of
// the file, the field of the profile and the measure (columns). After that, rows of all
// layouts are read alike.
//
// A wrong file must never pass, because numbers of columns move from year to year:
// DP05_0077E may be another count in the file of the next year. The head is therefore
// compared in four ways. The year is in the file's name. The columns must be exactly
// those of the list for that year. Labels must fit, if there are any. In each row the
// parts must add up to their totals (checkSums).
type ACSProfile struct {
	file    format.File
	name    string // of the file and its member
	labels  bool   // the first row has the labels of the columns
	area    []int  // columns that make the GEO_ID
	prefix  string // of a GEO_ID that is made of codes
	table   store.ACSTable
	profile acs.Profile
	fields  []*acs.Field
	sums    [][]int // columns that add up: each total with its parts after it
	columns []acsColumn
}

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

// ACSFile returns the file that holds a table: a plain or gzip file, or the member of a
// zip as downloaded, with notes next to the table.
func ACSFile(name string) format.File {
	members := format.File{Path: name}.Members(".csv", ".json")
	for _, end := range []string{"-Data.csv", "with_ann.csv", ".csv"} {
		for _, m := range members {
			if strings.HasSuffix(m, end) {
				return format.File{Path: name, Member: m}
			}
		}
	}
	return format.File{Path: name}
}

// IsACSProfile reports whether a file begins like a table of a profile, in any of its
// layouts.
func IsACSProfile(f format.File) (bool, error) {
	text, err := f.Begins()
	return slices.ContainsFunc([]string{"[", `"GEO_ID"`, "GEO_ID,", "GEO.id,", `"GEO.id"`}, func(s string) bool { return strings.HasPrefix(text, s) }), err
}

// acsOptions allow quotes within quoted labels, which the Census Bureau does not double.
var acsOptions = format.Options{Delimiter: ',', LooseQuotes: true}

// OpenACSProfile reads the head of a table and compares it with the list of
// fields. It compares the year in the file's name, the columns, and any labels.
// A table outside the profiles is refused with an error that matches
// [format.ErrColumns], as is one with the head of another year.
func OpenACSProfile(f format.File) (*ACSProfile, error) {
	p := &ACSProfile{file: f, name: f.Path}
	if f.Member != "" {
		p.name += ":" + f.Member
	}
	var others error // rows of other areas
	for row, err := range f.Rows(acsOptions) {
		if err != nil {
			return nil, err
		}
		if p.columns == nil {
			if err := p.readHead(row); err != nil {
				return nil, err
			}
			if p.labels {
				continue
			}
		}
		// The first row of a ZCTA or tract decides the level.
		level, _, err := p.areaOf(row)
		if errors.Is(err, format.ErrOther) {
			others = cmp.Or(others, err)
			continue
		}
		p.table, _, p.sums = surveyLayout(level, p.profile, p.table.Year)
		return p, err
	}
	if others == nil {
		others = &format.Error{File: p.name, Line: 2, Reason: "no rows below the head", Err: format.ErrTruncated}
	}
	return nil, others
}

// acsGEOID matches the start of a GEO_ID of any summary level, such as
// 860Z200US90210.
var acsGEOID = regexp.MustCompile(`^\d{3}\w{4}US`)

// readHead finds the columns by the header and the first row, which has labels unless it
// has an area.
func (p *ACSProfile) readHead(first format.Row) (err error) {
	if p.table.Year, err = acsYear(p.name); err != nil {
		return err
	}
	header := first.Header()
	zctas := "860Z200US"
	if p.table.Year <= lastOldZCTAs {
		zctas = "8600000US"
	}
	for _, of := range [...]struct {
		columns []string
		prefix  string
	}{{[]string{"GEO_ID"}, ""}, {[]string{"GEO.id"}, ""}, {[]string{"zip code tabulation area"}, zctas}, {[]string{"state", "county", "tract"}, "1400000US"}} {
		p.area, p.prefix = nil, of.prefix
		for _, name := range of.columns {
			if at := slices.Index(header, name); at >= 0 {
				p.area = append(p.area, at)
			}
		}
		if len(p.area) == len(of.columns) {
			break
		}
		p.area = nil
	}
	if p.area == nil {
		return p.refuse("", "no column GEO_ID, GEO.id, zip code tabulation area or tract: it is not a table of a data profile of ZCTAs or census tracts")
	}
	var labels []string
	factFinder := header[p.area[0]] == "GEO.id"
	if p.labels = factFinder || p.prefix == "" && !acsGEOID.MatchString(p.geoid(first)); p.labels {
		labels = first.Fields()
	}
	if factFinder {
		header = factFinderNames(header)
	}
	return p.match(header, labels)
}

// geoid returns the GEO_ID of a row.
func (p *ACSProfile) geoid(r format.Row) string {
	id := p.prefix
	for _, i := range p.area {
		id += r.Fields()[i]
	}
	return id
}

var factFinderID = regexp.MustCompile(`^HC0([1-4])_VC(\d+)$`)

// factFinderNames returns the names for identifiers such as HC01_VC03. Their second
// numbers count lines on the screen, including headings; in order they are the columns of
// the table. HC01 to HC04 are the measures, in the order of acsMeasures.
func factFinderNames(header []string) []string {
	var lines []int
	of := func(id string) (measure, line int) {
		if m := factFinderID.FindStringSubmatch(id); m != nil {
			measure, _ = strconv.Atoi(m[1])
			line, _ = strconv.Atoi(m[2])
		}
		return measure, line
	}
	for _, id := range header {
		if m, line := of(id); m > 0 {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	names := make([]string, len(header))
	for i, id := range header {
		if m, line := of(id); m > 0 {
			at, _ := slices.BinarySearch(lines, line)
			names[i] = fmt.Sprintf("_%04d%s", at+1, acsMeasures[m-1])
		}
	}
	return names
}

// Table returns level, year, name and columns of the table.
func (p *ACSProfile) Table() store.ACSTable { return p.table }

var (
	acsColumnName = regexp.MustCompile(`^(DP0\d|)_(\d{4})(E|M|PE|PM)(A?)$`)
	acsTableName  = regexp.MustCompile(`(?i)DP0[2-5]`)
)

// match finds the profile, by the first column that names one, else by the file's name,
// and gives every column of the head its place.
func (p *ACSProfile) match(header, labels []string) error {
	name := strings.ToUpper(acsTableName.FindString(path.Base(p.name)))
	for _, id := range header {
		if m := acsColumnName.FindStringSubmatch(id); len(m) > 1 && m[1] != "" {
			name = m[1]
			break
		}
	}
	var err error
	tried := 0
	for _, profile := range acs.AllProfiles() {
		if name == "" || profile.Table() == name {
			if tried, err = tried+1, p.matchProfile(profile, header, labels); err == nil {
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

func (p *ACSProfile) matchProfile(profile acs.Profile, header, labels []string) error {
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
	p.columns = make([]acsColumn, len(header))
	for i, name := range header {
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
		case !c.note && labels != nil:
			if why := checkLabel(fields[c.at], labels[i], year); why != "" {
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
	line := 1
	if p.labels {
		line = 2
	}
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

// lastOldZCTAs is the last year whose tables name ZCTAs without their vintage. Tables to
// 2019 have the ZCTAs of 2010, and later ones those of 2020 (Z2).
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

// areaOf returns the level and the code of a row's area. A row of another level, such as
// the nation, is passed over ([format.ErrOther]): tables are downloaded with more areas
// than needed. A ZCTA named as in other years ends the file.
func (p *ACSProfile) areaOf(r format.Row) (store.ACSLevel, uint64, error) {
	geoid, cause := p.geoid(r), format.ErrOther
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
	return 0, 0, &format.Error{File: p.name, Line: r.Number, Column: "GEO_ID", Reason: reason, Err: cause}
}
