package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestGoldenLimits checks the responses to callers that exceed their limits.
func TestGoldenLimits(t *testing.T) {
	db := openDB(t)
	quick := func() *http.Request { return get("/v2/quick-zip?code=90210") }
	tests := map[string]struct {
		before int // requests that are let in
		r      func() *http.Request
	}{
		"error-rate":         {60, func() *http.Request { return as("free", quick()) }},
		"error-rate-demo":    {5, func() *http.Request { return as("demo", quick()) }},
		"error-flood":        {60, quick},
		"error-auth-blocked": {20, func() *http.Request { return as("nobody", quick()) }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := rich()
			h := newServer(t, db, withAccounts(t, b))
			first := do(h, tt.r()).StatusCode
			for range tt.before - 1 {
				if status := do(h, tt.r()).StatusCode; status != first {
					t.Fatalf("status %d before the limit, want %d", status, first)
				}
			}
			calls := b.calls()
			golden(t, name, dump(t, do(h, tt.r())))
			if b.calls() != calls {
				t.Error("a refused request reaches the ledger")
			}
		})
	}
}

// FuzzCredentials sends whatever there is as credentials: nobody gets in who
// has no key, and nothing breaks.
func FuzzCredentials(f *testing.F) {
	f.Add(key("paid"), "", "Bearer x", "198.51.100.7, 10.0.0.1", "https://app.example.com", "10.0.0.1:80")
	f.Add("", "key="+key("demo"), "Basic", ",,,", "null", "[::1%eth0]:80")
	f.Add("\x00", "key=%zz", " bearer", "[::ffff:1.2.3.4]:5", "http://", "@")
	h := newServer(f, openDB(f), withAccounts(f, rich()))
	names := map[string]bool{}
	for _, name := range []string{"free", "restricted", "paid", "debug", "test", "free-test", "off", "expired", "rotating", "suspended", "at-home", "in-page"} {
		names[key(name)] = true
	}
	names[key("demo")] = true
	f.Fuzz(func(t *testing.T, header, query, authorization, forwarded, origin, peer string) {
		r := get("/v2/quick-zip")
		r.URL.RawQuery = "code=90210&" + query
		r.Header["X-Api-Key"] = []string{header}
		r.Header["Authorization"] = []string{authorization}
		r.Header["X-Forwarded-For"] = []string{forwarded, forwarded}
		r.Header["Origin"] = []string{origin}
		r.RemoteAddr = peer
		resp := do(h, r)
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode >= 500 || !json.Valid(body) {
			t.Errorf("status %d: %s, %v", resp.StatusCode, body, err)
		}
		if resp.StatusCode != http.StatusOK {
			return
		}
		for name := range names {
			if strings.Contains(header, name) || strings.Contains(query, "%") || strings.Contains(query, name) {
				return
			}
		}
		t.Errorf("let in with header %q and query %q", header, query)
	})
}

// TestUndeclaredProxy checks that invalid keys through an undeclared proxy do
// not lock out other customers behind it. The log names the missing setting
// once a minute.
func TestUndeclaredProxy(t *testing.T) {
	var log bytes.Buffer
	now := gateTime
	s := newServer(t, openDB(t), withAccounts(t, rich()), func(c *server.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(&log, nil))
		c.Now = func() time.Time { return now }
	})
	ask := func(name, peer string) *http.Response {
		r := with(as(name, get("/v2/quick-zip?code=90210")), "X-Forwarded-For", "198.51.100.7")
		r.RemoteAddr = peer
		return do(s, r)
	}
	for i := range 20 {
		if resp := ask("nobody", "192.0.2.1:80"); resp.StatusCode != http.StatusUnauthorized {
			t.Fatalf("attempt %d: status %d", i, resp.StatusCode)
		}
	}
	for name, want := range map[string]int{
		"paid": http.StatusOK, "free": http.StatusOK, "rotating": http.StatusOK, "demo": http.StatusOK, "test": http.StatusOK,
		"off": http.StatusForbidden, "nobody": http.StatusForbidden,
	} {
		if resp := ask(name, "192.0.2.1:80"); resp.StatusCode != want {
			t.Errorf("%s behind the proxy: status %d; want %d", name, resp.StatusCode, want)
		}
	}
	if body := readAll(t, ask("nobody", "192.0.2.1:80")); !strings.Contains(body, "AUTH_IP_BLOCKED") {
		t.Errorf("an unknown key gets %s", body)
	}
	r := get("/v2/quick-zip?code=90210")
	r.RemoteAddr = "192.0.2.1:80"
	if body := readAll(t, do(s, r)); !strings.Contains(body, "AUTH_IP_BLOCKED") {
		t.Errorf("no key gets %s", body)
	}

	warnings := func() int { return strings.Count(log.String(), "--trusted-proxies") }
	if n := warnings(); n != 1 || !strings.Contains(log.String(), `"peer":"192.0.2.1"`) {
		t.Errorf("%d warnings in a minute; want 1 with the peer:\n%s", n, log.String())
	}
	now = now.Add(time.Minute)
	ask("paid", "192.0.2.1:80")
	ask("paid", "192.0.2.1:80")
	if n := warnings(); n != 2 {
		t.Errorf("%d warnings after a minute; want 2", n)
	}
	now = now.Add(time.Minute)
	ask("paid", "10.0.0.1:80") // a trusted proxy
	if n := warnings(); n != 2 {
		t.Errorf("a trusted proxy is warned of:\n%s", log.String())
	}
}

