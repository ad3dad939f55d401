package billing_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/storetest"
)

func grant(t testing.TB, s *billing.Store, g billing.Grant) {
	t.Helper()
	if _, given, err := s.Grant(t.Context(), g); err != nil || !given {
		t.Fatalf("Grant(%+v) = %v, %v", g, given, err)
	}
}

func receipt(t testing.TB, want billing.Receipt, got billing.Receipt, err error) {
	t.Helper()
	check(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
}

// Free daily credits are spent first, then the subscription's, then packs. Unused
// credits return to their grants.
func testOrder(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx, now := t.Context(), clock.Now()
	enterAccount(t, s, "a", billing.Free)
	grant(t, s, billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "p", Amount: 100, Granted: now})
	grant(t, s, billing.Grant{Account: "a", Source: billing.SubscriptionCredits, Reference: "late", Amount: 10, Granted: now, Expires: now.Add(300 * time.Hour)})
	grant(t, s, billing.Grant{Account: "a", Source: billing.SubscriptionCredits, Reference: "soon", Amount: 10, Granted: now, Expires: now.Add(200 * time.Hour)})

	r, err := s.Reserve(ctx, billing.Hold{ID: "1", Account: "a", Credits: 2550})
	receipt(t, billing.Receipt{Credits: 2550, Remaining: 70, Parts: []billing.Part{{Source: billing.DailyCredits, Credits: 2500}, {Source: billing.SubscriptionCredits, Credits: 20}, {Source: billing.PackCredits, Credits: 30}}}, r, err)
	r, err = s.Settle(ctx, of("1"), 2515)
	receipt(t, billing.Receipt{Credits: 2515, Remaining: 105, Parts: []billing.Part{{Source: billing.DailyCredits, Credits: 2500}, {Source: billing.SubscriptionCredits, Credits: 15}}}, r, err)
	var credits envelope.Credits
	if r.Apply(&credits); credits.Source != "mixed" || credits.Breakdown.Note != "2500 free_daily + 15 subscription" {
		t.Errorf("credits %+v", credits)
	}
	b, err := s.Balance(ctx, "a")
	check(t, err)
	if len(b.Grants) != 2 || b.Grants[0].Reference != "late" || b.Grants[0].Remaining != 5 || b.Grants[1].Remaining != 100 {
		t.Errorf("grants %+v; want 5 of the later subscription and 100 of the pack", b.Grants)
	}

	_, err = s.Reserve(ctx, billing.Hold{ID: "2", Account: "a", Credits: 106, Batch: true})
	var need *billing.InsufficientError
	if !errors.As(err, &need) || need.Need != 106 || need.Available != 105 || !need.Batch {
		t.Errorf("reserving 106 of 105: %v", err)
	}
	r, err = s.Refund(ctx, of("1"))
	receipt(t, billing.Receipt{Credits: 2515, Remaining: 2620, Parts: []billing.Part{{Source: billing.DailyCredits, Credits: 2500}, {Source: billing.SubscriptionCredits, Credits: 15}}}, r, err)
}

