package server_test

import (
	"context"
	"math"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/sqlstore"
	"github.com/postgeo/postgeo/server"
)

// unlimited lets everybody call as often as they like, after counting.
type unlimited struct{ *billing.MemoryLimiter }

func (u unlimited) Allow(ctx context.Context, key billing.LimitKey, _ int) (billing.Window, error) {
	return u.MemoryLimiter.Allow(ctx, key, math.MaxInt)
}

// keyed returns a server with accounts in SQLite, these, and a live key of
// theirs. Nobody is over a limit.
func keyed(b testing.TB, db server.DB, set ...func(*server.Config)) (s *server.Server, store billing.Store, key string) {
	b.Helper()
	store, err := sqlstore.Open(b.Context(), filepath.Join(b.TempDir(), "accounts.db"), sqlstore.Options{Pepper: pepper, Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	})
	account := billing.Account{ID: "acct_1", Plan: billing.Enterprise, Created: gateTime, Anchor: gateTime}
	if err := store.CreateAccount(b.Context(), account); err != nil {
		b.Fatal(err)
	}
	keys := billing.Keyring{Store: store, Pepper: pepper}
	_, secret, err := keys.Create(b.Context(), billing.Key{Account: account.ID, Kind: billing.Live})
	if err != nil {
		b.Fatal(err)
	}
	_, _, err = store.Grant(b.Context(), billing.Grant{Account: account.ID, Source: billing.PackCredits, Reference: "1", Amount: 1 << 40, Granted: gateTime})
	if err != nil {
		b.Fatal(err)
	}
	gate, err := billing.NewGate(billing.GateOptions{Directory: store, Pepper: pepper, Limiter: unlimited{billing.NewMemoryLimiter(billing.MemoryLimiterOptions{})}})
	if err != nil {
		b.Fatal(err)
	}
	set = append(set, realClock, realEntropy, func(c *server.Config) {
		c.Accounts = &server.Accounts{Gate: gate, Ledger: store}
	})
	return newServer(b, db, set...), store, secret.Reveal()
}

// BenchmarkHandlerKey is BenchmarkHandler with a live key.
func BenchmarkHandlerKey(b *testing.B) {
	s, _, key := keyed(b, openDB(b))
	target := "/v2/quick-zip?code=90210&key=" + key
	h := s
	b.ReportAllocs()
	r := get(target)
	w := &discard{header: http.Header{}}
	for b.Loop() {
		clear(w.header)
		h.ServeHTTP(w, r)
	}
	if w.status != http.StatusOK {
		b.Fatalf("status %d", w.status)
	}
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
