package billing

import (
	"context"
	"sync"
	"time"
)

const (
	turnEvery = time.Millisecond // between two turns
	turnWait  = time.Second      // the longest wait for one
)

// turns spaces out work that a flood of requests asks for: one every
// millisecond. Whoever has waited a second works without a turn, so that a long
// queue delays nobody for longer and each connection of a flood gets one turn a
// second at most. The zero value is ready to use.
type turns struct {
	mu   sync.Mutex
	next time.Time
}

// wait returns when the caller may work, or with the context's error.
func (t *turns) wait(ctx context.Context) error {
	t.mu.Lock()
	now := time.Now() // the monotonic clock, which nobody sets
	if t.next.Before(now) {
		t.next = now
	}
	d := t.next.Sub(now)
	if d < turnWait {
		t.next = t.next.Add(turnEvery)
	}
	t.mu.Unlock()
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
