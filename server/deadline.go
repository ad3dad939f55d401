package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// linger is how long work goes on after the caller closed its half of the
// connection. A caller may do that right after its request and still read the
// answer; work that takes longer is probably for nobody.
const linger = 2 * time.Second

// A deadline is a context that ends at a time, like context.WithDeadline's, and
// a while after its parent. It takes no timer before somebody waits for it:
// most requests are answered from memory and nobody does.
type deadline struct {
	context.Context
	at     time.Time
	linger time.Duration

	mu     sync.Mutex
	left   time.Time       // when the parent was first seen to have ended
	real   context.Context // nil until somebody waits
	cancel func()
}

// newDeadline returns a context that ends after the duration, or linger after
// its parent. stop releases what it holds and has to be called when the work
// is done; nobody may use the context afterwards.
func newDeadline(parent context.Context, after, linger time.Duration) *deadline {
	return &deadline{Context: parent, at: time.Now().Add(after), linger: linger}
}

// limit gives the work on a request a time of its own, and its answer the more
// time to be sent if that is longer than others have.
func (c *call) limit(work time.Duration) {
	if c.work != nil {
		c.work.stop()
	}
	c.work = newDeadline(c.r.Context(), work, linger)
	if work <= c.s.cfg.RequestTimeout {
		return
	}
	c.sendBy = time.Now().Add(work + c.s.cfg.WriteTimeout)
	// A writer without deadlines has none to be in the way.
	_ = http.NewResponseController(c.w).SetWriteDeadline(c.sendBy)
}

func (d *deadline) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cancel != nil {
		d.cancel()
	}
}

// Deadline implements context.Context.
func (d *deadline) Deadline() (time.Time, bool) {
	if at, ok := d.Context.Deadline(); ok && at.Before(d.at) {
		return at, true
	}
	return d.at, true
}

// Done implements context.Context.
func (d *deadline) Done() <-chan struct{} { return d.wait().Done() }

// Value implements context.Context. It asks the waiting context, so that
// contexts derived from this one find their parent without a goroutine.
func (d *deadline) Value(key any) any { return d.wait().Value(key) }

// Err implements context.Context.
func (d *deadline) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.real != nil {
		return d.real.Err()
	}
	if err := d.Context.Err(); err != nil {
		if d.left.IsZero() {
			d.left = time.Now()
		}
		if time.Since(d.left) >= d.linger {
			return err
		}
	}
	if !time.Now().Before(d.at) {
		return context.DeadlineExceeded
	}
	return nil
}

func (d *deadline) wait() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.real == nil {
		at := d.at
		if earlier, ok := d.Context.Deadline(); ok && earlier.Before(at) {
			at = earlier
		}
		timed, cancel := context.WithDeadline(context.WithoutCancel(d.Context), at)
		forget := context.AfterFunc(d.Context, func() {
			if d.linger > 0 {
				select {
				case <-timed.Done():
				case <-time.After(d.linger):
				}
			}
			cancel()
		})
		d.real, d.cancel = timed, func() { forget(); cancel() }
	}
	return d.real
}
