package attack_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
)

const pepperText = "a pepper of the attacks, long enough"

// memoryLimit is the limit of the server's runtime, nine tenths of the memory that it may use.
const (
	memoryLimit   = "921MiB"
	memoryLimitMB = 1024
)

// A customer is an account with the keys of it.
type customer struct{ keys []string }

// keysOfAll is the number of keys of every customer: at 1,800 requests a
// minute each, none of the callers here meets its rate limit.
const keysOfAll = 40

// enroll writes accounts to a file, each with credits that last.
func enroll(t testing.TB, path string, n int) []customer {
	t.Helper()
	store, err := billing.Open(t.Context(), path, billing.Options{Pepper: []byte(pepperText), Create: true})
	check(t, err)
	defer store.Close()
	customers := make([]customer, n)
	for i := range customers {
		customers[i] = customer{open(t, store, fmt.Sprintf("acct_%d", i+1), keysOfAll)}
	}
	return customers
}

// open opens an account with credits that last, and returns its keys.
func open(t testing.TB, store *billing.Store, id string, keys int) (secrets []string) {
	t.Helper()
	now := time.Now().Add(-time.Hour)
	_, err := store.CreateAccount(t.Context(), billing.Account{ID: id, Plan: billing.Enterprise, Created: now, Anchor: now})
	check(t, err)
	_, _, err = store.Grant(t.Context(), billing.Grant{Account: id, Source: billing.PackCredits, Reference: "1", Amount: 1 << 40, Granted: now})
	check(t, err)
	for range keys {
		_, secret, err := store.CreateKey(t.Context(), billing.Key{Account: id, Kind: billing.Live})
		check(t, err)
		secrets = append(secrets, secret)
	}
	return secrets
}

// A target is a server process.
type target struct {
	address   string
	customers []customer
	process   *os.Process
}

// The customers of a target. Those from batchers on are honest batch callers.
const (
	light = iota
	attacker
	second
	batchers
	numCustomers = batchers + 8
)

var serving = regexp.MustCompile(`serving dataset .* on http://([0-9.:]+)`)

// start runs the program as a server until the test ends. data "" is the sample.
func start(t testing.TB, data string) *target {
	t.Helper()
	dir := t.TempDir()
	accounts := filepath.Join(dir, "accounts.db")
	s := &target{customers: enroll(t, accounts, numCustomers)}
	args := []string{"serve", "--listen", "127.0.0.1:0", "--private-listen", "none", "--accounts", accounts}
	if data != "" {
		args = append(args, "--data", data)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	check(t, err)
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "POSTGEO_DATA=", "POSTGEO_PEPPER="+pepperText, "GOMEMLIMIT="+memoryLimit)
	cmd.Stderr = log
	check(t, cmd.Start())
	s.process = cmd.Process
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Errorf("the server was gone: %v", err)
		}
		select {
		case <-ended: // callers who do not read may be cut off, with an exit code
		case <-time.After(time.Minute):
			t.Error("the server does not stop within a minute")
			_ = cmd.Process.Kill()
		}
		audit(t, accounts)
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			logged := 0
			for line := range strings.Lines(string(text)) {
				if !strings.Contains(line, `"msg":"request"`) && logged < 50 {
					t.Log(line)
					logged++
				}
			}
		}
	})
	for range 600 {
		text, err := os.ReadFile(log.Name())
		check(t, err)
		if m := serving.FindSubmatch(text); m != nil {
			s.address = string(m[1])
			return s
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s %s: %v: %s", program, strings.Join(args, " "), err, text)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("the server does not start within 30 s")
	return nil
}

// audit checks the books of a server that has stopped.
func audit(t testing.TB, path string) {
	store, err := billing.Open(context.Background(), path, billing.Options{Pepper: []byte(pepperText)})
	if err != nil {
		t.Error(err)
		return
	}
	defer store.Close()
	if err := store.Audit(context.Background()); err != nil {
		t.Error(err)
	}
	accounts, err := store.Accounts(context.Background())
	if err != nil {
		t.Error(err)
	}
	for _, a := range accounts {
		b, err := store.Balance(context.Background(), a.ID)
		if err != nil {
			t.Error(err)
		} else if b.Held != 0 {
			t.Errorf("%s: %d credits stay held", a.ID, b.Held)
		}
	}
}

// peakMB returns the largest resident memory of the server since its start or
// the last forgetPeak; 0 if the system does not report it.
func (s *target) peakMB() int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return int(math.Ceil(float64(kb) / 1024))
		}
	}
	return 0
}

// forgetPeak resets peakMB, on Linux.
func (s *target) forgetPeak() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.process.Pid), []byte("5"), 0)
}

// get returns the body of an answer with status 200.
func (s *target) get(t testing.TB, path string) []byte {
	t.Helper()
	status, b, err := s.ask(http.DefaultClient, path, s.customers[light].keys[0])
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %.300s", path, status, err, b)
	}
	return b
}

