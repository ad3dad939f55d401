package admission

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// A Turn is work that a [Queue] admitted. It is not safe for concurrent use. The
// methods of a nil Turn, for cheap work, do nothing.
type Turn struct {
	q      *Queue
	a      *account
	name   string        // of the account
	ready  chan struct{} // receives when the turn may compute
	number int64         // in the order of entering
	memory int64         // reserved bytes

	// Guarded by the lock of the Queue.
	admitted  bool
	computing bool
	last      bool // after all others
	since     time.Duration
	used      time.Duration // processor time so far
}

// wait waits until the turn may compute. If that fails, the turn does not
// wait any longer and does not compute.
func (t *Turn) wait(ctx context.Context) error {
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
	}
	t.q.mu.Lock()
	defer t.q.mu.Unlock()
	t.q.remove(t)
	select {
	case <-t.ready: // granted at the same time
		t.q.stop(t)
		t.q.dispatch()
	default:
	}
	return ctx.Err()
}

// Pause gives the processor to others and keeps the memory.
func (t *Turn) Pause() {
	if t == nil {
		return
	}
	t.q.mu.Lock()
	defer t.q.mu.Unlock()
	t.q.stop(t)
	t.q.dispatch()
}

// Resume waits until a paused turn may compute again.
func (t *Turn) Resume(ctx context.Context) error {
	if t == nil {
		return nil
	}
	t.q.mu.Lock()
	if !t.admitted || t.computing {
		t.q.mu.Unlock()
		return nil
	}
	t.again()
	t.q.mu.Unlock()
	return t.wait(ctx)
}

// again lets the turn wait for a processor. The Queue is locked.
func (t *Turn) again() {
	at, _ := slices.BinarySearchFunc(t.a.begun, t, func(x, t *Turn) int { return cmp.Compare(x.number, t.number) })
	t.a.begun = slices.Insert(t.a.begun, at, t)
	t.q.waiting++
	t.q.dispatch()
}

// Yield lets waiting work of accounts with less processor time go first if the turn has
// computed for a while, and cheap work if that needs the processor. Call it between the
// parts of long work.
func (t *Turn) Yield(ctx context.Context) error {
	if t == nil {
		return nil
	}
	q := t.q
	q.mu.Lock()
	over, needed := q.o.Now()-t.since >= slice, q.running > q.processors()
	if !over && !needed || !t.computing {
		q.mu.Unlock()
		return nil
	}
	q.stop(t) // charge the time used so far
	if q.waiting == 0 && !needed {
		q.start(t)
		q.mu.Unlock()
		return nil
	}
	t.again()
	q.mu.Unlock()
	return t.wait(ctx)
}

// GoLast gives a paused turn the lowest priority. Of these turns, an account runs one
// at a time.
func (t *Turn) GoLast() {
	if t == nil {
		return
	}
	t.q.mu.Lock()
	defer t.q.mu.Unlock()
	t.last = true
}

// Reserve changes the reserved memory without waiting.
func (t *Turn) Reserve(memory int64) {
	if t == nil {
		return
	}
	t.q.mu.Lock()
	defer t.q.mu.Unlock()
	if t.admitted {
		t.q.reserve(t, memory-t.memory)
		t.memory = memory
		t.q.dispatch()
	}
}

// Used returns the processor time so far.
func (t *Turn) Used() time.Duration {
	t.q.mu.Lock()
	defer t.q.mu.Unlock()
	if t.computing {
		return t.used + t.q.o.Now() - t.since
	}
	return t.used
}

// Leave ends the work. It may be called again.
func (t *Turn) Leave() {
	if t == nil {
		return
	}
	t.q.mu.Lock()
	defer t.q.mu.Unlock()
	t.q.leave(t)
	t.q.dispatch()
}
