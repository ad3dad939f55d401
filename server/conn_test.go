package server_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// dial connects to a running server.
func dial(t *testing.T, addr string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	check(t, err)
	t.Cleanup(func() { conn.Close() })
	check(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return conn.(*net.TCPConn)
}

// TestUnreadableRequests checks that requests that are not valid HTTP, or not
// clear, are answered in the envelope, with their method and path where these were read
// (decision D75), and that the connection is closed (decision D58).
func TestUnreadableRequests(t *testing.T) {
	s := newServer(t, openDB(t), realClock, realEntropy, func(c *server.Config) { c.MaxHeaderBytes = 8 << 10 })
	r := run(t, s)
	const (
		body        = `{"code":"90210"}`
		expectation = "the only value of the header Expect is 100-continue"
	)
	chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	for name, tt := range map[string]struct {
		request      string
		status       int
		message      string
		method, path string
	}{
		"header too large": {"GET /v2/radius?code=90210 HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 20<<10) + "\r\n\r\n", 431, wording.HeaderTooLarge(8), "GET", "/v2/radius"},
		"no host":          {"GET /v2/health HTTP/1.1\r\n\r\n", 400, wording.RequestUnreadable("missing required Host header"), "GET", "/v2/health"},
		"encoded path":     {"GET /v2/z%69p HTTP/1.1\r\n\r\n", 400, wording.RequestUnreadable("missing required Host header"), "GET", "/v2/z%69p"},
		"not HTTP":         {"HELO example.com\r\n\r\n", 400, wording.RequestUnreadable("Bad Request"), "", ""},
		"HTTP/3":           {"GET / HTTP/3.0\r\nHost: x\r\n\r\n", 505, wording.RequestUnreadable("unsupported protocol version"), "GET", "/"},
		"unknown coding":   {"POST /v2/zip HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: zip\r\n\r\n", 501, wording.RequestUnreadable("Not Implemented"), "POST", "/v2/zip"},
		"expectation":      {"POST /v2/zip?key=secret HTTP/1.1\r\nHost: x\r\nExpect: x\r\nContent-Length: 2\r\n\r\n{}", 417, wording.RequestUnreadable(expectation), "POST", "/v2/zip"},
		"second of two": {
			"GET /v2/health HTTP/1.1\r\nHost: x\r\n\r\nGET /v2/quick-zip HTTP/1.1\r\nHost: x\r\nExpect: y\r\n\r\n", 417, wording.RequestUnreadable(expectation), "GET", "/v2/quick-zip",
		},
		"two lengths": {
			"POST /v2/zip HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked, 400, wording.TwoLengths, "POST", "/v2/zip",
		},
		"two lengths, the other way": {
			"POST /v2/zip HTTP/1.1\r\nHost: x\r\ntransfer-encoding: chunked\r\nX: y\r\ncontent-length: 5\r\n\r\n" + chunked, 400, wording.TwoLengths, "POST", "/v2/zip",
		},
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, r.public)
			go func() { _, _ = io.WriteString(conn, tt.request) }() // it may be cut off
			in := bufio.NewReader(conn)
			for range strings.Count(tt.request, " HTTP/1.1\r\n") - 1 {
				resp, err := http.ReadResponse(in, nil)
				check(t, err)
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			resp, err := http.ReadResponse(in, nil)
			check(t, err)
			defer resp.Body.Close()
			var a operation.FailedResponse
			check(t, json.NewDecoder(resp.Body).Decode(&a))
			if resp.StatusCode != tt.status || a.Error == nil || a.Error.Code != envelope.BadRequest || a.Error.Message != tt.message || a.Success {
				t.Errorf("status %d, error %+v; want %d and %q", resp.StatusCode, a.Error, tt.status, tt.message)
			}
			if a.Request.Method != tt.method || a.Request.Path != tt.path {
				t.Errorf("request %+v; want %s %s", a.Request, tt.method, tt.path)
			}
			if id := resp.Header.Get("X-Request-Id"); len(id) != 26 || id != a.Meta.RequestID {
				t.Errorf("request id %q in the header, %q in the body", id, a.Meta.RequestID)
			}
			if _, err := in.ReadByte(); err == nil {
				t.Error("the connection stays open")
			}
		})
	}
}

