package billing_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// grantPack adds a pack of credits to an account.
func grantPack(t testing.TB, s *billing.Store, account, reference string, credits int) {
	t.Helper()
	g := billing.Grant{Account: account, Source: billing.PackCredits, Reference: reference, Amount: credits}
	if _, given, err := s.Grant(t.Context(), g); err != nil || !given {
		t.Fatalf("Grant(%+v) = %v, %v", g, given, err)
	}
}

// However many reserve at the same time, no credit is given twice.
func testConcurrent(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	const calls, credits, each = 3_000, 2_001, 2
	enterAccount(t, s, "a", billing.Business)
	grantPack(t, s, "a", "1", credits-1000)
	grantPack(t, s, "a", "2", 1000)
	var granted, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			_, err := s.Reserve(t.Context(), billing.Hold{ID: fmt.Sprintf("h%05d", i), Account: "a", Credits: each})
			var need *billing.InsufficientError
			switch {
			case err == nil:
				granted.Add(1)
			case errors.As(err, &need):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if g, r := granted.Load(), refused.Load(); g != credits/each || g+r != calls {
		t.Errorf("%d granted, %d refused; want %d granted of %d", g, r, credits/each, calls)
	}
	b, err := s.Balance(t.Context(), "a")
	if err != nil || b.Available != credits%each || b.Held != credits-credits%each {
		t.Errorf("balance %+v, %v", b, err)
	}
}

// Holds of one transaction keep the account, the time and the key in which they differ.
func testTogether(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	const calls = 60
	each := func(f func(i int, h billing.Hold) error) {
		t.Helper()
		var wg sync.WaitGroup
		for i := range calls {
			h := billing.Hold{ID: fmt.Sprint("h", i), Account: []string{"a", "b"}[i%2], TTL: time.Duration(1+i%3) * time.Minute}
			if i%4 == 0 {
				h.Once = &billing.Once{Key: [16]byte{byte(i)}}
			}
			wg.Go(func() {
				if err := f(i, h); err != nil {
					t.Errorf("%+v: %v", h, err)
				}
			})
		}
		wg.Wait()
	}
	enterAccount(t, s, "a", billing.Developer)
	enterAccount(t, s, "b", billing.Developer)
	each(func(_ int, h billing.Hold) error {
		_, err := s.Reserve(t.Context(), h)
		return err
	})
	clock.Advance(90 * time.Second)
	if n, err := s.Sweep(t.Context()); n != calls/3 || err != nil {
		t.Errorf("released %d, %v; want %d", n, err, calls/3)
	}
	each(func(i int, h billing.Hold) error {
		_, err := s.Settle(t.Context(), h, 0)
		if released := i%3 == 0; released != errors.Is(err, billing.ErrHoldClosed) || !released && err != nil {
			return fmt.Errorf("settled: %w", err)
		}
		return nil
	})
	each(func(i int, h billing.Hold) error {
		h.ID += " again"
		r, err := s.Reserve(t.Context(), h)
		if want := h.Once != nil && i%3 > 0; err != nil || r.Repeated != want {
			return fmt.Errorf("repeated %v, %w; want %v", r.Repeated, err, want)
		}
		return nil
	})
}

// A store agrees with the model on a random schedule.
func testSchedule(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	m := NewModel(clock.Now)
	steps := storetest.Times("POSTGEO_TEST_STEPS", 1200)
	for seed := range uint64(3) {
		var accounts []string
		for i, p := range []billing.Plan{billing.Free, billing.Developer, billing.Free} {
			id := fmt.Sprintf("a%d-%d", seed, i)
			accounts = append(accounts, id)
			m.AddAccount(enterAccount(t, s, id, p))
		}
		check(t, Steps(t.Context(), []*billing.Store{s}, m, accounts, clock, seed, steps))
	}
	seen := map[string]int{}
	for _, u := range m.usage {
		seen[u.kind]++
	}
	last := 0
	for _, a := range m.accounts {
		if !a.lastDay.IsZero() {
			last++
		}
	}
	t.Logf("requests by kind: %v; batches of %d accounts were last in turn", seen, last)
	if seen[billing.CutRefunded] == 0 || seen[billing.CutKept] == 0 || seen[billing.BatchRefunded] == 0 || last == 0 {
		t.Error("the schedule did not reach the bounds")
	}
}
