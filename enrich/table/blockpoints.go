package table

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"unsafe"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// mostKept is the size of the results in bytes that a worker keeps for the next blocks.
// Blocks of one table mostly have points in the same areas.
const mostKept = 10 << 20

// places finds the results of the rows of a task in the order of their places. It returns
// the number of rows before the first invalid one, and the error of that one.
//
// It parses each row twice, here for its point and later to write it, because the cells of
// a long block would take more memory than its text: 32 bytes each. Points of the same
// areas share a result in three steps, the cheapest first: that of the point before, one of
// this worker, and one of the job's cache.
func (w *worker) places(ctx context.Context, t *task) (n int, err error) {
	if w.kept > mostKept {
		w.results, w.kept = w.results[:0], 0
		clear(w.byAreas)
	}
	for w.points = w.points[:0]; n < t.block.n; n++ {
		if err = w.src.parse(&w.parsed, &t.block, n); err != nil {
			break
		}
		w.points = append(w.points, w.point())
	}
	w.found = slices.Grow(w.found[:0], n)[:n]
	var before []byte // areas around the last coordinate, if its result is shared
	last := uint32(0)
	failed := w.e.EachPlace(ctx, w.points, func(i int, areas []byte) error {
		if areas == nil || !bytes.Equal(areas, before) {
			var known bool
			if last, known = w.byAreas[string(areas)]; !known {
				if err := w.place(ctx, t, i, areas); err != nil {
					return fmt.Errorf("line %d: %w", t.block.lineOf(i), err)
				}
				last = uint32(len(w.results))
				w.results = append(w.results, w.result)
				w.kept += int(unsafe.Sizeof(w.result)) + len(w.result.cells)
				// Reasons of other rows name the coordinate, so they are not shared.
				if known = areas != nil && statuses[w.result.status].Answered(); known {
					w.byAreas[string(areas)] = last
				}
			}
			if before = before[:0]; known {
				before = append(before, areas...)
			}
		}
		w.found[i] = last
		return nil
	})
	if failed != nil {
		return 0, fmt.Errorf("table: %w", failed)
	}
	return n, err
}

// point returns the coordinate of the row, which is not valid if it has none. Plain decimals,
// which nearly all are, skip the repairs and the text of a key.
func (w *worker) point() (p geo.LatLng) {
	const longest = 20 // bytes of a number; longer ones are left to ParseCode, which bounds them
	w.key = w.parsed.appendText(w.key[:0], w.keys.Columns[0])
	comma := len(w.key)
	w.key = w.parsed.appendText(w.key, w.keys.Columns[1])
	lat, long := w.key[:comma], w.key[comma:]
	if max(len(lat), len(long)) <= longest && isDecimal(lat) && isDecimal(long) {
		y, err := strconv.ParseFloat(string(lat), 64)
		x, bad := strconv.ParseFloat(string(long), 64)
		if err == nil && bad == nil {
			p, _ = geo.LatLngFromDegrees(y, x)
			return p
		}
	}
	if c, err := lookup.ParseCode(w.keys.text(&w.parsed)); err == nil {
		p = c.LatLng()
	}
	return p
}

// isDecimal reports whether a text has only digits, points and minus signs.
func isDecimal(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// place sets the result of a row's coordinate. It is shared by the coordinates with the same
// areas around them, or else cached by the coordinate.
func (w *worker) place(ctx context.Context, t *task, i int, areas []byte) error {
	const ofAreas = 0x80 // a key of cells ends with a varint, whose last byte is below it
	if w.key = append(append(w.key[:0], areas...), ofAreas); areas != nil && w.cached() {
		return nil
	}
	err := w.src.parse(&w.parsed, &t.block, i)
	if err == nil && areas == nil {
		err = w.find(ctx)
	} else if err == nil {
		var values []enrich.Value
		var out enrich.Outcome
		if values, out, err = w.lookUp(ctx); err == nil {
			err = w.set(values, out, out.Status.Answered())
		}
	}
	w.result.cells = slices.Clone(w.result.cells) // the buffer is used for other rows before this one is written
	return err
}
