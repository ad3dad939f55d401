//go:build unix

package server_test

import (
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
	"github.com/postgeo/postgeo/server"
)

// charging runs a server that keeps its accounts in a store, and returns a
// function that sends a request with a key and returns its status.
func charging(t *testing.T, store *billing.Store) (*running, func() int) {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	account, err := store.CreateAccount(ctx, billing.Account{ID: "a", Plan: billing.Enterprise})
	check(t, err)
	_, _, err = store.Grant(ctx, billing.Grant{Account: account.ID, Source: billing.PackCredits, Reference: "1", Amount: 1_000_000, Granted: now})
	check(t, err)
	_, secret, err := store.CreateKey(ctx, billing.Key{Account: account.ID, Kind: billing.Live})
	check(t, err)
	r := run(t, newServer(t, openDB(t), realClock, realEntropy, func(c *server.Config) {
		c.Accounts = store
	}))
	r.shows(t, http.StatusOK, within)
	return r, func() int {
		status, _ := fetch(t, "http://"+r.public+"/v2/quick-zip?code=90210", "X-API-Key", secret)
		return status
	}
}

// TestFullDisk prevents the files of accounts from growing. It runs in a
// separate process, because the limit also applies to the log of package
// testing.
func TestFullDisk(t *testing.T) {
	const child = "POSTGEO_TEST_FULL_DISK"
	if os.Getenv(child) == "" {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk$")
		c.Env = append(os.Environ(), child+"=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "accounts.db")
	store, err := billing.Open(t.Context(), path, billing.Options{Pepper: storetest.Pepper(), Create: true})
	check(t, err)
	t.Cleanup(func() { store.Close() })
	r, ask := charging(t, store)
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	var before syscall.Rlimit
	check(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	limit := func(n uint64) {
		check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: before.Max}))
	}
	defer func() { _ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before) }()
	r.outage(t, ask, func() {
		info, err := os.Stat(path + "-wal")
		check(t, err)
		limit(uint64(info.Size()))
	}, func() { limit(before.Cur) })
	if err := store.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestLostPostgreSQL kills the server of the accounts.
func TestLostPostgreSQL(t *testing.T) {
	t.Parallel()
	pg := pgserver.Start(t)
	store, err := billing.Open(t.Context(), pg.Address(), billing.Options{Pepper: storetest.Pepper(), Create: true})
	check(t, err)
	t.Cleanup(func() { store.Close() })
	r, ask := charging(t, store)
	r.outage(t, ask, pg.Kill, pg.Run)
	if err := store.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}
