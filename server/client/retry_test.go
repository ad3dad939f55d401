package client_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server/client"
)

// A said is one scripted answer.
type said struct {
	status     int
	retryAfter string
	body       string
}

const good = `{"success":true,"request":{"code":"90210","code_type":"ZIP","include":[]},"results":[{"success":true,"country":"US","code":"90210","code_type":"ZIP","city":"Beverly Hills","state":"CA","state_name":"California"}],"meta":{"request_id":"01J0000000000000000000000A","version":"2.0.0","timing_ms":0,"credits":{"used":1,"source":"none","breakdown":{"base":1,"enrichments":{}}}}}`

func failed(code envelope.Code) string {
	return `{"success":false,"request":{"method":"GET","path":"/v2/quick-zip"},"error":{"code":"` + string(code) + `","message":"No.","retryable":true,"url":"/"},"meta":{"request_id":"01J0000000000000000000000B","version":"2.0.0","timing_ms":0,"credits":{"used":0,"source":"none","breakdown":{"base":0,"enrichments":{}}}}}`
}

// script answers in turn; the last answer stays.
func script(answers ...said) http.Handler {
	n := 0
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		a := answers[min(n, len(answers)-1)]
		n++
		if a.retryAfter != "" {
			w.Header().Set("Retry-After", a.retryAfter)
		}
		w.WriteHeader(a.status)
		io.WriteString(w, a.body)
	})
}

// TestRetries checks the retried responses, the number of attempts and the
// delays.
func TestRetries(t *testing.T) {
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	ok := said{200, "", good}
	busy, slow, over := failed(envelope.ServiceUnavailable), failed(envelope.ServiceUnavailable), failed(envelope.RateLimitMinute)
	seconds := func(s ...float64) (list []time.Duration) {
		for _, v := range s {
			list = append(list, time.Duration(v*float64(time.Second)))
		}
		return list
	}
	tests := map[string]struct {
		answers []said
		retries int // 0: the default
		waits   []time.Duration
		want    error // nil: success
		code    envelope.Code
	}{
		"first":               {answers: []said{ok}},
		"503 then 200":        {answers: []said{{503, "3", busy}, ok}, waits: seconds(3)},
		"503 that lasts":      {answers: []said{{503, "", strings.Replace(busy, "true", "false", 1)}, ok}, want: client.ErrUnavailable, code: envelope.ServiceUnavailable},
		"504 then 200":        {answers: []said{{504, "", slow}, ok}, waits: seconds(0.375)},
		"429 then 200":        {answers: []said{{429, "60", over}, ok}, waits: seconds(60)},
		"two and 200":         {answers: []said{{504, "", slow}, {503, "", busy}, ok}, waits: seconds(0.375, 0.75)},
		"three":               {answers: []said{{503, "1", busy}}, waits: seconds(1, 1), want: client.ErrUnavailable, code: envelope.ServiceUnavailable},
		"five":                {answers: []said{{504, "", busy}}, retries: 4, waits: seconds(0.375, 0.75, 1.5, 3), want: client.ErrUnavailable, code: envelope.ServiceUnavailable},
		"backing off ends":    {answers: []said{{504, "", busy}}, retries: 9, waits: seconds(0.375, 0.75, 1.5, 3, 6, 12, 24, 45, 45), want: client.ErrUnavailable, code: envelope.ServiceUnavailable},
		"never":               {answers: []said{{503, "1", busy}}, retries: -1, want: client.ErrUnavailable, code: envelope.ServiceUnavailable},
		"date":                {answers: []said{{503, "Tue, 30 Jun 2026 12:00:09 GMT", busy}, ok}, waits: seconds(9)},
		"date that is over":   {answers: []said{{503, "Tue, 30 Jun 2026 11:00:00 GMT", busy}, ok}, waits: seconds(0)},
		"at once":             {answers: []said{{503, "0", busy}, ok}, waits: seconds(0)},
		"no number":           {answers: []said{{503, "soon", busy}, ok}, waits: seconds(0.375)},
		"negative":            {answers: []said{{503, "-5", busy}, ok}, waits: seconds(0.375)},
		"too long":            {answers: []said{{429, "61", over}, ok}, want: client.ErrRateLimited, code: envelope.RateLimitMinute},
		"longer than time":    {answers: []said{{429, "9999999999999", over}, ok}, want: client.ErrRateLimited, code: envelope.RateLimitMinute},
		"longer than numbers": {answers: []said{{429, strings.Repeat("9", 40), over}, ok}, want: client.ErrRateLimited, code: envelope.RateLimitMinute},
		"far date":            {answers: []said{{429, "Tue, 30 Jun 2326 12:00:09 GMT", over}, ok}, want: client.ErrRateLimited, code: envelope.RateLimitMinute},
		"from a proxy":        {answers: []said{{503, "2", "<html>"}, ok}, waits: seconds(2)},
		"429 of a proxy":      {answers: []said{{429, "99", ""}}, want: client.ErrRateLimited, code: envelope.RateLimitMinute},
		"400":                 {answers: []said{{400, "1", failed(envelope.ValidationInvalidZIP)}, ok}, want: envelope.ErrInvalidCode, code: envelope.ValidationInvalidZIP},
		"401":                 {answers: []said{{401, "1", failed(envelope.AuthInvalidKey)}, ok}, want: client.ErrKey, code: envelope.AuthInvalidKey},
		"402":                 {answers: []said{{402, "1", failed(envelope.CreditInsufficient)}, ok}, want: client.ErrCredits, code: envelope.CreditInsufficient},
		"403":                 {answers: []said{{403, "1", failed(envelope.AuthIPBlocked)}, ok}, want: client.ErrKey, code: envelope.AuthIPBlocked},
		"404":                 {answers: []said{{404, "1", failed(envelope.BadRequest)}, ok}, code: envelope.BadRequest},
		"404 of a proxy":      {answers: []said{{404, "1", "{}"}, ok}, code: envelope.BadRequest},
		"500":                 {answers: []said{{500, "1", failed(envelope.InternalError)}, ok}, code: envelope.InternalError},
		"502":                 {answers: []said{{502, "1", ""}, ok}, code: envelope.InternalError},
		"204":                 {answers: []said{{204, "1", ""}, ok}, code: envelope.InternalError},
		"200 with an error":   {answers: []said{{200, "", failed(envelope.ServiceUnavailable)}, ok}, want: client.ErrUnavailable, code: envelope.ServiceUnavailable},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, script(tt.answers...))
			var waits []time.Duration
			c := newClient(t, w.URL, client.Options{
				MaxRetries: tt.retries,
				Now:        func() time.Time { return now },
				Jitter:     func() float64 { return 0.5 },
				Sleep: func(_ context.Context, d time.Duration) error {
					waits = append(waits, d)
					return nil
				},
			})
			rec, reply, err := c.QuickLookup(t.Context(), "90210", lookup.QuickOptions{})
			if diff := cmp.Diff(tt.waits, waits); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
			if n := int(w.requests.Load()); n != len(tt.waits)+1 || reply.Attempts != n {
				t.Errorf("%d requests, reply %+v", n, reply)
			}
			if tt.code == "" {
				if err != nil || rec.City != "Beverly Hills" {
					t.Errorf("%+v, %v", rec, err)
				}
				return
			}
			if e := failure(t, err); e.Code != tt.code || tt.want != nil && !errors.Is(err, tt.want) || rec != nil {
				t.Errorf("error %v, want %s", err, tt.code)
			}
		})
	}
}

