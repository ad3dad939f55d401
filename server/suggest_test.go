package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/server"
)

// TestGoldenSuggest checks complete responses of /v2/suggest.
func TestGoldenSuggest(t *testing.T) {
	db := openDB(t)
	ask := func(parameters string) *http.Request { return get("/v2/suggest?" + parameters) }
	tests := map[string]*http.Request{
		"suggest":                 ask("q=beverly"),
		"suggest-post":            post("/v2/suggest", `{"q":"los ang","include":["county","cbsa"],"limit":1}`),
		"suggest-zip":             ask("q=902&include=zip&limit=2"),
		"suggest-fsa":             ask("q=k1a"),
		"suggest-code":            ask("q=k1a+0b1&include=ca-postal,fsa"),
		"suggest-state":           ask("q=calif"),
		"suggest-city":            ask("q=bklyn&include=uspscity"),
		"suggest-filters":         ask("q=ott&include=place&state=on&country=ca&limit=2"),
		"suggest-typo":            ask("q=beverley+hils"),
		"suggest-proximity":       ask("q=9&include=zip&proximity=90210"),
		"suggest-proximity-none":  ask("q=ottawa&proximity=nowhere"),
		"suggest-other-flags":     ask("q=ottawa&include=place,timezone"),
		"suggest-nothing":         ask("q=zzzzqqqq"),
		"error-suggest-missing":   ask("query=x"),
		"error-suggest-empty":     ask("q=+++"),
		"error-suggest-too-long":  ask("q=" + strings.Repeat("x", 201)),
		"error-suggest-limit-0":   ask("q=x&limit=0"),
		"error-suggest-limit-ten": ask("q=x&limit=ten"),
		"error-suggest-type":      ask("q=x&include=planet"),
		"error-suggest-state":     ask("q=x&state=XX"),
		"error-suggest-country":   ask("q=x&country=MX"),
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			golden(t, name, dump(t, do(newServer(t, db), r)))
		})
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
	if err := json.NewDecoder(resp.Body).Decode(&s); err != nil {
		t.Fatal(err)
	}
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
