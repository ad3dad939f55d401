package acs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

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

// unknownCount stands for a figure that is not published; no figure is that
// low.
const unknownCount = math.MinInt32

// weightColumns are the counts of one table that weigh fields of other
// profiles, some ten columns a year in all. They are read segment by segment
// when aggregates need them, and kept: at most 1.4 MB a year for 33,800 areas.
type weightColumns struct {
	mu       sync.Mutex
	segments []atomic.Pointer[[]int32] // by the order of the fields, then by area
}

// weighsOthers reports whether a table has a field that weighs fields of other
// profiles.
func (r *Reader) weighsOthers(t *table, field int16) bool {
	_, ok := slices.BinarySearch(r.foreign[t.profile], field)
	return ok && t.column(field) >= 0
}

// weightFigures fills in the counts by part of a field that weighs fields of
// other profiles.
func (r *Reader) weightFigures(ctx context.Context, t *table, field int16, parts *knownParts, into []int32) error {
	at, _ := slices.BinarySearch(r.foreign[t.profile], field)
	for k := range parts.runs {
		run := &parts.runs[k]
		counts, err := r.weightSegment(ctx, t, run.segment)
		if err != nil {
			return fmt.Errorf("%s: %w", t.ACSTable, err)
		}
		counts = counts[at*dataset.ACSSegmentAreas:][:dataset.ACSSegmentAreas]
		for i := run.from; i < run.to; i++ {
			into[i] = counts[parts.offset(i)]
		}
	}
	return nil
}

// weightSegment returns a segment of a table's weights, which must not be
// changed.
func (r *Reader) weightSegment(ctx context.Context, t *table, segment uint32) ([]int32, error) {
	w := &t.weights.segments[segment]
	if counts := w.Load(); counts != nil {
		return *counts, nil
	}
	t.weights.mu.Lock()
	defer t.weights.mu.Unlock()
	if counts := w.Load(); counts != nil {
		return *counts, nil
	}
	fields := r.foreign[t.profile]
	counts := slices.Repeat([]int32{unknownCount}, len(fields)*dataset.ACSSegmentAreas)
	first := segment * dataset.ACSSegmentAreas
	positions := make([]uint32, min(dataset.ACSSegmentAreas, r.data.ACSAreas(t.Level)-int(first)))
	for i := range positions {
		positions[i] = first + uint32(i)
	}
	row := make([]dataset.ACSFigure, len(t.Columns))
	err := r.data.ACSRows(ctx, t.ACSTable, positions, func(area int, r *dataset.ACSRow) error {
		if err := r.Figures(row); err != nil {
			return err
		}
		for i, field := range fields {
			if c := t.column(field); c >= 0 && row[c].Mark.IsNumber() {
				counts[i*dataset.ACSSegmentAreas+area] = row[c].N
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	w.Store(&counts)
	return counts, nil
}

// column returns which column of the table has a field of its profile; -1
// where none does.
func (t *table) column(field int16) int {
	return slices.Index(t.metric, field-int16(profileStarts[t.profile-1]))
}
