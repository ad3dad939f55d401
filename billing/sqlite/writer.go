package sqlite

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// maxGroup is how many calls one commit has at most.
const maxGroup = 2048

// maxGather is how long a group collects calls at most. It bounds what a call
// waits for others under endless load.
const maxGather = 2 * time.Millisecond

// After yieldAfter of writing without a pause the writer leaves the file to
// other processes for yieldTime. They look for it every retryEvery.
const (
	yieldAfter = 200 * time.Millisecond
	yieldTime  = 3 * time.Millisecond
	retryEvery = time.Millisecond
)

// A writer runs calls one after the other in its goroutine and commits them in
// groups.
type writer struct {
	c     *conn
	o     *Options
	queue chan *op
	done  chan struct{} // closed when the goroutine has ended

	closing sync.RWMutex // held for reading while an op is put into the queue
	closed  bool

	// What the goroutine alone uses.
	b      *books
	broken error     // of SQLite in the open group: nothing of it can be committed
	paused time.Time // when the file was last left to others
}

// An op is one call.
type op struct {
	run   func(*writer) error
	early bool // answered before it is committed
	state atomic.Int32
	done  chan error
	err   error
}

// States of an op.
const (
	opQueued int32 = iota
	opTaken
	opLeft // its caller went away before it was taken
)

var ops = sync.Pool{New: func() any { return &op{done: make(chan error, 1)} }}

func newWriter(c *conn, o *Options) *writer {
	w := &writer{c: c, o: o, queue: make(chan *op, maxGroup), done: make(chan struct{}), paused: time.Now()}
	w.b = newBooks(w)
	go w.loop()
	return w
}

// do runs f in the writer's goroutine. A call whose context ends before its
// turn is not run; one that was taken is waited for, so that a caller always
// knows whether it happened.
func (w *writer) do(ctx context.Context, early bool, f func(*writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o := ops.Get().(*op)
	o.run, o.early, o.err = f, early, nil
	o.state.Store(opQueued)

	w.closing.RLock()
	if w.closed {
		w.closing.RUnlock()
		return ErrClosed
	}
	w.queue <- o
	w.closing.RUnlock()

	var err error
	select {
	case err = <-o.done:
	case <-ctx.Done():
		if o.state.CompareAndSwap(opQueued, opLeft) {
			return ctx.Err() // the writer drops it
		}
		err = <-o.done
	}
	o.run = nil
	ops.Put(o)
	return err
}

// stop runs what is in the queue and ends the goroutine.
func (w *writer) stop() error {
	w.closing.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.closing.Unlock()
	<-w.done
	return nil
}

func (w *writer) loop() {
	defer close(w.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		var first *op
		var ok bool
		select {
		case first, ok = <-w.queue:
		default:
			first, ok = <-w.queue
			w.paused = time.Now()
		}
		if !ok {
			return
		}
		w.group(first, timer)
		if now := time.Now(); now.Sub(w.paused) > yieldAfter {
			time.Sleep(yieldTime)
			w.paused = now
		}
	}
}

// group runs a call and those that follow it, and commits them.
func (w *writer) group(first *op, timer *time.Timer) {
	w.broken = nil
	if err := w.begin(); err != nil {
		w.broken = err
	}
	var waiting []*op
	waiting = w.take(first, waiting)
	for n, began := 1, time.Now(); n < maxGroup && w.broken == nil; n++ {
		o, ok := w.next(timer, began)
		if !ok {
			break
		}
		waiting = w.take(o, waiting)
	}
	err := w.commit()
	for _, o := range waiting {
		if err != nil {
			o.err = err
		}
		o.done <- o.err
	}
}

// next returns the next call of the group. With holds in the group that have
// no settlement yet it waits for a moment.
func (w *writer) next(timer *time.Timer, began time.Time) (*op, bool) {
	if time.Since(began) >= maxGather {
		return nil, false
	}
	select {
	case o, ok := <-w.queue:
		return o, ok
	default:
	}
	if w.b.fresh == 0 {
		return nil, false
	}
	timer.Reset(w.o.Linger)
	select {
	case o, ok := <-w.queue:
		return o, ok
	case <-timer.C:
		return nil, false
	}
}

// take runs a call. It returns the calls that wait for the commit.
func (w *writer) take(o *op, waiting []*op) []*op {
	if !o.state.CompareAndSwap(opQueued, opTaken) {
		return waiting
	}
	if w.broken == nil {
		o.err = o.run(w)
	}
	switch {
	case w.broken != nil:
		return append(waiting, o)
	case o.early || o.err != nil:
		o.done <- o.err
		return waiting
	default:
		return append(waiting, o)
	}
}

// begin takes the file's write lock.
func (w *writer) begin() error {
	if err := begin(context.Background(), w.c, w.o.Busy); err != nil {
		return unavailable(err)
	}
	if err := w.b.refresh(); err != nil {
		return unavailable(err)
	}
	return nil
}

func begin(ctx context.Context, c *conn, busy time.Duration) error {
	for deadline := time.Now().Add(busy); ; time.Sleep(retryEvery) {
		err := c.exec("BEGIN IMMEDIATE")
		if err == nil || !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// commit writes the group, or undoes it.
func (w *writer) commit() error {
	err := w.broken
	if err == nil {
		err = w.b.flush()
	}
	if err == nil {
		err = w.c.exec("COMMIT")
	}
	if err == nil {
		w.b.committed()
		return nil
	}
	w.b.forget()
	_ = w.c.exec("ROLLBACK") // fails where SQLite has rolled back itself, or nothing was begun
	return unavailable(err)
}

// sql remembers a failure of SQLite: after one, nothing of the group is
// committed.
func (w *writer) sql(err error) error {
	if err != nil && w.broken == nil {
		w.broken = unavailable(err)
	}
	return err
}
