package server

import (
	"crypto/rand"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// An idSource makes the ULIDs of requests, ascending within a millisecond. It
// is safe for concurrent use.
type idSource struct {
	mu      sync.Mutex
	entropy io.Reader
	mono    *ulid.MonotonicEntropy
}

// newIDSource takes crypto/rand when entropy is nil.
func newIDSource(entropy io.Reader) *idSource {
	if entropy == nil {
		entropy = rand.Reader
	}
	return &idSource{entropy: entropy, mono: ulid.Monotonic(entropy, 0)}
}

// next returns the id of a request that began at t.
func (s *idSource) next(t time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ms := ulid.Timestamp(t)
	id, err := ulid.New(ms, s.mono)
	if err != nil { // the 80 random bits of this millisecond ran over
		s.mono = ulid.Monotonic(s.entropy, 0)
		id, err = ulid.New(ms, s.mono)
	}
	if err != nil {
		return "", fmt.Errorf("server: making a request id: %w", err)
	}
	return id.String(), nil
}
