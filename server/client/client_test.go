package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

// codes are known, unknown and no codes.
var codes = []string{
	"90210", "10001", "60601", "98101", "00601", "K1A", "k1a0b1", "M5V", "34.0901,-118.4065",
	"90210-0001", "00000", "K1A 9Z9", "Z9Z", "0,0", "9021", "91,0", "", " ", "A1A1A1A", strings.Repeat("9", 51), "é\"&?#%00",
}

// sentinels are what errors of the library match.
var sentinels = []error{envelope.ErrNotFound, envelope.ErrInvalidCode}

// compare holds what the client returned against what the library returns.
func compare[T any](t *testing.T, input string, got, want T, reply *client.Reply, err, wantErr error) {
	t.Helper()
	if reply == nil || reply.Meta.RequestID == "" || reply.Meta.Version != envelope.Version || reply.Attempts != 1 {
		t.Errorf("%q: reply %+v", input, reply)
	}
	if wantErr == nil {
		if err != nil {
			t.Errorf("%q: %v", input, err)
		} else if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", input, diff)
		}
		return
	}
	wantFailure := envelope.FaultOf(wantErr)
	if wantFailure == nil {
		t.Fatalf("%q: the library fails with %v", input, wantErr)
	}
	e := failure(t, err)
	if e.Code != wantFailure.Code || e.Message != wantFailure.Message || e.URL == "" {
		// The server looks for absence and length before it parses.
		if e.Code != envelope.ValidationInvalidParam && e.Code != envelope.ValidationInputTooLong {
			t.Errorf("%q: %v, want %v", input, err, wantErr)
		}
	}
	for _, s := range sentinels {
		if e.Code == envelope.ValidationInvalidParam {
			continue // an empty code: the contract has one code for all empty parameters
		}
		if errors.Is(err, s) != errors.Is(wantErr, s) {
			t.Errorf("%q: %v matches %v: %v", input, err, s, errors.Is(err, s))
		}
	}
	wantStatus := wantFailure.Code.Status()
	if e.Status != wantStatus || reply.Status != wantStatus || (e.Input == nil) != (wantStatus != http.StatusOK) {
		t.Errorf("%q: status %d, reply %d, input %v; want status %d", input, e.Status, reply.Status, e.Input, wantStatus)
	}
}

// day2025 precedes the end of winter time in western Canada.
var day2025 = time.Date(2025, time.January, 15, 0, 0, 0, 0, time.UTC)

// TestSingle checks that the routes answer as the library does.
func TestSingle(t *testing.T) {
	db := sampletest.Open(t)
	w := serve(t, db, server.Config{})
	c := newClient(t, w.URL+"/", client.Options{})
	ctx := t.Context()
	for _, code := range codes {
		for _, quick := range []lookup.QuickOptions{{}, {Timezone: true}, {Timezone: true, At: day2025}} {
			got, reply, err := c.QuickLookup(ctx, code, quick)
			want, wantErr := db.QuickLookup(ctx, code, quick)
			compare(t, code, got, want, reply, err, wantErr)
		}
		for _, full := range []lookup.Options{{}, {Include: lookup.Include{Timezone: true, Medicare: true}}, {Include: lookup.Include{Timezone: true}, At: day2025}} {
			got, reply, err := c.Lookup(ctx, code, full)
			want, wantErr := db.Lookup(ctx, code, full)
			compare(t, code, got, want, reply, err, wantErr)
		}
		for _, o := range []radius.DistanceOptions{{}, {At: day2025}} {
			got, reply, err := c.Distance(ctx, "10001", code, o)
			want, wantErr := db.Distance(ctx, "10001", code, o)
			compare(t, code, got, want, reply, err, wantErr)
		}
		for _, o := range []radius.Options{
			{Max: 12.5, Limit: 5},
			{Max: 12.5, Limit: 5, Mode: radius.Spatial},
			{Max: 30, Min: 2.25, Mode: radius.Spatial, Include: radius.Include{Timezone: true}},
			{Max: 5, Include: radius.Include{Timezone: true}, At: day2025},
			{Auto: radius.Density},
			{Auto: radius.Commute},
		} {
			got, reply, err := c.Radius(ctx, code, o)
			want, wantErr := db.Radius(ctx, code, o)
			if o.Min == 0 && want != nil {
				want.Search.Min = nil
			}
			compare(t, code, got, want, reply, err, wantErr)
		}
	}
}

