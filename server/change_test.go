package server_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestChange shortens the time limit of a server in use. Settings that are not valid
// change nothing.
func TestChange(t *testing.T) {
	s := newServer(t, brokenDB{DB: openDB(t), quick: func(ctx context.Context) (*lookup.QuickRecord, error) {
		by, _ := ctx.Deadline()
		if time.Until(by) > time.Minute {
			return new(lookup.QuickRecord), nil
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}}, realClock, func(c *server.Config) { c.RequestTimeout = time.Hour })
	for _, change := range []struct {
		timeout time.Duration
		valid   bool
		status  int
	}{{time.Hour, true, http.StatusOK}, {-1, false, http.StatusOK}, {20 * time.Millisecond, true, http.StatusGatewayTimeout}, {2 * time.Hour, true, http.StatusOK}} {
		if err := s.Change(server.Config{RequestTimeout: change.timeout}); (err == nil) != change.valid {
			t.Errorf("a time limit of %v: %v", change.timeout, err)
		}
		if resp := do(s, get("/v2/quick-zip?code=90210")); resp.StatusCode != change.status {
			t.Errorf("with a time limit of %v: status %d, want %d", change.timeout, resp.StatusCode, change.status)
		}
	}
}

// TestChangeProxies takes the trust of a proxy back: the address that it forwards then
// no longer counts.
func TestChangeProxies(t *testing.T) {
	accounts := withAccounts(t, rich())
	s := newServer(t, openDB(t), accounts)
	ask := func() int {
		r := with(as("at-home", get("/v2/quick-zip?code=90210")), "X-Forwarded-For", "198.51.100.7")
		r.RemoteAddr = "10.1.2.3:4567"
		return do(s, r).StatusCode
	}
	if got := ask(); got != http.StatusOK {
		t.Errorf("behind a trusted proxy: status %d", got)
	}
	var cfg server.Config
	accounts(&cfg)
	cfg.Accounts.TrustedProxies = nil
	if err := s.Change(cfg); err != nil {
		t.Fatal(err)
	}
	if got := ask(); got != http.StatusForbidden {
		t.Errorf("behind a proxy that is not trusted any more: status %d, want 403", got)
	}
}