// TestSetupLimited checks that the setup counts against the limit of requests
// without a key, of an address and of a network of IPv6.
func TestSetupLimited(t *testing.T) {
	h := newServer(t, openDB(t), withAccounts(t, rich()))
	ask := func(path, addr string) int {
		r := get(path)
		r.RemoteAddr = addr
		return do(h, r).StatusCode
	}
	for i := range 60 {
		if status := ask("/explorer/setup.json", "192.0.2.1:80"); status != http.StatusOK {
			t.Fatalf("request %d: status %d", i, status)
		}
	}
	for path, want := range map[string]int{"/explorer/setup.json": 429, "/v2/quick-zip?code=90210": 429, "/": 200, "/v2/openapi.json": 200} {
		if status := ask(path, "192.0.2.1:80"); status != want {
			t.Errorf("%s after 60: status %d; want %d", path, status, want)
		}
	}
	answered := 0
	for i := range 300 {
		if ask("/explorer/setup.json", fmt.Sprintf("[2001:db8:1:%x::1]:80", i)) == http.StatusOK {
			answered++
		}
	}
	if want := 60 * 4; answered != want {
		t.Errorf("%d requests of one IPv6 network are answered; want %d", answered, want)
	}
	open := newServer(t, openDB(t))
	for range 100 {
		if status := do(open, get("/explorer/setup.json")).StatusCode; status != http.StatusOK {
			t.Fatalf("in open mode: status %d", status)
		}
	}
}

// TestRateOfFailures checks when failures make a server with working parts
// unhealthy: five in four seconds, and half of all.
func TestRateOfFailures(t *testing.T) {
	tests := []struct {
		name       string
		good, bad  int
		err        error
		wait       time.Duration
		status     int
		wantReason string
	}{
		{"none", 20, 0, nil, 0, 200, ""},
		{"few", 0, 4, store.ErrDamaged, 0, 200, ""},
		{"all", 0, 5, store.ErrDamaged, 0, 503, "5 of the 5 responses"},
		{"half", 6, 6, store.ErrUnreadable, 0, 503, "6 of the 12 responses"},
		{"less than half", 7, 6, store.ErrDamaged, 0, 200, ""},
		{"defects", 0, 6, errors.New("a defect"), 0, 503, "6 of the 6 responses"},
		{"ledger", 0, 6, away(false), 0, 503, "6 of the 6 responses"},
		{"not found", 0, 20, postgeo.ErrNotFound, 0, 503, ""}, // not a contract's error here: a defect
		{"busy", 0, 20, &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.Busy}, 0, 200, ""},
		{"callers' mistakes", 0, 20, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: "no"}, 0, 200, ""},
		{"still", 0, 20, store.ErrDamaged, 3 * time.Second, 503, "20 of the 20 responses"},
		{"over", 0, 20, store.ErrDamaged, 5 * time.Second, 200, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
			var fail error
			db := brokenDB{DB: openDB(t), full: func(context.Context) (*lookup.Record, error) { return nil, fail }}
			s := newServer(t, db, func(c *server.Config) { c.Now = func() time.Time { return now } })
			for range tt.good {
				do(s, get("/v2/quick-zip?code=90210"))
			}
			fail = tt.err
			for range tt.bad {
				do(s, get("/v2/zip?code=90210"))
			}
			now = now.Add(tt.wait)
			resp := do(s.PrivateHandler(), get("/ready"))
			if text := body(t, resp); resp.StatusCode != tt.status || !strings.Contains(text, tt.wantReason) {
				t.Errorf("/ready: %d %s, want %d and %q", resp.StatusCode, text, tt.status, tt.wantReason)
			}
			if resp := do(s, get("/v2/health")); resp.StatusCode != tt.status {
				t.Errorf("/v2/health: %d, want %d", resp.StatusCode, tt.status)
			}
			now = now.Add(time.Minute)
			if resp := do(s.PrivateHandler(), get("/ready")); resp.StatusCode != http.StatusOK {
				t.Errorf("a minute later: %d", resp.StatusCode)
			}
		})
	}
}