func testIdempotent(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx, now := t.Context(), clock.Now()
	enterAccount(t, s, "a", billing.Developer)
	enterAccount(t, s, "b", billing.Developer)
	g := billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "invoice 1", Amount: 100, Granted: now}
	grant(t, s, g)
	if _, given, err := s.Grant(ctx, g); given || err != nil {
		t.Errorf("the same grant again: given %v, %v", given, err)
	}
	g.Amount = 101
	if _, _, err := s.Grant(ctx, g); err == nil {
		t.Error("another amount under the same reference was accepted")
	}
	if _, _, err := s.Grant(ctx, billing.Grant{Account: "nobody", Source: billing.PackCredits, Reference: "x", Amount: 1, Granted: now}); !errors.Is(err, billing.ErrAccountNotFound) {
		t.Errorf("granting to nobody: %v", err)
	}
	h := billing.Hold{ID: "1", Account: "a", Credits: 60}
	for range 3 {
		r, err := s.Reserve(ctx, h)
		receipt(t, billing.Receipt{Credits: 60, Remaining: 40, Parts: []billing.Part{{Source: billing.PackCredits, Credits: 60}}}, r, err)
	}
	if _, err := s.Reserve(ctx, billing.Hold{ID: "1\xff", Account: "a"}); err == nil {
		t.Error("reserved under an id that is not UTF-8")
	}
	for _, other := range []billing.Hold{{ID: "1", Account: "a", Credits: 59}, {ID: "1", Account: "b", Credits: 60}} {
		if _, err := s.Reserve(ctx, other); !errors.Is(err, billing.ErrHoldClosed) {
			t.Errorf("Reserve(%+v): %v", other, err)
		}
	}
	if _, err := s.Settle(ctx, of("1"), 61); err == nil {
		t.Error("settled more than is held")
	}
	for range 3 {
		r, err := s.Settle(ctx, of("1"), 10)
		receipt(t, billing.Receipt{Credits: 10, Remaining: 90, Parts: []billing.Part{{Source: billing.PackCredits, Credits: 10}}}, r, err)
	}
	if _, err := s.Settle(ctx, of("1"), 11); !errors.Is(err, billing.ErrHoldClosed) {
		t.Errorf("settled twice: %v", err)
	}
	if _, err := s.Reserve(ctx, h); !errors.Is(err, billing.ErrHoldClosed) {
		t.Errorf("reserved after settling: %v", err)
	}
	for i := range 3 {
		want := billing.Receipt{Remaining: 100}
		if i == 0 {
			want.Credits, want.Parts = 10, []billing.Part{{Source: billing.PackCredits, Credits: 10}}
		}
		r, err := s.Refund(ctx, of("1"))
		receipt(t, want, r, err)
	}
	if _, err := s.Settle(ctx, of("1"), 10); !errors.Is(err, billing.ErrHoldClosed) {
		t.Errorf("settled after a refund: %v", err)
	}
	for _, f := range []func() (billing.Receipt, error){
		func() (billing.Receipt, error) { return s.Settle(ctx, of("none"), 1) },
		func() (billing.Receipt, error) { return s.Refund(ctx, of("none")) },
	} {
		if _, err := f(); !errors.Is(err, billing.ErrHoldNotFound) {
			t.Errorf("an unknown hold: %v", err)
		}
	}
	// A hold of nothing is a hold.
	r, err := s.Reserve(ctx, billing.Hold{ID: "0", Account: "b"})
	receipt(t, billing.Receipt{}, r, err)
	r, err = s.Settle(ctx, billing.Hold{ID: "0", Account: "b"}, 0)
	receipt(t, billing.Receipt{}, r, err)
}

// Subscribers have no daily credits, not even those of the morning.
func testPlans(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx := t.Context()
	enterAccount(t, s, "a", billing.Free)
	available := func() int {
		t.Helper()
		b, err := s.Balance(ctx, "a")
		check(t, err)
		return b.Available
	}
	plan := func(p billing.Plan) billing.Account {
		t.Helper()
		a, err := s.UpdateAccount(ctx, "a", func(a *billing.Account) error {
			a.Subscribe(p, clock.Now())
			return nil
		})
		check(t, err)
		return a
	}
	if got := available(); got != 2500 {
		t.Errorf("free: %d", got)
	}
	a := plan(billing.Developer)
	if got := available(); got != 0 {
		t.Errorf("a subscriber that was free: %d", got)
	}
	g := billing.Grant{Account: a.ID, Source: billing.SubscriptionCredits}
	grant(t, s, g)
	if _, given, err := s.Grant(ctx, g); given || err != nil {
		t.Errorf("a period was granted twice: %v, %v", given, err)
	}
	if got := available(); got != 100_000 {
		t.Errorf("a subscriber: %d", got)
	}
	plan(billing.Restricted)
	if got := available(); got != 102_500 {
		t.Errorf("free again: %d; want the day's and what the period still has", got)
	}
	clock.Advance(32 * 24 * time.Hour)
	if got := available(); got != 2500 {
		t.Errorf("after the period: %d", got)
	}
}

// However many reserve at the same time, no credit is given twice.
func testConcurrent(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	const calls, credits, each = 3_000, 2_001, 2
	enterAccount(t, s, "a", billing.Business)
	grant(t, s, billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "1", Amount: credits - 1000, Granted: clock.Now()})
	grant(t, s, billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "2", Amount: 1000, Granted: clock.Now()})
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
