package store

import (
	"context"
	"iter"
	"slices"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

type (
	// Change is one row that differs between two datasets.
	Change = file.Change
	// FieldChange is a changed value.
	FieldChange = file.FieldChange
)

// Changes yields every row that differs, table by table, in ascending order of the keys.
// References are compared by their keys (a state by its letters, a time zone by its name),
// not by numbers of the file. An error ends it.
func Changes(ctx context.Context, a, b *Dataset) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		if err := file.Diff(ctx, a.File, b.File, func(c Change) bool { return yield(c, nil) }); err != nil {
			yield(Change{}, err)
		}
	}
}

// A Difference sums up the changes from one dataset to another.
type Difference struct {
	From   string            `json:"from"` // versions of the two datasets
	To     string            `json:"to"`
	Tables []TableDifference `json:"tables"` // those that differ
}

// A TableDifference sums up the changes of a table.
type TableDifference struct {
	Table    string       `json:"table"`
	Added    int64        `json:"added"`
	Removed  int64        `json:"removed"`
	Changed  int64        `json:"changed"`
	Fields   []FieldCount `json:"fields,omitempty"`   // how often a field changed, the most frequent first
	Examples []Change     `json:"examples,omitempty"` // the first of each operation, at most ExamplesPerOp
}

// ExamplesPerOp is the number of examples of each operation in a TableDifference.
const ExamplesPerOp = 20

// A FieldCount is the number of changed values of a field.
type FieldCount struct {
	Field string `json:"field"`
	Count int64  `json:"count"`
}

// Diff compares two datasets and counts what [Changes] yields.
func Diff(ctx context.Context, a, b *Dataset) (*Difference, error) {
	d := &Difference{From: a.Manifest().Version, To: b.Manifest().Version, Tables: []TableDifference{}}
	for c, err := range Changes(ctx, a, b) {
		if err != nil {
			return nil, err
		}
		if n := len(d.Tables); n == 0 || d.Tables[n-1].Table != c.Table {
			d.Tables = append(d.Tables, TableDifference{Table: c.Table})
		}
		t := &d.Tables[len(d.Tables)-1]
		count := map[string]*int64{file.Added: &t.Added, file.Removed: &t.Removed, file.Changed: &t.Changed}[c.Op]
		if *count++; *count <= ExamplesPerOp {
			t.Examples = append(t.Examples, c)
		}
		for _, f := range c.Fields {
			i := slices.IndexFunc(t.Fields, func(x FieldCount) bool { return x.Field == f.Field })
			if i < 0 {
				i, t.Fields = len(t.Fields), append(t.Fields, FieldCount{Field: f.Field})
			}
			t.Fields[i].Count++
		}
	}
	for _, t := range d.Tables {
		slices.SortStableFunc(t.Fields, func(x, y FieldCount) int { return int(y.Count - x.Count) })
	}
	return d, nil
}