// TestRadiusRefusedHere checks that impossible options do not reach the server.
func TestRadiusRefusedHere(t *testing.T) {
	w := serve(t, sampletest.Open(t), server.Config{})
	c := newClient(t, w.URL, client.Options{})
	for _, o := range []radius.Options{{}, {Max: 501}, {Max: 5, Min: 5}, {Max: 5, Limit: -1}, {Max: 251, Mode: radius.Spatial}} {
		if _, _, err := c.Radius(t.Context(), "90210", o); !errors.Is(err, envelope.ErrInvalidParam) {
			t.Errorf("%+v: %v", o, err)
		}
		if _, err := c.RadiusBatch(t.Context(), []radius.Query{{Center: "90210", Options: o}}); !errors.Is(err, envelope.ErrInvalidParam) && o.Mode != radius.Spatial {
			t.Errorf("batch of %+v: %v", o, err)
		}
	}
	_, err := c.RadiusBatch(t.Context(), []radius.Query{{Center: "90210", Options: radius.Options{Max: 5, Mode: radius.Spatial}}})
	f := envelope.FaultOf(err)
	if f == nil || f.Code != envelope.SpatialModeDisabledBatch {
		t.Errorf("spatial batch: %v", err)
	}
	if n := w.requests.Load(); n != 0 {
		t.Errorf("%d requests sent", n)
	}
}

// A deadDB cannot be reached.
type deadDB struct{ *postgeo.DB }

func (deadDB) Ping(context.Context) error { return errors.New("away") }

func TestHealth(t *testing.T) {
	db := sampletest.Open(t)
	for _, tt := range []struct {
		db   server.DB
		want envelope.HealthStatus
		code int
	}{{db, envelope.Healthy, 200}, {deadDB{db}, envelope.Unhealthy, 503}} {
		w := serve(t, tt.db, server.Config{})
		h, reply, err := newClient(t, w.URL, client.Options{}).Health(t.Context())
		if err != nil || h.Status != tt.want || reply.Status != tt.code || reply.Meta.RequestID == "" {
			t.Errorf("health %+v, reply %+v, %v; want %s", h, reply, err, tt.want)
		}
		if n := w.requests.Load(); n != 1 {
			t.Errorf("%d requests", n)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	const ok = "https://example.com"
	for name, tt := range map[string]struct {
		url string
		o   client.Options
	}{
		"no address":    {"", client.Options{}},
		"no URL":        {"http://[::1", client.Options{}},
		"no scheme":     {"example.com", client.Options{}},
		"another one":   {"ftp://example.com", client.Options{}},
		"no host":       {"http:///v2", client.Options{}},
		"credentials":   {"https://user:" + testKey + "@example.com", client.Options{}},
		"query":         {ok + "?key=" + testKey, client.Options{}},
		"odd query":     {"x:?key=" + testKey, client.Options{}},
		"fragment":      {ok + "#" + testKey, client.Options{}},
		"line in key":   {ok, client.Options{Key: testKey + "\n"}},
		"letter in key": {ok, client.Options{Key: testKey + "é"}},
		"batch size":    {ok, client.Options{BatchSize: 101}},
		"negative size": {ok, client.Options{BatchSize: -1}},
		"answer size":   {ok, client.Options{MaxResponse: -1}},
		"wait":          {ok, client.Options{MaxWait: -1}},
	} {
		c, err := client.New(tt.url, tt.o)
		if err == nil || c != nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: %v shows the key", name, err)
		}
	}
}

// TestKeyStaysSecret checks that the key is in a header and nowhere else, even
// when the server repeats it.
func TestKeyStaysSecret(t *testing.T) {
	var gossip string
	w := newWorld(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != testKey || strings.Contains(r.URL.String(), testKey) || r.UserAgent() != "tests" {
			t.Errorf("request for %s with the header %v", r.URL, r.Header)
		}
		rw.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(rw, gossip)
	}))
	c := newClient(t, w.URL, client.Options{Key: testKey, UserAgent: "tests", MaxRetries: -1})
	for _, gossip = range []string{
		`{"error":{"code":"AUTH_INVALID_KEY","message":"no key ` + testKey + `","url":"/?key=` + testKey + `"}}`,
		`{"error":{"code":"` + testKey + `","message":"x","url":""}}`,
		testKey,
	} {
		_, _, err := c.QuickLookup(t.Context(), "90210", lookup.QuickOptions{})
		e := failure(t, err)
		if text := fmt.Sprintf("%v %+v %#v", err, e, e); strings.Contains(text, testKey) {
			t.Errorf("error shows the key: %s", text)
		}
	}
	w.Close()
	_, _, err := c.QuickLookup(t.Context(), "90210", lookup.QuickOptions{})
	if err == nil || strings.Contains(err.Error(), testKey) {
		t.Errorf("error of a closed server: %v", err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%q"} {
		for _, v := range []any{c, *c} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, testKey) {
				t.Errorf("%s of %T shows the key", verb, v)
			}
		}
	}
	if got, want := c.String(), "client of "+w.URL; got != want {
		t.Errorf("String is %q, want %q", got, want)
	}
}

