//go:build unix

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/postgres"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(childAddress); address != "" {
		if err := child(context.Background(), address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// open opens accounts and closes them at the end of the test.
func open(t testing.TB, address string, o postgres.Options) billing.Store {
	t.Helper()
	o.Pepper, o.Create = storetest.Pepper(), true
	s, err := postgres.Open(t.Context(), address, o)
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

// Processes that start at the same time make the tables once, and each finds
// them as the others left them.
func TestOpenTogether(t *testing.T) {
	server := pgserver.Start(t, "fsync=off")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := postgres.Open(t.Context(), server.Address(), postgres.Options{Pepper: storetest.Pepper(), Create: true})
			if err != nil {
				t.Error(err)
				return
			}
			if r, err := s.Revision(t.Context()); r != 1 || err != nil {
				t.Errorf("revision %d, %v; want 1", r, err)
			}
			if err := errors.Join(s.Close(), s.Close()); err != nil {
				t.Error(err)
			}
			if _, err := s.Balance(t.Context(), "a"); !errors.Is(err, postgres.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
			if err := s.Ping(t.Context()); !errors.Is(err, postgres.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		})
	}
	wg.Wait()
}

func TestOpenRefuses(t *testing.T) {
	server := pgserver.Start(t, "fsync=off")
	open(t, server.Address(), postgres.Options{})
	open(t, server.Address(), postgres.Options{Schema: "newer"})
	execute(t, server, "INSERT INTO newer.migrations (version, name) VALUES (99, 'of a version to come')")
	execute(t, server, "CREATE DATABASE forgetful", "ALTER DATABASE forgetful SET synchronous_commit = off")
	other, err := billing.NewPepper([]byte("another pepper of a different installation"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, address string
		o             postgres.Options
		is            error
	}{
		{"no tables", server.Address(), postgres.Options{Pepper: storetest.Pepper(), Schema: "none"}, fs.ErrNotExist},
		{"newer tables", server.Address(), postgres.Options{Pepper: storetest.Pepper(), Schema: "newer"}, nil},
		{"wrong pepper", server.Address(), postgres.Options{Pepper: other}, billing.ErrPepper},
		{"no pepper", server.Address(), postgres.Options{}, nil},
		{"no address", "postgres://host:port/x", postgres.Options{Pepper: storetest.Pepper()}, nil},
		{"no server", "postgres:///x?host=/nowhere", postgres.Options{Pepper: storetest.Pepper()}, billing.ErrUnavailable},
		{"commits not flushed", "postgres:///forgetful?user=postgres&host=" + server.Folder(), postgres.Options{Pepper: storetest.Pepper(), Create: true}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := postgres.Open(t.Context(), tt.address, tt.o)
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

func execute(t *testing.T, server *pgserver.Server, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
}

// The same ids, reserved at the same time for two accounts by two stores in
// different orders, are one hold each, whatever PostgreSQL has to undo.
func TestSameIDs(t *testing.T) {
	server := pgserver.Start(t, "fsync=off")
	const ids = 400
	accounts := []string{"a", "b"}
	var stores []billing.Store
	for i, id := range accounts {
		s := open(t, server.Address(), postgres.Options{})
		stores = append(stores, s)
		storetest.Account(t, stores[0], time.Now(), id, billing.Business)
		if _, _, err := s.Grant(t.Context(), billing.Grant{Account: id, Source: billing.PackCredits, Reference: fmt.Sprint(i), Amount: 10 * ids, Granted: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	var won [ids]atomic.Int64
	var wg sync.WaitGroup
	for who := range accounts {
		for i := range ids {
			n := i
			if who == 1 {
				n = ids - 1 - i
			}
			wg.Go(func() {
				_, err := stores[who].Reserve(t.Context(), billing.Hold{ID: fmt.Sprintf("h%03d", n), Account: accounts[who], Credits: 10})
				if err == nil {
					won[n].Add(1)
				} else if !errors.Is(err, billing.ErrHoldClosed) {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	for i := range won {
		if n := won[i].Load(); n != 1 {
			t.Errorf("hold %d was given %d times", i, n)
		}
	}
	held := 0
	for _, id := range accounts {
		b, err := stores[0].Balance(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		held += b.Held
	}
	if held != 10*ids {
		t.Errorf("%d credits held; want %d", held, 10*ids)
	}
	if err := stores[0].Audit(t.Context()); err != nil {
		t.Error(err)
	}
}
