package draft

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// Data profiles are read twice. Heads are read at the start of the build, so that a table
// of a wrong year or with a missing column ends it at once. Rows are copied at the end and
// are never in memory together. A table of tracts comes in
// one file for each state, and the files of one year, level and profile are one table.

// A table is a profile with the sources that hold parts of it.
type table struct {
	store.ACSTable
	ids []string
}

// readSurvey reads the heads of the data profiles that the user supplied. Other files are
// left alone, because a folder from data.census.gov holds notes and metadata beside the
// tables.
func (d *Draft) readSurvey() {
	for _, id := range d.files(catalog.ACS) {
		file := source.ACSFile(d.source(id).Path)
		is, err := source.IsACSProfile(file)
		failed(id, err)
		if !is {
			d.applied("files of --acs that are not tables of data profiles, left alone", d.fileName(id))
			continue
		}
		profile, err := source.OpenACSProfile(file)
		failed(id, err)
		of := profile.Table()
		at := slices.IndexFunc(d.survey, func(have table) bool { return have.String() == of.String() })
		if at < 0 {
			at = len(d.survey)
			d.survey = append(d.survey, table{ACSTable: of})
		}
		d.survey[at].ids = append(d.survey[at].ids, id)
		d.describe(id, "American Community Survey, "+of.Name+", "+of.Level.String()+" table", strconv.Itoa(of.Year))
	}
	slices.SortFunc(d.survey, func(a, b table) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Year, b.Year))
	})
}

// writeSurvey copies the tables into the dataset.
func (d *Draft) writeSurvey() {
	for i := range d.survey {
		of := &d.survey[i]
		id, seen := must(d.Output.AddACSTable(of.ACSTable)), map[uint64]bool{}
		for _, src := range of.ids {
			d.copyRows(id, src, seen)
		}
		d.written(of.String(), len(seen))
	}
}

// copyRows takes the rows of one source. An area that another source of the table has too
// is taken once. A row is refused if its parts do not add up to their totals. A file with
// many rows that are refused is wrong as a whole: at least 10 of them, and more than one
// in 100, or all.
func (d *Draft) copyRows(id storewrite.ACSTableID, src string, seen map[uint64]bool) {
	const (
		refusedPart = 100
		refusedRows = 10
	)
	profile, err := source.OpenACSProfile(source.ACSFile(d.source(src).Path))
	failed(src, err)
	rows := func(format.File) iter.Seq2[source.ACSProfileRow, error] { return profile.Rows() }
	read(d, src, rows, func(row source.ACSProfileRow) error {
		if seen[row.GEOID] {
			d.applied("areas that several parts of a table hold, taken once", d.line(src, row.Line)+strconv.FormatUint(row.GEOID, 10))
			return nil
		}
		seen[row.GEOID] = true
		for _, f := range row.Faults {
			d.drop(src, f.Reason, d.line(src, row.Line)+f.Given)
		}
		if err := d.Output.AddACSRow(id, row.GEOID, row.Cells); err != nil {
			return fmt.Errorf("%s%w", d.line(src, row.Line), err)
		}
		return nil
	})
	if s := d.source(src); s.Refused >= refusedRows && s.Refused*refusedPart > s.Rows || s.Refused == s.Rows {
		failed(src, fmt.Errorf("%d of %d rows do not add up; the file is damaged", s.Refused, s.Rows))
	}
}