// TestOneLength checks that clear requests are answered however they give
// their length, one after the other and together in one packet.
func TestOneLength(t *testing.T) {
	r := run(t, newServer(t, openDB(t), realClock, realEntropy))
	const body = `{"code":"90210",` + "\n" + `"include":"timezone"}`
	plain := fmt.Sprintf("POST /v2/quick-zip HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	chunked := fmt.Sprintf("POST /v2/quick-zip HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	conn := dial(t, r.public)
	in := bufio.NewReader(conn)
	for i, packet := range []string{plain, chunked, plain + chunked, chunked + plain + chunked} {
		_, err := io.WriteString(conn, packet)
		check(t, err)
		for range strings.Count(packet, "POST") {
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatalf("packet %d: %v", i, err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				t.Errorf("packet %d: status %d", i, resp.StatusCode)
			}
		}
	}
}

// TestHalfClose checks that a caller who closes its half of the connection
// right after the request gets the whole answer and is charged for it.
func TestHalfClose(t *testing.T) {
	b := rich()
	db := openDB(t)
	slow := func(ctx context.Context) (*lookup.QuickRecord, error) {
		time.Sleep(50 * time.Millisecond) // the server sees the end of the request meanwhile
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return db.QuickLookup(ctx, "90210", lookup.QuickOptions{})
	}
	r := run(t, newServer(t, brokenDB{DB: db, quick: slow}, realClock, realEntropy, withAccounts(t, b)))
	batch := `{"codes":["90210","90210"]}`
	for i, request := range []string{
		"GET /v2/quick-zip?code=90210 HTTP/1.1\r\nHost: x\r\nX-Api-Key: " + key("paid") + "\r\n\r\n",
		fmt.Sprintf("POST /v2/quick-zip/batch HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Length: %d\r\n\r\n%s", key("paid"), len(batch), batch),
	} {
		before := b.available()
		conn := dial(t, r.public)
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		check(t, conn.CloseWrite())
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		check(t, err)
		var a struct{ Meta envelope.Meta }
		if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("status %d, %v", resp.StatusCode, err)
		}
		resp.Body.Close()
		if spent := before - b.available(); spent != i+1 || a.Meta.Credits.Used != spent {
			t.Errorf("%d credits spent, %d in the answer; want %d", spent, a.Meta.Credits.Used, i+1)
		}
	}
}

// TestCutIsReset checks that an answer that is cut off because its caller does
// not read it ends in a reset, so that nobody takes the part for the whole.
func TestCutIsReset(t *testing.T) {
	b := rich()
	r := run(t, newServer(t, bulky(t, 64<<20, nil), realClock, realEntropy, withAccounts(t, b), func(c *server.Config) {
		c.WriteTimeout, c.RequestTimeout = time.Second, 10*time.Second
	}))
	conn := dial(t, r.public)
	if _, err := io.WriteString(conn, "GET /v2/quick-zip?code=90210 HTTP/1.1\r\nHost: x\r\nX-Api-Key: "+key("paid")+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(20 * time.Second); !strings.HasSuffix(b.calls(), "cut"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("the ledger is asked: %s; want a cut at the end", b.calls())
		}
	}
	n, err := io.Copy(io.Discard, conn)
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%v after %d bytes; want a reset", err, n)
	}
}