// TestRedirects checks that the key does not follow a redirect.
func TestRedirects(t *testing.T) {
	elsewhere := newWorld(t, http.NotFoundHandler())
	w := newWorld(t, http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	mine := &http.Client{}
	c := newClient(t, w.URL, client.Options{Key: testKey, HTTPClient: mine})
	_, _, err := c.QuickLookup(t.Context(), "90210", lookup.QuickOptions{})
	if e := failure(t, err); e.Status != http.StatusTemporaryRedirect || e.Code != envelope.InternalError {
		t.Errorf("%v", err)
	}
	if n := elsewhere.requests.Load(); n != 0 || mine.CheckRedirect != nil {
		t.Errorf("%d requests elsewhere, or the caller's client was changed", n)
	}
}

// testKey is a key for servers that do not look at it.
const testKey = "pg_live_0123456789abcdef01234567"

// A world is a server with a count of its requests.
type world struct {
	*httptest.Server
	requests atomic.Int64
}

func newWorld(t testing.TB, h http.Handler) *world {
	t.Helper()
	w := &world{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.requests.Add(1)
		h.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.Close)
	return w
}

// serve starts a server over the dataset.
func serve(t testing.TB, db server.DB, cfg server.Config) *world {
	t.Helper()
	s, err := server.New(db, cfg)
	check(t, err)
	return newWorld(t, s)
}

// newClient returns a client that must not sleep, unless o allows it.
func newClient(t testing.TB, url string, o client.Options) *client.Client {
	t.Helper()
	if o.Sleep == nil {
		o.Sleep = func(_ context.Context, d time.Duration) error {
			t.Errorf("waits %v", d)
			return errors.New("no waiting")
		}
	}
	c, err := client.New(url, o)
	check(t, err)
	return c
}

// jsonOf returns what the server writes of a value.
func jsonOf(t testing.TB, v any) string {
	t.Helper()
	b, err := encode.Marshal(v)
	check(t, err)
	return string(b)
}

// failure returns the error as the server described it.
func failure(t testing.TB, err error) *client.Error {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v; want a *client.Error", err)
	}
	return e
}
