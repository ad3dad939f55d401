package server_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/envelope"
)

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
	if err := json.Unmarshal([]byte(readAll(t, resp)), &got); err != nil {
		t.Fatal(err)
	}
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
