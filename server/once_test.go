package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

func once(key string, r *http.Request) *http.Request { return with(r, "Idempotency-Key", key) }

// available returns the credits of the only account.
func available(t testing.TB, store *billing.Store) int {
	t.Helper()
	b, err := store.Balance(t.Context(), "acct_1")
	if err != nil {
		t.Fatal(err)
	}
	return b.Available
}

// TestIdempotencyKey sends requests twice with a key: they are charged once, and the
// second response repeats the credits of the first (decision D76).
func TestIdempotencyKey(t *testing.T) {
	s, store, key := keyed(t, openDB(t))
	send := func(r *http.Request) (out struct {
		Results []json.RawMessage
		Error   *envelope.Error
		Meta    envelope.Meta
	}, status int,
	) {
		r.Header.Set("X-Api-Key", key)
		resp := do(s, r)
		if err := json.Unmarshal([]byte(readAll(t, resp)), &out); err != nil {
			t.Fatal(err)
		}
		return out, resp.StatusCode
	}
	for name, request := range map[string]func() *http.Request{
		"get":     func() *http.Request { return get("/v2/zip?code=90210&include=timezone") },
		"post":    func() *http.Request { return post("/v2/zip", `{"code":"90210","include":"timezone"}`) },
		"batch":   func() *http.Request { return post("/v2/quick-zip/batch", `{"codes":["90210","34.09,-118.4"]}`) },
		"unknown": func() *http.Request { return get("/v2/zip?code=00000") },
		"free":    func() *http.Request { return get("/v2/address?address=999+N+Sample+Dr,+90210") },
		"plain":   func() *http.Request { return get("/v2/outlines?box=-118.45,34.05,-118.35,34.15&tolerance=0.005") },
	} {
		before := available(t, store)
		first, status := send(once("key of "+name, request()))
		if status != http.StatusOK {
			t.Fatalf("%s: status %d", name, status)
		}
		for range 2 {
			again, status := send(once("key of "+name, request()))
			if diff := cmp.Diff(first.Meta.Credits, again.Meta.Credits); diff != "" || status != http.StatusOK {
				t.Errorf("%s: status %d; credits (-first +again):\n%s", name, status, diff)
			}
			if diff := cmp.Diff(first.Results, again.Results); diff != "" {
				t.Errorf("%s: results (-first +again):\n%s", name, diff)
			}
			if n := len(again.Meta.Notices); n == 0 || again.Meta.Notices[n-1].Code != envelope.IdempotentReplay {
				t.Errorf("%s: notices %v", name, again.Meta.Notices)
			}
		}
		if spent := before - available(t, store); spent != first.Meta.Credits.Used {
			t.Errorf("%s: %d credits spent; want %d", name, spent, first.Meta.Credits.Used)
		}
		for what, other := range map[string]*http.Request{
			"query":  get("/v2/zip?code=10118"),
			"method": post("/v2/zip?code=90210&include=timezone", ""),
			"path":   get("/v2/quick-zip?code=90210&include=timezone"),
			"body":   post("/v2/zip", `{"code":"90210","include":"timezone" }`),
		} {
			out, status := send(once("key of "+name, other))
			if status != http.StatusUnprocessableEntity || out.Error == nil || out.Error.Code != envelope.BadRequest {
				t.Errorf("%s: another %s under the key: status %d, %v", name, what, status, out.Error)
			}
		}
	}
	if err := store.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestIdempotencyKeyRefused sends keys that are not valid, and valid ones with refused
// requests. None reaches the accounts.
func TestIdempotencyKeyRefused(t *testing.T) {
	b := rich()
	s := newServer(t, openDB(t), withAccounts(t, b))
	for name, r := range map[string]*http.Request{
		"empty":   once("", get("/v2/zip?code=90210")),
		"long":    once(strings.Repeat("x", 256), get("/v2/zip?code=90210")),
		"control": once("a\tb", get("/v2/zip?code=90210")),
		"utf-8":   once("ä", get("/v2/zip?code=90210")),
		"invalid": once(strings.Repeat("x", 255), get("/v2/zip?code=9021")),
	} {
		if resp := do(s, as("paid", r)); resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: status %d", name, resp.StatusCode)
		}
	}
	twice := as("paid", once("a", get("/v2/zip?code=90210")))
	twice.Header.Add("Idempotency-Key", "a")
	if resp := do(s, twice); resp.StatusCode != http.StatusBadRequest {
		t.Errorf("two keys: status %d", resp.StatusCode)
	}
	if resp := do(s, as("test", once("a", get("/v2/zip?code=90210")))); resp.StatusCode != http.StatusOK {
		t.Errorf("a key that is not charged: status %d", resp.StatusCode)
	}
	if b.calls() != "" {
		t.Errorf("calls of the accounts: %s", b.calls())
	}
}

// TestIdempotencyKeyAfterTimeout gives up forty requests before their response and
// sends each again. Each is charged once.
func TestIdempotencyKeyAfterTimeout(t *testing.T) {
	db := openDB(t)
	var slow atomic.Bool
	quick := func(ctx context.Context) (*lookup.QuickRecord, error) {
		if slow.Load() {
			time.Sleep(60 * time.Millisecond)
		}
		return db.QuickLookup(ctx, "90210", lookup.QuickOptions{})
	}
	s, store, key := keyed(t, brokenDB{DB: db, quick: quick}, func(c *server.Config) { c.RequestTimeout = time.Minute })
	r := run(t, s)
	before := available(t, store)
	send := func(i int, timeout time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.public+"/v2/quick-zip?code=90210", nil)
		if err != nil {
			return err
		}
		req.Header.Set("X-Api-Key", key)
		resp, err := http.DefaultClient.Do(once(fmt.Sprint("request ", i), req))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	const requests = 40
	answered := 0
	for i := range requests {
		slow.Store(true)
		switch err := send(i, 20*time.Millisecond); {
		case err == nil: // the machine was busy
			answered++
		case !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("request %d was not given up: %v", i, err)
		}
		slow.Store(i%2 == 0) // the second ends before the first, or after it
		if err := send(i, time.Minute); err != nil {
			t.Error(err)
		}
	}
	if answered > requests/2 {
		t.Errorf("%d of %d requests were not given up", answered, requests)
	}
	r.stop()
	err := <-r.done
	r.done <- err
	if spent := before - available(t, store); err != nil || spent != requests {
		t.Errorf("%d credits spent for %d requests that were sent twice; %v", spent, requests, err)
	}
	if err := store.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}
