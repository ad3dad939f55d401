package server_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/server"
)

// BenchmarkHandler measures the server's own part: no connection, no kernel.
func BenchmarkHandler(b *testing.B) {
	h := newServer(b, openDB(b), realClock, realEntropy)
	for _, bb := range []struct{ name, target string }{
		{"quick-zip", "/v2/quick-zip?code=90210"},
		{"quick-zip-timezone", "/v2/quick-zip?code=90210&include=timezone"},
		{"not-found", "/v2/quick-zip?code=00000"},
		{"zip", "/v2/zip?code=90210"},
		{"radius", "/v2/radius?code=90210&max=25"},
		{"distance", "/v2/distance?from=90210&to=10001"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			r := get(bb.target)
			w := &discard{header: http.Header{}}
			for b.Loop() {
				clear(w.header)
				h.ServeHTTP(w, r)
			}
			if w.status != http.StatusOK {
				b.Fatalf("status %d", w.status)
			}
		})
	}
}

// A discard is a ResponseWriter that keeps nothing.
type discard struct {
	header http.Header
	status int
	bytes  int
}

func (d *discard) Header() http.Header    { return d.header }
func (d *discard) WriteHeader(status int) { d.status = status }

func (d *discard) Write(p []byte) (int, error) {
	d.bytes += len(p)
	return len(p), nil
}

func realEntropy(c *server.Config) { c.Entropy = nil }

// BenchmarkLoopback measures whole requests to /v2/quick-zip over loopback:
// the server without a log, and the server that logs JSON, each against a bare
// net/http handler that writes the same body. Rounds of requests to the one
// and to the other alternate, so that what the machine does meanwhile falls on
// both. It reports the medians of the requests per second and of their ratio.
func BenchmarkLoopback(b *testing.B) {
	db := openDB(b)
	const target = "/v2/quick-zip?code=90210"
	quiet := newServer(b, db, realClock, realEntropy)
	logging := newServer(b, db, realClock, realEntropy, func(c *server.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(io.Discard, nil))
	})
	body := []byte(readAll(b, do(quiet, get(target))))
	for _, connections := range []int{1, 8} {
		for _, bb := range []struct {
			name string
			h    http.Handler
		}{{"server", quiet}, {"logging", logging}} {
			b.Run(bb.name+"/connections="+strconv.Itoa(connections), func(b *testing.B) {
				compare(b, bare(body), bb.h, target, connections)
			})
		}
	}
}

// bare returns a handler that does nothing but write a body.
func bare(body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	})
}

