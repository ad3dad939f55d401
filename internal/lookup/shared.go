package lookup

import (
	"context"
	"errors"
	"sync"
)

// shared keeps values that one caller makes while others wait. A value has an edition;
// another edition takes its place. The zero value is empty.
type shared[T any] struct {
	mu sync.Mutex
	by map[string]*making[T]
}

// A making is a value that is being made, or that is ready once done is closed.
type making[T any] struct {
	edition string
	done    chan struct{}
	value   T
	err     error
}

var errInterrupted = errors.New("lookup: the preparation of a table was interrupted")

// get returns the value of a key, which create makes if needed. An error is not kept.
func (s *shared[T]) get(ctx context.Context, key, edition string, create func() (T, error)) (T, error) {
	for {
		s.mu.Lock()
		m := s.by[key]
		if m == nil || m.edition != edition {
			if s.by == nil {
				s.by = map[string]*making[T]{}
			}
			m = &making[T]{edition: edition, done: make(chan struct{}), err: errInterrupted}
			s.by[key] = m
			s.mu.Unlock()
			return s.create(key, m, create)
		}
		s.mu.Unlock()
		select {
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		case <-m.done:
		}
		if !errors.Is(m.err, context.Canceled) && !errors.Is(m.err, context.DeadlineExceeded) {
			return m.value, m.err
		} // the caller that made it gave up
	}
}

func (s *shared[T]) create(key string, m *making[T], create func() (T, error)) (T, error) {
	defer func() { // also after a panic
		if m.err != nil {
			s.mu.Lock()
			if s.by[key] == m {
				delete(s.by, key)
			}
			s.mu.Unlock()
		}
		close(m.done)
	}()
	m.value, m.err = create()
	return m.value, m.err
}
