package file

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"reflect"
	"slices"

	"github.com/postgeo/postgeo/internal/enum"
)

// A Kind is a kind of row in a comparison of two datasets, e.g. "ZIP".
type Kind string

// String returns the kind as text.
func (k Kind) String() string { return string(k) }

// An Op is an operation that leads from one dataset to the other.
type Op uint8

// The operations.
const (
	Added Op = iota + 1
	Removed
	Changed
)

var opNames = enum.Names[Op]{Added: "added", Removed: "removed", Changed: "changed"}

// String returns "added", "removed" or "changed".
func (o Op) String() string { return opNames.Shown("Op", o) }

// MarshalText returns String.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A Change is one difference between two datasets.
type Change struct {
	Kind   Kind     `json:"kind"`
	Code   string   `json:"code"` // e.g. "90210", "K1A", "K1A 0B1", "90210-1001", "US-CA", "06037"
	Op     Op       `json:"op"`
	Fields []string `json:"fields,omitempty"` // of a changed row, named as in the row types of this package
}

// A Comparison reports the changes that lead from one file to another.
type Comparison struct {
	Yield func(Change, error) bool
	Err   error // ends the Comparison
}

// Fail ends the Comparison with an error. It does nothing without one.
func (c *Comparison) Fail(err error) bool {
	c.Err = err
	return err == nil
}

// Changed reports a row that differs between the files.
func (c *Comparison) Changed(kind Kind, code string, fields ...string) bool {
	return c.Yield(Change{Kind: kind, Code: code, Op: Changed, Fields: fields}, nil)
}

// Merge walks two lists of rows in ascending order of their keys. Function
// fields returns the names of the fields that differ between two rows with the
// same key. The result is false when the Comparison is over.
func Merge[R any, K cmp.Ordered](
	ctx context.Context, c *Comparison, kind Kind, a, b iter.Seq[R],
	key func(R) K, code func(R) string, fields func(x, y R) ([]string, error),
) bool {
	nextA, stopA := iter.Pull(a)
	defer stopA()
	nextB, stopB := iter.Pull(b)
	defer stopB()
	x, okX := nextA()
	y, okY := nextB()
	for n := 0; okX || okY; n++ {
		if n%1000 == 0 && ctx.Err() != nil {
			return c.Fail(ctx.Err())
		}
		switch {
		case !okY || okX && key(x) < key(y):
			if !c.Yield(Change{Kind: kind, Code: code(x), Op: Removed}, nil) {
				return false
			}
			x, okX = nextA()
		case !okX || key(y) < key(x):
			if !c.Yield(Change{Kind: kind, Code: code(y), Op: Added}, nil) {
				return false
			}
			y, okY = nextB()
		default:
			list, err := fields(x, y)
			if err != nil {
				return c.Fail(err)
			}
			if len(list) > 0 && !c.Changed(kind, code(x), list...) {
				return false
			}
			x, okX = nextA()
			y, okY = nextB()
		}
	}
	return true
}

// ChangedFields compares two structs of one type field by field. Fields with
// the tag `diff:"-"` are left out: identifiers differ in every dataset.
func ChangedFields[R any](x, y *R) []string {
	v, w := reflect.ValueOf(x).Elem(), reflect.ValueOf(y).Elem()
	var list []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("diff") != "-" && !reflect.DeepEqual(v.Field(i).Interface(), w.Field(i).Interface()) {
			list = append(list, f.Name)
		}
	}
	return list
}

// AddIf appends a field that differs.
func AddIf(list []string, field string, differs bool) []string {
	if differs {
		return append(list, field)
	}
	return list
}

// SortedBy yields a small table in the order of the codes, which are unique
// within it or keep their order.
func SortedBy[R any](rows []R, code func(*R) string) iter.Seq[*R] {
	list := make([]*R, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	slices.SortStableFunc(list, func(x, y *R) int { return cmp.Compare(code(x), code(y)) })
	return slices.Values(list)
}

// SameRow reports whether two files hold the same bytes in a row.
func SameRow(ctx context.Context, a, b *File, table *RowKind, id int64) (bool, error) {
	p, err := a.Row(ctx, table, id)
	if err != nil {
		return false, err
	}
	q, err := b.Row(ctx, table, id)
	return err == nil && bytes.Equal(p, q), err
}
