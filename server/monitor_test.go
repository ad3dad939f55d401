package server_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// within is how soon damage has to show, and how soon that it is over.
const (
	within   = 5 * time.Second
	recovery = 10 * time.Second
)

// fetch returns the status and body of an answer of a running server.
func fetch(t testing.TB, url string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	check(t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	check(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	check(t, err)
	return resp.StatusCode, string(body)
}

// shows waits until /v2/health and /ready have a status, and logs how long
// that took.
func (r *running) shows(t testing.TB, status int, limit time.Duration) (ready string) {
	t.Helper()
	began := time.Now()
	health := 0
	for time.Since(began) < limit {
		health, _ = fetch(t, "http://"+r.public+"/v2/health")
		got, body := fetch(t, "http://"+r.private+"/ready")
		if health == status && got == status {
			t.Logf("status %d after %v: %s", status, time.Since(began).Round(10*time.Millisecond), body)
			return body
		}
		ready = body
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("after %v /v2/health has status %d, want %d; /ready: %s", limit, health, status, ready)
	return ""
}

// up returns the value of postgeo_up of a part.
func (r *running) metric(t testing.TB, name string) string {
	t.Helper()
	_, text := fetch(t, "http://"+r.private+"/metrics")
	for line := range strings.SplitSeq(text, "\n") {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return value
		}
	}
	return "none"
}

// answers checks the status of an answer and returns its body.
func (r *running) answers(t testing.TB, path string, statuses ...int) string {
	t.Helper()
	status, body := fetch(t, "http://"+r.public+path)
	if !slices.Contains(statuses, status) {
		t.Errorf("%s: status %d, want %d: %s", path, status, statuses, body)
	}
	return body
}

// reload asks for a reload of the dataset, which must have a status.
func (r *running) reload(t testing.TB, status int) {
	t.Helper()
	if resp, err := http.Post("http://"+r.private+"/reload", "", nil); err != nil || resp.StatusCode != status {
		t.Fatalf("reload: %v, %v", resp, err)
	}
}

// A logBook keeps the log of a server.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logBook) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.b.String(), text)
}

// serveFile serves the first twin from a file with the good bytes, which the test may spoil.
func serveFile(t *testing.T) (r *running, path string, good []byte, log *logBook) {
	t.Helper()
	path, log = twinFile(t), new(logBook)
	good, err := os.ReadFile(path)
	check(t, err)
	db := sampletest.File(t, path)
	r = run(t, newServer(t, db, realClock, func(c *server.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(log, nil))
		c.Reload = func(context.Context) error { return db.Swap(t.Context(), path) }
	}))
	r.shows(t, http.StatusOK, within)
	return r, path, good, log
}

// TestDamageShows damages the file of a running server. /v2/health and /ready
// fail within five seconds and name the part, and work again soon after a good
// file was put in its place and loaded, or restored where it is.
func TestDamageShows(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, path string, size int){
		"emptied": func(t *testing.T, path string, _ int) {
			check(t, os.Truncate(path, 0))
		},
		"overwritten": func(t *testing.T, path string, size int) {
			writeAt(t, path, bytes.Repeat([]byte{0xaa}, size), 0)
		},
		"another dataset": func(t *testing.T, path string, _ int) {
			other := filepath.Join(t.TempDir(), "other.db")
			check(t, lookuptest.WriteTwin(other, 1))
			data, err := os.ReadFile(other)
			check(t, err)
			writeAt(t, path, data, 0)
		},
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, path, good, log := serveFile(t)
			damage(t, path, len(good))
			ready := r.shows(t, http.StatusServiceUnavailable, within)
			if !strings.Contains(ready, `"status":"not ready"`) || !strings.Contains(ready, "damaged file") {
				t.Errorf("/ready: %s", ready)
			}
			if up, damaged := r.metric(t, `postgeo_up{part="dataset"}`), r.metric(t, "postgeo_dataset_damaged"); up != "0" || damaged != "1" {
				t.Errorf("postgeo_up %s, postgeo_dataset_damaged %s", up, damaged)
			}
			r.answers(t, "/v2/zip?code=44007", http.StatusOK, http.StatusServiceUnavailable)
			if !log.has(`"msg":"a part of the service fails","part":"dataset"`) {
				t.Error("the log has nothing of it")
			}
			check(t, os.WriteFile(path+".new", good, 0o600))
			check(t, os.Rename(path+".new", path))
			r.reload(t, http.StatusOK)
			r.shows(t, http.StatusOK, recovery)
			r.answers(t, "/v2/zip?code=44007", http.StatusOK)
			damage(t, path, len(good))
			r.shows(t, http.StatusServiceUnavailable, within)
			check(t, os.WriteFile(path, good, 0o600))
			r.shows(t, http.StatusOK, recovery)
			r.answers(t, "/v2/zip?code=44007", http.StatusOK)
		})
	}
}

