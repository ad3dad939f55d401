// Package conn observes the connections of a net/http server.
package conn

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
)

// A Conn is an accepted connection. It counts written bytes and detects requests
// with two lengths, which net/http does not report.
type Conn struct {
	net.Conn
	written atomic.Int64
	heads   headReader
	plain   func(status []byte) []byte
}

// A Listener wraps accepted connections in Conns.
type Listener struct {
	net.Listener
	// Plain returns the response to an unreadable request, in place of the plain
	// text of net/http. The argument is the status with its text.
	Plain func(status []byte) []byte
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
// headers after the status.
var (
	ownStart   = []byte("HTTP/1.1 ")
	ownHeaders = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
)

// Write implements net.Conn.
func (c *Conn) Write(p []byte) (int, error) {
	if c.plain != nil && bytes.HasPrefix(p, ownStart) {
		if status, _, ok := bytes.Cut(p, ownHeaders); ok {
			n, err := c.Conn.Write(c.plain(status[len(ownStart):]))
			c.written.Add(int64(n))
			return len(p), err
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
// may see another end of such a request than net/http (decision D58).
//
// It reads line by line, bodies included. In a chunked request, a line of the
// body that looks like the other header also counts.
type headReader struct {
	line           [20]byte    // the beginning of the line, in lower case
	n              int         // its length, at most len(line)
	length, chunks bool        // seen since the head began
	both           atomic.Bool // seen together, at any time
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
		for _, b := range part[:min(len(part), len(h.line)-h.n)] {
			if 'A' <= b && b <= 'Z' {
				b |= 0x20
			}
			h.line[h.n] = b
			h.n++
		}
		if end < 0 {
			return
		}
		h.endLine()
		p = p[end+1:]
	}
}

func (h *headReader) endLine() {
	line := h.line[:h.n]
	h.n = 0
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
