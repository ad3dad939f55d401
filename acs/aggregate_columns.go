package acs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/postgeo/postgeo/dataset"
)

// foreign returns, by profile, the fields that weigh those of other profiles,
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

// unknownCount stands for a count that is not published.
const unknownCount = math.MinInt32

// weightColumns are the counts of one table that weigh fields of other
// profiles. They are read when the first aggregate needs them, for all areas,
// and kept: some ten columns a year in all, about 1.4 MB for 33,800 areas.
type weightColumns struct {
	mu      sync.Mutex
	read    bool
	columns [][]int32 // by the order of the fields, then by position
}

// weightColumn returns the counts by position of a field that weighs fields of
// other profiles; nil where the table has no such column. They must not be
// changed.
func (r *Reader) weightColumn(ctx context.Context, t *table, field int16) ([]int32, error) {
	fields := r.foreign[t.profile]
	i, ok := slices.BinarySearch(fields, field)
	if !ok {
		return nil, nil
	}
	w := &t.weights
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.read {
		columns, err := r.readColumns(ctx, t, fields)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.ACSTable, err)
		}
		w.columns, w.read = columns, true
	}
	return w.columns[i], nil
}

// readColumns reads whole columns of a table.
func (r *Reader) readColumns(ctx context.Context, t *table, fields []int16) ([][]int32, error) {
	columns := make([][]int32, len(fields))
	at := make([]int, len(fields)) // in the table
	positions := make([]uint32, r.data.ACSAreas(t.Level))
	for i := range positions {
		positions[i] = uint32(i)
	}
	for i, field := range fields {
		if at[i] = t.column(field); at[i] >= 0 {
			columns[i] = slices.Repeat([]int32{unknownCount}, len(positions))
		}
	}
	figures := make([]dataset.ACSFigure, len(t.Columns))
	return columns, r.data.ACSRows(ctx, t.ACSTable, positions, func(position int, row *dataset.ACSRow) error {
		if err := row.Figures(figures); err != nil {
			return err
		}
		for i, c := range at {
			if c >= 0 && figures[c].Mark.IsNumber() {
				columns[i][position] = figures[c].N
			}
		}
		return nil
	})
}

// column returns which column of the table has a field of its profile; -1
// where none does.
func (t *table) column(field int16) int {
	return slices.Index(t.metric, field-int16(profileStarts[t.profile-1]))
}
