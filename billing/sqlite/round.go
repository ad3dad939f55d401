package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// After yieldAfter of continuous writing the writer leaves the file to other
// processes for yieldTime. If another process has written lately, it does so
// after yieldSoon. The others try the lock every retryEvery.
const (
	yieldAfter = 200 * time.Millisecond
	yieldSoon  = 20 * time.Millisecond
	yieldTime  = 2 * time.Millisecond
	retryEvery = time.Millisecond
	lately     = time.Second
)

// A writer runs calls in rounds. A round begins with the file's write lock and
// ends with a commit after Options.Round. In between, calls are decided one after
// the other in the books in memory. The holder of the turn may use the writer.
type writer struct {
	c *conn
	o *Options
	b *books
	j *journal

	turn  sync.Mutex    // not a channel: a running caller may overtake waiting ones, which saves switches
	wake  chan struct{} // a round was opened, or one waits for the disk
	hurry chan struct{} // a caller waits for the open round
	quit  chan struct{}
	done  chan struct{} // closed when the flusher has ended

	// Fields for the holder of the turn.
	closed    bool
	broken    error    // of SQLite in the open round, which cannot be committed
	lost      error    // a commit did not reach the disk: no more writes
	r         *round   // the open one; nil: none
	committed []*round // not yet flushed to the disk
	number    int64    // of the last round that was committed
	journaled bool     // the open round has settlements in the journal
	busySince time.Time
	ended     time.Time // when the last round was committed
	others    time.Time // when another process last wrote
}

// A round ends when done is closed. err is nil if the round is on the disk.
type round struct {
	done chan struct{}
	err  error
}

// An ending defines when a call returns.
type ending uint8

const (
	decided  ending = iota // when it is decided
	together               // when its round is on the disk
	alone                  // the call ends its round and returns when that is on the disk
)

// errAgain is returned by a call that has entered due grants. The writer commits
// them and runs the call again, so that the journal only refers to committed
// grants.
var errAgain = errors.New("sqlite: run the call again")

func newWriter(c *conn, j *journal, o *Options) *writer {
	w := &writer{
		c: c, o: o, j: j,
		wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
		quit: make(chan struct{}), done: make(chan struct{}),
	}
	w.b = newBooks(w)
	go w.flusher()
	return w
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// do runs f in a round. A call whose context ends before its turn is not run. A
// running call is waited for, so that callers always learn its result.
func (w *writer) do(ctx context.Context, end ending, f func(*writer) error) error {
	w.turn.Lock()
	r, err := w.run(ctx, f, end)
	w.turn.Unlock()
	if err != nil || end == decided {
		return err
	}
	signal(w.hurry)
	<-r.done
	return r.err
}

// run runs f in the open round, or in a new one.
func (w *writer) run(ctx context.Context, f func(*writer) error, end ending) (*round, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if w.closed {
			return nil, ErrClosed
		}
		if err := w.begin(ctx); err != nil {
			return nil, err
		}
		err := f(w)
		r := w.r
		switch {
		case w.broken != nil:
			return nil, w.abort()
		case errors.Is(err, errAgain):
			if err := w.commit(); err != nil {
				return nil, err
			}
			continue
		case err != nil, end != alone:
			return r, err
		}
		return r, w.commit()
	}
}