// TestCutBatches cuts connections of batches at random points: in the header,
// in the body, and while the items are worked. No credit is missing afterwards.
// POSTGEO_TEST_CUTS is how many.
func TestCutBatches(t *testing.T) {
	db := openDB(t)
	random := rand.New(rand.NewPCG(1, 2))
	b := rich()
	// Every batch has an item that is not done before the caller is gone.
	slow := func(ctx context.Context) (*lookup.QuickRecord, error) {
		<-ctx.Done()
		return db.QuickLookup(context.WithoutCancel(ctx), "90210", lookup.QuickOptions{})
	}
	s := newServer(t, brokenDB{DB: db, quick: slow}, realClock, realEntropy, withAccounts(t, b))
	r := run(t, s)

	body := `{"codes":` + repeat(`"90210"`, 100) + `}`
	request := fmt.Sprintf("POST /v2/quick-zip/batch HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Length: %d\r\n\r\n%s", key("paid"), len(body), body)
	var wg sync.WaitGroup
	whole := 0
	for range storetest.Times("POSTGEO_TEST_CUTS", 200) {
		n := len(request) // half of them arrive whole
		if random.IntN(2) == 0 {
			n = random.IntN(len(request))
		} else {
			whole++
		}
		conn, err := net.Dial("tcp", r.public)
		check(t, err)
		wg.Go(func() {
			defer conn.Close()
			if _, err := io.WriteString(conn, request[:n]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for end := time.Now().Add(10 * time.Second); b.calls() == "" && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // until one batch is read
	}
	r.stop()
	err := r.wait()
	if err != nil {
		t.Errorf("Run: %v", err)
	}
	if b.available() != 1000 || len(b.holds) != 0 || len(b.settled) != 0 {
		t.Errorf("%d credits of 1000 are left, %v are held, %v are settled", b.available(), b.holds, b.settled)
	}
	if whole == 0 || b.calls() == "" {
		t.Error("no batch got as far as the ledger")
	}
}

// TestDeadline checks that a context of a request ends with its time, with its parent, and for
// contexts that derive from it, whether it is asked or waited for.
func TestDeadline(t *testing.T) {
	past, short := server.Deadline(t.Context(), -time.Second), server.Deadline(t.Context(), time.Millisecond)
	child, cancel := context.WithCancel(short)
	defer cancel()
	<-child.Done()
	<-short.Done()
	for name, ctx := range map[string]context.Context{"past": past, "short": short, "child": child} {
		if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: Err = %v", name, err)
		}
	}
	type key struct{}
	parent, end := context.WithTimeout(context.WithValue(t.Context(), key{}, 7), time.Minute)
	asked, waited := server.Deadline(parent, time.Hour), server.Deadline(parent, time.Hour)
	want, _ := parent.Deadline()
	if at, ok := asked.Deadline(); !ok || !at.Equal(want) || asked.Value(key{}) != 7 {
		t.Errorf("Deadline = %v, %v; want %v; Value = %v", at, ok, want, asked.Value(key{}))
	}
	done := waited.Done()
	if asked.Err() != nil || waited.Err() != nil {
		t.Error("ended before its parent")
	}
	end()
	<-done
	if !errors.Is(asked.Err(), context.Canceled) || !errors.Is(waited.Err(), context.Canceled) {
		t.Errorf("Err = %v, %v", asked.Err(), waited.Err())
	}
}

// longRequest has an answer that is worth compressing.
func longRequest() *http.Request {
	flags := make([]string, 50)
	for i := range flags {
		flags[i] = `"sample_flag_` + strconv.Itoa(i) + `"`
	}
	return post("/v2/zip", `{"code":"90210","include":[`+strings.Join(flags, ",")+`]}`)
}

// TestCompression unpacks an answer, also by encoders of the pool. Which encoding a request has
// is in testdata/answers.txt.
func TestCompression(t *testing.T) {
	db := openDB(t)
	plain := readAll(t, do(newServer(t, db), longRequest()))
	for _, encoding := range []string{"gzip", "br", "br", "gzip"} {
		resp := do(newServer(t, db), with(longRequest(), "Accept-Encoding", encoding))
		if got := unpack(t, encoding, readAll(t, resp)); got != plain || resp.Header.Get("Content-Encoding") != encoding {
			t.Errorf("%s: unpacked body differs (-want +got):\n%s", encoding, cmp.Diff(plain, got))
		}
	}
}

func unpack(t *testing.T, encoding, body string) string {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	var err error
	switch encoding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "br":
		r = brotli.NewReader(r)
	}
	check(t, err)
	b, err := io.ReadAll(r)
	check(t, err)
	return string(b)
}

// TestHEAD checks that HEAD has the headers of GET and no body.
func TestHEAD(t *testing.T) {
	db := openDB(t)
	for _, target := range []string{"/v2/quick-zip?code=90210", "/v2/zip", "/v2/health", "/", "/explorer/app.js", "/v2/openapi.json", "/nothing"} {
		want := do(newServer(t, db), get(target))
		r := get(target)
		r.Method = http.MethodHead
		got := do(newServer(t, db), r)
		if body := readAll(t, got); body != "" {
			t.Errorf("HEAD %s has the body %q", target, body)
		}
		if got.Header.Get("Content-Length") == "" {
			t.Errorf("HEAD %s has no Content-Length", target)
		}
		want.Header.Del("Content-Length") // the recorder does not set it
		got.Header.Del("Content-Length")
		if diff := cmp.Diff(want.Header, got.Header); diff != "" || got.StatusCode != want.StatusCode {
			t.Errorf("HEAD %s: status %d, want %d; headers (-GET +HEAD):\n%s", target, got.StatusCode, want.StatusCode, diff)
		}
	}
}

// TestAllocations checks that the server allocates little for a quick lookup:
// 10 allocations at the time of writing, including the lookup.
func TestAllocations(t *testing.T) {
	h := newServer(t, openDB(t), realClock)
	r := get("/v2/quick-zip?code=90210")
	w := &discard{header: http.Header{}}
	got := testing.AllocsPerRun(200, func() {
		clear(w.header)
		h.ServeHTTP(w, r)
	})
	if got > 12 {
		t.Errorf("%v allocations", got)
	}
}
