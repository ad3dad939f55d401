package billing_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// A spender makes requests of one account.
type spender struct {
	t       *testing.T
	s       *billing.Store
	account string
	n       int
}

func newSpender(t *testing.T, s *billing.Store, now time.Time, account string) *spender {
	t.Helper()
	enterAccount(t, s, account, billing.Business)
	grant(t, s, billing.Grant{Account: account, Source: billing.PackCredits, Reference: "1", Amount: 1_000_000, Granted: now})
	return &spender{t: t, s: s, account: account}
}

// hold reserves twice the credits.
func (p *spender) hold(credits int, batch bool) billing.Hold {
	p.t.Helper()
	p.n++
	h := billing.Hold{ID: fmt.Sprintf("%s-%04d", p.account, p.n), Account: p.account, Credits: 2 * credits, Batch: batch, TTL: 100 * time.Hour}
	if _, err := p.s.Reserve(p.t.Context(), h); err != nil {
		p.t.Fatal(err)
	}
	return h
}

// spend settles a new hold.
func (p *spender) spend(credits int, batch bool) billing.Hold {
	p.t.Helper()
	h := p.hold(credits, batch)
	if _, err := p.s.Settle(p.t.Context(), h, credits); err != nil {
		p.t.Fatal(err)
	}
	return h
}

// cut cuts a hold twice and checks the refunded and the kept credits.
func (p *spender) cut(h billing.Hold, back, kept int) {
	p.t.Helper()
	for again := range 2 {
		r, err := p.s.Cut(p.t.Context(), h)
		if err != nil {
			p.t.Fatal(err)
		}
		if r.Credits != back || r.Kept != kept {
			p.t.Errorf("Cut(%s), time %d: %d back, %d kept; want %d and %d", h.ID, again+1, r.Credits, r.Kept, back, kept)
		}
		back = 0
	}
}

