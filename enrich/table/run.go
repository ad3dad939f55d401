package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
)

// RunOptions are the options of a run. The zero value uses all processors.
type RunOptions struct {
	Workers int // goroutines that enrich rows; 0 means one for each processor
	// Progress is called after each block of rows, from one goroutine.
	Progress func(Progress)
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
}

// Answered returns how many rows have their fields.
func (s *Summary) Answered() int64 {
	return s.Statuses[enrich.Matched.String()] + s.Statuses[enrich.Fallback.String()]
}

// A Progress is the progress of a run.
type Progress struct {
	Rows int64   // in the output
	Done float64 // part of the input, 0 to 1; -1 where its size is not known
}

// A task is a block on its way.
type task struct {
	block  block
	chunk  chunk
	counts [16]int64          // by status
	used   [1 + MaxKeys]int64 // by the number of the key, if there are several
	zeros  int64
	mended int64
	done   float64 // see Progress
	err    error   // ends the run behind the chunk
	ready  chan struct{}
}

// Run reads every row of the source, enriches it and writes it. It ends at the
// first row that the format does not allow, when the context is done, or when
// reading, enriching or writing fails. A stream then has the rows before it. Run waits
// for the read in progress, even from a stream that delivers nothing. To end such a
// read, close the stream in [RunOptions.Stop]. The sink must not be used afterwards.
// The caller closes the source.
func Run(ctx context.Context, src *Source, sink *Sink, e *enrich.Enricher, k Keys, opt RunOptions) (Summary, error) {
	r := run{src: src, sink: sink, e: e, keys: k, opt: opt}
	r.cache = cache.New[outcome](maxResults)
	if r.opt.Workers <= 0 {
		r.opt.Workers = runtime.GOMAXPROCS(0)
	}
	r.ahead = 4
	if r.lengthen() {
		r.ahead = 1
	}
	r.sum.Statuses = make(map[string]int64)
	r.labels = k.labels()
	if k.Next != nil {
		r.sum.Keys = make(map[string]int64)
	}
	err := sink.into(func() error { return r.all(ctx) })
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
	cache  *cache.Cache[outcome]
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
		t.done = r.src.done()
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
	if r.sink.path == "" {
		if err := r.sink.flush(); err != nil {
			return writeError(err)
		}
	}
	if r.opt.Progress != nil {
		r.opt.Progress(Progress{r.sum.Rows, t.done})
	}
	return nil
}

// count counts the rows of a task.
func (r *run) count(t *task) {
	r.sum.Rows += int64(t.chunk.n)
	r.sum.LostZeros += t.zeros
	r.sum.Repaired += t.mended
	for _, s := range enrich.Statuses() {
		if n := t.counts[s]; n > 0 {
			r.sum.Statuses[s.String()] += n
		}
	}
	for i := range r.labels {
		if n := t.used[i+1]; n > 0 && r.sum.Keys != nil {
			r.sum.Keys[r.labels[i].String()] += n
		}
	}
}

func writeError(err error) error {
	if err == nil || strings.HasPrefix(err.Error(), "table: ") || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("table: write: %w", err)
}

// done returns how much of the input has been read, -1 unknown.
func (s *Source) done() float64 {
	var at int64
	size := s.size
	switch x := s.source.(type) {
	case *parquetSource:
		at, size = x.at, x.end
	case *sheetSource:
		at, size = x.At(), x.size
	default:
		at = s.counted.n
	}
	if size <= 0 {
		return -1
	}
	return min(1, float64(at)/float64(size))
}
