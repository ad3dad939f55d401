package server

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
)

// A conn is a connection of a caller. It counts the bytes that reached the
// operating system, and notices a request with two lengths, which net/http
// does not report.
type conn struct {
	net.Conn
	written atomic.Int64
	heads   headReader
	plain   func(status []byte) []byte // replaces an answer of net/http itself; nil: none
}

// A listener wraps accepted connections in conns.
type listener struct {
	net.Listener
	plain func(status []byte) []byte
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, plain: l.plain}, nil
}

type connKey struct{}

// withConn is http.Server.ConnContext of servers on a listener.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// connOf returns the connection of a request, or nil if the server does not
// run on a [listener].
func connOf(ctx context.Context) *conn {
	c, _ := ctx.Value(connKey{}).(*conn)
	return c
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.heads.read(p[:n])
	return n, err
}

// ownAnswer begins the answers that net/http gives by itself to requests that
// it cannot read, in one write.
var ownAnswer = []byte("HTTP/1.1 ")

// ownType follows the status of such an answer.
var ownType = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	if c.plain != nil && bytes.HasPrefix(p, ownAnswer) {
		if status, _, ok := bytes.Cut(p, ownType); ok {
			n, err := c.Conn.Write(c.plain(status[len(ownAnswer):]))
			c.written.Add(int64(n))
			return len(p), err
		}
	}
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n))
	if err != nil {
		c.reset() // net/http closes it
	}
	return n, err
}

// CloseWrite lets net/http close its half of a connection to a caller who is
// still sending.
func (c *conn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// reset makes the next Close a reset: the caller sees that the answer is not
// complete, and unsent bytes are dropped.
func (c *conn) reset() {
	if c == nil {
		return
	}
	if t, ok := c.Conn.(interface{ SetLinger(sec int) error }); ok {
		_ = t.SetLinger(0) // a connection that is gone needs none
	}
}

// A headReader finds requests that give their length twice, by Content-Length
// and by Transfer-Encoding. A proxy may end such a request elsewhere than
// net/http does (decision D58). The headReader reads line by line and does not
// follow the ends of bodies: a line of a body that looks like a header counts
// only if another one follows, and only in a chunked request.
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
