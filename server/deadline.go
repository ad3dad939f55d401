package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// A deadline is a context that ends at a time, like context.WithDeadline's,
// but takes no timer before somebody waits for it. Most requests are answered
// from memory and nobody does.
type deadline struct {
	context.Context
	at time.Time

	mu     sync.Mutex
	real   context.Context // nil until somebody waits
	cancel context.CancelFunc
}

// newDeadline returns a context that ends after the duration. stop releases
// what it holds and has to be called when the work is done; nobody may use the
// context afterwards.
func newDeadline(parent context.Context, after time.Duration) *deadline {
	return &deadline{Context: parent, at: time.Now().Add(after)}
}

// extend lets the answer be written for longer than the server's own limit,
// where the work may take so long.
func (c *call) extend(work time.Duration) {
	if work <= c.s.cfg.RequestTimeout {
		return
	}
	// A writer that knows no deadlines has none to be in the way.
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(work + c.s.cfg.WriteTimeout))
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
	waiting := d.real
	d.mu.Unlock()
	if waiting != nil {
		return waiting.Err()
	}
	if err := d.Context.Err(); err != nil {
		return err
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
		d.real, d.cancel = context.WithDeadline(d.Context, d.at)
	}
	return d.real
}
