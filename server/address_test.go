package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup/suggest"
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

// TestGeocodeCredits checks that positions and nearest addresses cost 1 each, found or
// not, and that other failures are free (decision D65).
func TestGeocodeCredits(t *testing.T) {
	db := openDB(t)
	geocode := func(text string) *http.Request { return get("/v2/geocode?include=cd&address=" + url.QueryEscape(text)) }
	for _, tt := range []struct {
		name   string
		r      *http.Request
		status int
		spent  int
		want   string
	}{
		{"point", geocode("400 N Sample Dr 90210"), 200, 1, `"precision":"point"`},
		{"street", geocode("900 Quillet St 90210"), 200, 1, `"precision":"street"`},
		{"unknown street", geocode("1 Nowhere Ln, Beverly Hills, CA 90210"), 200, 1, `"precision":"zip"`},
		{"uncovered ZIP Code", geocode("1 W 34th St, New York, NY 10001"), 200, 1, `"code":"DATA_NOT_LOADED"`},
		{"unknown place", geocode("1 Main St, Nowhere, CA"), 200, 1, `"code":"NOT_FOUND"`},
		{"short", geocode("1 A St"), 400, 0, `"code":"VALIDATION_INPUT_TOO_SHORT"`},
		{"near", get("/v2/reverse?point=34.101,-118.4&include=cd"), 200, 1, `"number":"400"`},
		{"far", get("/v2/reverse?point=34.08,-118.4&within=10"), 200, 1, `"code":"NOT_FOUND"`},
		{"uncovered point", get("/v2/reverse?point=40.75,-73.99"), 503, 0, `this dataset holds no streets and address points of 10001.`},
		{"record without a point", get("/v2/address?include=coordinates&address=50+Quillet+St+90210"), 200, 2, `"location":{"latitude":34.100072,"longitude":-118.405,"basis":"interpolated"}`},
		{"number without a point", get("/v2/address?include=coordinates&address=198+Quillet+St+90210"), 200, 2, `"base_alternate_code":"B"}}}]`},
		{"no point", get("/v2/reverse?point=x"), 400, 0, `"code":"VALIDATION_INVALID_COORDINATES"`},
		{
			"addresses", post("/v2/geocode/batch", `{"addresses":["400 N Sample Dr 90210","1 Main St, Nowhere, CA","400 N Sample Dr 90210",""],"include":"cd"}`),
			200, 3, `"batch":{"requested":4,"succeeded":2,"failed":2}`,
		},
		{
			"points", post("/v2/reverse/batch", `{"points":["34.101,-118.4","40.75,-73.99","34.08,-118.4","x"],"within":20,"include":["cd"]}`),
			200, 2, `"batch":{"requested":4,"succeeded":1,"failed":3}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := rich()
			resp := do(newServer(t, db, withAccounts(t, b)), as("paid", tt.r))
			body := readAll(t, resp)
			if resp.StatusCode != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("status %d, %s; want %d and %s", resp.StatusCode, body, tt.status, tt.want)
			}
			if spent := 1000 - b.available(); spent != tt.spent || len(b.holds) != 0 {
				t.Errorf("%d credits spent, want %d; held: %v", spent, tt.spent, b.holds)
			}
		})
	}
}

// TestGeocodeAreas checks that areas around ZIP Codes are unavailable, free, and
// reported once for a batch.
func TestGeocodeAreas(t *testing.T) {
	s := newServer(t, openDB(t))
	resp := do(s, post("/v2/geocode/batch", `{"addresses":["1 Nowhere Ln 90210","2 Main St 10001"],"include":["census","cd","weather"]}`))
	var got struct {
		Results []envelope.Item
		Meta    envelope.Meta
	}
	check(t, json.Unmarshal([]byte(readAll(t, resp)), &got))
	var messages []string
	for _, n := range got.Meta.Notices {
		messages = append(messages, n.Message)
	}
	const want = "Not available for this code, not charged: census, cd.|Unknown enrichment flag(s) ignored: weather."
	if text := strings.Join(messages, "|"); text != want || got.Meta.Credits.Used != 2 {
		t.Errorf("%d credits, notices %s; want 2 and %s", got.Meta.Credits.Used, text, want)
	}
	if covered, other := got.Results[0].Notices, got.Results[1].Notices; len(covered) != 0 || len(other) != 1 || other[0].Code != envelope.DataNotLoaded {
		t.Errorf("notices %v of a covered ZIP Code, %v of another", covered, other)
	}
}

// TestGeocodeKeys checks the limits of demo and test keys, and of free plans.
func TestGeocodeKeys(t *testing.T) {
	db := openDB(t)
	for _, r := range []*http.Request{
		as("test", get("/v2/geocode?address=400+N+Sample+Dr+90210")), as("test", get("/v2/reverse?point=34.101,-118.4")),
		as("test", post("/v2/geocode/batch", `{"addresses":["100 E Oak Blvd, New York, NY 10001"]}`)),
		as("free", post("/v2/reverse/batch", `{"points":["34.101,-118.4"]}`)),
	} {
		resp := do(newServer(t, db, withAccounts(t, rich())), r)
		if body := readAll(t, resp); resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d: %s", r.URL, resp.StatusCode, body)
		}
	}
	resp := do(newServer(t, db, withAccounts(t, rich())), as("test", get("/v2/geocode?address=100+E+Oak+Blvd,+New+York,+NY+10001")))
	if body := readAll(t, resp); resp.StatusCode != http.StatusOK || !strings.Contains(body, `"source":"test"`) {
		t.Errorf("a demo address: status %d: %s", resp.StatusCode, body)
	}
}

type suggested struct {
	Success bool                   `json:"success"`
	Request operation.SuggestInput `json:"request"`
	Results []suggest.Result       `json:"results"`
	Meta    envelope.Meta          `json:"meta"`
	Error   envelope.Error         `json:"error"`
}

func suggestions(t *testing.T, h http.Handler, r *http.Request) (status int, s suggested) {
	t.Helper()
	resp := do(h, r)
	check(t, json.NewDecoder(resp.Body).Decode(&s))
	return resp.StatusCode, s
}

// TestSuggestCaps checks that free, test and demo keys receive at most 15
// suggestions, with a notice, and pay only for these.
func TestSuggestCaps(t *testing.T) {
	db := openDB(t)
	tests := []struct {
		key    string
		limit  string
		credit int
		capped bool
	}{
		{"paid", "500", 5, false},
		{"paid", "", 1, false},
		{"free", "500", 1, true},
		{"free", "16", 1, true},
		{"free", "15", 1, false},
		{"free", "", 1, false},
		{"restricted", "50", 1, true},
		{"test", "50", 1, true},
		{"demo", "151", 1, true},
	}
	for _, tt := range tests {
		b := rich()
		h := newServer(t, db, withAccounts(t, b))
		status, s := suggestions(t, h, as(tt.key, get("/v2/suggest?q=a&limit="+tt.limit)))
		if status != http.StatusOK || s.Meta.Credits.Used != tt.credit {
			t.Errorf("%s limit %q: status %d, %d credits; want %d", tt.key, tt.limit, status, s.Meta.Credits.Used, tt.credit)
		}
		var want []envelope.Notice
		if tt.capped {
			want = []envelope.Notice{{
				Code: envelope.FreeTierLimitCapped, Class: envelope.ClassBilling,
				Message: "Free keys return at most 15 suggestions.", URL: testLinks.Pricing,
			}}
		}
		if diff := cmp.Diff(want, s.Meta.Notices); diff != "" {
			t.Errorf("%s limit %q: notices (-want +got):\n%s", tt.key, tt.limit, diff)
		}
		if asked, _ := strconv.Atoi(tt.limit); asked > 0 && *s.Request.Limit != asked {
			t.Errorf("%s limit %q: the echo has %d; want it as asked", tt.key, tt.limit, *s.Request.Limit)
		}
	}
}

// atlas is a locator with one address.
type atlas map[netip.Addr]geo.LatLng

func (a atlas) LocateIP(_ context.Context, addr netip.Addr) (geo.LatLng, bool) {
	p, ok := a[addr]
	return p, ok
}

func TestSuggestNearAnAddress(t *testing.T) {
	db := openDB(t)
	known := atlas{
		netip.MustParseAddr("192.0.2.1"):    geo.MustLatLng(34.09, -118.41), // of requests in tests
		netip.MustParseAddr("198.51.100.7"): geo.MustLatLng(40.75, -73.99),
	}
	h := newServer(t, db, func(c *server.Config) { c.Locator = known })
	tests := []struct {
		proximity string
		first     string
		noticed   bool
	}{
		{"auto", "9", false},
		{"198.51.100.7", "1", false},
		{"::ffff:198.51.100.7", "1", false},
		{"203.0.113.9", "", true},
	}
	for _, tt := range tests {
		for _, digit := range []string{"1", "9"} {
			_, s := suggestions(t, h, get("/v2/suggest?include=zip&limit=1&q="+digit+"&proximity="+url.QueryEscape(tt.proximity)))
			if len(s.Results) != 1 || len(s.Results[0].Matches) != 1 {
				t.Fatalf("%s: %+v; want one match", tt.proximity, s)
			}
			if noticed := len(s.Results[0].Notices) > 0; noticed != tt.noticed {
				t.Errorf("%s: notices %v; want some: %t", tt.proximity, s.Results[0].Notices, tt.noticed)
			}
			if digit == tt.first && s.Results[0].Matches[0].Location.IsZero() {
				t.Errorf("%s: first match %+v has no point", tt.proximity, s.Results[0].Matches[0])
			}
		}
	}
	without := newServer(t, db)
	if _, s := suggestions(t, without, get("/v2/suggest?q=a&proximity=auto")); len(s.Results[0].Notices) != 1 {
		t.Errorf("auto without a locator: notices %v; want one", s.Results[0].Notices)
	}
}

// TestSuggestWithoutAddressRecords checks that a dataset without address records
// completes no address, with a notice (decision D54).
func TestSuggestWithoutAddressRecords(t *testing.T) {
	h := newServer(t, openStreetless(t))
	for include, want := range map[string]int{"address": 0, "address,zip": 1} {
		status, s := suggestions(t, h, get("/v2/suggest?q=90210&include="+include))
		if status != http.StatusOK || len(s.Results) != 1 || len(s.Results[0].Matches) != want {
			t.Fatalf("include=%s: status %d, %+v; want 200 and %d matches", include, status, s, want)
		}
		notices := []envelope.Notice{{Code: envelope.DataNotLoaded, Class: envelope.ClassResult, Message: "Not in this dataset: address records."}}
		if diff := cmp.Diff(notices, s.Results[0].Notices); diff != "" {
			t.Errorf("include=%s: notices (-want +got):\n%s", include, diff)
		}
	}
}

// TestSuggestOtherTypes checks the types beyond the contract's (decision D68).
func TestSuggestOtherTypes(t *testing.T) {
	h := newServer(t, openDB(t))
	for parameters, want := range map[string]string{
		"q=california&include=cd":        `"total_matched":0`,
		"q=zzzzqqqq&include=address":     `"matches":[]`,
		"q=ottawa&include=layers.sales":  "Unknown enrichment flag(s) ignored: layers.sales.",
		"q=beverly&include=place,cd":     `"type":"place","name":"Beverly Hills"`,
		"q=ottawa&include=place,cd_next": "Unknown enrichment flag(s) ignored: cd_next.",
	} {
		if body := dump(t, do(h, get("/v2/suggest?"+parameters))); !strings.Contains(body, want) {
			t.Errorf("%s: %s; want %s", parameters, body, want)
		}
	}
}
