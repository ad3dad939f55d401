package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/cache"
)

// RunOptions are the options of [Job.Run].
type RunOptions struct {
	// Progress is called after each block of rows, from one goroutine.
	Progress func(Progress)
	// Stop is called once if a row or writing fails, before Run waits for the end of the
	// read in progress. It may end that read. If it is nil, Run waits.
	Stop func()
}

// A Summary counts rows by their result.
type Summary struct {
	Rows     int64                   `json:"rows"` // number of rows
	Statuses map[enrich.Status]int64 `json:"statuses,omitzero"`
	Repaired int64                   `json:"repaired,omitzero"` // rows whose code a spreadsheet had changed, see [enrich.CodeRepaired]
}

// Answered returns the number of rows that have their fields.
func (s *Summary) Answered() int64 {
	return s.Statuses[enrich.Matched] + s.Statuses[enrich.Fallback]
}

// A Progress is the progress of a run.
type Progress struct {
	Rows int64   // in the output
	Done float64 // part of the input, 0 to 1; -1 if its size is unknown
}

// One goroutine reads blocks, one worker per processor enriches and encodes them, and the
// goroutine of Run writes them:
//
//	free -> reader -> work    -> workers -> ready -\
//	          |                                    writer -> free
//	          \----> ordered ---------------------/
//
// The reader sends each task to work, from which any worker takes it, and to ordered, which
// the writer follows. The writer waits until the task at the head is ready, so rows keep
// their order whichever worker is faster. There are n tasks, and each channel has room for
// n, so that no send waits: only the lack of a free task stops the reader. Memory is thus n
// blocks with their output, plus the cache, however long the table is.
//
// Tables repeat their keys: millions of customers share 41,884 ZIP Codes. A result is
// therefore encoded once, as the bytes or values that follow a row, and the cache keeps it
// by the text of the key cells. A row then costs the search for its key and the copy of its
// own bytes. For two fields this took a million rows from 2.0 s of processor time to 0.5 s.
// Coordinates seldom repeat, but those in the same areas share results: see places.

// Blocks of coordinates are long, so that [enrich.Enricher.EachPlace] finds near ones. Making
// them four times as long saved 15 % of the processor time of a million random points.
const (
	placeRows  = 1 << 17
	placeBytes = 8 << 20
)

// maxResults is the maximum size of the cache of results in bytes.
const maxResults = 192 << 20

// Rows whose keys seldom repeat are enriched without the cache after a trial: each of them
// would cost a search and a copy, and evict results that could be used. Each worker decides
// for itself, and finally, because rows that bypass the cache are not counted.
const (
	trialRows = 1 << 17
	seldom    = 8 // rows for one whose result is in the cache
)

// A Job enriches a table. It runs once.
type Job struct {
	src     *Source
	e       *enrich.Enricher
	keys    Keys
	encoder encoder
	spatial bool // blocks are looked up in the order of their places
	cache   *cache.Cache[outcome]
}

// NewJob returns the job that looks up the rows of a source by the keys. It returns an
// error for an output that the format does not allow, such as two columns of a name.
func NewJob(src *Source, e *enrich.Enricher, k Keys, out Output) (*Job, error) {
	out.Format = cmp.Or(out.Format, src.Format)
	added, err := addedColumns(src, e, &out)
	if err != nil {
		return nil, err
	}
	j := &Job{src: src, e: e, keys: k, spatial: k.Kind == enrich.Coordinates && k.Next == nil, cache: cache.New[outcome](maxResults)}
	j.encoder, err = newEncoder(src, added, out)
	return j, err
}

// A result is the outcome of a key, for every row that has it. It does not depend on the row
// otherwise, and is never changed: the rows of several workers share it.
type result struct {
	outcome
	cells []byte // the values as text that follows a row; the cache keeps it
}

// An outcome is the part of a result that the cache keeps besides its text.
type outcome struct {
	values []parquet.Value // with status and reason; nil for text
	status uint8           // number in statuses
	mended bool            // see [enrich.Outcome.Repaired]
}

// statuses number the statuses, which are counted for every row. A map by status instead of
// an array by number cost 30 ns a row.
var statuses = enrich.Statuses()

// A task is a block on its way.
type task struct {
	block block
	chunk chunk
	sum   counts
	done  float64 // see [Progress]
	err   error   // of reading after the rows; once worked, the one that ends the run after the chunk
	ready chan struct{}
}

