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
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/cuts"
)

func onceHold(id string, credits int, request byte) billing.Hold {
	return billing.Hold{ID: id, Account: "a", Credits: credits, Once: &billing.Once{Key: [16]byte{'k'}, Request: [16]byte{request}}}
}

// A request is charged once under its key (decision D76).
func testOnce(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx, now := t.Context(), clock.Now()
	for _, id := range []string{"a", "b"} {
		enterAccount(t, s, id, billing.Developer)
		grant(t, s, billing.Grant{Account: id, Source: billing.PackCredits, Reference: "p", Amount: 10, Granted: now})
	}
	available := func(want int) {
		t.Helper()
		if b, err := s.Balance(ctx, "a"); err != nil || b.Available != want {
			t.Errorf("%d credits, want %d; %v", b.Available, want, err)
		}
	}
	reserve := func(h billing.Hold) billing.Receipt {
		t.Helper()
		r, err := s.Reserve(ctx, h)
		check(t, err)
		return r
	}
	pack := func(n int) []billing.Part { return []billing.Part{{Source: billing.PackCredits, Credits: n}} }
	charged := billing.Receipt{Credits: 3, Parts: pack(3), Remaining: 7, Repeated: true}

	// A second request in progress is released when the first is charged.
	reserve(onceHold("1", 4, 'r'))
	reserve(onceHold("2", 4, 'r'))
	r, err := s.Settle(ctx, of("1"), 3)
	receipt(t, billing.Receipt{Credits: 3, Parts: pack(3), Remaining: 3}, r, err)
	for range 2 { // also if the reply was lost
		r, err = s.Settle(ctx, of("2"), 3)
		want := charged
		want.Remaining = 3
		receipt(t, want, r, err)
	}
	if r, err = s.Refund(ctx, of("2")); err != nil || r.Credits != 0 {
		t.Errorf("refund of a released hold: %+v, %v", r, err)
	}
	available(7)
	if r, err = s.Cut(ctx, of("1")); err != nil || r.Kept != 3 {
		t.Errorf("cut of a charge that was repeated: %+v, %v", r, err)
	}
	if r, err = s.Refund(ctx, of("1")); err != nil || r.Kept != 3 {
		t.Errorf("refund of a charge that was repeated: %+v, %v", r, err)
	}
	available(7)

	// Another request under the key fails; another account may use the key.
	var failed *envelope.Fault
	if _, err = s.Reserve(ctx, onceHold("3", 1, 'x')); !errors.Is(err, billing.ErrOnceUsed) || !errors.As(err, &failed) || failed.Status != 422 {
		t.Errorf("another request under the key: %v", err)
	}
	other := onceHold("4", 1, 'x')
	other.Account = "b"
	if r = reserve(other); r.Repeated {
		t.Errorf("another account repeats the charge: %+v", r)
	}

	// An account without credits repeats its charge. After a day it pays again.
	reserve(billing.Hold{ID: "5", Account: "a", Credits: 7})
	if r = reserve(onceHold("6", 100, 'r')); !r.Repeated || r.Credits != 3 || r.Remaining != 3 {
		t.Errorf("repeated without credits: %+v", r)
	}
	if _, err = s.Refund(ctx, of("5")); err != nil {
		t.Fatal(err)
	}
	clock.Advance(billing.OnceFor)
	if r = reserve(onceHold("7", 2, 'x')); r.Repeated {
		t.Errorf("repeated after a day: %+v", r)
	}
	if _, err = s.Settle(ctx, of("7"), 2); err != nil {
		t.Fatal(err)
	}
	available(5)

	// A charge that is returned frees its key.
	if r, err = s.Refund(ctx, of("7")); err != nil || r.Credits != 2 {
		t.Errorf("refund: %+v, %v", r, err)
	}
	if r = reserve(onceHold("8", 2, 'y')); r.Repeated {
		t.Errorf("a refunded charge is repeated: %+v", r)
	}
	if _, err = s.Reserve(ctx, onceHold("9", 2, 'z')); err != nil { // in progress at the same time
		t.Fatal(err)
	}
	if _, err = s.Settle(ctx, of("8"), 0); err != nil { // a cost of zero counts, too
		t.Fatal(err)
	}
	if _, err = s.Settle(ctx, of("9"), 2); !errors.Is(err, billing.ErrOnceUsed) {
		t.Errorf("another request that ends second: %v", err)
	}
	available(7)

	// Requests that reserve nothing are charged once, too.
	clock.Advance(billing.OnceFor)
	brief := func(id string, credits int, request byte) billing.Hold {
		h := onceHold(id, credits, request)
		h.Brief = true
		return h
	}
	for range 2 { // also if the reply was lost
		r, err = s.Settle(ctx, brief("10", 4, 'r'), 2)
		receipt(t, billing.Receipt{Credits: 2, Parts: pack(2), Remaining: 5}, r, err)
	}
	r, err = s.Settle(ctx, brief("11", 100, 'r'), 2)
	receipt(t, billing.Receipt{Credits: 2, Parts: pack(2), Remaining: 5, Repeated: true}, r, err)
	if _, err = s.Settle(ctx, brief("12", 4, 'x'), 2); !errors.Is(err, billing.ErrOnceUsed) {
		t.Errorf("another request: %v", err)
	}
	available(5)
}