// compare sends rounds of requests to their handler and to ours in turn.
func compare(b *testing.B, their, our http.Handler, target string, connections int) {
	theirs, ours := connect(b, their, connections), connect(b, our, connections)
	var theirTimes, ourTimes, ratios []float64
	for b.Loop() {
		their := theirs.round(b, target).Seconds()
		our := ours.round(b, target).Seconds()
		theirTimes = append(theirTimes, their)
		ourTimes = append(ourTimes, our)
		ratios = append(ratios, their/our)
	}
	requests := float64(connections * perRound)
	b.ReportMetric(0, "ns/op") // meaningless for two rounds
	b.ReportMetric(requests/median(theirTimes), "bare-req/s")
	b.ReportMetric(requests/median(ourTimes), "req/s")
	b.ReportMetric(median(ratios), "ratio")
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// perRound is how many requests a connection sends in a round.
const perRound = 50

// clients are connections to one server.
type clients []*client

func connect(b *testing.B, h http.Handler, n int) clients {
	s := httptest.NewServer(h)
	b.Cleanup(s.Close)
	return connectTo(b, s.Listener.Addr().String(), n)
}

// connectTo opens connections to a server.
func connectTo(t testing.TB, address string, n int) clients {
	t.Helper()
	var list clients
	for range n {
		conn, err := net.Dial("tcp", address)
		check(t, err)
		t.Cleanup(func() { conn.Close() })
		list = append(list, &client{conn, make([]byte, 16<<10)})
	}
	return list
}

// round sends a round of requests over all connections at once and returns how
// long they took.
func (list clients) round(b *testing.B, target string) time.Duration {
	began := time.Now()
	var wg sync.WaitGroup
	for _, c := range list {
		wg.Go(func() {
			for range perRound {
				if err := c.roundTrip(target); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return time.Since(began)
}

// A client sends requests over one connection with little work, so that the
// server dominates.
type client struct {
	conn net.Conn
	buf  []byte
}

func (c *client) roundTrip(target string) error {
	if _, err := io.WriteString(c.conn, "GET "+target+" HTTP/1.1\r\nHost: x\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n"); err != nil {
		return err
	}
	n := 0
	for n == 0 || c.buf[n-1] != '}' { // a header ends with a line break, the body with a brace
		m, err := c.conn.Read(c.buf[n:])
		if err != nil {
			return err
		}
		n += m
	}
	return nil
}

// unlimited lets everybody call as often as they like, after counting.
type unlimited struct{ server.Accounts }

func (u unlimited) Enter(ctx context.Context, c billing.Credentials) (billing.Pass, error) {
	pass, err := u.Accounts.Enter(ctx, c)
	if limited := new(billing.RateLimitError); errors.As(err, &limited) && !limited.Flood {
		err = nil
	}
	return pass, err
}

func (u unlimited) AllowAddr(ctx context.Context, addr netip.Addr) error {
	err := u.Accounts.AllowAddr(ctx, addr)
	if limited := new(billing.RateLimitError); errors.As(err, &limited) {
		err = nil
	}
	return err
}

// keyed returns a server with accounts in SQLite, these, and a live key of
// theirs. Nobody is over a limit.
func keyed(b testing.TB, db server.DB, set ...func(*server.Config)) (s *server.Server, store *billing.Store, key string) {
	b.Helper()
	store, err := billing.Open(b.Context(), filepath.Join(b.TempDir(), "accounts.db"), billing.Options{Pepper: pepper, Create: true})
	check(b, err)
	b.Cleanup(func() {
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	})
	account, err := store.CreateAccount(b.Context(), billing.Account{ID: "acct_1", Plan: billing.Enterprise})
	check(b, err)
	_, secret, err := store.CreateKey(b.Context(), billing.Key{Account: account.ID, Kind: billing.Live})
	check(b, err)
	_, _, err = store.Grant(b.Context(), billing.Grant{Account: account.ID, Source: billing.PackCredits, Reference: "1", Amount: 1 << 40, Granted: gateTime})
	check(b, err)
	set = append(set, realClock, realEntropy, func(c *server.Config) {
		c.Accounts = unlimited{store}
	})
	return newServer(b, db, set...), store, secret
}

// BenchmarkLoopbackKey is BenchmarkLoopback with a live key: every request
// passes the gate, takes a permit, and reserves and settles a credit that no
// crash of the process loses once the answer is written.
func BenchmarkLoopbackKey(b *testing.B) {
	s, _, key := keyed(b, openDB(b))
	target := "/v2/quick-zip?code=90210&key=" + key
	resp := do(s, get(target))
	body := []byte(readAll(b, resp))
	if resp.StatusCode != http.StatusOK {
		b.Fatalf("status %d: %s", resp.StatusCode, body)
	}
	for _, connections := range []int{1, 8, 64, 256, 1024} {
		b.Run("connections="+strconv.Itoa(connections), func(b *testing.B) {
			compare(b, bare(body), s, target, connections)
		})
	}
}

// BenchmarkLoopbackFloor is BenchmarkLoopbackKey with a handler that knows no key: a
// transaction of SQLite updates one row and inserts one for all requests that queued
// during the one before. No server that keeps its use there can be faster.
func BenchmarkLoopbackFloor(b *testing.B) {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "floor.db"))
	check(b, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE balance (credits INT); INSERT INTO balance VALUES (0); CREATE TABLE entry (requests INT)")
	check(b, err)
	prepare := func(text string) *sql.Stmt {
		stmt, err := db.Prepare(text)
		check(b, err)
		return stmt
	}
	begin, commit := prepare("BEGIN IMMEDIATE"), prepare("COMMIT")
	update, insert := prepare("UPDATE balance SET credits = credits - ?"), prepare("INSERT INTO entry VALUES (?)")
	queue := make(chan chan error, 1024)
	defer close(queue)
	go func() {
		for first := range queue {
			group := []chan error{first}
			for len(queue) > 0 {
				group = append(group, <-queue)
			}
			_, begun := begin.Exec()
			_, updated := update.Exec(len(group))
			_, inserted := insert.Exec(len(group))
			_, committed := commit.Exec()
			err := errors.Join(begun, updated, inserted, committed)
			for _, done := range group {
				done <- err
			}
		}
	}()
	body := []byte(readAll(b, do(newServer(b, openDB(b), realClock, realEntropy), get("/v2/quick-zip?code=90210"))))
	write := bare(body)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := make(chan error, 1)
		queue <- done
		if err := <-done; err != nil {
			b.Error(err)
		}
		write.ServeHTTP(w, r)
	})
	for _, connections := range []int{1, 8, 64} {
		b.Run("connections="+strconv.Itoa(connections), func(b *testing.B) {
			compare(b, write, h, "/", connections)
		})
	}
}
