package table

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
)

// A result is the outcome of a key, for every row that has it.
type result struct {
	outcome
	cells []byte // the values as text that follows a row; the cache keeps it
}

// An outcome is the part of a result that the cache keeps besides its text.
type outcome struct {
	values []parquet.Value // with status and reason; nil for text
	status enrich.Status
	zeros  bool // see Outcome.LostZeros
	mended bool // see Outcome.Repaired
	key    int8 // see Outcome.Key
}

// size returns the bytes of the values.
func (o *outcome) size() (bytes int) {
	for _, v := range o.values {
		if bytes += int(unsafe.Sizeof(v)); v.Kind() == parquet.ByteArray {
			bytes += len(v.ByteArray())
		}
	}
	return bytes
}

// maxResults is the maximum size of the cache of results in bytes.
const maxResults = 192 << 20

// foreign reports whether the row in the decoder is of another country.
func (w *worker) foreign() bool {
	if len(w.keys.Country) == 0 {
		return false
	}
	w.country = w.decoder.appendText(w.country[:0], w.keys.Country[0])
	if string(w.country) != w.usual { // most rows have the country of the one before
		w.usual = string(w.country)
		w.abroad = enrich.IsForeign(w.usual)
	}
	return w.abroad
}

// other sets a to the result of rows of other countries.
func (w *worker) other(a *result) {
	values := w.values[:0]
	for range w.e.Columns() {
		values = append(values, enrich.Value{})
	}
	if w.sink.keyed {
		values = append(values, enrich.Value{})
	}
	w.keep(values, enrich.Outcome{Status: enrich.Invalid, Reason: enrich.OtherCountry}, a, false)
}

// A worker enriches blocks.
type worker struct {
	*run
	decoder decoder
	encoder encoder
	key     []byte       // of the row in the cache of results
	last    result       // of the row
	several []enrich.Key // of the row, if there are several
	values  []enrich.Value
	cells   []byte
	places  spatial
	country []byte // of the row
	usual   string // of the row before
	abroad  bool   // usual is another country
	unique  int    // rows whose result was not in the cache
	rows    int
}

// work enriches the rows of a task. A row that cannot be read ends it.
func (w *worker) work(ctx context.Context, t *task) {
	t.chunk.reset()
	clear(t.counts[:])
	clear(t.used[:])
	t.zeros, t.mended = 0, 0
	if t.err == nil { // else nothing was read
		t.err = ctx.Err()
	}
	if t.err != nil {
		return
	}
	n := t.block.len()
	var unread error // of the row behind them
	if w.spatial() {
		n, unread = w.places.findAll(ctx, w, t)
	}
	for i := range n {
		if t.err = w.row(ctx, t, i); t.err != nil {
			break
		}
	}
	if t.err == nil {
		t.err = unread
	}
}

func (w *worker) row(ctx context.Context, t *task, i int) error {
	if err := w.decoder.row(&t.block, i); err != nil {
		return err
	}
	a := &w.last
	if w.foreign() {
		w.other(a)
	} else if w.spatial() {
		a = &w.places.results[i]
	} else if err := w.find(ctx, a); err != nil {
		return fmt.Errorf("table: line %d: %w", t.block.lineOf(i), err)
	}
	if err := w.encoder.row(&t.chunk, w.decoder, a); err != nil {
		return rowError(t.block.lineOf(i), err)
	}
	t.counts[a.status]++
	if a.zeros {
		t.zeros++
	}
	if a.mended {
		t.mended++
	}
	if a.key > 0 {
		t.used[a.key]++
	}
	return nil
}

// Rows whose keys seldom repeat are answered without the cache after a trial.
const (
	trialRows = 1 << 17
	seldom    = 8 // rows for one whose result is in the cache
)

// caches reports whether results are cached.
func (w *worker) caches() bool { return w.unique < trialRows || w.rows > w.unique+w.unique/seldom }

// cached sets a to the result in the cache of the worker's key, if there is one.
func (w *worker) cached(a *result) bool {
	w.rows++
	cells, last, ok := w.cache.Get(w.key)
	if !ok {
		w.unique++
		return false
	}
	a.outcome, a.cells = last, cells
	return true
}

// find sets a to the result of the row in the decoder, from the cache if an earlier row
// had its key.
func (w *worker) find(ctx context.Context, a *result) error {
	caches := w.caches()
	if caches {
		w.key = w.keys.append(w.key[:0], w.decoder)
		if w.cached(a) {
			return nil
		}
	}
	values, out, err := w.lookUp(ctx)
	if err != nil {
		return err
	}
	w.keep(values, out, a, caches)
	return nil
}

// keep sets a to the result of a row. If caches is set, it adds the result to the
// cache with the worker's key.
func (w *worker) keep(values []enrich.Value, out enrich.Outcome, a *result, caches bool) {
	values = append(values, enrich.StringValue(out.Status.String()), enrich.StringValue(out.Reason))
	w.values = values
	w.cells = w.encoder.render(w.cells[:0], w.values)
	a.outcome = outcome{status: out.Status, zeros: out.LostZeros, mended: out.Repaired, key: int8(out.Key)}
	a.cells = w.cells
	if p, ok := w.encoder.(*parquetEncoder); ok {
		a.values = p.values(w.values)
	}
	if caches {
		w.cache.Put(w.key, w.cells, a.outcome, a.size())
	}
}

// lookUp returns the values of the row in the decoder, with its key if there is a
// column for it.
func (w *worker) lookUp(ctx context.Context) ([]enrich.Value, enrich.Outcome, error) {
	if w.keys.Next == nil && !w.sink.keyed {
		return w.e.RowTo(ctx, w.keys.text(w.decoder), w.keys.to(w.decoder), w.values[:0])
	}
	w.several = w.keys.texts(w.several[:0], w.decoder)
	values, out, err := w.e.RowBy(ctx, w.several, w.keys.to(w.decoder), w.values[:0])
	if err == nil && w.sink.keyed {
		used := enrich.Value{}
		if out.Key > 0 {
			used = w.labels[out.Key-1]
		}
		values = append(values, used)
	}
	return values, out, err
}
