package attack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A stream is a group of callers who send the same request.
type stream struct {
	Name        string
	Keys        []string // used in turn
	Path        string
	Body        string // "": GET
	Connections int
	Rounds      int           // responses per connection; 0: until it is stopped
	After       time.Duration // when the first connection begins
	Over        time.Duration // the connections begin spread over it
	Unread      bool          // answers are not read: one request on each connection, held open until the end
	Slowly      int           // bytes a second that each connection reads at most; 0: all there are
	Gzip        bool          // answers are taken compressed
	Every       time.Duration // least time between two requests of a connection
	Dripping    bool          // bodies are sent by one byte a second
	Refused     bool          // the requests are meant to be refused
}

// An outcome is what came of a stream.
type outcome struct {
	Name        string
	Wanted      int // answers; 0: as many as come
	Requests    int
	Served      int // whole answers with status 200
	Unavailable int // 503
	Limited     int // 429
	Other       int // other statuses
	Cut         int // connections that broke before the end of the answer
	Open        int // answers not read that the server still holds at the end
	Bytes       int64
	Slowest     time.Duration
	Took        time.Duration
	First       string // first failure
}

func (o *outcome) String() string {
	return fmt.Sprintf("%s: %d requests, %d served, %d × 503, %d × 429, %d other statuses, %d cut, %d left open; %d MB, slowest %v, %v in all",
		o.Name, o.Requests, o.Served, o.Unavailable, o.Limited, o.Other, o.Cut, o.Open, o.Bytes>>20, o.Slowest.Round(time.Millisecond), o.Took.Round(time.Millisecond))
}

// orders are what an attacking process does.
type orders struct {
	Address string
	Streams []stream
}

// An assault is an attacking process.
type assault struct {
	cmd  *exec.Cmd
	in   io.Closer
	out  bytes.Buffer
	errs bytes.Buffer
	done chan struct{}
}

// attack starts the streams in a separate process.
func (s *target) attack(t testing.TB, streams ...stream) *assault {
	t.Helper()
	text, err := json.Marshal(orders{s.address, streams})
	check(t, err)
	a := &assault{cmd: exec.Command(os.Args[0]), done: make(chan struct{})}
	a.cmd.Env = append(os.Environ(), attackProcess+"=1")
	r, w, err := os.Pipe()
	check(t, err)
	a.cmd.Stdin, a.in, a.cmd.Stdout, a.cmd.Stderr = r, w, &a.out, &a.errs
	check(t, a.cmd.Start())
	r.Close()
	t.Cleanup(func() { _ = a.cmd.Process.Kill() }) // it has ended unless the test failed
	go func() {
		defer close(a.done)
		_ = a.cmd.Wait() // its outcomes show whether it failed
	}()
	_, err = w.Write(append(text, '\n'))
	check(t, err)
	return a
}

// wait waits until every stream has its answers, at most for the span, and
// returns the outcomes by stream.
func (a *assault) wait(t testing.TB, most time.Duration) []*outcome {
	t.Helper()
	select {
	case <-a.done:
	case <-time.After(most):
	}
	return a.stop(t)
}

// stop ends the streams and returns the outcomes by stream.
func (a *assault) stop(t testing.TB) []*outcome {
	t.Helper()
	a.in.Close()
	select {
	case <-a.done:
	case <-time.After(time.Minute):
		t.Error("the attackers do not stop")
		_ = a.cmd.Process.Kill()
		<-a.done
	}
	var list []*outcome
	if err := json.Unmarshal(a.out.Bytes(), &list); err != nil {
		t.Fatalf("attackers: %v: %.300s %.3000s", err, a.out.Bytes(), a.errs.Bytes())
	}
	return list
}

// attack is the main function of an attacking process. Its orders are the
// first line of standard input, whose end stops it.
func attack() int {
	decoder := json.NewDecoder(os.Stdin)
	var o orders
	if err := decoder.Decode(&o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	list := make([]*outcome, len(o.Streams))
	var wg sync.WaitGroup
	for i := range o.Streams {
		wg.Go(func() { list[i] = o.Streams[i].run(ctx, o.Address) })
	}
	wg.Wait()
	if err := json.NewEncoder(os.Stdout).Encode(list); err != nil {
		return 1
	}
	return 0
}

// run sends the requests of all connections and returns what came of them.
func (s *stream) run(ctx context.Context, address string) *outcome {
	o := &outcome{Name: s.Name, Wanted: s.Rounds * s.Connections}
	var mu sync.Mutex
	count := func(f func(o *outcome)) {
		mu.Lock()
		defer mu.Unlock()
		f(o)
	}
	began := time.Now()
	var wg sync.WaitGroup
	for n := range s.Connections {
		wg.Go(func() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(s.After + s.Over*time.Duration(n)/time.Duration(s.Connections)):
			}
			if s.Unread {
				s.ignore(ctx, address, n, count)
				return
			}
			s.read(ctx, address, n, count)
		})
	}
	wg.Wait()
	o.Took = time.Since(began)
	return o
}

