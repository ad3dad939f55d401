package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/server"
)

// openStreetless opens a dataset with a ZIP Code and no streets.
func openStreetless(t testing.TB) *postgeo.DB {
	t.Helper()
	path, err := lookuptest.WriteBare(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	db, err := postgeo.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestNoAddressRecords checks that a dataset without streets rejects no address
// and charges nothing (decision D33), alone and in a batch. Invalid requests
// are still reported.
func TestNoAddressRecords(t *testing.T) {
	tests := map[string]struct {
		r     *http.Request
		calls string
	}{
		"error-address-no-records":        {get("/v2/address?address=400+N+Sample+Dr,+Beverly+Hills,+CA+90210&include=coordinates,census"), "reserve refund"},
		"address-batch-no-records":        {post("/v2/address/batch", `{"addresses":["400 N Sample Dr 90210","1 A St"],"include":["cd"]}`), "reserve settle"},
		"error-address-no-records-length": {get("/v2/address?address=1+A+St"), ""},
	}
	db := openStreetless(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := rich()
			h := newServer(t, db, withAccounts(t, b))
			golden(t, name, dump(t, do(h, as("paid", tt.r))))
			if b.calls() != tt.calls || b.available() != 1000 || len(b.holds) != 0 {
				t.Errorf("the ledger is asked: %q, %d credits are left, held: %v; want %q, 1000 and nothing", b.calls(), b.available(), b.holds, tt.calls)
			}
		})
	}
}

// TestAddressBatchCredits checks the cost of a batch of addresses. It is free
// if the caller leaves, the time is exceeded, or the response cannot be
// written.
func TestAddressBatchCredits(t *testing.T) {
	db := openDB(t)
	const found, unknown = "400 N Sample Dr 90210", "999 N Sample Dr 90210"
	var leave context.CancelFunc
	waits := func(ctx context.Context, text string) (*address.Match, error) {
		if text == found {
			return db.MatchAddress(ctx, text, address.Options{})
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	tests := map[string]struct {
		match  func(ctx context.Context, text string) (*address.Match, error)
		limit  time.Duration
		cut    bool
		status int
		calls  string
		spent  int
	}{
		"answered":       {status: 200, calls: "reserve settle", spent: 2 * (1 + 1)}, // 1 and coordinates each, found or not
		"an item fails":  {match: func(context.Context, string) (*address.Match, error) { return nil, errors.New("x") }, status: 200, calls: "reserve settle"},
		"an item panics": {match: func(context.Context, string) (*address.Match, error) { panic("x") }, status: 200, calls: "reserve settle"},
		"time is over":   {match: waits, limit: 5 * time.Millisecond, status: 504, calls: "reserve refund"},
		"caller leaves": {match: func(ctx context.Context, text string) (*address.Match, error) {
			leave()
			return waits(ctx, text)
		}, calls: "reserve cut"},
		"answer is cut": {cut: true, status: 200, calls: "reserve settle cut"},
		"left at the end": {match: func(ctx context.Context, _ string) (*address.Match, error) {
			leave()
			return db.MatchAddress(context.WithoutCancel(ctx), found, address.Options{})
		}, status: 200, calls: "reserve settle", spent: 4},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := rich()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			leave = cancel
			s := newServer(t, brokenDB{DB: db, match: tt.match}, withAccounts(t, b), func(c *server.Config) { c.AddressBatchTimeout = tt.limit })
			recorder := httptest.NewRecorder()
			var w http.ResponseWriter = recorder
			if tt.cut {
				w = cutOff{recorder, 0}
			}
			recorder.Code = 0
			r := as("paid", post("/v2/address/batch", `{"addresses":["`+found+`","`+unknown+`"],"include":["coordinates"]}`))
			serve(s, w, r.WithContext(ctx))
			if recorder.Code != tt.status {
				t.Errorf("status %d, want %d: %s", recorder.Code, tt.status, recorder.Body)
			}
			if got := b.calls(); got != tt.calls {
				t.Errorf("the ledger is asked: %s; want: %s", got, tt.calls)
			}
			if spent := 1000 - b.available(); spent != tt.spent || len(b.holds) != 0 {
				t.Errorf("%d credits spent, want %d; held: %v", spent, tt.spent, b.holds)
			}
		})
	}
}

