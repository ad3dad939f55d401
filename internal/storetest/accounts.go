// Package storetest has clocks, accounts and checks for tests of billing and of
// the packages that use its stores.
package storetest

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// Account enters an account and returns it.
func Account(t testing.TB, s billing.Store, now time.Time, id string, p billing.Plan) billing.Account {
	t.Helper()
	a := billing.Account{ID: id, Plan: p, Created: now}
	if p.Paid() {
		a.Anchor = now
	}
	if err := s.CreateAccount(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	return a
}

// CutSome enters an account with an open hold and with cut requests: 60 credits
// refunded, 150 kept, and batches of 70 and 160 refunded.
func CutSome(t *testing.T, s billing.Store) {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	Account(t, s, now, "a", billing.Business)
	if _, _, err := s.Grant(ctx, billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "1", Amount: 1_000_000, Granted: now}); err != nil {
		t.Fatal(err)
	}
	for i, call := range []struct {
		held, used int
		batch, cut bool
	}{
		{120, 60, false, true},
		{300, 150, false, true},
		{140, 70, true, true},
		{160, -1, true, true},
		{2, -1, false, false},
	} {
		id := fmt.Sprintf("a-%04d", i)
		if _, err := s.Reserve(ctx, billing.Hold{ID: id, Account: "a", Credits: call.held, Batch: call.batch, TTL: 100 * time.Hour}); err != nil {
			t.Fatal(err)
		}
		if call.used >= 0 {
			if _, err := s.Settle(ctx, id, call.used); err != nil {
				t.Fatal(err)
			}
		}
		if call.cut {
			if _, err := s.Cut(ctx, id); err != nil {
				t.Fatal(err)
			}
		}
	}
}

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