// read sends requests over one connection and reads the responses. It retries
// refused requests after Retry-After.
func (s *stream) read(ctx context.Context, address string, n int, count func(func(*outcome))) {
	transport := &http.Transport{DisableCompression: true, MaxConnsPerHost: 1}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	method := http.MethodGet
	if s.Body != "" {
		method = http.MethodPost
	}
	served := 0
	for i := n; ctx.Err() == nil && (s.Rounds == 0 || served < s.Rounds); i++ {
		var body io.Reader = strings.NewReader(s.Body)
		if s.Dripping {
			body = &drip{body, ctx}
		}
		req, err := http.NewRequestWithContext(ctx, method, "http://"+address+s.Path, body)
		if err != nil {
			panic(err) // the addresses here are URLs
		}
		req.ContentLength = int64(len(s.Body))
		req.Header.Set("X-Api-Key", s.Keys[i%len(s.Keys)])
		if s.Gzip {
			req.Header.Set("Accept-Encoding", "gzip")
		}
		sent := time.Now()
		status, retry, bytes, failure, err := s.exchange(client, req)
		if ctx.Err() != nil {
			return // it was stopped, not a failure of the server
		}
		count(func(o *outcome) {
			o.Requests++
			o.Bytes += bytes
			o.Slowest = max(o.Slowest, time.Since(sent))
			switch {
			case err != nil:
				o.Cut++
				failure = err.Error()
			case status == http.StatusOK || s.Refused && status == http.StatusBadRequest:
				o.Served++
			case status == http.StatusServiceUnavailable:
				o.Unavailable++
			case status == http.StatusTooManyRequests:
				o.Limited++
			default:
				o.Other++
			}
			if o.First == "" {
				o.First = failure
			}
		})
		if s.Every > 0 {
			retry = s.Every - time.Since(sent)
		} else if err == nil && status == http.StatusOK {
			served++
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(retry):
		}
	}
}

// exchange sends a request and reads the answer.
func (s *stream) exchange(client *http.Client, req *http.Request) (status int, retry time.Duration, n int64, failure string, err error) {
	retry = 100 * time.Millisecond
	resp, err := client.Do(req)
	if err != nil {
		return 0, retry, 0, "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
			retry = time.Duration(seconds) * time.Second
		}
		text, err := io.ReadAll(resp.Body)
		return resp.StatusCode, retry, int64(len(text)), fmt.Sprintf("%d %.300s", resp.StatusCode, text), err
	}
	var body io.Reader = resp.Body
	if s.Slowly > 0 {
		body = &slowReader{resp.Body, s.Slowly}
	}
	n, err = io.Copy(io.Discard, body)
	return resp.StatusCode, retry, n, "", err
}

// A drip reads a byte a second.
type drip struct {
	r   io.Reader
	ctx context.Context //nolint:containedctx // it ends with the request
}

func (d *drip) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(time.Second):
		return d.r.Read(p[:min(len(p), 1)])
	}
}

// A slowReader reads a number of bytes a second.
type slowReader struct {
	r    io.Reader
	rate int
}

func (s *slowReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	time.Sleep(time.Second * time.Duration(n) / time.Duration(s.rate))
	return n, err
}

// ignore sends one request and does not read the answer until the end.
func (s *stream) ignore(ctx context.Context, address string, n int, count func(func(*outcome))) {
	count(func(o *outcome) { o.Requests++ })
	fail := func(err error) {
		count(func(o *outcome) {
			o.Cut++
			if o.First == "" {
				o.First = err.Error()
			}
		})
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		fail(err)
		return
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		fail(err)
		return
	}
	if _, err := io.WriteString(conn, "GET "+s.Path+" HTTP/1.1\r\nHost: x\r\nX-Api-Key: "+s.Keys[n%len(s.Keys)]+"\r\n\r\n"); err != nil {
		fail(err)
		return
	}
	<-ctx.Done()
	// Buffered data still arrives; then it shows whether the server
	// has gone.
	_ = conn.SetReadDeadline(time.Now().Add(time.Second))
	var head [12]byte
	got, err := io.ReadFull(conn, head[:])
	if err != nil {
		fail(err)
		return
	}
	more, err := io.CopyN(io.Discard, conn, 1<<20)
	count(func(o *outcome) {
		o.Bytes += int64(got) + more
		switch status := string(head[9:]); {
		case status == "503":
			o.Unavailable++
		case status == "429":
			o.Limited++
		case status != "200":
			o.Other++
		case err == nil:
			o.Open++
		case errors.Is(err, os.ErrDeadlineExceeded):
			o.Open++ // it is still served to others
		default:
			o.Cut++
		}
	})
}

// running reports whether the attack is still going on.
func (a *assault) running() bool {
	select {
	case <-a.done:
		return false
	default:
		return true
	}
}
