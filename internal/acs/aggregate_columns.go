package acs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
)

// foreign returns, by profile, the fields that weight those of other profiles,
// in ascending order.
func (r *Registry) foreign(weights map[int16]weight) (list [Housing + 1][]int16) {
	for at := range r.fields {
		w := weights[int16(at)]
		w.needs(func(field int16) {
			p := r.fields[field].Profile
			if p != r.fields[at].Profile && !slices.Contains(list[p], field) {
				list[p] = append(list[p], field)
			}
		})
	}
	for _, fields := range list {
		slices.Sort(fields)
	}
	return list
}

// unknownCount marks a figure that is not published. It is below all figures.
const unknownCount = math.MinInt32

// borrow reads the figures that weight fields of other profiles, from a table
// that was not requested. There are about ten such columns a year. Their
// segments are small and are read whole, even for few parts.
func (y *sums) borrow(ctx context.Context, t *table, keep []kept) error {
	limit, _ := y.reader.data.ACSMemory()
	for i := range y.parts.runs {
		run := &y.parts.runs[i]
		positions := y.parts.positions[run.from:run.to]
		s, err := y.reader.data.ACSSegment(ctx, &t.weights, run.segment, limit > 0)
		switch {
		case err != nil:
		case s != nil:
			for _, k := range keep {
				at, _ := slices.BinarySearch(t.weights.Columns, k.column)
				s.Pick(at, positions, k.into[run.from:run.to])
			}
		default:
			err = y.borrowRows(ctx, t, positions, run.from, keep)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.ACSTable, err)
		}
	}
	return nil
}

// borrowRows reads parts of one segment row by row.
func (y *sums) borrowRows(ctx context.Context, t *table, positions []uint32, from int, keep []kept) error {
	row := y.room.rowOf(t)
	return y.reader.data.ACSRows(ctx, t.ACSTable, positions, func(i int, r *dataset.ACSRow) error {
		if err := r.Figures(row); err != nil {
			return err
		}
		for _, k := range keep {
			if f := row[k.column]; f.Mark.IsNumber() {
				k.into[from+i] = f.N
			}
		}
		return nil
	})
}

// column returns the column of a field of the table's profile, or -1.
func (t *table) column(field int16) int {
	return slices.Index(t.metric, field-int16(builtIn.start(t.profile)))
}
