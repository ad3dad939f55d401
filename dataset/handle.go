package dataset

import (
	"fmt"
	"sync/atomic"
)

// A Handle holds the dataset that is current and lets another take its place
// while calls are under way: they finish on the one that they acquired, which
// is closed when the last of them has released it.
type Handle struct {
	current atomic.Pointer[Dataset]
}

// references counts the calls that use a dataset, plus one while it is a
// handle's current one. It is negative once the dataset was closed.
type references struct{ n atomic.Int64 }

const noReferences = -1 << 62

// NewHandle makes the dataset current. From now on the handle owns it: a
// dataset may be given to one handle only, once, and is closed by it.
func NewHandle(d *Dataset) *Handle {
	h := &Handle{}
	d.handle.n.Add(1)
	h.current.Store(d)
	return h
}

// Acquire returns the current dataset, which stays open until it is released.
// It neither waits nor allocates. After Close the error matches [ErrClosed].
func (h *Handle) Acquire() (*Dataset, error) {
	for {
		d := h.current.Load()
		if d == nil {
			return nil, fmt.Errorf("%w: the handle", ErrClosed)
		}
		if d.handle.n.Add(1) > 0 {
			return d, nil
		}
		// It was replaced and closed since it was loaded: there is a newer one.
	}
}

// Current returns the current dataset without acquiring it, or nil after
// Close. It is for calls that only look up in memory (those that return no
// error): a dataset answers them also when it was replaced and closed
// meanwhile, and processors do not contend for a counter.
func (h *Handle) Current() *Dataset { return h.current.Load() }

// Release gives back a dataset that Acquire returned, once.
func (h *Handle) Release(d *Dataset) { _ = d.release() }

func (d *Dataset) release() error {
	if d.handle.n.Add(-1) == 0 && d.handle.n.CompareAndSwap(0, noReferences) {
		return d.Close()
	}
	return nil
}

// Swap makes the dataset current in place of the one before, which is closed
// when the calls that acquired it have released it. After Close the error
// matches [ErrClosed] and the dataset stays the caller's.
func (h *Handle) Swap(d *Dataset) error {
	d.handle.n.Add(1)
	for {
		old := h.current.Load()
		if old == nil {
			d.handle.n.Add(-1)
			return fmt.Errorf("%w: the handle", ErrClosed)
		}
		if h.current.CompareAndSwap(old, d) {
			return old.release()
		}
	}
}

// Close lets go of the current dataset, which is closed when the calls that
// acquired it have released it. A second Close does nothing.
func (h *Handle) Close() error {
	if d := h.current.Swap(nil); d != nil {
		return d.release()
	}
	return nil
}
