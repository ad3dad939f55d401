package server_test

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/server"
)

// TestSlowHeaders checks that callers who send their header byte by byte
// neither delay others nor take much memory, and are disconnected.
// POSTGEO_TEST_SLOW is their number; it also enables the checks of times.
func TestSlowHeaders(t *testing.T) {
	n := storetest.Times("POSTGEO_TEST_SLOW", 200)
	judged := os.Getenv("POSTGEO_TEST_SLOW") != ""
	s := newServer(t, openDB(t), realClock, func(c *server.Config) {
		if !judged {
			c.ReadTimeout = time.Second
		}
	})
	r := run(t, s)
	good := connectTo(t, r.public, 4)
	good.latencies(t, 500) // warm
	requests := 2000
	if judged {
		requests = 50_000
	}
	idle := good.latencies(t, requests)

	conns := make([]net.Conn, n)
	for i := range conns {
		conn, err := net.Dial("tcp", r.public)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET /v2/quick-zip?code=90210 HTTP/1.1\r\nHost: x\r\nX-Slow: "); err != nil {
			t.Fatal(err)
		}
		conns[i] = conn
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		const cycle, tick = 2 * time.Second, 5 * time.Millisecond // a byte of each in every cycle
		ticker := time.NewTicker(tick)
		defer ticker.Stop()
		for at := 0; ; {
			for range n*int(tick)/int(cycle) + 1 {
				_, _ = io.WriteString(conns[at%n], "x") // refused once the server has let go
				at++
			}
			select {
			case <-stop:
				return
			case <-ticker.C:
			}
		}
	})
	loaded := good.latencies(t, requests)
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	close(stop)
	wg.Wait()

	p50, p99 := percentile(idle, 50), percentile(idle, 99)
	t.Logf("%d slow callers; good requests p50 %v, p99 %v, before them %v, %v; memory of callers and server %d MB",
		n, percentile(loaded, 50), percentile(loaded, 99), p50, p99, mem.Sys>>20)
	if mem.Sys > 300<<20 {
		t.Errorf("%d MB of memory; want less than 300", mem.Sys>>20)
	}
	if slow := percentile(loaded, 99); judged && slow > 2*p99 {
		t.Errorf("p99 of good requests is %v; want at most twice the %v of before", slow, p99)
	}
	for _, conn := range conns {
		if err := conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		_, err := io.Copy(io.Discard, conn)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("a slow caller was not let go of")
		}
	}
}

// latencies sends requests over all connections at once and returns how long
// each took.
func (list clients) latencies(t *testing.T, requests int) []time.Duration {
	t.Helper()
	var mu sync.Mutex
	var all []time.Duration
	var wg sync.WaitGroup
	for _, c := range list {
		wg.Go(func() {
			for range requests / len(list) {
				began := time.Now()
				err := c.roundTrip("/v2/quick-zip?code=90210")
				took := time.Since(began)
				mu.Lock()
				all = append(all, took)
				mu.Unlock()
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return all
}

func percentile(d []time.Duration, p int) time.Duration {
	slices.Sort(d)
	return d[min(len(d)*p/100, len(d)-1)]
}
