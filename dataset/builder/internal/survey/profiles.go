// Package survey reads tables of the American Community Survey.
package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// Tables are the data profiles of the American Community Survey that the user
// supplied.
type Tables struct{ list []table }

// A table is a profile with the sources that hold parts of it.
type table struct {
	store.ACSTable
	ids []string
}

// Read reads the heads of the tables, so that a wrong file ends the build before the
// long part of it.
func (t *Tables) Read(ctx context.Context, e *plan.Env, _ *draft.Draft) error {
	for _, id := range e.Files(catalog.ACS) {
		in, profile, err := open(e, id)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		if in == nil {
			e.Applied("files of --acs that are not tables of data profiles, left alone", e.FileName(id))
			continue
		}
		of := profile.Table()
		if err := in.Close(); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		at := slices.IndexFunc(t.list, func(have table) bool { return have.String() == of.String() })
		if at < 0 {
			at = len(t.list)
			t.list = append(t.list, table{ACSTable: of})
		}
		t.list[at].ids = append(t.list[at].ids, id)
		e.Describe(id, "American Community Survey, "+of.Name+", "+of.Level.String()+" table", strconv.Itoa(of.Year))
	}
	slices.SortFunc(t.list, func(a, b table) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Year, b.Year))
	})
	return ctx.Err()
}

// open opens a source; the input is nil if it is not a table of a profile.
func open(e *plan.Env, id string) (*format.Input, *source.ACSProfile, error) {
	in, err := source.OpenACSTable(e.File(id).Path)
	if err != nil {
		return nil, nil, err
	}
	if !source.IsACSProfile(in) {
		return nil, nil, in.Close()
	}
	profile, err := source.OpenACSProfile(in)
	if err != nil {
		return nil, nil, errors.Join(err, in.Close())
	}
	return in, profile, nil
}

// Write copies the tables into the dataset.
func (t *Tables) Write(ctx context.Context, e *plan.Env, d *draft.Draft) error {
	for i := range t.list {
		of := &t.list[i]
		id, err := d.Output.AddACSTable(of.ACSTable)
		if err != nil {
			return err
		}
		seen := map[uint64]bool{}
		for _, src := range of.ids {
			if err := copyRows(ctx, e, d.Output, id, src, seen); err != nil {
				return fmt.Errorf("%s: %w", src, err)
			}
		}
		e.Table(of.String(), len(seen))
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
func copyRows(ctx context.Context, e *plan.Env, w *store.Writer, id store.ACSTableID, src string, seen map[uint64]bool) error {
	in, profile, err := open(e, src)
	if err != nil {
		return err
	}
	defer in.Close()
	n, refused := int64(0), int64(0)
	defer func() { e.CountRows(src, n) }()
	for row, err := range profile.Rows() {
		switch n++; {
		case n%256 == 0 && ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, source.ErrOtherArea):
			n--
			e.Applied("rows of other areas in tables of the survey, passed over", err.Error())
			continue
		case errors.Is(err, format.ErrValue):
			refused++
			e.Refuse(src, "parts that do not add up to their total", err.Error())
			continue
		case err != nil:
			return err
		case seen[row.GEOID]:
			e.Applied("areas that several parts of a table hold, taken once", e.At(src, row.Line)+strconv.FormatUint(row.GEOID, 10))
			continue
		}
		seen[row.GEOID] = true
		for _, f := range row.Faults {
			e.Drop(src, f.Reason, e.At(src, row.Line)+f.Given)
		}
		if err := w.AddACSRow(id, row.GEOID, row.Cells); err != nil {
			return fmt.Errorf("%s%w", e.At(src, row.Line), err)
		}
	}
	if refused >= refusedRows && refused*refusedPart > n || refused == n {
		return fmt.Errorf("%d of %d rows do not add up; the file is damaged", refused, n)
	}
	return nil
}
