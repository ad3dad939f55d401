package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
)

// RunOptions are the options of a run. The zero value uses all processors.
type RunOptions struct {
	Workers int // goroutines that enrich rows; 0 means one for each processor
	// Progress is called after each block of rows, from one goroutine.
	Progress func(Progress)
	// Every is how long the output of a file may not be known to be on disk;
	// 0 is two seconds. Parquet waits for the end of a row group.
	Every time.Duration
	// Stop is called once if a row or writing fails, before Run waits for the
	// end of the read in progress. It may end that read. If it is nil, Run
	// waits.
	Stop func()
}

// A Summary counts rows by their result.
type Summary struct {
	Rows      int64            `json:"rows"`
	Statuses  map[string]int64 `json:"statuses,omitzero"`   // by the words of [enrich.Status]
	LostZeros int64            `json:"lost_zeros,omitzero"` // rows whose code seems to have lost its leading zeros
	Repaired  int64            `json:"repaired,omitzero"`   // rows whose code a spreadsheet had changed, see [enrich.CodeRepaired]
	Resumed   int64            `json:"-"`                   // of the rows those of runs before
}

// Answered returns how many rows have their fields.
func (s *Summary) Answered() int64 {
	return s.Statuses[enrich.Matched.String()] + s.Statuses[enrich.Fallback.String()]
}

// A Progress is the progress of a run.
type Progress struct {
	Rows    int64   // in the output, those of runs before included
	Resumed int64   // of them those of runs before
	Done    float64 // part of the input, 0 to 1; -1 where its size is not known
	Begun   float64 // that part when this run began
}

// A task is a block on its way.
type task struct {
	block  block
	chunk  chunk
	counts [16]int64 // by status
	zeros  int64
	mended int64
	read   int64 // bytes of the file that were read, with what follows
	err    error // ends the run behind the chunk
	ready  chan struct{}
}

// Run reads every row of the source, enriches it and writes it. It ends at the
// first row that the format does not allow, when the context is done, or when
// reading, enriching or writing fails. The rows before it are then written, and
// a file stays partial with its checkpoint. Run waits for the read in progress,
// even from a stream that delivers nothing. To end such a read, close the
// stream in [RunOptions.Stop]. The sink must not be used afterwards. The caller
// closes the source.
func Run(ctx context.Context, src *Source, sink *Sink, e *enrich.Enricher, k Keys, opt RunOptions) (Summary, error) {
	r := run{src: src, sink: sink, e: e, keys: k, opt: opt, results: cache.New[result](maxResults)}
	if r.opt.Workers <= 0 {
		r.opt.Workers = runtime.GOMAXPROCS(0)
	}
	if r.opt.Every <= 0 {
		r.opt.Every = 2 * time.Second
	}
	if c := sink.resumed; c != nil {
		r.sum = c.Summary
		r.sum.Resumed = r.sum.Rows
	}
	if r.sum.Statuses == nil {
		r.sum.Statuses = make(map[string]int64)
	}
	err := r.all(ctx)
	if err == nil {
		err = r.end()
	}
	if err != nil {
		sink.abandon()
	}
	return r.sum, err
}

type run struct {
	src  *Source
	sink *Sink
	e    *enrich.Enricher
	keys Keys
	opt  RunOptions
	sum  Summary

	results   *cache.Cache[result]
	begun     float64
	marked    time.Time // when the last checkpoint was made
	unmarked  int64     // rows since then
	unmarkedB int       // bytes since then
}

// all enriches the rows: one goroutine reads, several enrich, and this one
// writes in order. Tasks are used again, which bounds memory.
func (r *run) all(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	const ahead = 4 // blocks for each goroutine that enriches
	n := ahead * r.opt.Workers
	free := make(chan *task, n)
	for range n {
		free <- &task{ready: make(chan struct{}, 1)}
	}
	work, ordered := make(chan *task, n), make(chan *task, n)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()

	at, _ := r.src.position()
	r.begun = r.part(at, 0)
	all.Go(func() {
		defer close(ordered)
		defer close(work)
		r.read(ctx, free, work, ordered)
	})
	for range r.opt.Workers {
		all.Go(func() {
			w := worker{run: r, decoder: r.src.decoder(), encoder: r.sink.newEncoder()}
			for t := range work {
				w.work(ctx, t)
				t.ready <- struct{}{}
			}
		})
	}
	r.marked = time.Now()
	for t := range ordered {
		<-t.ready
		if err := r.write(t); err != nil {
			if r.opt.Stop != nil {
				r.opt.Stop()
			}
			return err
		}
		free <- t
	}
	return ctx.Err()
}

