package table

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/lookup"
)

// Blocks of coordinates are long, so that there are near ones to look up together.
const (
	placeRows  = 1 << 15
	placeBytes = 2 << 20
)

// A spatial looks up the rows of a block in the order of their places. Outlines that
// one row has read are then in the cache of the processor for the next row.
type spatial struct {
	text    []byte
	ends    []int    // of the keys in text
	to      []string // places that rows measure to, nil if they do not
	order   []uint64
	results []result // by row
	cells   []byte   // of the results
}

// spatial reports whether the rows of the run are looked up in the order of their
// places.
func (r *run) spatial() bool {
	return r.keys.Kind == enrich.Coordinates && r.keys.Next == nil && !r.sink.keyed
}

// lengthen makes blocks of coordinates long, and reports whether it did. Rows of a
// stream or for a stream should not wait for so many others.
func (r *run) lengthen() bool {
	if !r.spatial() || r.src.file == nil || r.sink.path == "" {
		return false
	}
	switch s := r.src.source.(type) {
	case *csvSource:
		s.rows, s.bytes = placeRows, placeBytes
	case *jsonSource:
		s.rows, s.bytes = placeRows, placeBytes
	case *parquetSource:
		if s.keys != nil {
			s.keys.rows, s.keys.bytes = placeRows, placeBytes
		}
	}
	return true
}

// findAll finds the results of the rows of a task. It returns the number of rows
// before the first invalid one, and the error of that one.
func (s *spatial) findAll(ctx context.Context, w *worker, t *task) (n int, err error) {
	n = t.block.len()
	s.text, s.ends, s.to, s.order, s.cells = s.text[:0], s.ends[:0], s.to[:0], s.order[:0], s.cells[:0]
	for i := range n {
		if err = w.decoder.row(&t.block, i); err != nil {
			n = i
			break
		}
		s.text = w.keys.appendPoint(s.text, w.decoder)
		s.ends = append(s.ends, len(s.text))
		if len(w.keys.To) > 0 {
			s.to = append(s.to, w.keys.to(w.decoder))
		}
	}
	all := string(s.text)
	key := func(i int) string {
		if i == 0 {
			return all[:s.ends[0]]
		}
		return all[s.ends[i-1]:s.ends[i]]
	}
	s.order = lookup.AppendOrder(s.order, n, func(i int) uint32 { return lookup.CurveKey(key(i)) })
	s.results = slices.Grow(s.results[:0], n)[:n]
	for _, o := range s.order {
		i := int(uint32(o))
		to := ""
		if len(s.to) > 0 {
			to = s.to[i]
		}
		a := &s.results[i]
		if failed := w.findPlace(ctx, key(i), to, a); failed != nil {
			return 0, fmt.Errorf("table: line %d: %w", t.block.lineOf(i), failed)
		}
		from := len(s.cells)
		s.cells = append(s.cells, a.cells...)
		a.cells = s.cells[from:len(s.cells):len(s.cells)]
	}
	return n, err
}

// findPlace sets a to the result of a coordinate. The result is cached if an earlier row
// had the same coordinate or the same areas around it.
func (w *worker) findPlace(ctx context.Context, key, to string, a *result) error {
	caches := w.caches()
	if caches {
		w.key = append(append(append(append(w.key[:0], 0), key...), 0), to...)
		if w.cached(a) {
			return nil
		}
	}
	areas, known, err := w.e.AppendAreas(ctx, append(w.areas[:0], 1), key)
	w.areas = areas
	switch {
	case err != nil:
		return err
	case !known:
		return w.lookUpPlace(ctx, key, to, a, caches)
	}
	if cells, last, ok := w.shared.Get(areas); ok {
		a.outcome, a.cells = last, cells
	} else if err := w.lookUpPlace(ctx, key, to, a, false); err != nil {
		return err
	} else if a.status.Answered() {
		w.shared.Put(areas, a.cells, a.outcome, a.size())
	}
	if caches {
		w.shared.Put(w.key, a.cells, a.outcome, a.size())
	}
	return nil
}

func (w *worker) lookUpPlace(ctx context.Context, key, to string, a *result, caches bool) error {
	values, out, err := w.e.RowTo(ctx, key, to, w.values[:0])
	if err == nil {
		w.keep(values, out, a, caches)
	}
	return err
}
