package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/sqlite"
	"github.com/postgeo/postgeo/billing/storetest"
)

// open opens accounts in a file and closes them at the end of the test.
func open(t testing.TB, path string, now func() time.Time) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Pepper: storetest.Pepper(), Create: true, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, now func() time.Time) billing.Store {
		return open(t, filepath.Join(t.TempDir(), "accounts.db"), now)
	})
}

// What was written is there after the file is opened again, and the file is
// its owner's only.
func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd name %41?#.db")
	clock := storetest.NewClock()
	model := storetest.NewModel(clock.Now)
	accounts := []string{"a", "b"}
	for round := range uint64(5) {
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{Pepper: storetest.Pepper(), Create: true, Now: clock.Now})
		if err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			model.AddAccount(storetest.Account(t, s, clock.Now(), "a", billing.Free))
			model.AddAccount(storetest.Account(t, s, clock.Now(), "b", billing.Professional))
		}
		if err := storetest.Steps(t.Context(), s, model, accounts, clock, round, 500); err != nil {
			t.Fatal(err)
		}
		if err := s.Audit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Balance(t.Context(), "a"); !errors.Is(err, sqlite.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		if err := s.Ping(t.Context()); !errors.Is(err, sqlite.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %o", info.Mode().Perm())
	}
}

// Two stores on one file, as two processes have, act as one.
func TestTwoStores(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	clock := storetest.NewClock()
	stores := []*sqlite.Store{open(t, path, clock.Now), open(t, path, clock.Now)}
	model := storetest.NewModel(clock.Now)
	model.AddAccount(storetest.Account(t, stores[0], clock.Now(), "a", billing.Free))
	for round := range uint64(40) {
		if err := storetest.Steps(t.Context(), stores[round%2], model, []string{"a"}, clock, round, 50); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	// A hold that one has made is known to the other.
	before, err := stores[0].Balance(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		r, err := stores[i%2].Reserve(t.Context(), billing.Hold{ID: "same", Account: "a", Credits: 3})
		if err != nil || r.Remaining != before.Available-3 {
			t.Errorf("the same hold, time %d: %+v, %v", i, r, err)
		}
	}
	if err := stores[0].Audit(t.Context()); err != nil {
		t.Error(err)
	}
}

// Two stores keep one bound, too.
func TestTwoStoresCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	a, b := open(t, path, time.Now), open(t, path, time.Now)
	storetest.CutTogether(t, time.Now(), a, b)
	if err := a.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte("this is no database, and long enough to be seen as none"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := filepath.Join(dir, "good.db")
	open(t, good, time.Now)
	other, err := billing.NewPepper([]byte("another pepper of a different installation"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path string
		o          sqlite.Options
		is         error
	}{
		{"absent", filepath.Join(dir, "none.db"), sqlite.Options{Pepper: storetest.Pepper()}, fs.ErrNotExist},
		{"no folder", filepath.Join(dir, "none", "a.db"), sqlite.Options{Pepper: storetest.Pepper(), Create: true}, fs.ErrNotExist},
		{"a folder", dir, sqlite.Options{Pepper: storetest.Pepper(), Create: true}, nil},
		{"text", text, sqlite.Options{Pepper: storetest.Pepper(), Create: true}, nil},
		{"wrong pepper", good, sqlite.Options{Pepper: other}, billing.ErrPepper},
		{"no pepper", good, sqlite.Options{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := sqlite.Open(t.Context(), tt.path, tt.o)
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v; want %v", err, tt.is)
			}
		})
	}
}

// Records of requests go after their time; what they spent stays.
func TestRetention(t *testing.T) {
	clock := storetest.NewClock()
	s := open(t, filepath.Join(t.TempDir(), "accounts.db"), clock.Now)
	storetest.Account(t, s, clock.Now(), "a", billing.Free)
	for _, id := range []string{"01A", "01B"} {
		if _, err := s.Reserve(t.Context(), billing.Hold{ID: id, Account: "a", Credits: 5, TTL: 1000 * time.Hour}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Settle(t.Context(), "01A", 4); err != nil {
		t.Fatal(err)
	}
	clock.Advance(36 * 24 * time.Hour)
	if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := s.Refund(t.Context(), "01A"); !errors.Is(err, billing.ErrHoldNotFound) {
		t.Errorf("a record past its time: %v", err)
	}
	if _, err := s.Settle(t.Context(), "01B", 5); err != nil {
		t.Errorf("an open hold: %v", err)
	}
	history, err := s.History(t.Context(), "a", time.UnixMilli(0))
	if err != nil || len(history) != 4 {
		t.Errorf("history %+v, %v", history, err)
	}
	if err := s.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}
