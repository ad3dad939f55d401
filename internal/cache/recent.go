package cache

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// A Recent keeps the most recently used values within a limit. If several goroutines
// request a missing value at once, one of them makes it and the others wait. It is
// safe for concurrent use.
//
// An entry is in held from the request on, and in order once it is ready. Only entries in
// order count toward the limit and can be dropped, so nobody waits for an entry that is gone.
type Recent[K comparable, V any] struct {
	mu    sync.Mutex // guards all fields, and kept.at; not held while a value is made
	limit int64
	size  int64 // of the values that are kept
	held  map[K]*kept[K, V]
	order list.List // of *kept[K, V], the last used first
}

// A kept is a value that is being made, or is ready.
type kept[K comparable, V any] struct {
	key   K
	value V
	size  int64
	err   error
	ready chan struct{} // closed when value or err is set
	at    *list.Element // nil before
}

// NewRecent returns an empty Recent with a limit in the unit of sizes.
func NewRecent[K comparable, V any](limit int64) *Recent[K, V] {
	return &Recent[K, V]{limit: limit, held: map[K]*kept[K, V]{}}
}

// Get returns the value of a key. create makes a missing one and returns its size; a
// nil create gives the zero value. Errors are not kept. If the caller that makes a
// value gives up, another one makes it.
func (r *Recent[K, V]) Get(ctx context.Context, key K, create func() (v V, size int64, err error)) (v V, err error) {
	for {
		e, mine := r.find(key, create != nil)
		switch {
		case e == nil:
			return v, nil
		case mine:
			return r.make(e, create)
		}
		// A value that is ready is returned even if ctx is done: select would choose either.
		select {
		case <-e.ready:
		default:
			select {
			case <-e.ready:
			case <-ctx.Done():
				return v, ctx.Err()
			}
		}
		// The error of another caller's context says nothing about this one: try again.
		if !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			return e.value, e.err
		}
	}
}

// find returns the entry of a key. mine is true for a new one, which the caller must
// complete.
func (r *Recent[K, V]) find(key K, create bool) (e *kept[K, V], mine bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e = r.held[key]; e != nil {
		if e.at != nil {
			r.order.MoveToFront(e.at)
		}
		return e, false
	}
	if !create {
		return nil, false
	}
	// The error holds until the value is made, so that it is that of those who wait if create panics.
	e = &kept[K, V]{key: key, err: errors.New("cache: the making of a value was interrupted"), ready: make(chan struct{})}
	r.held[key] = e
	return e, true
}

func (r *Recent[K, V]) make(e *kept[K, V], create func() (V, int64, error)) (V, error) {
	defer func() { // also after a panic
		r.mu.Lock()
		defer r.mu.Unlock()
		if e.err != nil {
			delete(r.held, e.key)
		} else {
			r.size += e.size
			e.at = r.order.PushFront(e)
			r.shrink()
		}
		close(e.ready)
	}()
	e.value, e.size, e.err = create()
	return e.value, e.err
}

// shrink drops the least recently used values until the rest is within the limit.
func (r *Recent[K, V]) shrink() {
	for r.size > r.limit {
		e := r.order.Remove(r.order.Back()).(*kept[K, V])
		delete(r.held, e.key)
		r.size -= e.size
	}
}

// SetLimit changes the limit. A lower one drops values, and 0 keeps none.
func (r *Recent[K, V]) SetLimit(limit int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.limit = max(limit, 0)
	r.shrink()
}

// Size returns the limit, and the size of all values that are kept.
func (r *Recent[K, V]) Size() (limit, used int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.limit, r.size
}
