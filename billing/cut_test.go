package billing_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// entered returns a story of the account "a" with a million credits.
func entered(t testing.TB, s *billing.Store, clock *storetest.Clock) *story {
	t.Helper()
	p := newStory(t, s, clock)
	p.must("account a business", "grant a pack 1 1000000")
	return p
}

// spend settles new holds of the account "a" and returns them.
func (p *story) spend(n, credits int) (holds []billing.Hold) {
	p.t.Helper()
	for range n {
		p.turns++
		id := fmt.Sprint("spent", p.turns)
		p.must(fmt.Sprintf("spend %s a %d", id, credits))
		holds = append(holds, of(id))
	}
	return holds
}

func testCutConcurrent(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	cutTogether(t, clock, s, s)
}

// Stores with the same accounts share the bound of refunds.
func TestTwoStoresCut(t *testing.T) {
	eachDatabase(t, func(t *testing.T, empty func() database) {
		open, clock := empty(), storetest.NewClock()
		a, b := open(t, clock.Now), open(t, clock.Now)
		cutTogether(t, clock, a, b)
		check(t, a.Audit(t.Context()))
	})
}

// cutTogether cuts many requests of one account at the same time and checks that
// the bound of refunds is kept.
func cutTogether(t *testing.T, clock *storetest.Clock, stores ...*billing.Store) {
	t.Helper()
	holds := entered(t, stores[0], clock).spend(60, 3)
	var back, kept atomic.Int64
	var wg sync.WaitGroup
	for i, h := range holds {
		wg.Go(func() {
			r, err := stores[i%len(stores)].Cut(t.Context(), h)
			if err != nil {
				t.Error(err)
			}
			back.Add(int64(r.Credits))
			kept.Add(int64(r.Kept))
		})
	}
	wg.Wait()
	if b, k := back.Load(), kept.Load(); b != 99 || k != 81 {
		t.Errorf("%d credits refunded, %d kept; want 99 and 81", b, k)
	}
	if b, err := stores[0].Balance(t.Context(), "a"); err != nil || b.Available != 1_000_000-81 {
		t.Errorf("%d available, %v; want 81 less than a million", b.Available, err)
	}
}

// A refund or cut whose caller has gone takes effect at the next sweep.
func testCanceled(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	p := entered(t, s, clock)
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, undo := range []func(context.Context, billing.Hold) (billing.Receipt, error){s.Refund, s.Cut} {
		if r, err := undo(gone, p.spend(1, 50)[0]); err == nil {
			t.Errorf("%+v for a canceled request", r)
		}
	}
	for range 2 {
		_, err := s.Sweep(t.Context())
		check(t, err)
		if b, err := s.Balance(t.Context(), "a"); err != nil || b.Parts[len(b.Parts)-1].Credits != 1_000_000 {
			t.Errorf("%+v, %v; want both requests refunded once", b, err)
		}
	}
}

// Cuts that share a transaction with a refused reservation, which makes it run again, count
// once.
func testCutTogether(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	const calls = 30
	p := entered(t, s, clock)
	spent, open := p.spend(calls, 5), make([]billing.Hold, calls)
	for i := range calls {
		p.must(fmt.Sprintf("reserve open%d a 10", i))
		open[i] = of(fmt.Sprint("open", i))
	}
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			if _, err := s.Settle(t.Context(), open[i], 5); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if _, err := s.Cut(t.Context(), spent[i]); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			_, err := s.Reserve(t.Context(), billing.Hold{ID: "much", Account: "a", Credits: 2_000_000})
			if short := new(billing.InsufficientError); !errors.As(err, &short) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
