//go:build unix

package billing_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

// A pgRequest of TestPostgresKill, and what its ledger said of it.
type pgRequest struct {
	id      string
	settled int  // credits, when Settle said so
	done    bool // whether Settle said so and no refund was asked for
	back    bool // Refund was called
	cut     bool // Cut was called
	kept    int  // credits that Cut kept
	refused bool // Reserve said that nothing was done
}

// serve does what a server does for one pgRequest. What fails has to fail as
// something that may be tried again.
func serve(t *testing.T, s *billing.Store, id string, rnd *rand.Rand) pgRequest {
	ctx := t.Context()
	r := pgRequest{id: id}
	held := rnd.IntN(20)
	_, err := s.Reserve(ctx, billing.Hold{ID: id, Account: "a", Credits: held, TTL: time.Hour, Batch: rnd.IntN(3) == 0})
	if err == nil && rnd.IntN(10) == 0 {
		return r // a process that goes away: never settled
	}
	if errors.Is(err, billing.ErrUnavailable) && !errors.Is(err, billing.ErrInDoubt) {
		r.refused = true
		return r
	}
	if err == nil {
		r.settled = rnd.IntN(held + 1)
		_, err = s.Settle(ctx, id, r.settled)
	}
	if err != nil && !errors.Is(err, billing.ErrUnavailable) {
		t.Errorf("%s: %v", id, err)
	}
	switch n := rnd.IntN(8); {
	case err == nil && n > 2:
		r.done = true
	case err == nil && n > 0:
		r.cut = true
		got, err := s.Cut(ctx, id)
		if err != nil && !errors.Is(err, billing.ErrUnavailable) {
			t.Errorf("%s: %v", id, err)
		}
		r.kept = got.Kept
	default:
		r.back = true
		if _, err := s.Refund(ctx, id); err != nil && !errors.Is(err, billing.ErrUnavailable) && !errors.Is(err, billing.ErrHoldNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	return r
}

// PostgreSQL that is killed at any moment, and started again, has lost nothing
// of what was promised, and nobody has paid for what failed.
// POSTGEO_TEST_KILLS is how often it is killed.
func TestPostgresKill(t *testing.T) {
	const credits, workers = 50_000_000, 8
	kills := storetest.Times("POSTGEO_TEST_KILLS", 4)
	server := pgserver.Start(t)
	s := openPG(t, server.Address(), billing.Options{})
	enterAccount(t, s, "a", billing.Developer)
	for i := range 5 {
		if _, _, err := s.Grant(t.Context(), billing.Grant{Account: "a", Source: billing.PackCredits, Reference: fmt.Sprint(i), Amount: credits / 5, Granted: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	var requests []pgRequest
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range kills {
		stop := make(chan struct{})
		var mu sync.Mutex
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				rnd := rand.New(rand.NewPCG(uint64(w), uint64(round)))
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					case <-t.Context().Done():
						return
					default:
					}
					r := serve(t, s, fmt.Sprintf("%04d-%d-%d", round, w, i), rnd)
					mu.Lock()
					requests = append(requests, r)
					mu.Unlock()
				}
			})
		}
		time.Sleep(time.Duration(20+rnd.IntN(200)) * time.Millisecond)
		server.Kill()
		time.Sleep(time.Duration(rnd.IntN(50)) * time.Millisecond)
		server.Run()
		time.Sleep(time.Duration(rnd.IntN(50)) * time.Millisecond)
		close(stop)
		wg.Wait()
		if err := s.Audit(t.Context()); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if _, err := s.Sweep(t.Context()); err != nil { // makes up for refunds that failed
		t.Fatal(err)
	}
	checkRequests(t, server, requests, credits)
}

func checkRequests(t *testing.T, server *pgserver.Server, requests []pgRequest, credits int) {
	t.Helper()
	// Every hold is past its time.
	s := openPG(t, server.Address(), billing.Options{Now: func() time.Time { return time.Now().Add(2 * time.Hour) }})
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Audit(t.Context()); err != nil {
		t.Error(err)
	}
	spent, promised, refunded := 0, 0, 0
	var cuts, kept atomic.Int64
	var wg sync.WaitGroup
	turns := make(chan struct{}, 200) // more would wait for the account longer than a call may
	ask := func(f func()) {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			f()
		})
	}
	for _, r := range requests {
		switch {
		case r.refused:
			ask(func() {
				if got, err := s.Refund(t.Context(), r.id); !errors.Is(err, billing.ErrHoldNotFound) {
					t.Errorf("%s was refused and is there: %+v, %v", r.id, got, err)
				}
			})
		case r.done:
			promised++
			spent += r.settled
			ask(func() {
				// Settling again with the same number is only right when it is settled.
				if got, err := s.Settle(t.Context(), r.id, r.settled); err != nil || got.Credits != r.settled {
					t.Errorf("%s settled %d; now %+v, %v", r.id, r.settled, got, err)
				}
			})
		case r.cut: // perhaps by Sweep
			ask(func() {
				got, err := s.Cut(t.Context(), r.id)
				if got.Credits != 0 || err != nil || r.kept != 0 && got.Kept != r.kept {
					t.Errorf("%s was cut and %d kept: %+v, %v", r.id, r.kept, got, err)
				}
				cuts.Add(1)
				kept.Add(int64(got.Kept))
			})
		case r.back:
			refunded++
			ask(func() {
				if got, err := s.Refund(t.Context(), r.id); got.Credits != 0 || err != nil && !errors.Is(err, billing.ErrHoldNotFound) {
					t.Errorf("%s was not answered and had paid: %+v, %v", r.id, got, err)
				}
			})
		}
	}
	wg.Wait()
	spent += int(kept.Load())
	t.Logf("%d requests, %d settlements promised, %d refunds, %d cut, %d credits of them kept", len(requests), promised, refunded, cuts.Load(), kept.Load())
	if promised == 0 || refunded == 0 || cuts.Load() == 0 {
		t.Error("nothing was settled, nothing refunded, or nothing cut")
	}
	b, err := s.Balance(t.Context(), "a")
	if err != nil || b.Held != 0 || b.Available+spent != credits {
		t.Errorf("%d available, %d held, %v, %d spent; want 0 held and %d in all", b.Available, b.Held, err, spent, credits)
	}
}