// TestDeletedFile deletes the file of a running server, which answers as
// before, is degraded and warns, and is healthy once a file is in its place.
func TestDeletedFile(t *testing.T) {
	t.Parallel()
	r, path, good, log := serveFile(t)
	check(t, os.Remove(path))
	await := func(what string, ok func() bool) {
		t.Helper()
		began := time.Now()
		for !ok() {
			if time.Since(began) > within {
				t.Fatalf("not within %v: %s", within, what)
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Logf("%s after %v", what, time.Since(began).Round(10*time.Millisecond))
	}
	await("degraded", func() bool {
		_, health := fetch(t, "http://"+r.public+"/v2/health")
		status, ready := fetch(t, "http://"+r.private+"/ready")
		return strings.Contains(health, `"status":"degraded"`) && status == http.StatusOK && strings.Contains(ready, `"warning"`)
	})
	if !log.has("the dataset's file is not in its place") {
		t.Error("the log has nothing of it")
	}
	for _, request := range []string{"/v2/zip?code=44007&include=timezone,census", "/v2/address?address=120+Sample+St,+44003"} {
		r.answers(t, request, http.StatusOK)
	}
	check(t, os.WriteFile(path, good, 0o600))
	await("healthy, not yet loaded", func() bool {
		_, health := fetch(t, "http://"+r.public+"/v2/health")
		_, ready := fetch(t, "http://"+r.private+"/ready")
		return strings.Contains(health, `"status":"healthy"`) && strings.Contains(ready, "another file is in its place")
	})
	r.reload(t, http.StatusOK)
	await("no warning", func() bool {
		_, ready := fetch(t, "http://"+r.private+"/ready")
		return strings.HasPrefix(ready, `{"status":"ready","dataset":"up","answers":"up","dataset_version":"`) && !strings.Contains(ready, "warning")
	})
}

// TestFailedReloads checks that the last good file remains in use.
func TestFailedReloads(t *testing.T) {
	t.Parallel()
	r, path, good, log := serveFile(t)
	answer := func() string {
		body, _, _ := strings.Cut(r.answers(t, "/v2/zip?code=44007&include=timezone,census", http.StatusOK), `"meta"`)
		return body
	}
	want := answer()
	for name, data := range map[string][]byte{
		"missing": nil, "empty": {}, "foreign": []byte("a text"), "truncated": good[:len(good)-8192],
		"half-copied": append(slices.Clone(good[:len(good)/2]), make([]byte, len(good)-len(good)/2)...),
	} {
		err := os.Rename(path, path+".old")
		if err == nil && data != nil {
			err = os.WriteFile(path, data, 0o600)
		}
		check(t, err)
		r.reload(t, http.StatusInternalServerError)
		r.shows(t, http.StatusOK, within)
		if got := answer(); got != want {
			t.Errorf("%s: another answer: %s", name, got)
		}
		check(t, os.Rename(path+".old", path))
	}
	if n := r.metric(t, `postgeo_dataset_reloads_total{result="refused"}`); n != "5" {
		t.Errorf("%s reloads refused, want 5", n)
	}
	if !log.has("dataset not reloaded, the old one stays") {
		t.Error("the log does not name the refusals")
	}
}

// TestMetDamageShows changes all pages but the first. The server works until a request
// needs one of them, and again after the file was restored.
func TestMetDamageShows(t *testing.T) {
	t.Parallel()
	r, path, good, _ := serveFile(t)
	writeAt(t, path, bytes.Repeat([]byte{0xaa}, len(good)-8192), 8192)
	r.shows(t, http.StatusOK, within)
	const request = "/v2/zip?code=44007&include=timezone,census"
	r.answers(t, request, http.StatusServiceUnavailable)
	if ready := r.shows(t, http.StatusServiceUnavailable, within); !strings.Contains(ready, "damaged file") {
		t.Errorf("/ready: %s", ready)
	}
	if damaged := r.metric(t, "postgeo_dataset_damaged"); damaged != "1" {
		t.Errorf("postgeo_dataset_damaged %s", damaged)
	}
	writeAt(t, path, good, 0)
	r.shows(t, http.StatusOK, recovery)
	r.answers(t, request, http.StatusOK)
}

// A failingLedger charges nobody while it fails.
type failingLedger struct {
	*book
	mu     sync.Mutex
	failed error
	probes int
}

func (l *failingLedger) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = err
}

func (l *failingLedger) Ping(context.Context) error { return nil }

func (l *failingLedger) Probe(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.probes++
	return l.failed
}

func (l *failingLedger) Settle(ctx context.Context, h billing.Hold, used int) (billing.Receipt, error) {
	l.mu.Lock()
	err := l.failed
	l.mu.Unlock()
	if err != nil {
		return billing.Receipt{}, errors.Join(billing.ErrUnavailable, err)
	}
	return l.book.Settle(ctx, h, used)
}

// outage makes the accounts of a server unavailable during requests, and then
// restores them. It logs the responses.
func (r *running) outage(t *testing.T, ask func() int, away, back func()) {
	t.Helper()
	if status := ask(); status != http.StatusOK {
		t.Fatalf("a request has status %d", status)
	}
	for _, busy := range []bool{false, true} {
		var statuses [600]atomic.Int64
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for busy {
				select {
				case <-stop:
					return
				case <-time.After(10 * time.Millisecond):
					statuses[ask()].Add(1)
				}
			}
		}()
		away()
		ready := r.shows(t, http.StatusServiceUnavailable, within)
		if !strings.Contains(ready, `"dataset":"up"`) || strings.Contains(ready, `"ledger":"up"`) {
			t.Errorf("/ready: %s", ready)
		}
		if up := r.metric(t, `postgeo_up{part="ledger"}`); up != "0" {
			t.Errorf("postgeo_up of the ledger is %s", up)
		}
		if status := ask(); status != http.StatusServiceUnavailable {
			t.Errorf("a request meanwhile has status %d", status)
		}
		back()
		r.shows(t, http.StatusOK, 3*recovery)
		close(stop)
		<-stopped
		for status := range statuses {
			if n := statuses[status].Load(); n > 0 {
				t.Logf("%d requests had status %d", n, status)
			}
		}
		if status := ask(); status != http.StatusOK {
			t.Errorf("a request after that has status %d", status)
		}
	}
}

// TestLedgerShows has a ledger that answers pings and takes no settlements, as
// on a full disk, on an idle server and on a busy one.
func TestLedgerShows(t *testing.T) {
	t.Parallel()
	l := &failingLedger{book: newBook(billing.Part{Source: billing.SubscriptionCredits, Credits: 1_000_000})}
	r := run(t, newServer(t, openDB(t), realClock, withAccounts(t, l.book), func(c *server.Config) { c.Accounts = split{everybody(t), l} }))
	r.shows(t, http.StatusOK, within)
	ask := func() int {
		status, _ := fetch(t, "http://"+r.public+"/v2/quick-zip?code=90210", "X-API-Key", key("paid"))
		return status
	}
	r.outage(t, ask, func() { l.fail(errors.New("no space left on device")) }, func() { l.fail(nil) })
}

var check = checktest.Check