// codes returns n ZIP Codes from a search around the center.
func (s *target) codes(t testing.TB, n int) []string {
	t.Helper()
	var answer struct {
		Results []struct {
			Matches []struct {
				Code string `json:"code"`
				Type string `json:"code_type"`
			} `json:"matches"`
		} `json:"results"`
	}
	if err := json.Unmarshal(s.get(t, heavySearch), &answer); err != nil || len(answer.Results) != 1 {
		t.Fatalf("%v, %d results", err, len(answer.Results))
	}
	var codes []string
	for i, m := range answer.Results[0].Matches {
		if m.Type == "ZIP" && i%40 == 0 && len(codes) < n {
			codes = append(codes, m.Code)
		}
	}
	if len(codes) < n {
		t.Fatalf("%d codes; want %d", len(codes), n)
	}
	return codes
}

// heavySearch is the largest answer of a single route, about 4.5 MB.
const heavySearch = "/v2/radius?code=" + center + "&max=500&include=timezone"

// lightLookup is the smallest answer that costs a credit.
const lightLookup = "/v2/quick-zip?code=" + center

// nearSearch is a search that takes a turn in a real dataset.
const nearSearch = "/v2/radius?code=40.75,-73.99&max=25&include=timezone"

// smallBuffer is the size of socket buffers on the way from the server, so that
// a large answer cannot hide in the kernel. Smaller ones than a segment on
// loopback, 64 KiB, slow everything down.
const smallBuffer = 128 << 10

// inKernel is the size of an answer from which the server cannot have written
// it whole before the other side has read a part.
const inKernel = 8 * smallBuffer

// A fault is what a proxy does to an exchange. Positions are counted in bytes
// of the answer, its header included.
type fault struct {
	name  string
	times int // how often it is tried; 0: once

	halfClose bool    // the sending side toward the server is closed at the position
	reset     bool    // both connections are reset at the position
	closed    bool    // the connection to the server is closed at the position
	at        int64   // the position; 0: right after the request
	part      float64 // the position as a part of the answer, if not 0

	pause time.Duration // before each piece read from the server
	piece int           // size of the pieces; 0: as they come
}

// position returns where in an answer of a size the fault strikes.
func (f *fault) position(size int64) int64 {
	if f.part > 0 {
		return int64(f.part * float64(size))
	}
	return f.at
}

// whole reports whether the caller gets the whole answer in spite of the fault.
func (f *fault) whole() bool { return !f.reset && !f.closed }

// A proxy forwards one connection with a fault.
type proxy struct {
	address string
	done    chan int64 // bytes of the answer that came from the server
}

// newProxy listens for one connection, which it forwards to the server.
// position is where its fault strikes.
func newProxy(t testing.TB, server string, f fault, position int64) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	p := &proxy{l.Addr().String(), make(chan int64, 1)}
	go func() {
		client, err := l.Accept()
		l.Close()
		if err != nil {
			p.done <- 0
			return
		}
		defer client.Close()
		upstream, err := net.Dial("tcp", server)
		if err != nil {
			p.done <- 0
			return
		}
		defer upstream.Close()
		p.done <- forward(client.(*net.TCPConn), upstream.(*net.TCPConn), f, position)
	}()
	return p
}

// forward passes one request on, then the answer, and returns the number of
// bytes of it that came from the server.
func forward(client, upstream *net.TCPConn, f fault, position int64) (n int64) {
	if err := upstream.SetReadBuffer(smallBuffer); err != nil {
		return 0
	}
	var request bytes.Buffer
	r, err := http.ReadRequest(bufio.NewReader(io.TeeReader(client, &request)))
	if err != nil {
		return 0
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return 0
	}
	if _, err := upstream.Write(request.Bytes()); err != nil {
		return 0
	}
	go func() { // the caller leaves once it has the answer, or nothing more to expect
		_, _ = io.Copy(io.Discard, client)
		upstream.Close()
	}()
	if position > 0 || f.whole() && !f.halfClose {
		n = pass(client, upstream, f, position)
	}
	switch {
	case f.reset:
		_ = upstream.SetLinger(0)
		_ = client.SetLinger(0)
		return n
	case f.closed:
		return n
	case f.halfClose:
		_ = upstream.CloseWrite()
		n += pass(client, upstream, f, 0)
	}
	return n
}

// pass copies most bytes of the answer, all of them if most is 0.
func pass(client, upstream *net.TCPConn, f fault, most int64) (n int64) {
	piece := f.piece
	if piece == 0 {
		piece = 32 << 10
	}
	b := make([]byte, piece)
	for most == 0 || n < most {
		time.Sleep(f.pause)
		want := len(b)
		if most > 0 {
			want = min(want, int(most-n))
		}
		got, err := upstream.Read(b[:want])
		n += int64(got)
		if _, err := client.Write(b[:got]); err != nil {
			return n
		}
		if err != nil {
			return n
		}
	}
	return n
}

// A tightListener gives its connections a small buffer for sending.
type tightListener struct{ net.Listener }

func (l tightListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return conn, conn.(*net.TCPConn).SetWriteBuffer(smallBuffer)
}
