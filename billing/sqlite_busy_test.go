package billing_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// While another process writes, a call waits; when it takes too long, the call
// fails as one that may be tried again, and has changed nothing.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s, err := billing.Open(t.Context(), path, billing.Options{Pepper: storetest.Pepper(), Create: true, Timeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	enterAccount(t, s, "a", billing.Free)

	other, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	hold := billing.Hold{ID: "1", Account: "a", Credits: 5}
	if _, err := s.Reserve(t.Context(), hold); !errors.Is(err, billing.ErrUnavailable) {
		t.Errorf("while another writes: %v", err)
	}
	if _, err := s.Account(t.Context(), "a"); err != nil {
		t.Errorf("reading while another writes: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	r, err := s.Reserve(t.Context(), hold)
	if err != nil || r.Remaining != 2495 {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// A file that cannot be written fails the call and nothing else: what was
// promised before is there, and what was not is not.
func TestWriteFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s := open(t, path, time.Now)
	enterAccount(t, s, "a", billing.Free)
	if _, err := s.Reserve(t.Context(), billing.Hold{ID: "1", Account: "a", Credits: 5}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Settle(t.Context(), of("1"), 5); err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(1000)")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, statement := range []string{
		"CREATE TRIGGER full_h BEFORE INSERT ON holds BEGIN SELECT RAISE(ABORT, 'no space'); END",
		"CREATE TRIGGER full_g BEFORE UPDATE ON grants BEGIN SELECT RAISE(ABORT, 'no space'); END",
		"CREATE TRIGGER full_i BEFORE INSERT ON grants BEGIN SELECT RAISE(ABORT, 'no space'); END",
	} {
		if _, err := other.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 4 {
		if _, err := s.Reserve(t.Context(), billing.Hold{ID: fmt.Sprint("2-", i), Account: "a", Credits: 7}); !errors.Is(err, billing.ErrUnavailable) {
			t.Errorf("with a full disk: %v", err)
		}
		if _, _, err := s.Grant(t.Context(), billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "x", Amount: 1, Granted: time.Now()}); !errors.Is(err, billing.ErrUnavailable) {
			t.Errorf("granting with a full disk: %v", err)
		}
	}
	if _, err := s.Refund(t.Context(), of("1")); !errors.Is(err, billing.ErrUnavailable) {
		t.Errorf("refunding with a full disk: %v", err)
	}
	for _, name := range []string{"full_h", "full_g", "full_i"} {
		if _, err := other.ExecContext(t.Context(), "DROP TRIGGER "+name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Sweep(t.Context()); err != nil { // makes up for the refund
		t.Fatal(err)
	}
	b, err := s.Balance(t.Context(), "a")
	if err != nil || b.Available != 2500 || b.Held != 0 {
		t.Errorf("balance %+v, %v; want 2500", b, err)
	}
	if err := s.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}

// A caller that goes away before its turn has not been there.
func TestContext(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "accounts.db"), time.Now)
	enterAccount(t, s, "a", billing.Free)
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := s.Reserve(gone, billing.Hold{ID: "1", Account: "a", Credits: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("Reserve: %v", err)
	}
	var wg sync.WaitGroup
	var held atomic.Int64
	for i := range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		wg.Go(func() {
			if _, err := s.Reserve(ctx, billing.Hold{ID: fmt.Sprint("r", i), Account: "a", Credits: 5}); err == nil {
				held.Add(5)
			} else if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		wg.Go(cancel)
	}
	wg.Wait()
	if b, err := s.Balance(t.Context(), "a"); err != nil || b.Held != int(held.Load()) {
		t.Errorf("%d held, %v; callers know of %d", b.Held, err, held.Load())
	}
}