// TestBatchRetries checks that the body of a batch is sent again whole.
func TestBatchRetries(t *testing.T) {
	var bodies []string
	answers := script(said{503, "1", ""}, said{200, "", good})
	w := newWorld(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		bodies = append(bodies, string(b))
		answers.ServeHTTP(rw, r)
	}))
	c := newClient(t, w.URL, client.Options{Sleep: func(context.Context, time.Duration) error { return nil }})
	if _, err := c.QuickLookupBatch(t.Context(), []string{"90210"}, lookup.QuickOptions{Timezone: true}); err != nil {
		t.Fatal(err)
	}
	const body = `{"codes":["90210"],"include":"timezone"}`
	if diff := cmp.Diff([]string{body, body}, bodies); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
}

// TestContext checks that a context ends waits and requests.
func TestContext(t *testing.T) {
	w := newWorld(t, script(said{503, "5", failed(envelope.ServiceUnavailable)}))
	ctx, cancel := context.WithCancel(t.Context())
	c, err := client.New(w.URL, client.Options{Now: func() time.Time { cancel(); return time.Now() }})
	check(t, err)
	if _, _, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{}); !errors.Is(err, context.Canceled) || w.requests.Load() != 1 {
		t.Errorf("canceled in a wait: %v after %d requests", err, w.requests.Load())
	}
	if _, _, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{}); !errors.Is(err, context.Canceled) || w.requests.Load() != 1 {
		t.Errorf("canceled before: %v after %d requests", err, w.requests.Load())
	}

	// A deadline that comes before the wait is over makes it useless.
	ctx, cancel = context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	late := time.Now().Add(time.Hour - time.Second)
	c = newClient(t, w.URL, client.Options{Now: func() time.Time { return late }})
	if _, _, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{}); !errors.Is(err, client.ErrUnavailable) {
		t.Errorf("deadline before the wait is over: %v", err)
	}

	blocked := newWorld(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := newClient(t, blocked.URL, client.Options{}).QuickLookup(ctx, "90210", lookup.QuickOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline in a request: %v", err)
	}
}

