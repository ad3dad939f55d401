package billing_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// open opens accounts in a file and closes them at the end of the test.
func open(t testing.TB, path string, now func() time.Time) *billing.Store {
	t.Helper()
	s, err := billing.Open(t.Context(), path, billing.Options{Pepper: storetest.Pepper(), Create: true, Now: now})
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

// The file is accessible to its owner only, and a closed store returns ErrClosed.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd name %41?#.db")
	s := open(t, path, time.Now)
	enterAccount(t, s, "a", billing.Free)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Balance(t.Context(), "a"); !errors.Is(err, billing.ErrClosed) {
		t.Errorf("Balance after Close: %v", err)
	}
	if err := s.Ping(t.Context()); !errors.Is(err, billing.ErrClosed) {
		t.Errorf("Ping after Close: %v", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %o", info.Mode().Perm())
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
	other := []byte("another pepper of a different installation")
	tests := []struct {
		name, path string
		o          billing.Options
		is         error
	}{
		{"absent", filepath.Join(dir, "none.db"), billing.Options{Pepper: storetest.Pepper()}, fs.ErrNotExist},
		{"no folder", filepath.Join(dir, "none", "a.db"), billing.Options{Pepper: storetest.Pepper(), Create: true}, fs.ErrNotExist},
		{"a folder", dir, billing.Options{Pepper: storetest.Pepper(), Create: true}, nil},
		{"text", text, billing.Options{Pepper: storetest.Pepper(), Create: true}, nil},
		{"wrong pepper", good, billing.Options{Pepper: other}, billing.ErrPepper},
		{"no pepper", good, billing.Options{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := billing.Open(t.Context(), tt.path, tt.o)
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
