package table

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/enrich"
)

// Blocks of coordinates are long, so that there are near ones to look up together.
// Outlines that one row has read are then in the cache of the processor for the next.
const (
	placeRows  = 1 << 17
	placeBytes = 8 << 20
)

// A spatial looks up the rows of a block in the order of their places.
type spatial struct {
	text    []byte
	ends    []int    // of the keys in text
	to      []string // places that rows measure to, nil if they do not
	results []result // by row
	cells   []byte   // of the results that are not in the cache
	areas   []byte   // around the coordinate before
}

// spatial reports whether the rows of the run are looked up in the order of their
// places.
func (r *run) spatial() bool {
	return r.keys.Kind == enrich.Coordinates && r.keys.Next == nil && !r.sink.keyed
}

// lengthen makes blocks of coordinates long, and reports whether it did. Rows of a
// stream or for a stream should not wait for so many others. There are some blocks for
// each goroutine.
func (r *run) lengthen() bool {
	if !r.spatial() || r.src.file == nil || r.sink.path == "" {
		return false
	}
	const each = 4
	const least = placeBytes >> 8
	most := int(max(least, min(placeBytes, r.src.size/int64(each*r.opt.Workers))))
	switch s := r.src.source.(type) {
	case *csvSource:
		s.rows, s.bytes = placeRows, most
	case *jsonSource:
		s.rows, s.bytes = placeRows, most
	}
	return true
}

// findAll finds the results of the rows of a task. It returns the number of rows
// before the first invalid one, and the error of that one.
func (s *spatial) findAll(ctx context.Context, w *worker, t *task) (n int, err error) {
	n = t.block.len()
	s.text, s.ends, s.to, s.cells, s.areas = s.text[:0], s.ends[:0], s.to[:0], s.cells[:0], s.areas[:0]
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
	s.results = slices.Grow(s.results[:0], n)[:n]
	before := 0
	failed := w.e.EachPlace(ctx, n, key, func(i int, areas []byte) error {
		a := &s.results[i]
		if areas != nil && bytes.Equal(areas, s.areas) && s.results[before].status.Answered() {
			a.outcome, a.cells = s.results[before].outcome, s.results[before].cells
			return nil
		}
		s.areas, before = append(s.areas[:0], areas...), i
		to := ""
		if len(s.to) > 0 {
			to = s.to[i]
		}
		if err := w.findPlace(ctx, key(i), to, areas, a); err != nil {
			return fmt.Errorf("line %d: %w", t.block.lineOf(i), err)
		}
		return nil
	})
	if failed != nil {
		return 0, fmt.Errorf("table: %w", failed)
	}
	return n, err
}

// findPlace sets a to the result of a coordinate. It is shared by the coordinates with
// the same areas around them, or else cached by the coordinate.
func (w *worker) findPlace(ctx context.Context, key, to string, areas []byte, a *result) error {
	caches := areas != nil || w.caches()
	switch {
	case areas != nil:
		w.key = append(append(w.key[:0], 1), areas...)
		if cells, out, ok := w.cache.Get(w.key); ok {
			a.outcome, a.cells = out, cells
			return nil
		}
	case caches:
		w.key = append(append(append(append(w.key[:0], 0), key...), 0), to...)
		if w.cached(a) {
			return nil
		}
	}
	values, out, err := w.e.RowTo(ctx, key, to, w.values[:0])
	if err != nil {
		return err
	}
	w.keep(values, out, a, caches && out.Status.Answered())
	from := len(w.places.cells)
	w.places.cells = append(w.places.cells, a.cells...)
	a.cells = w.places.cells[from:len(w.places.cells):len(w.places.cells)]
	return nil
}
