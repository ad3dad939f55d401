package attack_test

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

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
	if err != nil {
		t.Fatal(err)
	}
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
