package foreign

import (
	"io"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo"
)

// Handles are the numbers of objects that other languages hold. No number is used twice.
type Handles struct {
	last    atomic.Uint64
	objects sync.Map
}

// Add returns the number of an object.
func (h *Handles) Add(object any) uint64 {
	n := h.last.Add(1)
	h.objects.Store(n, object)
	return n
}

// Held returns the object of a number. The error is [postgeo.ErrClosed] if it is of
// another type or removed.
func Held[T any](h *Handles, number uint64) (T, error) {
	v, _ := h.objects.Load(number)
	object, ok := v.(T)
	if !ok {
		return object, postgeo.ErrClosed
	}
	return object, nil
}

// Close removes the object of a number and closes it. The error is [postgeo.ErrClosed]
// except for the first call.
func Close[T io.Closer](h *Handles, number uint64) error {
	object, err := Held[T](h, number)
	if err != nil {
		return err
	}
	if _, held := h.objects.LoadAndDelete(number); !held {
		return postgeo.ErrClosed // another thread was faster
	}
	return object.Close()
}
