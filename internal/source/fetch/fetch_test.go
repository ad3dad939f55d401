package fetch_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

// content is longer than the buffers between the two ends of a connection.
var content = strings.Repeat("0123456789abcdef", 1<<16)

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// recorder is a Progress that keeps its calls, and a Sleep that returns at
// once.
type recorder struct {
	mu     sync.Mutex
	events []string
	bytes  int64
	slept  []time.Duration
}

func (r *recorder) add(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, fmt.Sprintf(format, args...))
}

func (r *recorder) Start(s fetch.Source, have, total int64) {
	r.add("start %s %d %d", s.ID, have, total)
}
func (r *recorder) Advance(_ fetch.Source, n int64) { r.bytes += n }
func (r *recorder) Retry(_ fetch.Source, _ error, wait time.Duration) {
	r.add("retry %v", wait)
}
func (r *recorder) Done(_ fetch.Source, err error) { r.add("done %v", err == nil) }

func (r *recorder) sleep(ctx context.Context, d time.Duration) error {
	r.slept = append(r.slept, d)
	return ctx.Err()
}

// A site is a server that stands in for www.example.gov, reached through a
// mirror address.
type site struct {
	*httptest.Server
	rec      recorder
	cache    string
	mu       sync.Mutex
	requests []string // condition and range headers of each request of the file
}

var example = fetch.Source{ID: "example", Title: "Example", URL: "https://www.example.gov/data/a%20b.txt"}

// newSite responds with the handler; n counts the requests from 1.
func newSite(t *testing.T, h func(w http.ResponseWriter, r *http.Request, n int)) *site {
	t.Helper()
	s := &site{cache: t.TempDir()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/m/www.example.gov/data/a b.txt" {
			http.NotFound(w, r)
			return
		}
		s.mu.Lock()
		var heads []string
		for _, k := range []string{"Range", "If-Range", "If-None-Match", "If-Modified-Since"} {
			if v := r.Header.Get(k); v != "" {
				heads = append(heads, k+": "+v)
			}
		}
		s.requests = append(s.requests, strings.Join(heads, ", "))
		n := len(s.requests)
		s.mu.Unlock()
		h(w, r, n)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) client(t *testing.T, change func(*fetch.Options)) *fetch.Client {
	t.Helper()
	o := fetch.Options{Cache: s.cache, Mirror: s.URL + "/m", Progress: &s.rec, Sleep: s.rec.sleep}
	if change != nil {
		change(&o)
	}
	c, err := fetch.New(t.Context(), o)
	check(t, err)
	return c
}

func (s *site) get(t *testing.T) (*fetch.File, error) {
	t.Helper()
	return s.client(t, nil).Get(t.Context(), example)
}

// path is the path of the file in the cache.
func (s *site) path(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(s.URL)
	check(t, err)
	return filepath.Join(s.cache, strings.ReplaceAll(u.Host, ":", "_"), "m", "www.example.gov", "data", "a b.txt")
}

func (s *site) want(t *testing.T, f *fetch.File, err error, text string, origin fetch.Origin) {
	t.Helper()
	check(t, err)
	b, err := os.ReadFile(f.Path)
	check(t, err)
	if string(b) != text {
		t.Errorf("the file has %d bytes, want %d", len(b), len(text))
	}
	if f.SHA256 != digest(text) || f.Size != int64(len(text)) || f.Origin != origin {
		t.Errorf("file of %d bytes, %s, %v; want %d bytes, %s, %v", f.Size, f.SHA256, f.Origin, len(text), digest(text), origin)
	}
	for _, ext := range []string{".part", ".part.meta"} {
		if _, err := os.Stat(s.path(t) + ext); err == nil {
			t.Errorf("%s is left over", ext)
		}
	}
}

// serve responds like a file server with an entity tag.
func serve(text, tag string) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, r *http.Request, _ int) {
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "", time.Unix(1_700_000_000, 0), strings.NewReader(text))
	}
}

