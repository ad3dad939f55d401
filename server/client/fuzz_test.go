package client_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server/client"
)

// A transport answers without a network.
type transport func(r *http.Request) *http.Response

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// FuzzAnswer checks that no response makes the client panic or exceed its
// retries and delays. It must return a value or an error.
func FuzzAnswer(f *testing.F) {
	f.Add(200, "", good)
	f.Add(429, "60", failed("RATE_LIMIT_MINUTE"))
	f.Add(503, "Tue, 30 Jun 2026 12:00:09 GMT", "<html>")
	f.Add(200, "", `{"results":[{"error":{}}]}`)
	f.Fuzz(func(t *testing.T, status int, retryAfter, body string) {
		asked := 0
		c := newClient(t, "http://example.com", client.Options{
			Key: testKey, MaxAnswer: 1 << 20,
			HTTPClient: &http.Client{Transport: transport(func(r *http.Request) *http.Response {
				asked++
				return &http.Response{
					StatusCode: status, Header: http.Header{"Retry-After": {retryAfter}},
					Body: io.NopCloser(strings.NewReader(body)), Request: r,
				}
			})},
			Sleep: func(_ context.Context, d time.Duration) error {
				if d < 0 || d > time.Minute {
					t.Errorf("waits %v", d)
				}
				return nil
			},
		})
		rec, _, err := c.Lookup(t.Context(), "90210", lookup.Options{})
		if (rec == nil) == (err == nil) || asked > 3 {
			t.Errorf("%v, %v after %d requests", rec, err, asked)
		}
		if b, err := c.LookupBatch(t.Context(), []string{"90210"}, lookup.Options{}); len(b.Items) != 1 || (b.Items[0].Err == nil) == (b.Items[0].Value == nil) {
			t.Errorf("%+v, %v", b, err)
		}
	})
}
