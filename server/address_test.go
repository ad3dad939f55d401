package server_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/geo"
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
			c.Accounts = split{everybody(t), l}
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

// atlas is a locator with one address.
type atlas map[netip.Addr]geo.LatLng

func (a atlas) LocateIP(_ context.Context, addr netip.Addr) (geo.LatLng, bool) {
	p, ok := a[addr]
	return p, ok
}

// TestSuggestNearAnAddress checks that suggestions near an address that the locator does not
// know have a notice.
func TestSuggestNearAnAddress(t *testing.T) {
	db := openDB(t)
	known := newServer(t, db, func(c *server.Config) {
		c.Locator = atlas{
			netip.MustParseAddr("192.0.2.1"):    geo.MustLatLng(34.09, -118.41), // of requests in tests
			netip.MustParseAddr("198.51.100.7"): geo.MustLatLng(40.75, -73.99),
		}
	})
	for _, tt := range []struct {
		s         *server.Server
		proximity string
		noticed   bool
	}{{known, "auto", false}, {known, "198.51.100.7", false}, {known, "::ffff:198.51.100.7", false}, {known, "203.0.113.9", true}, {newServer(t, db), "auto", true}} {
		text := readAll(t, do(tt.s, get("/v2/suggest?include=zip&q=9&proximity="+url.QueryEscape(tt.proximity))))
		if noticed := strings.Contains(text, `"notices":[{`); noticed != tt.noticed || !strings.Contains(text, `"location":`) {
			t.Errorf("%s: %s; want a notice: %t", tt.proximity, text, tt.noticed)
		}
	}
}
