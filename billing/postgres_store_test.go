//go:build unix

package billing_test

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

// Processes that start at the same time make the tables once, and each finds
// them as the others left them.
func TestOpenTogether(t *testing.T) {
	server := pgserver.Shared(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := billing.Open(t.Context(), server.Address(), billing.Options{Pepper: storetest.Pepper(), Create: true})
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
			if _, err := s.Balance(t.Context(), "a"); !errors.Is(err, billing.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
			if err := s.Ping(t.Context()); !errors.Is(err, billing.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		})
	}
	wg.Wait()
}

func TestPostgresOpenRefuses(t *testing.T) {
	server := pgserver.Shared(t)
	open(t, server.Address(), billing.Options{})
	open(t, server.Address(), billing.Options{Schema: "newer"})
	open(t, server.Address(), billing.Options{Schema: "older"})
	execute(t, server, "UPDATE newer.settings SET format = 99", "ALTER TABLE older.settings DROP COLUMN format")
	execute(t, server, "CREATE DATABASE forgetful", "ALTER DATABASE forgetful SET synchronous_commit = off")
	other := []byte("another pepper of a different installation")
	refuses(t, []refusal{
		{"no tables", server.Address(), billing.Options{Pepper: storetest.Pepper(), Schema: "none"}, fs.ErrNotExist},
		{"newer tables", server.Address(), billing.Options{Pepper: storetest.Pepper(), Schema: "newer"}, nil},
		{"older tables", server.Address(), billing.Options{Pepper: storetest.Pepper(), Schema: "older", Create: true}, nil},
		{"wrong pepper", server.Address(), billing.Options{Pepper: other}, billing.ErrPepper},
		{"no pepper", server.Address(), billing.Options{}, nil},
		{"no address", "postgres://host:port/x", billing.Options{Pepper: storetest.Pepper()}, nil},
		{"no server", "postgres:///x?host=/nowhere", billing.Options{Pepper: storetest.Pepper()}, billing.ErrUnavailable},
		{"commits not flushed", "postgres:///forgetful?user=postgres&host=" + server.Folder(), billing.Options{Pepper: storetest.Pepper(), Create: true}, nil},
	})
}

func execute(t *testing.T, server *pgserver.Server, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server.Address())
	check(t, err)
	defer conn.Close(t.Context())
	for _, sql := range statements {
		_, err := conn.Exec(t.Context(), sql)
		check(t, err)
	}
}

// The same ids, reserved at the same time for two accounts by two stores in
// different orders, are one hold each, whatever PostgreSQL has to undo.
func TestSameIDs(t *testing.T) {
	server := pgserver.Shared(t)
	const ids = 100
	accounts := []string{"a", "b"}
	var stores []*billing.Store
	for _, id := range accounts {
		s := open(t, server.Address(), billing.Options{})
		stores = append(stores, s)
		enterAccount(t, stores[0], id, billing.Business)
		grantPack(t, s, id, "1", 10*ids)
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
		check(t, err)
		held += b.Held
	}
	if held != 10*ids {
		t.Errorf("%d credits held; want %d", held, 10*ids)
	}
	check(t, stores[0].Audit(t.Context()))
}

func postgresDatabase(t testing.TB, settings ...string) func() database {
	server := pgserver.Shared(t)
	if settings != nil {
		server = pgserver.Start(t, settings...)
	}
	n := 0
	return func() database {
		n++
		schema := fmt.Sprintf("Odd; \"name\" %d", n)
		return func(t testing.TB, now func() time.Time) *billing.Store {
			return open(t, server.Address(), billing.Options{Now: now, Schema: schema})
		}
	}
}

func stopServers() { pgserver.StopShared() }