// last checks whether a batch is last in turn, when it is held and when it is
// held again.
func (p *spender) last(want bool) {
	p.t.Helper()
	for _, batch := range []bool{true, false} {
		h := p.hold(1, batch)
		r, err := p.s.Reserve(p.t.Context(), h)
		if err != nil || r.LastInTurn != (want && batch) {
			p.t.Errorf("batch %v is last in turn: %v, %v; want %v", batch, r.LastInTurn, err, want && batch)
		}
		if _, err := p.s.Refund(p.t.Context(), h); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *spender) available(want int) {
	p.t.Helper()
	b, err := p.s.Balance(p.t.Context(), p.account)
	if err != nil || b.Available != want {
		p.t.Errorf("%d available, %v; want %d", b.Available, err, want)
	}
}

// Single requests that were cut are refunded up to the bound.
func testCut(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx := t.Context()
	clock.Advance(day(clock.Now()).AddDate(0, 0, 1).Sub(clock.Now()) + 30*time.Minute) // 00:30
	p := newSpender(t, s, clock.Now(), "a")
	if _, err := s.Cut(ctx, of("none")); !errors.Is(err, billing.ErrHoldNotFound) {
		t.Errorf("an unknown hold: %v", err)
	}

	// An account that spent nothing gets 100 credits back.
	p.cut(p.spend(99, false), 99, 0)
	kept := p.spend(2, false)
	p.cut(kept, 0, 2)
	p.cut(p.spend(1, false), 1, 0)
	p.cut(p.spend(1, false), 0, 1)
	p.available(1_000_000 - 3)
	if r, err := s.Refund(ctx, kept); err != nil || r.Credits != 0 || r.Kept != 2 {
		t.Errorf("refunding what was kept: %+v, %v", r, err)
	}
	if r, err := s.Settle(ctx, kept, 2); err != nil || r.Credits != 2 {
		t.Errorf("settling again what was kept: %+v, %v", r, err)
	}

	// Requests that cost nothing and open holds do not count.
	p.cut(p.spend(0, false), 0, 0)
	open := p.hold(50, false)
	p.cut(open, 100, 0)
	refunded := p.spend(60, false)
	if _, err := s.Refund(ctx, refunded); err != nil {
		t.Fatal(err)
	}
	p.cut(refunded, 0, 0)

	// 2 % of the spending, without the request itself.
	p.spend(5_000, false) // 5,003 are spent with the 3 kept: 100
	p.cut(p.spend(50, false), 0, 50)
	p.spend(2_446, false) // 7,499: 149
	p.cut(p.spend(50, false), 0, 50)
	p.spend(1, false) // 7,550 with the 50 kept: 151
	p.cut(p.spend(50, false), 50, 0)
	p.cut(p.spend(1, false), 1, 0)
	p.cut(p.spend(1, false), 0, 1)

	// The hour of a refund counts for 24 hours, and that of spending no longer
	// than that.
	late := p.spend(200, false)
	clock.Advance(23*time.Hour + 29*time.Minute) // 23:59; 7,751 are spent: 155
	p.cut(p.spend(5, false), 0, 5)
	clock.Advance(time.Hour) // 00:59 of the next day
	p.cut(p.spend(1, false), 0, 1)
	clock.Advance(time.Minute) // 01:00
	p.cut(late, 0, 200)
	p.cut(p.spend(100, false), 100, 0)
	old := p.spend(100, false)
	clock.Advance(25 * time.Hour)
	p.cut(old, 100, 0)
	p.cut(p.spend(1, false), 0, 1)

	got, err := s.Refunds(ctx, "", time.UnixMilli(0))
	check(t, err)
	today := day(clock.Now())
	want := []billing.RefundDay{
		{Account: "a", Day: today, Cut: billing.Tally{Requests: 1, Credits: 100}, Kept: billing.Tally{Requests: 1, Credits: 1}},
		{Account: "a", Day: today.AddDate(0, 0, -1), Cut: billing.Tally{Requests: 1, Credits: 100}, Kept: billing.Tally{Requests: 2, Credits: 201}},
		{Account: "a", Day: today.AddDate(0, 0, -2), Cut: billing.Tally{Requests: 4, Credits: 151}, Kept: billing.Tally{Requests: 6, Credits: 109}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Batches are always refunded, and worked last once they passed the bound.
func testCutBatches(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx := t.Context()
	clock.Advance(day(clock.Now()).AddDate(0, 0, 1).Sub(clock.Now()) + 10*time.Hour)
	p, other := newSpender(t, s, clock.Now(), "a"), newSpender(t, s, clock.Now(), "b")
	p.last(false)
	p.cut(p.spend(60, true), 60, 0)
	for _, h := range []billing.Hold{p.spend(500, true), p.hold(500, true)} { // failures of our own
		if _, err := s.Refund(ctx, h); err != nil {
			t.Fatal(err)
		}
		p.cut(h, 0, 0)
	}
	p.cut(p.hold(20, true), 40, 0) // held with twice the credits
	p.last(false)
	p.cut(p.spend(1, true), 1, 0)
	p.last(true)
	p.cut(p.spend(900, true), 900, 0)
	other.last(false)
	p.cut(p.spend(100, false), 100, 0) // single requests have their own bound
	if _, err := s.UpdateAccount(ctx, "a", func(a *billing.Account) error { a.Name = "x"; return nil }); err != nil {
		t.Fatal(err)
	}
	p.last(true)

	days := func(account string, want ...billing.RefundDay) {
		t.Helper()
		got, err := s.Refunds(ctx, account, day(clock.Now()))
		check(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	today := day(clock.Now())
	days("a", billing.RefundDay{
		Account: "a", Day: today, LastInTurn: true,
		Cut: billing.Tally{Requests: 1, Credits: 100}, Batch: billing.Tally{Requests: 4, Credits: 1001},
	})
	days("b")
	if _, err := s.Refunds(ctx, "nobody", today); !errors.Is(err, billing.ErrAccountNotFound) {
		t.Errorf("refunds of nobody: %v", err)
	}

	// Until midnight, and again with the next one.
	clock.Advance(14*time.Hour - time.Minute)
	p.last(true)
	clock.Advance(time.Minute)
	p.last(false)
	p.cut(p.spend(1, true), 1, 0)
	p.last(true)
	clock.Advance(-time.Hour) // set back to yesterday
	p.last(false)
	clock.Advance(time.Hour)
	p.last(true)
	days("", billing.RefundDay{Account: "a", Day: today.AddDate(0, 0, 1), LastInTurn: true, Batch: billing.Tally{Requests: 1, Credits: 1}})
}

func testCutConcurrent(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	cutTogether(t, clock.Now(), s, s)
}

// Stores with the same accounts share the bound of refunds.
func TestTwoStoresCut(t *testing.T) {
	eachDatabase(t, func(t *testing.T, empty func() database) {
		open := empty()
		a, b := open(t, time.Now), open(t, time.Now)
		cutTogether(t, time.Now(), a, b)
		if err := a.Audit(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// cutTogether cuts many requests of one account at the same time and checks that
// the bound of refunds is kept.
func cutTogether(t *testing.T, now time.Time, stores ...*billing.Store) {
	t.Helper()
	p := newSpender(t, stores[0], now, "a")
	var holds []billing.Hold
	for range 60 {
		holds = append(holds, p.spend(3, false))
	}
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
	p.available(1_000_000 - 81)
}

// A refund or cut whose caller has gone takes effect at the next sweep.
func testCanceled(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	p := newSpender(t, s, clock.Now(), "a")
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, undo := range []func(context.Context, billing.Hold) (billing.Receipt, error){s.Refund, s.Cut} {
		if r, err := undo(gone, p.spend(50, false)); err == nil {
			t.Errorf("%+v for a canceled request", r)
		}
	}
	for range 2 {
		if _, err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if b, err := s.Balance(t.Context(), "a"); err != nil || b.Parts[len(b.Parts)-1].Credits != 1_000_000 {
			t.Errorf("%+v, %v; want both requests refunded once", b, err)
		}
	}
}

// Cuts that share a transaction with a refused reservation, which makes it run again, count
// once.
func testCutTogether(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	const calls = 30
	p := newSpender(t, s, clock.Now(), "a")
	var open, spent [calls]billing.Hold
	for i := range calls {
		open[i], spent[i] = p.hold(5, false), p.spend(5, false)
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
