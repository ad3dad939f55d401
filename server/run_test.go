package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
		if err != nil {
			t.Fatal(err)
		}
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
	err := <-r.done
	r.done <- err
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
	err := <-r.done
	r.done <- err
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run: %v, want a deadline", err)
	}
}

func TestRunReportsAListenerThatFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, begin); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	resp, err := http.Get("http://" + r.public + "/v2/quick-zip?code=90210")
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
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