// cut sends the first bytes of the text under its full length and breaks off.
func cut(w http.ResponseWriter, text, tag string, n int) {
	w.Header().Set("ETag", tag)
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	_, _ = w.Write([]byte(text[:n]))
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// TestDownload fetches a file, which is cached until it changes.
func TestDownload(t *testing.T) {
	text, tag := content, `"v1"`
	s := newSite(t, func(w http.ResponseWriter, r *http.Request, n int) { serve(text, tag)(w, r, n) })
	for _, origin := range []fetch.Origin{fetch.Downloaded, fetch.Cached} {
		f, err := s.get(t)
		s.want(t, f, err, content, origin)
	}
	want := []string{"", `If-None-Match: "v1", If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT`}
	if diff := cmp.Diff(want, s.requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"start example 0 1048576", "done true"}, s.rec.events); diff != "" || s.rec.bytes != int64(len(content)) {
		t.Errorf("progress of %d bytes (-want +got):\n%s", s.rec.bytes, diff)
	}
	text, tag = "new", `"v2"`
	f, err := s.get(t)
	s.want(t, f, err, "new", fetch.Downloaded)
}

func TestDamagedCacheIsFetchedAgain(t *testing.T) {
	s := newSite(t, serve(content, `"v1"`))
	if _, err := s.get(t); err != nil {
		t.Fatal(err)
	}
	check(t, os.WriteFile(s.path(t), []byte("damaged"), 0o600))
	_, err := s.client(t, func(o *fetch.Options) { o.Offline = true }).Get(t.Context(), example)
	wantError(t, err, fetch.ErrOffline, "is damaged")
	f, err := s.get(t)
	s.want(t, f, err, content, fetch.Downloaded)
	if got := s.requests[1]; got != "" {
		t.Errorf("the second request has the condition %q", got)
	}
}

// TestResume breaks the first response off after 700,000 bytes. What the second and later
// requests get decides how the transfer goes on.
func TestResume(t *testing.T) {
	newer := strings.ToUpper(content)
	partial := func(contentRange, text string) func(http.ResponseWriter, *http.Request, int) {
		return func(w http.ResponseWriter, r *http.Request, n int) {
			if n > 2 {
				serve(content, `"v1"`)(w, r, n)
				return
			}
			w.Header().Set("Content-Range", contentRange)
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte(text))
		}
	}
	type test struct {
		tag  string // of the first response
		then func(http.ResponseWriter, *http.Request, int)
		want string
		asks []string // conditions of the requests after the first
	}
	const rest = `Range: bytes=700000-, If-Range: "v1"`
	tests := map[string]test{
		"the rest":           {`"v1"`, serve(content, `"v1"`), content, []string{rest}},
		"the rest of a size": {`"v1"`, partial("bytes 700000-1048575/*", content[700_000:]), content, []string{rest}},
		"another file":       {`"v1"`, serve(newer, `"v2"`), newer, []string{rest}}, // If-Range fails
		"another file, If-Range ignored": {`"v1"`, func(w http.ResponseWriter, r *http.Request, n int) {
			r.Header.Del("If-Range")
			serve(newer, `"v2"`)(w, r, n)
		}, newer, []string{rest, ""}},
		"a shorter file":    {`"v1"`, serve("short", `"v1"`), "short", []string{rest, ""}},
		"without validator": {"", func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = w.Write([]byte(content)) }, content, []string{""}},
	}
	for _, header := range []string{"", "bytes 5-9", "bytes 5-9/10", "bytes x-9/10", "bytes -5/10", "bytes 700000-9/5", "bytes 700000-1048575/1048577", "bytes 700000", "items 700000-1048575/1048576"} {
		tests["range "+header] = test{`"v1"`, partial(header, "something else"), content, []string{rest, ""}}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if n == 1 {
					cut(w, content, tt.tag, 700_000)
				}
				tt.then(w, r, n)
			})
			_, err := s.client(t, func(o *fetch.Options) { o.Retries = -1 }).Get(t.Context(), example)
			wantError(t, err, fetch.ErrTransfer, "run again to go on")
			// A later run goes on. The client may have read less than was sent.
			f, err := s.get(t)
			s.want(t, f, err, tt.want, fetch.Downloaded)
			if diff := cmp.Diff(tt.asks, s.requests[1:]); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRetries(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch n {
		case 1:
			http.Error(w, "busy", http.StatusServiceUnavailable)
		case 2:
			w.Header().Set("Retry-After", "7")
			http.Error(w, "slow down", http.StatusTooManyRequests)
		default:
			serve(content, `"v1"`)(w, r, n)
		}
	})
	f, err := s.get(t)
	s.want(t, f, err, content, fetch.Downloaded)
	if diff := cmp.Diff([]string{"retry 1s", "retry 7s", "start example 0 1048576", "done true"}, s.rec.events); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}

