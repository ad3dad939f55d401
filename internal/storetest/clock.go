package storetest

import (
	"bytes"
	"sync"
	"time"

	"github.com/postgeo/postgeo/internal/billing"
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
func Pepper() *billing.Pepper {
	p, err := billing.NewPepper(bytes.Repeat([]byte("pepper"), 6))
	if err != nil {
		panic(err)
	}
	return p
}
