package billing_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/cuts"
)

func onceHold(id string, credits int, request byte) billing.Hold {
	return billing.Hold{ID: id, Account: "a", Credits: credits, Once: &billing.Once{Key: [16]byte{'k'}, Request: [16]byte{request}}}
}

// Many requests with one key at two servers are charged once, whichever is first,
// and those that were cut off pay or are free together.
func TestOnceShared(t *testing.T) {
	eachDatabase(t, func(t *testing.T, empty func() database) {
		ctx, open, clock := t.Context(), empty(), storetest.NewClock()
		stores := []*billing.Store{open(t, clock.Now), open(t, clock.Now)}
		enterAccount(t, stores[0], "a", billing.Developer)
		grantPack(t, stores[0], "a", "p", 1000)
		const rounds, callers = 10, 8
		for round := range rounds {
			var wg sync.WaitGroup
			for i := range callers {
				wg.Go(func() {
					s := stores[i%2]
					h := onceHold(fmt.Sprintf("%d-%d", round, i), 5, 'r')
					h.Once.Key[1] = byte(round)
					var r billing.Receipt
					var err error
					if h.Brief = i%4 < 2; !h.Brief {
						r, err = s.Reserve(ctx, h)
					}
					if err == nil && !r.Repeated {
						r, err = s.Settle(ctx, h, 3)
					}
					if err != nil || r.Credits != 3 {
						t.Errorf("%+v, %v", r, err)
					}
					if !r.Repeated {
						if r, err = s.Cut(ctx, of(h.ID)); err != nil || r.Kept == 0 && r.Credits != 3 {
							t.Errorf("cut: %+v, %v", r, err)
						}
					}
				})
			}
			wg.Wait()
		}
		b, err := stores[0].Balance(ctx, "a")
		if spent := 1000 - b.Available; err != nil || b.Held != 0 || spent%3 != 0 || spent > 3*rounds {
			t.Errorf("%d credits spent, %d held, %v; want 3 for each key at most", spent, b.Held, err)
		}
		check(t, stores[0].Audit(ctx))
	})
}

// foreign opens the file as another program does.
func foreign(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=busy_timeout(5000)")
	check(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// Audit finds refunds that are not those of the holds.
func TestAuditRefunds(t *testing.T) {
	for name, change := range map[string]string{
		"no refunds":            "DELETE FROM usage WHERE kind = 'cut_refunded'",
		"fewer credits kept":    "UPDATE usage SET credits = credits - 1 WHERE kind = 'cut_kept'",
		"fewer batches":         "UPDATE usage SET requests = requests - 1 WHERE kind = 'batch_refunded'",
		"more of a hold":        "UPDATE holds SET cut = cut + 1 WHERE state = 3 AND cut > 0",
		"another kind":          "UPDATE holds SET batch = 1 - batch WHERE state = 1 AND cut > 0",
		"a settled hold":        "UPDATE holds SET cut = 1 WHERE state = 1 AND cut > 0",
		"a hold that is open":   "UPDATE holds SET cut = 1 WHERE state = 0",
		"kept and not spent":    "UPDATE usage SET credits = credits - 150 WHERE kind = 'spent'",
		"another account's row": "UPDATE usage SET account = account + 1 WHERE kind = 'cut_refunded'",
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "accounts.db")
			s := open(t, path, billing.Options{Now: storetest.NewClock().Now})
			cuts.Some(t, s)
			check(t, s.Audit(t.Context()))
			_, err := foreign(t, path).ExecContext(t.Context(), change)
			check(t, err)
			if err := s.Audit(t.Context()); err == nil {
				t.Error("not found")
			}
		})
	}
}

// A hold whose detail or key is damaged is refused.
func TestDamagedHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s := open(t, path, billing.Options{})
	newStory(t, s, nil).must("account a free", "reserve 1 a 4 key=r", "settle 1 3")
	db := foreign(t, path)
	for _, change := range []string{
		`detail = '{"lines":[[1,4,3]'`, `detail = '{"lines":[[1,4,5]]}'`, `detail = '{"lines":[[1,4,-3]]}'`, `detail = json_set(detail, '$.remaining', -1)`,
		`detail = json_set(detail, '$.request', 'cg==')`, `detail = json_remove(detail, '$.request')`, `key = x'6b'`, `key = zeroblob(17)`,
	} {
		if _, err := db.ExecContext(t.Context(), "CREATE TABLE kept AS SELECT detail, key FROM holds; UPDATE holds SET "+change); err != nil {
			t.Fatalf("%s: %v", change, err)
		}
		if _, err := s.Refund(t.Context(), of("1")); err == nil || !strings.Contains(err.Error(), "hold 1") {
			t.Errorf("%s: %v", change, err)
		}
		_, err := db.ExecContext(t.Context(), "UPDATE holds SET (detail, key) = (SELECT detail, key FROM kept); DROP TABLE kept")
		check(t, err)
	}
	if r, err := s.Refund(t.Context(), of("1")); err != nil || r.Credits != 3 {
		t.Errorf("the undamaged hold: %+v, %v", r, err)
	}
}

// A sweep releases the other holds if the grant of one is lost, and reports that one.
func TestSweepDamagedHold(t *testing.T) {
	path, clock := filepath.Join(t.TempDir(), "accounts.db"), storetest.NewClock()
	s := open(t, path, billing.Options{Now: clock.Now})
	newStory(t, s, clock).must("account a free", "account b free", "reserve a a 4 ttl=1m", "reserve b b 4 ttl=1m")
	_, err := foreign(t, path).ExecContext(t.Context(), "UPDATE holds SET detail = json_set(detail, '$.lines[0][0]', 999) WHERE id = 'a'")
	check(t, err)
	clock.Advance(time.Hour)
	if n, err := s.Sweep(t.Context()); n != 1 || err == nil || !strings.Contains(err.Error(), "hold a") {
		t.Errorf("%d released, %v; want 1 and an error about hold a", n, err)
	}
	if b, err := s.Balance(t.Context(), "b"); err != nil || b.Held != 0 {
		t.Errorf("%d credits of b are held, %v", b.Held, err)
	}
}

// Probes appear nowhere, change no credits, and do not affect requests or sweeps.
func testProbe(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx, story := t.Context(), newStory(t, s, clock)
	story.must("account a free")
	const requests = 20
	for i := range requests {
		id := fmt.Sprintf("01%04d", i)
		story.must("reserve " + id + " a 5")
		check(t, s.Probe(ctx))
		story.must("settle "+id+" 2", "wait 10m")
		if n, err := s.Sweep(ctx); n != 0 || err != nil {
			t.Fatalf("Sweep: %d, %v", n, err)
		}
	}
	b, err := s.Balance(ctx, "a")
	if err != nil || b.Held != 0 || b.Available != 2500-2*requests {
		t.Errorf("balance %+v, %v", b, err)
	}
	accounts, err := s.Accounts(ctx)
	if err != nil || len(accounts) != 1 {
		t.Errorf("accounts %+v, %v", accounts, err)
	}
	if _, err := s.Reserve(ctx, billing.Hold{ID: "01x", Account: ""}); !errors.Is(err, billing.ErrAccountNotFound) {
		t.Errorf("a hold of no account: %v", err)
	}
	// A probe succeeds after its record was removed.
	story.must("wait 2400h", "sweep")
	check(t, s.Probe(ctx))
}
