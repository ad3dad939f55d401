package client_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
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

// TestRetries runs testdata/retries.txt: the number of retries that are allowed, and the answers
// of the server in turn. It compares the waits between them and the error.
func TestRetries(t *testing.T) {
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	lookuptest.Table(t, "retries.txt", false, func(row string) string {
		f := strings.SplitN(row, ": ", 3)
		retries, err := strconv.Atoi(f[1])
		check(t, err)
		var answers []said
		for text := range strings.SplitSeq(f[2], "; ") {
			parts := strings.Split(text, "|")
			status, err := strconv.Atoi(parts[0])
			check(t, err)
			body := parts[2]
			switch code, lasts := strings.CutPrefix(body, "!"); {
			case body == "good":
				body = good
			case lasts:
				body = strings.Replace(failed(envelope.Code(code)), "true", "false", 1)
			case strings.Contains(body, "_"):
				body = failed(envelope.Code(body))
			}
			answers = append(answers, said{status, parts[1], body})
		}
		w := newWorld(t, script(answers...))
		waits := []time.Duration{}
		c := newClient(t, w.URL, client.Options{
			MaxRetries: retries,
			Now:        func() time.Time { return now },
			Jitter:     func() float64 { return 0.5 },
			Sleep: func(_ context.Context, d time.Duration) error {
				waits = append(waits, d)
				return nil
			},
		})
		rec, reply, err := c.QuickLookup(t.Context(), "90210", lookup.QuickOptions{})
		if n := int(w.requests.Load()); n != len(waits)+1 || reply.Attempts != n {
			t.Errorf("%s: %d requests, reply %+v", row, n, reply)
		}
		if (err == nil) != (rec != nil) || rec != nil && rec.City != "Beverly Hills" {
			t.Errorf("%s: %+v, %v", row, rec, err)
		}
		if err == nil {
			return fmt.Sprint(waits, " found")
		}
		text := fmt.Sprint(waits)
		for name, sentinel := range map[string]error{
			"ErrUnavailable": client.ErrUnavailable, "ErrRateLimited": client.ErrRateLimited, "ErrKey": client.ErrKey, "ErrCredits": client.ErrCredits, "ErrInvalidCode": envelope.ErrInvalidCode,
		} {
			if errors.Is(err, sentinel) {
				text += " " + name
			}
		}
		return text + " " + string(failure(t, err).Code)
	})
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
	_, err := c.QuickLookupBatch(t.Context(), []string{"90210"}, lookup.QuickOptions{Timezone: true})
	check(t, err)
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
		_, _, err := c.QuickLookup(t.Context(), "90210", lookup.QuickOptions{})
		check(t, err)
	}
	ctx := client.WithIdempotencyKey(t.Context(), "mine")
	_, err := c.QuickLookupBatch(ctx, []string{"90210", "90210"}, lookup.QuickOptions{})
	check(t, err)
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