// begin opens a round if none is open. It takes the file's write lock and enters
// the settlements of a killed process.
func (w *writer) begin(ctx context.Context) error {
	for w.r == nil {
		if w.lost != nil {
			return w.lost
		}
		w.yield()
		if err := begin(ctx, w.c, w.o.Busy); err != nil {
			return unavailable(err)
		}
		w.r, w.broken, w.journaled = &round{done: make(chan struct{})}, nil, false
		signal(w.wake)
		pending, err := w.refresh()
		if err == nil {
			err = w.replay(pending)
		}
		if w.sql(err) != nil {
			return w.abort()
		}
		if len(pending) > 0 {
			if err := w.commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// yield lets other processes write after a long time.
func (w *writer) yield() {
	now := time.Now()
	after := yieldAfter
	if now.Sub(w.others) < lately {
		after = yieldSoon
	}
	switch {
	case now.Sub(w.ended) > yieldTime:
		w.busySince = now
	case now.Sub(w.busySince) > after:
		time.Sleep(yieldTime)
		w.busySince = time.Now()
	}
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

// refresh empties the books after another process has written. It returns the
// settlements of the journal that are not committed.
func (w *writer) refresh() ([]*book.Hold, error) {
	foreign, err := w.b.refresh()
	if err != nil {
		return nil, err
	}
	if foreign {
		if w.number != 0 {
			w.others = time.Now()
		}
		if err := w.c.query(func(r *store.Row) error { w.number, w.j.salt = r.Int64(), r.Int64(); return nil }, "SELECT round, salt FROM settings"); err != nil {
			return nil, err
		}
	}
	return w.j.read(w.number + 1)
}

// replay enters settlements that were returned but not committed.
func (w *writer) replay(pending []*book.Hold) error {
	for _, h := range pending {
		if err := w.b.redo(h); err != nil {
			return err
		}
		w.journaled = true
	}
	return nil
}

// record writes a settlement to the journal. After an error the round is not
// committed, but the next one enters the journal's settlements.
func (w *writer) record(h *book.Hold) error {
	if err := w.j.add(w.number+1, h); err != nil {
		return w.sql(err)
	}
	w.journaled = true
	return nil
}

// commit ends the open round. The flusher flushes it to the disk.
func (w *writer) commit() error {
	if w.r == nil {
		return nil
	}
	err := w.b.flush()
	if err == nil && w.journaled {
		err = w.c.exec("UPDATE settings SET round = ?", w.number+1)
	}
	if err == nil {
		err = w.c.exec("COMMIT")
	}
	if w.sql(err) != nil {
		return w.abort()
	}
	if w.journaled {
		w.number++
	}
	w.b.committed()
	w.j.rewind()
	w.ended = time.Now()
	w.committed = append(w.committed, w.r)
	w.r = nil
	signal(w.wake)
	return nil
}

// abort undoes the open round. The next round begins with the settlements of the
// journal.
func (w *writer) abort() error {
	err := w.broken
	if away := (*billing.UnavailableError)(nil); w.journaled && errors.As(err, &away) {
		err = &billing.UnavailableError{Err: away.Err, InDoubt: true} // the journal has its settlements
	}
	w.b.forget()
	_ = w.c.exec("ROLLBACK") // fails where SQLite has rolled back itself
	w.r.err = err
	close(w.r.done)
	w.r, w.broken = nil, nil
	return err
}

// sql records a failure of SQLite. The round is then not committed.
func (w *writer) sql(err error) error {
	if err != nil && w.broken == nil {
		w.broken = unavailable(err)
	}
	return err
}

// flusher commits rounds at their end or when a caller waits. It flushes commits
// to the disk during the next round.
func (w *writer) flusher() {
	defer close(w.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for quit := false; !quit; {
		select {
		case <-w.wake:
		case <-w.quit:
			quit = true
		}
		if !quit && w.waiting() == 0 {
			timer.Reset(w.o.Round)
			select {
			case <-timer.C:
			case <-w.hurry:
			case <-w.quit:
				quit = true
			}
		}
		w.flush()
	}
	w.flush() // a round opened before quit was seen
}

// waiting returns the number of rounds that are committed but not flushed.
func (w *writer) waiting() int {
	w.turn.Lock()
	defer w.turn.Unlock()
	return len(w.committed)
}

func (w *writer) flush() {
	w.turn.Lock()
	if w.r != nil {
		_ = w.commit() // reported to the callers that wait for the round
	}
	rounds := w.committed
	w.committed = nil
	w.turn.Unlock()
	if len(rounds) == 0 {
		return
	}
	err := w.sync()
	if err != nil {
		w.turn.Lock()
		w.lost = unavailable(errLost)
		w.turn.Unlock()
	}
	for _, r := range rounds {
		r.err = err
		close(r.done)
	}
}

var errLost = errors.New("sqlite: a commit did not reach the disk; open the accounts again")

// sync flushes SQLite's log to the disk. After a failure the state of the disk is
// unknown.
func (w *writer) sync() error {
	f, err := os.OpenFile(w.c.path+"-wal", os.O_RDWR, 0)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		err = &billing.UnavailableError{
			Err:     fmt.Errorf("sqlite: %s: a commit did not reach the disk: %w", w.c.path, err),
			InDoubt: true,
		}
	}
	return err
}

func (w *writer) stop() {
	w.turn.Lock()
	if !w.closed {
		w.closed = true
		close(w.quit)
	}
	w.turn.Unlock()
	<-w.done
}

func (w *writer) settled(ctx context.Context) error {
	w.turn.Lock()
	defer w.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.commit()
}
