package server_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/server"
)

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