// counts are the rows of a block by their outcome.
type counts struct {
	statuses [16]int64 // by their numbers
	mended   int64
}

// Run reads every row of the source, enriches it and writes it to w, which is not closed.
// It ends at the first row that the format does not allow, when the context is done, or when
// reading, enriching or writing fails. Text then has the rows before it. Run waits for the
// read in progress, even from a stream that delivers nothing. To end such a read, close the
// stream in [RunOptions.Stop]. The caller closes the source.
//
// One goroutine reads, several enrich, and one writes in order. Tasks are used again,
// which bounds memory.
func (j *Job) Run(ctx context.Context, w io.Writer, opt RunOptions) (sum Summary, err error) {
	sum.Statuses = make(map[enrich.Status]int64)
	workers := runtime.GOMAXPROCS(0)
	n, size := 4*workers+1, block{}  // one is being read
	if j.spatial && j.src.size > 0 { // rows of a stream should not wait for so many others
		// A small file is cut into four blocks a worker, so that none is idle.
		n, size.rows = workers+1, placeRows
		size.bytes = int(min(placeBytes, max(placeBytes>>8, j.src.size/int64(4*workers))))
	}
	out, err := j.encoder.begin(w)
	if err == nil {
		err = j.all(ctx, n, workers, size, func(t *task) error {
			err := j.write(&out, t, &sum)
			switch {
			case err != nil && opt.Stop != nil:
				opt.Stop()
			case err == nil && opt.Progress != nil:
				opt.Progress(Progress{sum.Rows, t.done})
			}
			return err
		})
	}
	if err == nil {
		err = out.finish()
	}
	if err == nil || strings.HasPrefix(err.Error(), "table: ") || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return sum, err
	}
	return sum, fmt.Errorf("table: write: %w", err)
}

