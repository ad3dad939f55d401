package server_test

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/server"
)

// unlimited lets everybody call as often as they like, after counting.
type unlimited struct{ server.Gate }

func (u unlimited) Enter(ctx context.Context, c billing.Credentials) (billing.Pass, error) {
	pass, err := u.Gate.Enter(ctx, c)
	if limited := new(billing.RateLimitError); errors.As(err, &limited) && !limited.Flood {
		err = nil
	}
	return pass, err
}

func (u unlimited) AllowAddr(ctx context.Context, addr netip.Addr) error {
	err := u.Gate.AllowAddr(ctx, addr)
	if limited := new(billing.RateLimitError); errors.As(err, &limited) {
		err = nil
	}
	return err
}

// keyed returns a server with accounts in SQLite, these, and a live key of
// theirs. Nobody is over a limit.
func keyed(b testing.TB, db server.DB, set ...func(*server.Config)) (s *server.Server, store *billing.Store, key string) {
	b.Helper()
	store, err := billing.Open(b.Context(), filepath.Join(b.TempDir(), "accounts.db"), billing.Options{Pepper: pepper, Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	})
	account, err := store.CreateAccount(b.Context(), billing.Account{ID: "acct_1", Plan: billing.Enterprise})
	if err != nil {
		b.Fatal(err)
	}
	_, secret, err := store.CreateKey(b.Context(), billing.Key{Account: account.ID, Kind: billing.Live})
	if err != nil {
		b.Fatal(err)
	}
	_, _, err = store.Grant(b.Context(), billing.Grant{Account: account.ID, Source: billing.PackCredits, Reference: "1", Amount: 1 << 40, Granted: gateTime})
	if err != nil {
		b.Fatal(err)
	}
	set = append(set, realClock, realEntropy, func(c *server.Config) {
		c.Accounts = &server.Accounts{Gate: unlimited{store}, Ledger: store}
	})
	return newServer(b, db, set...), store, secret
}

// BenchmarkLoopbackKey is BenchmarkLoopback with a live key: every request
// passes the gate, takes a permit, and reserves and settles a credit that no
// crash of the process loses once the answer is written.
func BenchmarkLoopbackKey(b *testing.B) {
	s, _, key := keyed(b, openDB(b))
	target := "/v2/quick-zip?code=90210&key=" + key
	resp := do(s, get(target))
	body := []byte(readAll(b, resp))
	if resp.StatusCode != http.StatusOK {
		b.Fatalf("status %d: %s", resp.StatusCode, body)
	}
	for _, connections := range []int{1, 8, 64, 256, 1024} {
		b.Run("connections="+strconv.Itoa(connections), func(b *testing.B) {
			compare(b, bare(body), s, target, connections)
		})
	}
}