// Many requests with one key at two servers are charged once, whichever is first,
// and those that were cut off pay or are free together.
func TestOnceShared(t *testing.T) {
	eachDatabase(t, func(t *testing.T, empty func() database) {
		ctx, open, clock := t.Context(), empty(), storetest.NewClock()
		stores := []*billing.Store{open(t, clock.Now), open(t, clock.Now)}
		enterAccount(t, stores[0], "a", billing.Developer)
		grant(t, stores[0], billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "p", Amount: 1000, Granted: clock.Now()})
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
		if err := stores[0].Audit(ctx); err != nil {
			t.Error(err)
		}
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
			s := open(t, path, storetest.NewClock().Now)
			cuts.Some(t, s)
			check(t, s.Audit(t.Context()))
			if _, err := foreign(t, path).ExecContext(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if err := s.Audit(t.Context()); err == nil {
				t.Error("not found")
			}
		})
	}
}

// A hold whose detail or key is damaged is refused.
func TestDamagedHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s := open(t, path, time.Now)
	enterAccount(t, s, "a", billing.Free)
	if _, err := s.Reserve(t.Context(), onceHold("1", 4, 'r')); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Settle(t.Context(), of("1"), 3); err != nil {
		t.Fatal(err)
	}
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
		if _, err := db.ExecContext(t.Context(), "UPDATE holds SET (detail, key) = (SELECT detail, key FROM kept); DROP TABLE kept"); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := s.Refund(t.Context(), of("1")); err != nil || r.Credits != 3 {
		t.Errorf("the undamaged hold: %+v, %v", r, err)
	}
}

// A sweep releases the other holds if the grant of one is lost, and reports that one.
func TestSweepDamagedHold(t *testing.T) {
	path, clock := filepath.Join(t.TempDir(), "accounts.db"), storetest.NewClock()
	s := open(t, path, clock.Now)
	for _, id := range []string{"a", "b"} {
		enterAccount(t, s, id, billing.Free)
		if _, err := s.Reserve(t.Context(), billing.Hold{ID: id, Account: id, Credits: 4, TTL: time.Minute}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := foreign(t, path).ExecContext(t.Context(), "UPDATE holds SET detail = json_set(detail, '$.lines[0][0]', 999) WHERE id = 'a'"); err != nil {
		t.Fatal(err)
	}
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
	ctx := t.Context()
	enterAccount(t, s, "a", billing.Free)
	const requests = 20
	for i := range requests {
		id := fmt.Sprintf("01%04d", i)
		if _, err := s.Reserve(ctx, billing.Hold{ID: id, Account: "a", Credits: 5}); err != nil {
			t.Fatal(err)
		}
		check(t, s.Probe(ctx))
		if _, err := s.Settle(ctx, of(id), 2); err != nil {
			t.Fatal(err)
		}
		clock.Advance(10 * time.Minute)
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
	clock.Advance(100 * 24 * time.Hour)
	if _, err := s.Sweep(ctx); err != nil {
		t.Error(err)
	}
	if err := s.Probe(ctx); err != nil {
		t.Error(err)
	}
}
