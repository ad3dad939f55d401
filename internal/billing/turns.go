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

// turns limits the work that a flood of requests causes to one call per
// millisecond. A caller that has waited for a second continues without a turn:
// each connection of a flood gets one turn per second at most. The zero value is
// ready to use.
type turns struct {
	mu   sync.Mutex
	next time.Time
}

// wait returns when it is the caller's turn, or with the context's error.
func (t *turns) wait(ctx context.Context) error {
	t.mu.Lock()
	now := time.Now() // the monotonic clock, which is never set
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