// read hands blocks out, at the end a task with an error if there was one.
func (r *run) read(ctx context.Context, free <-chan *task, work, ordered chan<- *task) {
	for {
		var t *task
		select {
		case t = <-free:
		case <-ctx.Done():
			return
		}
		err := r.src.read(&t.block)
		if errors.Is(err, io.EOF) {
			return
		}
		t.err = err
		if c := r.src.counted; c != nil {
			t.read = c.n
		}
		work <- t
		ordered <- t // from here on the task is the worker's
		if err != nil {
			return
		}
	}
}

// write takes a task's rows to the output.
func (r *run) write(t *task) error {
	if t.chunk.n > 0 {
		if err := r.sink.write(&t.chunk); err != nil {
			return writeError(err)
		}
	}
	r.sum.Rows += int64(t.chunk.n)
	r.sum.LostZeros += t.zeros
	r.sum.Repaired += t.mended
	for _, s := range enrich.Statuses() {
		if n := t.counts[s]; n > 0 {
			r.sum.Statuses[s.String()] += n
		}
	}
	if t.err != nil {
		return t.err
	}
	r.unmarked += int64(t.chunk.n)
	r.unmarkedB += t.chunk.bytes()
	if err := r.mark(t); err != nil {
		return err
	}
	if r.opt.Progress != nil {
		r.opt.Progress(Progress{r.sum.Rows, r.sum.Resumed, r.part(t.block.end, t.read), r.begun})
	}
	return nil
}

func writeError(err error) error {
	if strings.HasPrefix(err.Error(), "table: ") { // already marked
		return err
	}
	return fmt.Errorf("table: write: %w", err)
}

// mark makes a checkpoint if one is due. Marks that are part of the output
// depend on the rows only.
func (r *run) mark(t *task) error {
	due := time.Since(r.marked) >= r.opt.Every
	if r.sink.group > 0 {
		due = r.unmarked >= r.sink.group || r.unmarkedB >= groupBytes
	} else if r.sink.path == "" {
		due = true // a stream is flushed, so that what follows it sees rows
	}
	if !due {
		return nil
	}
	r.unmarked, r.unmarkedB = 0, 0
	size, err := r.sink.mark()
	if err != nil {
		return writeError(err)
	}
	if r.sink.path == "" {
		return nil
	}
	if err := r.save(t.block.end, t.block.next, size, false); err != nil {
		return err
	}
	r.marked = time.Now()
	return nil
}

// end finishes the output. The last checkpoint of a file states that all rows are
// there, so that a run killed from then on has only to finish again.
func (r *run) end() error {
	if _, done := r.sink.target.(settled); r.sink.path != "" && r.src.file != nil && !done {
		size, err := r.sink.mark()
		if err != nil {
			return writeError(err)
		}
		at, line := r.src.position()
		if err := r.save(at, line, size, true); err != nil {
			return err
		}
	}
	return r.sink.finish()
}

// save writes a checkpoint.
func (r *run) save(at, line, size int64, whole bool) (err error) {
	c := r.sink.state
	c.At, c.Line, c.Output, c.Whole, c.Summary = at, line, size, whole, r.sum
	if f, ok := r.sink.target.(interface{ tail(int64) (string, error) }); ok {
		if c.Tail, err = f.tail(size); err != nil {
			return err
		}
	}
	return c.save(r.sink.disk, r.sink.path+checkpointSuffix)
}

// part returns how much of the input is behind a position, -1 unknown.
func (r *run) part(place, read int64) float64 {
	at := place
	size := r.src.length
	if size < 0 { // use the bytes that were read
		size, at = r.src.size, read
	}
	if x := r.src.sheet; x != nil {
		size, at = x.size, read
	}
	switch p := r.src.source.(type) {
	case *parquetSource:
		size, at = p.end, place
	case *csvSource:
		if p.limit >= 0 {
			size = p.limit
		}
	case *jsonSource:
		if p.limit >= 0 {
			size = p.limit
		}
	}
	if size <= 0 {
		return -1
	}
	return min(1, float64(at)/float64(size))
}

