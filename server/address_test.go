package server_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// openStreetless opens a dataset with a ZIP Code and no streets.
func openStreetless(t testing.TB) *postgeo.DB {
	t.Helper()
	path := lookuptest.Bare(t)
	db := sampletest.File(t, path)
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
