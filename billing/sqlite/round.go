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

// After yieldAfter of writing without a pause the writer leaves the file to
// other processes for yieldTime; after yieldSoon when one has written lately.
// They look for it every retryEvery.
const (
	yieldAfter = 200 * time.Millisecond
	yieldSoon  = 20 * time.Millisecond
	yieldTime  = 2 * time.Millisecond
	retryEvery = time.Millisecond
	lately     = time.Second
)

// A writer runs calls in rounds. A round begins with the file's write lock and
// ends with a commit, Options.Round later; in between the books in memory are
// the truth, and calls are decided in them one after the other. Whoever has the
// turn may use the writer.
type writer struct {
	c *conn
	o *Options
	b *books
	j *journal

	turn  sync.Mutex    // no channel: whoever runs may overtake who waits, which saves switches
	wake  chan struct{} // a round was opened, or one waits for the disk
	hurry chan struct{} // somebody waits for the open round
	quit  chan struct{}
	done  chan struct{} // closed when the flusher has ended

	// What only the holder of the turn uses.
	closed    bool
	broken    error    // of SQLite in the open round: nothing of it can be committed
	lost      error    // the disk did not take what was committed: nothing may be added
	r         *round   // the open one; nil: none
	committed []*round // not yet flushed to the disk
	number    int64    // of the last round that was committed
	journaled bool     // the open round has settlements in the journal
	busySince time.Time
	ended     time.Time // when the last round was committed
	others    time.Time // when another process was last seen to have written
}

// A round ends when done is closed; err says whether it is on the disk.
type round struct {
	done chan struct{}
	err  error
}

// How a call ends.
type ending uint8

const (
	decided  ending = iota // answered when it is decided
	together               // answered when its round is on the disk
	alone                  // ends its round and is answered when that is on the disk
)

// errAgain says that a call has entered what the passing of time gives. That
// is committed, so that no settlement in the journal is of a grant that is not
// there, and the call is run again.
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

// do runs f in a round. A call whose context ends before its turn is not run;
// one that was run is waited for, so that a caller always knows whether it
// happened.
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

// begin opens a round if none is open: it takes the file's write lock and
// makes up for what a process that was killed had answered.
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

// yield lets other processes in, if this one has written for long.
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

// refresh empties the books if another process has written, and returns the
// settlements in the journal that are not committed.
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

// replay enters settlements that were answered but not committed.
func (w *writer) replay(pending []*book.Hold) error {
	for _, h := range pending {
		if err := w.b.redo(h); err != nil {
			return err
		}
		w.journaled = true
	}
	return nil
}

// record writes a settlement to the journal. If that fails nothing of the
// round is committed, but what is in the journal is made up for.
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

// abort undoes the open round, but for the settlements in the journal: the
// next round begins with them.
func (w *writer) abort() error {
	err := w.broken
	w.b.forget()
	_ = w.c.exec("ROLLBACK") // fails where SQLite has rolled back itself
	w.r.err = err
	close(w.r.done)
	w.r, w.broken = nil, nil
	return err
}

// sql remembers a failure of SQLite: after one, nothing of the round is
// committed.
func (w *writer) sql(err error) error {
	if err != nil && w.broken == nil {
		w.broken = unavailable(err)
	}
	return err
}

// flusher ends rounds that are old enough or that somebody waits for, and
// flushes what was committed to the disk while the next round goes on.
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
	w.flush() // what was opened when quit was seen
}

// waiting returns how many rounds are committed and not flushed.
func (w *writer) waiting() int {
	w.turn.Lock()
	defer w.turn.Unlock()
	return len(w.committed)
}

func (w *writer) flush() {
	w.turn.Lock()
	if w.r != nil {
		_ = w.commit() // told to those who wait for the round
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

var errLost = errors.New("sqlite: something that was committed did not get to the disk; open the accounts again")

// sync flushes SQLite's log of what was committed to the disk. After a failure
// nobody knows what the disk has.
func (w *writer) sync() error {
	f, err := os.OpenFile(w.c.path+"-wal", os.O_RDWR, 0)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		err = &billing.UnavailableError{
			Err:     fmt.Errorf("sqlite: %s: what was committed did not get to the disk: %w", w.c.path, err),
			InDoubt: true,
		}
	}
	return err
}

// stop ends the open round and the flusher.
func (w *writer) stop() {
	w.turn.Lock()
	if !w.closed {
		w.closed = true
		close(w.quit)
	}
	w.turn.Unlock()
	<-w.done
}

// settled waits until everything that was answered is committed.
func (w *writer) settled(ctx context.Context) error {
	w.turn.Lock()
	defer w.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.commit()
}
