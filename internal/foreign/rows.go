package foreign

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/function"
)

// Entries are the values of rows. Rows with equal keys share an entry.
type Entries struct {
	Columns []enrich.Column
	Index   []int32          // of each row: its entry
	Values  [][]enrich.Value // of each entry
}

// Rows returns the values of each row.
func (e *Entries) Rows() [][]enrich.Value {
	rows := make([][]enrich.Value, len(e.Index))
	for row, n := range e.Index {
		rows[row] = e.Values[n]
	}
	return rows
}

// Entries returns the values of n rows with keys, which may share the caller's memory.
func (v *View) Entries(ctx context.Context, n int, key func(row int) string) (*Entries, error) {
	if n > math.MaxInt32 {
		return nil, Invalid("rows", "at most 2147483647 rows")
	}
	index, distinct := number(n, key)
	values, err := v.values(ctx, distinct)
	return &Entries{v.List, index, values}, err
}

// Points returns the values of rows that are coordinates in degrees.
func (v *View) Points(ctx context.Context, lat, lon []float64) (*Entries, error) {
	return v.Entries(ctx, len(lat), func(row int) string { return PointKey(lat[row], lon[row]) })
}

// Text writes the text of one column to the cells of rows, which have size bytes each and
// are padded with NUL.
func (v *View) Text(ctx context.Context, column int64, key func(row int) string, cells []byte, size int64) error {
	if column < 0 || column >= int64(len(v.List)) || size < 1 {
		return Invalid("column", "a column, and at least one byte for its text")
	}
	e, err := v.Entries(ctx, len(cells)/int(size), key)
	if err != nil {
		return err
	}
	for _, row := range e.Values {
		if text := row[column].String(); int64(len(text)) > size {
			return Invalid("size", fmt.Sprintf("at least %d for %q", len(text), text))
		}
	}
	for _, n := range e.Index {
		end := copy(cells, e.Values[n][column].String())
		clear(cells[end:size])
		cells = cells[size:]
	}
	return nil
}

// Keys returns the keys of rows in a buffer with width bytes each, padded with NUL.
func Keys(buffer string, width int) func(row int) string {
	return func(row int) string {
		key, _, _ := strings.Cut(buffer[row*width:(row+1)*width], "\x00")
		return key
	}
}

// number returns the number of each row's key among the distinct keys, and these. Keys
// may share the caller's memory.
func number(n int, key func(row int) string) (index []int32, distinct []string) {
	index = make([]int32, n)
	numbers := map[string]int32{}
	for row := range index {
		k := key(row)
		n, ok := numbers[k]
		if !ok {
			k = strings.Clone(k)
			n = int32(len(distinct))
			numbers[k], distinct = n, append(distinct, k)
		}
		index[row] = n
	}
	return index, distinct
}

// maxCache is the maximum size in bytes of the values that columns keep.
const maxCache = 128 << 20

// values returns the values of each key, which must not be changed.
func (v *View) values(ctx context.Context, keys []string) ([][]enrich.Value, error) {
	out := make([][]enrich.Value, len(keys))
	return out, parallel(len(keys), func(from, to int) error {
		var r reader
		find := func(i int, areas []byte) (err error) {
			key := keys[from+i]
			if areas != nil && !v.opt.DistanceToRow {
				r.text = append(append(r.text[:0], ofAreas), areas...)
			} else {
				r.text = append(r.start(), key...)
			}
			out[from+i], err = r.row(ctx, v, key)
			return err
		}
		if v.opt.Kind == enrich.Coordinates {
			return v.e.EachPlace(ctx, to-from, func(i int) string { return keys[from+i] }, find)
		}
		for i := range to - from {
			if err := find(i, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// A reader reads single rows with memory that it uses again.
type reader struct {
	text []byte // key of the cache
}

// start returns the beginning of the text of a row's key.
func (r *reader) start() []byte { return append(r.text[:0], ofKey) }

// row returns the values of the text. The key is needed for a text of areas. The key of a
// pair is two places with a tab between them.
func (r *reader) row(ctx context.Context, v *View, key string) ([]enrich.Value, error) {
	_, row, ok := v.cache.Get(r.text)
	if ok {
		return row, nil
	}
	ofRow := r.text[0] == ofKey
	if ofRow {
		key = string(r.text[1:])
	}
	row, status, err := v.row(ctx, key)
	if err == nil && (ofRow || status.Answered()) {
		v.cache.Put(r.text, nil, row, size(row))
	}
	return row, err
}

// The keys of the cache begin with one of these.
const (
	ofKey   = iota // the key of a row follows
	ofAreas        // the areas around a coordinate follow
)

func (v *View) row(ctx context.Context, key string) ([]enrich.Value, enrich.Status, error) {
	to := ""
	if at := strings.LastIndexByte(key, '\t'); v.opt.DistanceToRow && at >= 0 {
		key, to = key[:at], key[at+1:]
	}
	row, res, err := v.e.RowTo(ctx, key, to, make([]enrich.Value, 0, len(v.List)))
	if v.status {
		row = append(row, enrich.StringValue(res.Status.String()), enrich.StringValue(res.Reason))
	}
	return row, res.Status, err
}

// Keys returns the keys of rows of cells: a code, a latitude and a longitude, or parts of
// an address or text. The last cell of a pair is the place to measure to. The error is one
// of the number of columns.
func (v *View) Keys(columns []func(row int) string) (func(row int) string, error) {
	cells := make([]string, len(columns))
	if _, ok := v.key(cells); !ok {
		return nil, fmt.Errorf("%d columns do not fit the kind of the rows", len(cells))
	}
	return func(row int) string {
		for i, column := range columns {
			cells[i] = column(row)
		}
		key, _ := v.key(cells)
		return key
	}, nil
}

// key returns the key of a row of cells, if their number fits.
func (v *View) key(cells []string) (key string, ok bool) {
	last := len(cells) - 1
	if !v.opt.DistanceToRow {
		return function.Key(v.opt.Kind, cells)
	}
	if last < 1 {
		return "", false
	}
	key, ok = function.Key(v.opt.Kind, cells[:last])
	return key + "\t" + strings.ReplaceAll(cells[last], "\t", " "), ok
}

// size returns about the bytes of values.
func size(row []enrich.Value) (bytes int) {
	for _, v := range row {
		bytes += v.MemoryBytes()
	}
	return bytes
}

// PointKey returns the key of a coordinate, "" for NaN.
func PointKey(lat, lon float64) string {
	if math.IsNaN(lat) || math.IsNaN(lon) {
		return ""
	}
	return strconv.FormatFloat(lat, 'f', -1, 64) + "," + strconv.FormatFloat(lon, 'f', -1, 64)
}

// parallel divides numbers below n among all processors, if there are many.
func parallel(n int, work func(from, to int) error) error {
	const few = 512
	parts := min(runtime.GOMAXPROCS(0), 1+n/few)
	failures := make([]error, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { failures[i] = Safely(func() error { return work(n*i/parts, n*(i+1)/parts) }) })
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}
