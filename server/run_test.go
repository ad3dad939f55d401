package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// A running server answers on loopback until the test ends.
type running struct {
	public, private string // addresses
	stop            context.CancelFunc
	done            chan error
}

func run(t testing.TB, s *server.Server) *running {
	t.Helper()
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		check(t, err)
		return l
	}
	public, private := listen(), listen()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{public.Addr().String(), private.Addr().String(), cancel, make(chan error, 1)}
	go func() { r.done <- s.Run(ctx, public, private) }()
	t.Cleanup(func() {
		cancel()
		<-r.done
	})
	return r
}

// wait returns what Run returned.
func (r *running) wait() error {
	err := <-r.done
	r.done <- err
	return err
}

func realClock(c *server.Config) { c.Now = nil }

// TestStopIsGraceful checks that a request in flight finishes while /ready
// already fails.
func TestStopIsGraceful(t *testing.T) {
	db := openDB(t)
	entered, release := make(chan struct{}), make(chan struct{})
	slow := func(ctx context.Context) (*lookup.QuickRecord, error) {
		close(entered)
		<-release
		return db.QuickLookup(ctx, "90210", lookup.QuickOptions{})
	}
	s := newServer(t, brokenDB{DB: db, quick: slow}, realClock)
	r := run(t, s)

	answered := make(chan error, 1)
	go func() {
		resp, err := http.Get("http://" + r.public + "/v2/quick-zip?code=90210")
		if err == nil {
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				err = fmt.Errorf("status %d", resp.StatusCode)
			}
		}
		answered <- err
	}()
	<-entered
	r.stop()
	// The public listener closes first; when it refuses, stopping has begun.
	for {
		conn, err := net.Dial("tcp", r.public)
		if err != nil {
			break
		}
		conn.Close()
	}
	if resp := do(s.PrivateHandler(), get("/ready")); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("/ready has status %d while stopping, want 503", resp.StatusCode)
	}
	if resp := do(s.PrivateHandler(), get("/live")); resp.StatusCode != http.StatusOK {
		t.Errorf("/live has status %d while stopping, want 200", resp.StatusCode)
	}
	close(release)
	if err := <-answered; err != nil {
		t.Errorf("the request in flight: %v", err)
	}
	err := r.wait()
	if err != nil {
		t.Errorf("Run: %v", err)
	}
}

// TestGraceEnds checks that a request that does not finish is cut off, and that
// Run returns an error.
func TestGraceEnds(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(release) })
	stuck := func(context.Context) (*lookup.QuickRecord, error) {
		close(entered)
		<-release
		return nil, errors.New("too late")
	}
	r := run(t, newServer(t, brokenDB{DB: openDB(t), quick: stuck}, realClock, func(c *server.Config) { c.Grace = time.Millisecond }))
	go func() {
		if resp, err := http.Get("http://" + r.public + "/v2/quick-zip?code=90210"); err == nil {
			resp.Body.Close()
		}
	}()
	<-entered
	r.stop()
	err := r.wait()
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run: %v, want a deadline", err)
	}
}

func TestRunReportsAListenerThatFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	l.Close()
	if err := newServer(t, openDB(t), realClock).Run(t.Context(), l, nil); err == nil || !strings.Contains(err.Error(), l.Addr().String()) {
		t.Errorf("Run on a closed listener: %v", err)
	}
}

// TestSlowClients checks that callers who do not finish their header or body
// are disconnected without affecting others.
func TestSlowClients(t *testing.T) {
	r := run(t, newServer(t, openDB(t), realClock, func(c *server.Config) { c.ReadTimeout = 200 * time.Millisecond }))
	var conns []net.Conn
	for i := range storetest.Times("POSTGEO_TEST_SLOW", 200) {
		begin := "GET /v2/quick-zip?code=90210 HTTP/1.1\r\nHost: x\r\nX-Slow: "
		if i%2 == 1 {
			begin = "POST /v2/quick-zip HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"code\":"
		}
		conn, err := net.Dial("tcp", r.public)
		check(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, begin)
		check(t, err)
		conns = append(conns, conn)
	}
	resp, err := http.Get("http://" + r.public + "/v2/quick-zip?code=90210")
	check(t, err)
	resp.Body.Close()
	for i, conn := range conns {
		rest, err := io.ReadAll(conn) // ends only when the server closes the connection
		if err != nil {
			t.Errorf("connection %d: %v", i, err)
		}
		if i%2 == 1 {
			resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rest)), nil)
			if err != nil {
				t.Fatalf("answer to half a body: %v", err)
			}
			if resp.StatusCode != http.StatusBadRequest {
				t.Errorf("half a body has status %d, want 400", resp.StatusCode)
			}
		}
	}
}

