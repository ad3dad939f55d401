package draft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A table is a profile with the sources that hold parts of it.
type table struct {
	store.ACSTable
	ids []string
}

// ReadSurvey reads the heads of the data profiles that the user supplied, so that a wrong file ends the build before the
// long part of it.
func (d *Draft) ReadSurvey(ctx context.Context) error {
	for _, id := range d.Files(catalog.ACS) {
		file := source.ACSFile(d.File(id).Path)
		is, err := source.IsACSProfile(file)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		if !is {
			d.Applied("files of --acs that are not tables of data profiles, left alone", d.FileName(id))
			continue
		}
		profile, err := source.OpenACSProfile(file)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		of := profile.Table()
		at := slices.IndexFunc(d.survey, func(have table) bool { return have.String() == of.String() })
		if at < 0 {
			at = len(d.survey)
			d.survey = append(d.survey, table{ACSTable: of})
		}
		d.survey[at].ids = append(d.survey[at].ids, id)
		d.Describe(id, "American Community Survey, "+of.Name+", "+of.Level.String()+" table", strconv.Itoa(of.Year))
	}
	slices.SortFunc(d.survey, func(a, b table) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Year, b.Year))
	})
	return ctx.Err()
}

// WriteSurvey copies the tables into the dataset.
func (d *Draft) WriteSurvey(ctx context.Context) error {
	for i := range d.survey {
		of := &d.survey[i]
		id, err := d.Output.AddACSTable(of.ACSTable)
		if err != nil {
			return err
		}
		seen := map[uint64]bool{}
		for _, src := range of.ids {
			if err := d.copyRows(ctx, id, src, seen); err != nil {
				return fmt.Errorf("%s: %w", src, err)
			}
		}
		d.Table(of.String(), len(seen))
	}
	return nil
}

// Of the rows of a table so few may be refused; a file with more is wrong as
// a whole.
const (
	refusedPart = 100 // one in so many
	refusedRows = 10  // and at least so many
)

// copyRows takes the rows of one source. An area that another source of the
// table has too is taken once.
func (d *Draft) copyRows(ctx context.Context, id store.ACSTableID, src string, seen map[uint64]bool) error {
	profile, err := source.OpenACSProfile(source.ACSFile(d.File(src).Path))
	if err != nil {
		return err
	}
	n, refused := int64(0), int64(0)
	defer func() { d.CountRows(src, n) }()
	for row, err := range profile.Rows() {
		switch n++; {
		case n%256 == 0 && ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, source.ErrOtherArea):
			n--
			d.Applied("rows of other areas in tables of the survey, passed over", err.Error())
			continue
		case errors.Is(err, format.ErrValue):
			refused++
			d.Refuse(src, "parts that do not add up to their total", err.Error())
			continue
		case err != nil:
			return err
		case seen[row.GEOID]:
			d.Applied("areas that several parts of a table hold, taken once", d.At(src, row.Line)+strconv.FormatUint(row.GEOID, 10))
			continue
		}
		seen[row.GEOID] = true
		for _, f := range row.Faults {
			d.Drop(src, f.Reason, d.At(src, row.Line)+f.Given)
		}
		if err := d.Output.AddACSRow(id, row.GEOID, row.Cells); err != nil {
			return fmt.Errorf("%s%w", d.At(src, row.Line), err)
		}
	}
	if refused >= refusedRows && refused*refusedPart > n || refused == n {
		return fmt.Errorf("%d of %d rows do not add up; the file is damaged", refused, n)
	}
	return nil
}
