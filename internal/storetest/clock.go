// Package storetest has clocks and numbers for tests of billing and of the packages
// that use its stores.
package storetest

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
)

// A Clock is a clock that tests move. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	t  time.Time
}

// NewClock returns a clock that shows 2026-03-10 15:04:05 UTC.
func NewClock() *Clock { return &Clock{t: time.Date(2026, 3, 10, 15, 4, 5, 0, time.UTC)} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// Pepper returns a pepper that is the same in every test.
func Pepper() []byte { return bytes.Repeat([]byte("pepper"), 6) }

// Times returns the number of repetitions of a test: the value of an
// environment variable, else n, with -short a third of it. `make soak` sets the
// variables to the numbers behind the figures of the documentation.
func Times(variable string, n int) int {
	switch v, err := strconv.Atoi(os.Getenv(variable)); {
	case err == nil && v > 0:
		return v
	case testing.Short():
		return max(n/3, 1)
	default:
		return n
	}
}