// TestOptionsOfTheServer checks that OPTIONS * is like every other OPTIONS.
func TestOptionsOfTheServer(t *testing.T) {
	r := run(t, newServer(t, openDB(t), realClock))
	conn, err := net.Dial("tcp", r.public)
	check(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n")
	check(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	check(t, err)
	resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("status %d, headers %v", resp.StatusCode, resp.Header)
	}
}

// TestQueueBound checks that a request is refused while all processors are busy
// and the queue is full, and is accepted afterwards.
func TestQueueBound(t *testing.T) {
	db := openDB(t)
	processors := runtime.GOMAXPROCS(0)
	entered, release := make(chan struct{}, processors), make(chan struct{})
	slow := func(ctx context.Context) (*lookup.QuickRecord, error) {
		select {
		case entered <- struct{}{}:
			<-release
		default:
		}
		return db.QuickLookup(ctx, "90210", lookup.QuickOptions{})
	}
	s := newServer(t, brokenDB{DB: db, quick: slow}, realClock, func(c *server.Config) { c.MaxWaiting = 1 })
	done := make(chan int)
	for range processors + 1 {
		go func() { done <- do(s, get("/v2/quick-zip?code=90210")).StatusCode }()
	}
	for s.Waiting() == 0 {
		runtime.Gosched()
	}
	resp := do(s, get("/v2/quick-zip?code=90210"))
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" {
		t.Errorf("status %d, Retry-After %q; want 503 with one", resp.StatusCode, resp.Header.Get("Retry-After"))
	}
	if resp := do(s, get("/v2/health")); resp.StatusCode != http.StatusOK {
		t.Errorf("health has status %d while busy, want 200", resp.StatusCode)
	}
	close(release)
	for range processors + 1 {
		if status := <-done; status != http.StatusOK {
			t.Errorf("a request that was let in has status %d", status)
		}
	}
	if resp := do(s, get("/v2/quick-zip?code=90210")); resp.StatusCode != http.StatusOK {
		t.Errorf("status %d afterwards, want 200", resp.StatusCode)
	}
}

func TestNewRefuses(t *testing.T) {
	db := openDB(t)
	for name, cfg := range map[string]server.Config{
		"negative timeout":     {RequestTimeout: -1},
		"negative queue":       {MaxWaiting: -1},
		"negative rate":        {MinRate: -1},
		"negative memory":      {Memory: -1},
		"negative header":      {MaxHeaderBytes: -1},
		"negative header time": {ReadHeaderTimeout: -1},
		"bad link":             {Links: envelope.Links{Docs: "http://[::1"}},
	} {
		if _, err := server.New(db, cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := server.New(nil, server.Config{}); err == nil {
		t.Error("no dataset: no error")
	}
}

// TestChange shortens the time limit of a server in use. Settings that are not valid
// change nothing.
func TestChange(t *testing.T) {
	s := newServer(t, brokenDB{DB: openDB(t), quick: func(ctx context.Context) (*lookup.QuickRecord, error) {
		by, _ := ctx.Deadline()
		if time.Until(by) > time.Minute {
			return new(lookup.QuickRecord), nil
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}}, realClock, func(c *server.Config) { c.RequestTimeout = time.Hour })
	for _, change := range []struct {
		timeout time.Duration
		valid   bool
		status  int
	}{{time.Hour, true, http.StatusOK}, {-1, false, http.StatusOK}, {20 * time.Millisecond, true, http.StatusGatewayTimeout}, {2 * time.Hour, true, http.StatusOK}} {
		if err := s.Change(server.Config{RequestTimeout: change.timeout}); (err == nil) != change.valid {
			t.Errorf("a time limit of %v: %v", change.timeout, err)
		}
		if resp := do(s, get("/v2/quick-zip?code=90210")); resp.StatusCode != change.status {
			t.Errorf("with a time limit of %v: status %d, want %d", change.timeout, resp.StatusCode, change.status)
		}
	}
}

// TestChangeProxies takes the trust of a proxy back: the address that it forwards then
// no longer counts.
func TestChangeProxies(t *testing.T) {
	accounts := withAccounts(t, rich())
	s := newServer(t, openDB(t), accounts)
	ask := func() int {
		r := with(as("at-home", get("/v2/quick-zip?code=90210")), "X-Forwarded-For", "198.51.100.7")
		r.RemoteAddr = "10.1.2.3:4567"
		return do(s, r).StatusCode
	}
	if got := ask(); got != http.StatusOK {
		t.Errorf("behind a trusted proxy: status %d", got)
	}
	var cfg server.Config
	accounts(&cfg)
	cfg.TrustedProxies = nil
	check(t, s.Change(cfg))
	if got := ask(); got != http.StatusForbidden {
		t.Errorf("behind a proxy that is not trusted any more: status %d, want 403", got)
	}
}

// TestUnwritableAnswer checks that a result that JSON cannot express becomes a
// free error.
func TestUnwritableAnswer(t *testing.T) {
	nan := math.NaN()
	full := func(context.Context) (*lookup.Record, error) {
		return &lookup.Record{ZIPInfo: &lookup.ZIPInfo{LandAreaSqMi: &nan}}, nil
	}
	status, a := ask(t, newServer(t, brokenDB{DB: openDB(t), full: full}), get("/v2/zip?code=90210"))
	if status != http.StatusInternalServerError || a.Error == nil || a.Error.Code != envelope.InternalError || a.Meta.Credits.Used != 0 {
		t.Errorf("status %d, error %+v, credits %+v", status, a.Error, a.Meta.Credits)
	}
}

// brink is entropy that begins with the largest random part there is.
type brink struct{ begun bool }

func (b *brink) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 1
		if !b.begun && i < 10 {
			p[i] = 0xFF
		}
	}
	b.begun = true
	return len(p), nil
}

// broken is entropy that fails.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

// TestEntropy checks that ids remain valid when the random bits of a
// millisecond overflow, and that a broken source fails without a panic.
func TestEntropy(t *testing.T) {
	db := openDB(t)
	full := newServer(t, db, func(c *server.Config) { c.Entropy, c.Now = &brink{}, ticking(0) })
	for range 3 {
		if status, a := ask(t, full, get("/v2/quick-zip?code=90210")); status != http.StatusOK || len(a.Meta.RequestID) != 26 {
			t.Errorf("status %d, id %q", status, a.Meta.RequestID)
		}
	}
	failing := newServer(t, db, func(c *server.Config) { c.Entropy = broken{} })
	status, a := ask(t, failing, get("/v2/quick-zip?code=90210"))
	if status != http.StatusInternalServerError || a.Error == nil || a.Error.Code != envelope.InternalError {
		t.Errorf("status %d, error %+v", status, a.Error)
	}
}
