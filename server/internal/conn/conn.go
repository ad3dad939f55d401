// Package conn observes the connections of a net/http server.
package conn

import (
	"bytes"
	"context"
	"net"
	"slices"
	"strings"
	"sync/atomic"
)

// A Conn is an accepted connection. It observes three facts that net/http does not report:
//
//   - How many bytes of a response the operating system took. net/http buffers, so a write
//     of a handler without an error shows nothing (decision D52).
//   - Whether a request had both Content-Length and Transfer-Encoding. net/http drops the
//     former without a trace.
//   - That net/http refuses a request before any handler runs, which it does with text
//     instead of the contract's envelope.
//
// net/http reads and writes a connection in different goroutines. Others only read the
// fields written and heads.both, which are atomic. Write calls heads.request while no read is
// under way: net/http writes a refusal after it has read the head.
type Conn struct {
	net.Conn
	written atomic.Int64
	heads   headReader
	plain   func(method, target string, status []byte) []byte
}

// A Listener wraps accepted connections in Conns.
type Listener struct {
	net.Listener
	// Plain returns the response to a request that net/http refuses, in place of its
	// plain text. The arguments are the method and the target of the request, "" if
	// they were not read, and the status with its text.
	Plain func(method, target string, status []byte) []byte
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: c, plain: l.Plain}, nil
}

type key struct{}

// Context is the http.Server.ConnContext of servers on a [Listener].
func Context(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, key{}, c)
}

// Of returns the connection of a request, or nil if the server does not run on a
// [Listener].
func Of(ctx context.Context) *Conn {
	c, _ := ctx.Value(key{}).(*Conn)
	return c
}

// Written returns the number of bytes that the operating system accepted.
func (c *Conn) Written() int64 { return c.written.Load() }

// TwoLengths reports whether any request had both Content-Length and
// Transfer-Encoding.
func (c *Conn) TwoLengths() bool { return c != nil && c.heads.both.Load() }

// Read implements net.Conn.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.heads.read(p[:n])
	return n, err
}

// net/http writes its response to an unreadable request at once, with these
// headers after the status (conn.serve in net/http/server.go). Its response to an unknown
// expectation has no body. Our own responses have other headers, so they never match.
var (
	ownStart       = []byte("HTTP/1.")
	ownHeaders     = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	ownExpectation = []byte("417 Expectation Failed\r\n")
)

// refusal returns the status of a response that net/http makes itself.
func refusal(p []byte) (status []byte, ok bool) {
	if !bytes.HasPrefix(p, ownStart) || len(p) < len("HTTP/1.1 ") {
		return nil, false
	}
	after := p[len("HTTP/1.1 "):]
	if bytes.HasPrefix(after, ownExpectation) {
		return bytes.TrimSpace(ownExpectation), true
	}
	status, _, ok = bytes.Cut(after, ownHeaders)
	return status, ok
}

// Write implements net.Conn.
func (c *Conn) Write(p []byte) (int, error) {
	if c.plain != nil {
		if status, ok := refusal(p); ok {
			method, target := c.heads.request()
			n, err := c.Conn.Write(c.plain(method, target, status))
			c.written.Add(int64(n))
			return len(p), err // the length that net/http expects
		}
	}
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n))
	if err != nil {
		c.Reset() // net/http closes it
	}
	return n, err
}

// CloseWrite lets net/http close its half of a connection while the caller is
// still sending.
func (c *Conn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// Reset makes the next Close reset the connection, so that the caller detects an
// incomplete response. Unsent bytes are dropped. A nil Conn does nothing.
func (c *Conn) Reset() {
	if c == nil {
		return
	}
	if t, ok := c.Conn.(interface{ SetLinger(sec int) error }); ok {
		_ = t.SetLinger(0) // fails only on closed connections
	}
}

// A headReader finds requests with Content-Length and Transfer-Encoding. A proxy
// may see another end of such a request than net/http (decision D58), and so take a part of
// its body for the next request: request smuggling, RFC 9112, section 11.2.
//
// It reads line by line, bodies included, because it does not compute their ends. Lines of
// a body that look like these headers also count, so that a chunked request with such lines,
// or after them on its connection, is refused in error.
type headReader struct {
	line           [20]byte    // the beginning of the line
	n              int         // its length, at most len(line)
	length, chunks bool        // seen since the head began
	both           atomic.Bool // seen together, at any time

	first []byte // the last line that began like a request, cut off
	open  bool   // that line has not ended
}

// maxFirst is the maximum length of the method and path of a refused request.
const maxFirst = 2 << 10

// begin keeps the beginning of a line if it has the form of a request.
func (h *headReader) begin(line []byte) {
	method := bytes.IndexByte(line[:min(len(line), len(h.line))], ' ')
	if method <= 0 || len(bytes.Trim(line[:method], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) > 0 {
		return
	}
	if target := line[method+1:]; bytes.HasPrefix(target, []byte("/")) || bytes.HasPrefix(target, []byte("http")) {
		h.first, h.open = append(h.first[:0], line[:min(len(line), maxFirst)]...), true
	}
}

// request returns the method and the target of the last request, without its query.
func (h *headReader) request() (method, target string) {
	method, target, _ = strings.Cut(string(h.first), " ")
	if i := strings.IndexAny(target, " ?\r"); i >= 0 {
		target = target[:i]
	}
	return method, target
}

var (
	fieldLength   = []byte("content-length:")
	fieldEncoding = []byte("transfer-encoding:")
)

func (h *headReader) read(p []byte) {
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		part := p
		if end >= 0 {
			part = p[:end]
		}
		switch more := part[:min(len(part), maxFirst)]; {
		case h.n == 0:
			h.begin(more)
		case h.n < len(h.line): // few bytes arrived before
			h.begin(slices.Concat(h.line[:h.n], more))
		case h.open:
			h.first = append(h.first, more[:min(len(more), maxFirst-len(h.first))]...)
		}
		h.n += copy(h.line[h.n:], part)
		if end < 0 {
			return
		}
		h.endLine()
		p = p[end+1:]
	}
}

func (h *headReader) endLine() {
	line := h.line[:h.n]
	for i, b := range line {
		if 'A' <= b && b <= 'Z' {
			line[i] |= 0x20
		}
	}
	h.n, h.open = 0, false
	switch {
	case bytes.HasPrefix(line, fieldLength):
		h.length = true
	case bytes.HasPrefix(line, fieldEncoding):
		h.chunks = true
	case len(line) == 0 || len(line) == 1 && line[0] == '\r': // the head ends
		h.length, h.chunks = false, false
	}
	if h.length && h.chunks {
		h.both.Store(true)
	}
}