// all hands n tasks with blocks of a size to the workers and to write, in order.
func (j *Job) all(ctx context.Context, n, workers int, size block, write func(*task) error) error {
	ctx, cancel := context.WithCancel(ctx)
	free, work, ordered := make(chan *task, n), make(chan *task, n), make(chan *task, n)
	for range n {
		free <- &task{block: size, ready: make(chan struct{}, 1)}
	}
	// Deferred calls run in reverse: cancel stops the reader, which closes work, which ends
	// the workers, and only then Wait returns. No goroutine outlives Run.
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	all.Go(func() {
		defer close(ordered)
		defer close(work)
		for more := true; more; {
			select {
			case t := <-free:
				if t.err = j.src.read(&t.block); errors.Is(t.err, io.EOF) && t.block.n == 0 {
					return
				}
				t.done = j.src.done()
				more = t.err == nil
				work <- t
				ordered <- t // from here on the task is the worker's
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		all.Go(func() {
			w := worker{Job: j, byAreas: make(map[string]uint32)}
			for t := range work {
				w.work(ctx, t)
				t.ready <- struct{}{}
			}
		})
	}
	for t := range ordered {
		<-t.ready
		if err := write(t); err != nil {
			return err
		}
		free <- t
	}
	return ctx.Err()
}

// write writes a task's rows and counts them.
func (j *Job) write(out *target, t *task, sum *Summary) error {
	if t.chunk.n > 0 {
		if err := out.write(&t.chunk); err != nil {
			return err
		}
	}
	sum.Rows += int64(t.chunk.n)
	sum.Repaired += t.sum.mended
	for i, s := range statuses {
		if n := t.sum.statuses[i]; n > 0 {
			sum.Statuses[s] += n
		}
	}
	return t.err
}

// A worker enriches blocks. One goroutine uses it, and its buffers serve one row after the
// other.
type worker struct {
	*Job
	parsed  row
	key     []byte // of the row in the cache of results
	result  result // of the row
	several []enrich.Key
	values  []enrich.Value
	cells   []byte // of the row
	country []byte // of the row
	usual   string // country of the row before
	abroad  bool   // usual is another country
	unique  int    // rows whose result was not in the cache
	rows    int

	// Of spatial blocks. Results are numbered, because rows are found in one order and
	// written in another.
	points  []geo.LatLng      // of the rows
	found   []uint32          // by these rows the number of their result
	results []result          // of this block and those before
	kept    int               // about the bytes of results
	byAreas map[string]uint32 // by the areas around coordinates the number of their result
}

// work enriches the rows of a task. A row that cannot be read ends it.
func (w *worker) work(ctx context.Context, t *task) {
	t.chunk.reset()
	t.sum = counts{}
	// The error of reading comes after the rows that were read: they are written first.
	n, after := t.block.n, t.err
	if errors.Is(after, io.EOF) {
		after = nil
	}
	if t.err = ctx.Err(); t.err == nil && w.spatial {
		var unread error
		n, unread = w.places(ctx, t)
		after = cmp.Or(unread, after)
	}
	for i := 0; i < n && t.err == nil; i++ {
		t.err = w.row(ctx, t, i)
	}
	t.err = cmp.Or(t.err, after)
}

func (w *worker) row(ctx context.Context, t *task, i int) error {
	if err := w.src.parse(&w.parsed, &t.block, i); err != nil {
		return err
	}
	a := &w.result
	switch {
	case w.foreign(): // before the key: 8001 of CH is Zürich, and not 08001 in New Jersey (D84)
		if err := w.other(); err != nil {
			return err
		}
	case w.spatial:
		a = &w.results[w.found[i]]
	default:
		if err := w.find(ctx); err != nil {
			return fmt.Errorf("table: line %d: %w", t.block.lineOf(i), err)
		}
	}
	if err := w.encoder.row(&t.chunk, &w.parsed, a); err != nil {
		return rowError(t.block.lineOf(i), err)
	}
	t.sum.statuses[a.status]++
	if a.mended {
		t.sum.mended++
	}
	return nil
}

// foreign reports whether the row is of another country.
func (w *worker) foreign() bool {
	if len(w.keys.Country) == 0 {
		return false
	}
	w.country = w.parsed.appendText(w.country[:0], w.keys.Country[0])
	if string(w.country) != w.usual { // most rows have the country of the one before
		w.usual = string(w.country)
		w.abroad = enrich.IsForeign(w.usual)
	}
	return w.abroad
}

// other sets the result to that of rows of other countries.
func (w *worker) other() error {
	return w.set(make([]enrich.Value, len(w.e.Columns())), enrich.Outcome{Status: enrich.Invalid, Reason: enrich.OtherCountry}, false)
}

// find sets the result of the row, from the cache if an earlier row had its key.
func (w *worker) find(ctx context.Context) error {
	caches := w.caches()
	if caches {
		if w.key = w.keys.append(w.key[:0], &w.parsed); w.cached() {
			return nil
		}
	}
	values, out, err := w.lookUp(ctx)
	if err != nil {
		return err
	}
	return w.set(values, out, caches)
}

// lookUp looks up the row by its keys.
func (w *worker) lookUp(ctx context.Context) ([]enrich.Value, enrich.Outcome, error) {
	if w.keys.Next == nil {
		return w.e.Row(ctx, w.keys.text(&w.parsed), w.values[:0])
	}
	w.several = append(w.several[:0], enrich.Key{Kind: w.keys.Kind, Text: w.keys.text(&w.parsed)})
	for i := range w.keys.Next {
		k := &w.keys.Next[i]
		w.several = append(w.several, enrich.Key{Kind: k.Kind, Text: k.text(&w.parsed)})
	}
	return w.e.RowBy(ctx, w.several, w.values[:0])
}

// caches reports whether results are cached.
func (w *worker) caches() bool { return w.unique < trialRows || w.rows > w.unique+w.unique/seldom }

// cached sets the result to that of the worker's key in the cache, if there is one.
func (w *worker) cached() (ok bool) {
	w.rows++
	if w.result.cells, w.result.outcome, ok = w.cache.Get(w.key); !ok {
		w.unique++
	}
	return ok
}

// set sets the result of a row. If caches is set, it adds the result to the cache with the
// worker's key.
func (w *worker) set(values []enrich.Value, out enrich.Outcome, caches bool) (err error) {
	values = append(values, enrich.ValueOf(string(out.Status)), enrich.ValueOf(out.Reason))
	w.values = values
	a := outcome{status: uint8(slices.Index(statuses, out.Status)), mended: out.Repaired}
	if w.cells, a.values, err = w.encoder.render(w.cells[:0], w.values); err != nil {
		return err
	}
	size := 0
	for _, v := range a.values {
		if size += int(unsafe.Sizeof(v)); v.Kind() == parquet.ByteArray {
			size += len(v.ByteArray())
		}
	}
	if w.result = (result{a, w.cells}); caches {
		w.cache.Put(w.key, w.cells, a, size)
	}
	return nil
}
