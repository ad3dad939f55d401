package billing_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/storetest"
)

// The file is accessible to its owner only, and a closed store returns ErrClosed.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd name %41?#.db")
	s := open(t, path, billing.Options{})
	enterAccount(t, s, "a", billing.Free)
	check(t, s.Close())
	if _, err := s.Balance(t.Context(), "a"); !errors.Is(err, billing.ErrClosed) {
		t.Errorf("Balance after Close: %v", err)
	}
	if err := s.Ping(t.Context()); !errors.Is(err, billing.ErrClosed) {
		t.Errorf("Ping after Close: %v", err)
	}
	info, err := os.Stat(path)
	check(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %o", info.Mode().Perm())
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	check(t, os.WriteFile(text, []byte("this is no database, and long enough to be seen as none"), 0o600))
	good := filepath.Join(dir, "good.db")
	open(t, good, billing.Options{})
	other := []byte("another pepper of a different installation")
	refuses(t, []refusal{
		{"absent", filepath.Join(dir, "none.db"), billing.Options{Pepper: storetest.Pepper()}, fs.ErrNotExist},
		{"no folder", filepath.Join(dir, "none", "a.db"), billing.Options{Pepper: storetest.Pepper(), Create: true}, fs.ErrNotExist},
		{"a folder", dir, billing.Options{Pepper: storetest.Pepper(), Create: true}, nil},
		{"text", text, billing.Options{Pepper: storetest.Pepper(), Create: true}, nil},
		{"wrong pepper", good, billing.Options{Pepper: other}, billing.ErrPepper},
		{"no pepper", good, billing.Options{}, nil},
	})
}

// While another process writes, a call waits; when it takes too long, the call
// fails as one that may be tried again, and has changed nothing.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s := open(t, path, billing.Options{Timeout: 50 * time.Millisecond})
	enterAccount(t, s, "a", billing.Free)

	tx, err := foreign(t, path).BeginTx(t.Context(), nil)
	check(t, err)
	hold := billing.Hold{ID: "1", Account: "a", Credits: 5}
	if _, err := s.Reserve(t.Context(), hold); !errors.Is(err, billing.ErrUnavailable) {
		t.Errorf("while another writes: %v", err)
	}
	if _, err := s.Balance(t.Context(), "a"); err != nil {
		t.Errorf("reading while another writes: %v", err)
	}
	check(t, tx.Rollback())
	r, err := s.Reserve(t.Context(), hold)
	if err != nil || r.Remaining != 2495 {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// A file that cannot be written fails the call and nothing else: what was
// promised before is there, and what was not is not.
func TestWriteFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s := open(t, path, billing.Options{})
	newStory(t, s, nil).must("account a free", "reserve 1 a 5", "settle 1 5")
	other := foreign(t, path)
	full := map[string]string{"full_h": "INSERT ON holds", "full_g": "UPDATE ON grants", "full_i": "INSERT ON grants"}
	for name, event := range full {
		_, err := other.ExecContext(t.Context(), "CREATE TRIGGER "+name+" BEFORE "+event+" BEGIN SELECT RAISE(ABORT, 'no space'); END")
		check(t, err)
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
	for name := range full {
		_, err := other.ExecContext(t.Context(), "DROP TRIGGER "+name)
		check(t, err)
	}
	if _, err := s.Sweep(t.Context()); err != nil { // makes up for the refund
		t.Fatal(err)
	}
	b, err := s.Balance(t.Context(), "a")
	if err != nil || b.Available != 2500 || b.Held != 0 {
		t.Errorf("balance %+v, %v; want 2500", b, err)
	}
	check(t, s.Audit(t.Context()))
}

// A commit that fails has changed nothing, in memory neither.
func TestCommitFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s := open(t, path, billing.Options{})
	enterAccount(t, s, "a", billing.Free)
	_, err := foreign(t, path).ExecContext(t.Context(), `CREATE TABLE late (account INTEGER REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED);
		CREATE TRIGGER late_h AFTER INSERT ON holds WHEN NEW.id LIKE 'bad%' BEGIN INSERT INTO late VALUES (0); END`)
	check(t, err)
	for i := range 3 {
		r, err := s.Reserve(t.Context(), billing.Hold{ID: fmt.Sprint("good", i), Account: "a", Credits: 5})
		if err != nil || r.Remaining != 2495-5*i {
			t.Errorf("%+v, %v; want %d remaining", r, err, 2495-5*i)
		}
		if _, err := s.Reserve(t.Context(), billing.Hold{ID: fmt.Sprint("bad", i), Account: "a", Credits: 7}); !errors.Is(err, billing.ErrUnavailable) {
			t.Errorf("a commit that fails: %v", err)
		}
	}
	check(t, s.Audit(t.Context()))
}

// A caller that goes away before its turn has not been there.
func TestContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s := open(t, path, billing.Options{})
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
	// All but the first wait for their turn.
	other, err := foreign(t, path).BeginTx(t.Context(), nil)
	check(t, err)
	const waiting = 10
	left := make(chan error, waiting)
	for i := range waiting {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		wg.Go(func() {
			_, err := s.Reserve(ctx, billing.Hold{ID: fmt.Sprint("w", i), Account: "a", Credits: 5})
			if err == nil {
				held.Add(5)
			}
			left <- err
		})
		time.Sleep(2 * time.Millisecond)
	}
	select {
	case err := <-left:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call that left: %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("a call waits although its context has ended")
	}
	check(t, other.Rollback())
	wg.Wait()
	if b, err := s.Balance(t.Context(), "a"); err != nil || b.Held != int(held.Load()) {
		t.Errorf("%d held, %v; callers know of %d", b.Held, err, held.Load())
	}
}

// Cuts that could not be written are made up for by Sweep, as cuts with their
// bound; one that was followed by a refund, as a refund.
func TestSweepCuts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	clock := storetest.NewClock()
	p := newStory(t, open(t, path, billing.Options{Now: clock.Now, Timeout: 20 * time.Millisecond}), clock)
	p.must("account a business", "grant a pack 1 1000", "spend 1 a 60", "spend 2 a 150", "spend 3 a 150", "spend 4 a 70 batch")
	other, err := foreign(t, path).BeginTx(t.Context(), nil)
	check(t, err)
	for _, call := range []string{"cut 1", "cut 2", "cut 3", "cut 4", "refund 3"} {
		if got := p.do(call); got != "error: unavailable" {
			t.Errorf("%s while another writes: %s", call, got)
		}
	}
	check(t, other.Rollback())
	p.must("sweep")
	want := date(clock.Now()) + " a cut 60 in 1, kept 150 in 1, batches 70 in 1; 850 available, 0 held; 850 of pack 1"
	if got := p.do("refunds a") + "; " + p.do("balance a"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	check(t, p.s.Audit(t.Context()))
}

var check = checktest.Check