// Keys yields the key of each row, for callers that look up rows in their own
// way. It ends with an error at the first row that the format does not allow. A
// Source is read once, by this or by [Run].
func (s *Source) Keys(k Keys) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var b block
		for d := s.decoder(); ; {
			err := s.read(&b)
			if errors.Is(err, io.EOF) {
				return
			}
			for i := 0; err == nil && i < b.len(); i++ {
				if err = d.row(&b, i); err == nil && !yield(k.text(d), nil) {
					return
				}
			}
			if err != nil {
				yield("", err)
				return
			}
		}
	}
}

// A result is the outcome of a key, for every row that has it.
type result struct {
	values []enrich.Value // with status and reason; nil for text
	cells  []byte         // the values as text that follows a row; the cache keeps it
	status enrich.Status
	zeros  bool // see Outcome.LostZeros
	mended bool // see Outcome.Repaired
}

// maxResults is the maximum size of the cache of results in bytes.
const maxResults = 192 << 20

// A worker enriches blocks.
type worker struct {
	*run
	decoder decoder
	encoder encoder
	key     []byte // of the row in the cache of results
	last    result // of the row
	values  []enrich.Value
	cells   []byte
	unique  int // rows whose result was not in the cache
	rows    int
	zip     zipper
}

// work enriches the rows of a task. A row that cannot be read ends it.
func (w *worker) work(ctx context.Context, t *task) {
	t.chunk.reset()
	clear(t.counts[:])
	t.zeros, t.mended = 0, 0
	if t.err == nil { // else nothing was read
		t.err = ctx.Err()
	}
	if t.err != nil {
		return
	}
	for i := range t.block.len() {
		if t.err = w.row(ctx, t, i); t.err != nil {
			break
		}
	}
	if w.sink.zipped && t.chunk.n > 0 {
		text, err := w.zip.member(t.chunk.text)
		t.chunk.text, t.err = append(t.chunk.text[:0], text...), errors.Join(t.err, err)
	}
}

func (w *worker) row(ctx context.Context, t *task, i int) error {
	if err := w.decoder.row(&t.block, i); err != nil {
		return err
	}
	a := &w.last
	if err := w.find(ctx, a); err != nil {
		return fmt.Errorf("table: line %d: %w", t.block.lineOf(i), err)
	}
	if err := w.encoder.row(&t.chunk, w.decoder, a); err != nil {
		return &RowError{t.block.lineOf(i), err.Error()}
	}
	t.counts[a.status]++
	if a.zeros {
		t.zeros++
	}
	if a.mended {
		t.mended++
	}
	return nil
}

// Rows whose keys seldom repeat are answered without the cache after a trial.
const (
	trialRows = 1 << 17
	seldom    = 8 // rows for one whose result is in the cache
)

// find sets a to the result of the row in the decoder, from the cache if an
// earlier row had its key.
func (w *worker) find(ctx context.Context, a *result) error {
	caches := w.unique < trialRows || w.rows > w.unique+w.unique/seldom
	if caches {
		w.rows++
		w.key = w.keys.append(w.key[:0], w.decoder)
		if cells, last, ok := w.results.Get(w.key); ok {
			*a = last
			a.cells = cells
			return nil
		}
		w.unique++
	}
	values, out, err := w.e.RowTo(ctx, w.keys.text(w.decoder), w.keys.to(w.decoder), w.values[:0])
	if err != nil {
		return err
	}
	values = append(values, enrich.StringValue(out.Status.String()), enrich.StringValue(out.Reason))
	w.values = values
	w.cells = w.encoder.render(w.cells[:0], w.values)
	*a = result{status: out.Status, zeros: out.LostZeros, mended: out.Repaired}
	size := 0
	if len(w.cells) == 0 {
		a.values = slices.Clone(w.values)
		for _, v := range a.values {
			const perValue = 64
			size += perValue + len(v.String())
		}
	}
	if caches {
		w.results.Put(w.key, w.cells, *a, size)
	}
	a.cells = w.cells
	return nil
}