func TestRetriesExhausted(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request, _ int) { http.Error(w, "broken", http.StatusBadGateway) })
	_, err := s.get(t)
	wantError(t, err, fetch.ErrTransfer, "502 Bad Gateway; given up after 6 failures")
	want := []time.Duration{1e9, 2e9, 4e9, 8e9, 16e9}
	if diff := cmp.Diff(want, s.rec.slept); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if last := s.rec.events[len(s.rec.events)-1]; last != "done false" {
		t.Errorf("last event %q, want done false", last)
	}
}

// Tries that bring much do not count, so that a long file over a bad line
// comes in the end.
func TestManyCuts(t *testing.T) {
	long := strings.Repeat(content, 10)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		var from int
		_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		w.Header().Set("ETag", `"v1"`)
		rest := long[from:]
		w.Header().Set("Content-Length", fmt.Sprint(len(rest)))
		if from > 0 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(long)-1, len(long)))
			w.WriteHeader(http.StatusPartialContent)
		}
		if len(rest) <= 1_200_000 {
			_, _ = w.Write([]byte(rest))
			return
		}
		_, _ = w.Write([]byte(rest[:1_200_000]))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	f, err := s.client(t, func(o *fetch.Options) { o.Retries = 1 }).Get(t.Context(), example)
	s.want(t, f, err, long, fetch.Downloaded)
}

// A server that sends byte after byte, each in time, does not keep a transfer alive: it
// fails after its retries, or at its deadline.
func TestDrippingTransferFails(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request, _ int) {
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}
	for _, tt := range []struct {
		idle, longest time.Duration
		requests      int
		want          string
	}{
		{100 * time.Millisecond, time.Hour, 2, "fewer than 64 kB came in 100ms; given up"},
		{time.Hour, 200 * time.Millisecond, 1, "not complete after 200ms"},
	} {
		s := newSite(t, drip)
		_, err := s.client(t, func(o *fetch.Options) { o.Idle, o.Longest, o.Retries = tt.idle, tt.longest, 1 }).Get(t.Context(), example)
		wantError(t, err, fetch.ErrTransfer, tt.want)
		if len(s.requests) != tt.requests {
			t.Errorf("%d requests, want %d", len(s.requests), tt.requests)
		}
	}
}

func TestOffline(t *testing.T) {
	s := newSite(t, serve(content, `"v1"`))
	offline := func(o *fetch.Options) { o.Offline = true }
	_, err := s.client(t, offline).Get(t.Context(), example)
	wantError(t, err, fetch.ErrOffline, s.path(t)+"; run once without --offline")
	_, err = s.get(t)
	check(t, err)
	f, err := s.client(t, offline).Get(t.Context(), example)
	s.want(t, f, err, content, fetch.Cached)
	if len(s.requests) != 1 {
		t.Errorf("%d requests, want 1", len(s.requests))
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newSite(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		w.Header().Set("ETag", `"v1"`)
		_, _ = w.Write([]byte(content[:1000]))
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	_, err := s.client(t, nil).Get(ctx, example)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want one that matches context.Canceled", err)
	}
	if len(s.requests) != 1 {
		t.Errorf("%d requests, want 1", len(s.requests))
	}
}

func TestConcurrentGets(t *testing.T) {
	s := newSite(t, serve(content, `"v1"`))
	c, err := fetch.New(t.Context(), fetch.Options{Cache: s.cache, Mirror: s.URL + "/m"})
	check(t, err)
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() {
			f, err := c.Get(t.Context(), example)
			if err == nil && f.SHA256 != digest(content) {
				err = errors.New("another file")
			}
			errs[i] = err
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	for i, r := range s.requests {
		if (i == 0) != (r == "") {
			t.Errorf("request %d has the condition %q", i+1, r)
		}
	}
}
