package plan

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/source/format"
)

// Read calls take with every row of a source. It does nothing if the build does not have
// the source. It counts the rows that the reader refuses and those that take refuses with
// [Refused].
func Read[R any](ctx context.Context, e *Env, id string, rows func(format.File) iter.Seq2[R, error], take func(R) error) error {
	if !e.Has(id) {
		return nil
	}
	const contextRows = 4096 // rows between two checks of the context
	n := int64(0)
	defer func() { e.CountRows(id, n) }()
	for row, err := range ahead(rows(e.Text(id))) {
		if n++; n%contextRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && e.build.Filter != nil {
			kept, ok := e.build.Filter(id, row)
			if !ok {
				continue
			}
			row = kept.(R)
		}
		if err == nil {
			err = take(row)
		}
		var refused *refusal
		switch {
		case err == nil, e.RefuseBad(id, err):
		case errors.As(err, &refused):
			e.Refuse(id, refused.reason, e.At(id, refused.line)+refused.given)
		default:
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return e.enough(id, e.CountRows(id, n))
}

// RefuseBad counts a row that its reader could not parse and reports whether
// err means that.
func (e *Env) RefuseBad(id string, err error) bool {
	bad := (*format.Error)(nil)
	ok := errors.Is(err, format.ErrValue) && errors.As(err, &bad)
	if ok {
		e.Refuse(id, "bad "+bad.Column, bad.Error())
	}
	return ok
}

// refusal is the reason for not using a readable row.
type refusal struct {
	reason string // the same words for all such rows
	line   int    // line or record in the file
	given  string
}

// Refused returns the error that refuses a row: the reason, the row's line or
// record, and the value.
func Refused(reason string, line int, given string) error { return &refusal{reason, line, given} }

func (r *refusal) Error() string { return r.reason + ": " + r.given }

// leastRows is the part of the expected rows below which a file counts as cut
// short. Editions of a file differ by a few percent.
const leastRows = 0.8

// enough returns an error for a source without rows, and for one with far fewer
// rows than its mirror or else the catalog expects. A file that the user named
// may be a part of the published one, but not empty.
func (e *Env) enough(id string, rows int64) error {
	f := e.File(id)
	expected := f.Source.Rows
	switch {
	case f.Empty:
		return nil
	case rows == 0 && (expected > 0 || !f.Source.Optional):
	case f.Origin == fetch.Local, float64(rows) >= leastRows*float64(expected):
		return nil
	}
	return fmt.Errorf("%s: %s: %d rows, expected about %d; the file is empty or cut short: get it again, or correct its rows in the mirror's ACTUAL.csv",
		id, f.Path, rows, expected)
}
