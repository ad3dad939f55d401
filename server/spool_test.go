package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// bulky returns a record of n bytes for every lookup. The city is the number of
// the lookup.
func bulky(t *testing.T, n int, spend func(int)) *brokenDB {
	var calls atomic.Int64
	return &brokenDB{DB: openDB(t), quick: func(context.Context) (*lookup.QuickRecord, error) {
		i := int(calls.Add(1))
		if spend != nil {
			spend(i)
		}
		if i%10 == 0 {
			return nil, errors.New("this one fails")
		}
		r := &lookup.QuickRecord{}
		r.Success = true
		r.City = strings.Repeat("Long City ", n/10)
		return r, nil
	}}
}

// TestLongAnswers checks that a response that is compressed in memory arrives
// complete, in every encoding and with its length.
func TestLongAnswers(t *testing.T) {
	for _, accept := range []string{"", "gzip", "br, gzip", "br", "identity, gzip;q=0.5", "gzip;q=0"} {
		t.Run(accept, func(t *testing.T) {
			b := rich()
			s := newServer(t, bulky(t, 100_000, nil), withAccounts(t, b))
			r := as("paid", post("/v2/quick-zip/batch", `{"codes":`+repeat(`"90210"`, 100)+`}`))
			if accept != "" {
				r.Header.Set("Accept-Encoding", accept)
			}
			resp := do(s, r)
			data, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("status %d, %v", resp.StatusCode, err)
			}
			if n := resp.Header.Get("Content-Length"); n != strconv.Itoa(len(data)) {
				t.Errorf("Content-Length %s of %d bytes", n, len(data))
			}
			encoding := resp.Header.Get("Content-Encoding")
			if want := strings.Contains(accept, "gzip") && accept != "gzip;q=0"; want != (encoding == "gzip") {
				t.Errorf("Content-Encoding %q", encoding)
			}
			var a struct {
				Success bool                         `json:"success"`
				Request json.RawMessage              `json:"request"`
				Results []struct{ City, Error *any } `json:"results"`
				Meta    envelope.Meta                `json:"meta"`
			}
			check(t, json.Unmarshal([]byte(unpack(t, encoding, string(data))), &a))
			want := envelope.Batch{Requested: 100, Succeeded: 90, Failed: 10}
			if !a.Success || len(a.Results) != 100 || a.Meta.Batch == nil || *a.Meta.Batch != want || a.Meta.Credits.Used != 90 || a.Meta.RequestID == "" {
				t.Errorf("%d results, request %s, meta %+v", len(a.Results), a.Request, a.Meta)
			}
			if b.available() != 910 {
				t.Errorf("%d credits are left; want 910", b.available())
			}
		})
	}
}

// TestLongAnswersAreBounded checks that the results of a batch are not in
// memory together, and that an interrupted one is free.
func TestLongAnswersAreBounded(t *testing.T) {
	const each = 1 << 20
	var most uint64
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	spend := func(i int) {
		if i%7 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc-min(before, m.HeapAlloc))
		}
	}
	b := rich()
	s := newServer(t, bulky(t, each, func() func(int) {
		turn := make(chan struct{}, 1)
		return func(i int) { turn <- struct{}{}; spend(i); <-turn }
	}()), withAccounts(t, b))
	w := &cutAfter{discard: discard{header: http.Header{}}, left: 100_000}
	serve(s, w, as("paid", post("/v2/quick-zip/batch", `{"codes":`+repeat(`"90210"`, 100)+`}`)))
	t.Logf("at most %d MB for %d MB of results", most>>20, 100*each>>20)
	if most > 100*each/3 {
		t.Errorf("%d MB in memory for an answer of %d MB", most>>20, 100*each>>20)
	}
	if b.available() != 1000 {
		t.Errorf("%d credits are left after the caller was cut off; want all 1000", b.available())
	}
	if v := scrape(t, s)["postgeo_credits_returned_total"]; v != "1" {
		t.Errorf("credits were returned %s times", v)
	}
}

// A cutAfter connection breaks after some bytes.
type cutAfter struct {
	discard
	left int
}

func (c *cutAfter) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		return 0, errors.New("connection reset by peer")
	}
	return len(p), nil
}

// TestSlowReaders checks that an account that does not read its large responses
// does not delay others, and that responses stay within their memory.
func TestSlowReaders(t *testing.T) {
	const each = 1 << 20
	db := brokenDB{DB: openDB(t), quick: func(context.Context) (*lookup.QuickRecord, error) {
		r := &lookup.QuickRecord{}
		r.Success, r.City = true, strings.Repeat("Long City ", each/10)
		return r, nil
	}}
	s := newServer(t, db, realClock, func(c *server.Config) { c.Memory = 9 * each })
	release, writing := make(chan struct{}), make(chan struct{}, 20)
	from := func(addr string) *http.Request {
		r := get("/v2/quick-zip?code=90210")
		r.RemoteAddr = addr + ":1234"
		return r
	}
	var readers sync.WaitGroup
	defer readers.Wait()
	defer close(release)
	for range 20 {
		readers.Go(func() {
			serve(s, &stuck{discard{header: http.Header{}}, writing, release}, from("198.51.100.1"))
		})
	}
	for range 4 { // half of the memory
		<-writing
	}
	for s.Waiting() < 16 {
		runtime.Gosched()
	}
	for range 10 {
		if resp := do(s, from("198.51.100.2")); resp.StatusCode != http.StatusOK {
			t.Errorf("status %d beside callers who do not read; want 200", resp.StatusCode)
		}
	}
	if len(writing) > 0 {
		t.Errorf("%d more answers are being sent than the account has memory for", len(writing))
	}
}

// A stuck connection takes a body only when it is released.
type stuck struct {
	discard
	writing, release chan struct{}
}

func (c *stuck) Write(p []byte) (int, error) {
	select {
	case <-c.release:
	default:
		c.writing <- struct{}{}
		<-c.release
	}
	return len(p), nil
}