// TestAddressBatchLimit checks that batches of addresses have a separate time
// limit, longer than that of other requests.
func TestAddressBatchLimit(t *testing.T) {
	db := openDB(t)
	var until atomic.Int64
	match := func(ctx context.Context, text string) (*address.Match, error) {
		at, _ := ctx.Deadline()
		until.Store(time.Until(at).Nanoseconds())
		return db.MatchAddress(ctx, text, address.Options{})
	}
	s := newServer(t, brokenDB{DB: db, match: match}, func(c *server.Config) { c.RequestTimeout = time.Second })
	if resp := do(s, post("/v2/address/batch", `{"addresses":["400 N Sample Dr 90210"]}`)); resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d", resp.StatusCode)
	}
	if d := time.Duration(until.Load()); d <= time.Minute || d > 120*time.Second {
		t.Errorf("a batch may work for %v more, want the contract's 120 s", d)
	}
}

// timedLedger notes how long holds last.
type timedLedger struct {
	*book
	ttl time.Duration
}

func (l *timedLedger) Reserve(ctx context.Context, h billing.Hold) (billing.Receipt, error) {
	l.ttl = h.TTL
	return l.book.Reserve(ctx, h)
}

// TestAddressBatchHold checks that no sweep ends a hold while its batch may
// still be worked on.
func TestAddressBatchHold(t *testing.T) {
	for _, limit := range []time.Duration{0, 10 * time.Minute} {
		l := &timedLedger{book: rich()}
		s := newServer(t, openDB(t), withAccounts(t, l.book), func(c *server.Config) {
			c.AddressBatchTimeout = limit
			c.Accounts.Ledger = l
		})
		if resp := do(s, as("paid", post("/v2/address/batch", `{"addresses":["400 N Sample Dr 90210"]}`))); resp.StatusCode != http.StatusOK {
			t.Fatalf("status %d", resp.StatusCode)
		}
		if l.ttl <= max(limit, 120*time.Second) {
			t.Errorf("a batch that may take %v has its credits held for %v", limit, l.ttl)
		}
	}
}

// TestSweptHold checks that a call whose hold ended is retryable, even if the
// ledger has forgotten the hold.
func TestSweptHold(t *testing.T) {
	for _, gone := range []error{billing.ErrHoldClosed, billing.ErrHoldNotFound} {
		b := rich()
		b.err["settle"] = fmt.Errorf("a ledger: %w", gone)
		s := newServer(t, openDB(t), withAccounts(t, b))
		for name, r := range map[string]*http.Request{
			"batch": post("/v2/address/batch", `{"addresses":["400 N Sample Dr 90210"]}`),
			"one":   get("/v2/quick-zip?code=90210"),
		} {
			if resp := do(s, as("paid", r)); resp.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("%s, %v: status %d, want 503", name, gone, resp.StatusCode)
			}
		}
		if got := b.available(); got != 1000 {
			t.Errorf("%v: %d credits are left of 1000", gone, got)
		}
	}
}

// TestAddressBatchTelling checks the metadata of a mixed batch. An address
// without a match counts as a success, and each kind of notice appears once.
func TestAddressBatchTelling(t *testing.T) {
	addresses := slices.Repeat([]string{"400 N Sample Dr 90210", "999 N Sample Dr 90210"}, 100)
	addresses = append(addresses, "1 A St", " ")
	text, err := json.Marshal(map[string]any{"addresses": addresses, "include": []string{"census", "cd", "weather", "acs_tract_social"}})
	if err != nil {
		t.Fatal(err)
	}
	resp := do(newServer(t, openDB(t)), post("/v2/address/batch", string(text)))
	var got struct {
		Results []struct {
			Success bool
			Matched *bool
			Notices []envelope.Notice
		}
		Meta envelope.Meta
	}
	if err := json.Unmarshal([]byte(readAll(t, resp)), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&envelope.Batch{Requested: 202, Succeeded: 200, Failed: 2}, got.Meta.Batch); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	want := []envelope.Notice{
		notice.Duplicates(198), notice.UnavailableEnrichments([]string{"census", "cd", "acs_tract_social"}), notice.AddressUnmatched(),
		notice.UnknownEnrichments([]string{"weather"}),
	}
	if diff := cmp.Diff(want, got.Meta.Notices); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
	if n := got.Meta.Credits.Used; n != 200 {
		t.Errorf("%d credits, want 200", n)
	}
	for i, item := range got.Results {
		bad := i >= 200
		if item.Success == bad || (item.Matched != nil) == bad || !bad && *item.Matched != (i%2 == 0) {
			t.Errorf("item %d: success %t, matched %v", i, item.Success, item.Matched)
		}
		for _, n := range item.Notices {
			if n.Class != envelope.ClassMatch || strings.Contains(n.Message, "census") {
				t.Errorf("item %d has the notice %v", i, n)
			}
		}
	}
}
