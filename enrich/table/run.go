package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/enrich"
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
	Keys      map[string]int64 `json:"keys,omitzero"`       // rows by the columns of the key that they used, "lat,lon"; nil unless there are several keys
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
	counts [16]int64          // by status
	used   [1 + MaxKeys]int64 // by the number of the key, if there are several
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
	r := run{src: src, sink: sink, e: e, keys: k, opt: opt}
	r.sharing.Store(newShared(sink.added))
	if p, ok := src.source.(*parquetSource); ok && p.keys != nil {
		p.keys.setColumns(k)
	}
	if r.opt.Workers <= 0 {
		r.opt.Workers = runtime.GOMAXPROCS(0)
	}
	r.ahead = 4
	if r.lengthen() {
		r.ahead = 1
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
	r.labels = k.labels()
	if k.Next != nil && r.sum.Keys == nil {
		r.sum.Keys = make(map[string]int64)
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

	labels []enrich.Value // of the keys
	ahead  int            // blocks for each goroutine that enriches

	sharing   atomic.Pointer[sharedResults]
	open      Summary // of the rows of a row group that is not written yet
	begun     float64
	marked    time.Time // when the last checkpoint was made
	unmarked  int64     // rows since then
	unmarkedB int       // bytes since then
}

// all enriches the rows: one goroutine reads, several enrich, and this one
// writes in order. Tasks are used again, which bounds memory.
func (r *run) all(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	n := r.ahead*r.opt.Workers + 1 // one is being read
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
	r.count(t)
	if t.err != nil {
		return t.err
	}
	if r.sink.added > 0 && !t.chunk.last {
		return nil
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

// count counts the rows of a task, in a copy of Parquet those of its row group at
// the end of it.
func (r *run) count(t *task) {
	if r.open.Statuses == nil {
		r.open.Statuses, r.open.Keys = make(map[string]int64), make(map[string]int64)
	}
	r.open.Rows += int64(t.chunk.n)
	r.open.LostZeros += t.zeros
	r.open.Repaired += t.mended
	for _, s := range enrich.Statuses() {
		r.open.Statuses[s.String()] += t.counts[s]
	}
	if r.sum.Keys != nil {
		for i := range r.labels {
			r.open.Keys[r.labels[i].String()] += t.used[i+1]
		}
	}
	if r.sink.added > 0 && !t.chunk.last {
		return
	}
	r.sum.Rows += r.open.Rows
	r.sum.LostZeros += r.open.LostZeros
	r.sum.Repaired += r.open.Repaired
	for s, n := range r.open.Statuses {
		if n > 0 {
			r.sum.Statuses[s] += n
		}
	}
	for name, n := range r.open.Keys {
		if n > 0 {
			r.sum.Keys[name] += n
		}
	}
	r.open = Summary{}
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
	due := time.Since(r.marked) >= r.opt.Every // of a copy of Parquet at the ends of row groups
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

// Keys yields the first key of each row, for callers that look up rows in their own
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