// TestIdempotencyKeys checks the keys of requests: all attempts of a call share one,
// calls have their own, and the caller's key is that of every request of a batch.
func TestIdempotencyKeys(t *testing.T) {
	var keys []string
	w := newWorld(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		switch len(keys) {
		case 1, 3: // the connection fails, then the server is busy
			panic(http.ErrAbortHandler)
		case 2:
			rw.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		io.WriteString(rw, good)
	}))
	waits := 0
	c := newClient(t, w.URL, client.Options{MaxRetries: 3, BatchSize: 1, Sleep: func(context.Context, time.Duration) error { waits++; return nil }})
	for range 2 {
		if _, _, err := c.QuickLookup(t.Context(), "90210", lookup.QuickOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	ctx := client.WithIdempotencyKey(t.Context(), "mine")
	if _, err := c.QuickLookupBatch(ctx, []string{"90210", "90210"}, lookup.QuickOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Health(ctx); err == nil {
		t.Error("health has the response of another route")
	}
	if len(keys) != 8 || waits < 2 { // net/http resends on a reused connection
		t.Fatalf("keys %q, %d waits", keys, waits)
	}
	first, second := keys[0], keys[4]
	if diff := cmp.Diff([]string{first, first, first, first, second, "mine", "mine-1", ""}, keys); diff != "" || len(first) < 20 || first == second {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

// TestOddAnswers checks that answers which are not the contract's are refused.
func TestOddAnswers(t *testing.T) {
	results := func(list string) string { return `{"success":true,"results":` + list + `}` }
	for name, body := range map[string]string{
		"nothing":     "",
		"page":        "<html>welcome to the hotel</html>",
		"null":        "null",
		"list":        "[]",
		"no results":  "{}",
		"null result": results("[null]"),
		"two":         results(`[{"success":true},{"success":true}]`),
		"number":      results("[1]"),
		"wrong field": results(`[{"success":true,"city":1}]`),
		"cut off":     good[:len(good)/2],
		"two answers": good + good,
		"deep":        strings.Repeat("[", 1<<20),
		"too long":    good + strings.Repeat(" ", 1<<20),
	} {
		w := newWorld(t, script(said{200, "", body}))
		c := newClient(t, w.URL, client.Options{MaxResponse: 1 << 20})
		rec, _, err := c.QuickLookup(t.Context(), "90210", lookup.QuickOptions{})
		if !errors.Is(err, client.ErrResponse) || rec != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := c.Health(t.Context()); !errors.Is(err, client.ErrResponse) {
			t.Errorf("%s: health %v", name, err)
		}
	}
	w := newWorld(t, script(said{200, "", good}))
	exact := newClient(t, w.URL, client.Options{MaxResponse: int64(len(good))})
	if _, _, err := exact.QuickLookup(t.Context(), "90210", lookup.QuickOptions{}); err != nil {
		t.Errorf("an answer of just the size: %v", err)
	}
	w = newWorld(t, script(said{200, "", results(`[{"success":false,"error":{"code":"NOT_FOUND_ZIP","message":"x","url":"/"}}]`)}))
	if _, _, err := newClient(t, w.URL, client.Options{}).QuickLookup(t.Context(), "1", lookup.QuickOptions{}); !errors.Is(err, envelope.ErrNotFound) {
		t.Errorf("failed item without an input: %v", err)
	}
	w = newWorld(t, script(said{503, "0", ""}))
	if _, _, err := newClient(t, w.URL, client.Options{}).Health(t.Context()); !errors.Is(err, client.ErrUnavailable) || w.requests.Load() != 1 {
		t.Errorf("health of a proxy: %v after %d requests", err, w.requests.Load())
	}
}

// TestCompressed checks that the limit is one of uncompressed bytes.
func TestCompressed(t *testing.T) {
	w := newWorld(t, http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(rw)
		fmt.Fprint(z, good, strings.Repeat(" ", 8<<20))
		z.Close()
	}))
	if _, _, err := newClient(t, w.URL, client.Options{MaxResponse: 1 << 20}).QuickLookup(t.Context(), "90210", lookup.QuickOptions{}); !errors.Is(err, client.ErrResponse) {
		t.Errorf("%v", err)
	}
	if _, _, err := newClient(t, w.URL, client.Options{}).QuickLookup(t.Context(), "90210", lookup.QuickOptions{}); err != nil {
		t.Errorf("%v", err)
	}
}
