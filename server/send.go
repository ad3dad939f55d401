package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/server/internal/compress"
	"github.com/postgeo/postgeo/server/internal/conn"
)

// pieceBytes is the size of the pieces of a long response.
const pieceBytes = 64 << 10

// An outlet sends a response from pieces of JSON. A short response is sent with its
// length. A longer one is compressed in memory or, if the caller does not accept
// compression, sent piece by piece.
type outlet struct {
	c      *call
	status int
	size   int64          // of the JSON so far
	packed *compress.Body // nil if the body is not compressed
	begun  bool           // the header is sent
}

// flush sends a piece of the JSON and empties dst. It releases the processor while it sends.
func (o *outlet) flush(dst []byte) ([]byte, error) {
	c := o.c
	o.size += int64(len(dst))
	if o.packed == nil && !o.begun {
		if enc := compress.Negotiate(c.r.Header["Accept-Encoding"]); enc != compress.Identity {
			o.packed = compress.NewBody(enc)
		}
	}
	if o.packed != nil {
		o.packed.Write(dst)
		return dst[:0], c.turn.Yield(context.Background())
	}
	if c.r.Method == http.MethodHead {
		return dst[:0], nil
	}
	c.turn.Pause()
	if !o.begun {
		o.begun = true
		c.begin(o.status)
	}
	if err := c.sendBytes(dst); err != nil {
		return dst, err
	}
	return dst[:0], c.turn.Resume(context.Background())
}

func (o *outlet) end(rest []byte) error {
	c, long := o.c, o.size > 0
	o.size += int64(len(rest))
	if o.packed == nil && !long && len(rest) > compress.MinSize {
		if enc := compress.Negotiate(c.r.Header["Accept-Encoding"]); enc != compress.Identity {
			o.packed = compress.NewBody(enc)
		}
	}
	if o.packed != nil {
		o.packed.Write(rest)
		rest = o.packed.End()
		c.w.Header()["Content-Encoding"] = o.packed.Encoding.Header()
		long = false
	}
	c.turn.Pause()
	c.turn.Reserve(int64(len(rest)))
	switch {
	case !long:
		return c.sendWhole(o.status, rest)
	case !o.begun: // HEAD of a long response
		c.begin(o.status)
		return nil
	}
	if err := c.sendBytes(rest); err != nil {
		return err
	}
	return c.flushed()
}

// free returns the buffer of a compressed body for the next one.
func (o *outlet) free() {
	if o.packed != nil {
		o.packed.Free()
		o.packed = nil
	}
}

func (c *call) sendWhole(status int, body []byte) error {
	_, reports := c.w.(flusher)
	if reports || len(body) > maxOwnLength || c.r.Method == http.MethodHead {
		c.w.Header()["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	c.begin(status)
	if c.r.Method == http.MethodHead {
		return nil
	}
	if err := c.sendBytes(body); err != nil {
		return err
	}
	return c.flushed()
}

// A spooled body is a response whose results are in a spool. The meta data are
// written last.
type spooled struct {
	results *compress.Spool
	meta    *envelope.Meta
}

// AppendJSON implements encode.Appender for a response that is not compressed.
func (b *spooled) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, b.results.Plain...)
	return b.appendTail(dst)
}

// appendTail appends the end of the response.
func (b *spooled) appendTail(dst []byte) ([]byte, error) {
	dst, err := encode.Append(append(dst, `,"meta":`...), b.meta)
	return append(dst, '}'), err
}

func (c *call) sendSpool(status int, b *spooled) error {
	tail, err := b.appendTail(nil)
	if err != nil {
		return fmt.Errorf("server: encoding the response: %w", err)
	}
	b.results.Add(tail)
	packed := b.results.End()
	c.turn.Reserve(int64(cap(packed)))
	return c.sendPacked(status, packed, b.results.Size)
}

// sendPacked sends a body in gzip format. It decompresses the body if the caller does
// not accept gzip.
func (c *call) sendPacked(status int, packed []byte, size int) error {
	h := c.w.Header()
	var body io.Reader = bytes.NewReader(packed)
	if compress.TakesGzip(c.r.Header["Accept-Encoding"]) {
		h["Content-Encoding"] = compress.Gzip.Header()
		return c.sendWhole(status, packed)
	}
	h["Content-Length"] = []string{strconv.Itoa(size)}
	body, err := gzip.NewReader(body)
	if err != nil {
		return fmt.Errorf("server: encoding the response: %w", err)
	}
	c.begin(status)
	piece := compress.NewBuffer()
	defer piece.Free()
	piece.B = append(piece.B, make([]byte, pieceBytes)...)
	for {
		if err := c.turn.Resume(context.Background()); err != nil {
			return err
		}
		n, err := io.ReadFull(body, piece.B)
		c.turn.Pause()
		if sent := c.sendBytes(piece.B[:n]); sent != nil {
			return sent
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return c.flushed()
		case err != nil:
			return fmt.Errorf("server: encoding the response: %w", err)
		}
	}
}

func (c *call) begin(status int) {
	c.status = status
	c.conn = conn.Of(c.r.Context())
	if c.conn != nil {
		c.sentBefore = c.conn.Written()
	}
	c.w.WriteHeader(status)
}

// sendBytes sends bytes of a body in pieces. The caller must accept each at
// Config.MinRate or faster, and all within Config.WriteTimeout.
func (c *call) sendBytes(body []byte) error {
	for first := true; len(body) > 0; first = false {
		piece := body[:min(len(body), pieceBytes)]
		if !first || len(body) > pieceBytes || c.bytes > 0 {
			c.hurry(len(piece))
		}
		n, err := c.w.Write(piece)
		c.bytes += n
		if err != nil {
			return fmt.Errorf("server: sending the response: %w", err)
		}
		body = body[n:]
	}
	return nil
}

// patience is the time for a piece of a response in addition to its rate.
const patience = 5 * time.Second

// hurry sets the deadline for the next n bytes.
func (c *call) hurry(n int) {
	if c.sendBy.IsZero() {
		c.sendBy = time.Now().Add(c.s.cfg.WriteTimeout)
	}
	by := time.Now().Add(patience + time.Duration(n)*time.Second/time.Duration(c.s.live.Load().MinRate))
	if by.After(c.sendBy) {
		by = c.sendBy
	}
	_ = http.NewResponseController(c.w).SetWriteDeadline(by) // writers without deadlines have no limit
}

// A flusher is a writer that reports whether the operating system accepted the
// bytes, as that of net/http does.
type flusher interface{ FlushError() error }

// flushed returns nil if the operating system accepted the whole response.
func (c *call) flushed() error {
	if f, ok := c.w.(flusher); ok {
		if err := f.FlushError(); err != nil {
			return fmt.Errorf("server: sending the response: %w", err)
		}
	}
	return nil
}

// reached reports whether any byte of the response may have reached the caller.
func (c *call) reached() bool {
	if c.conn != nil {
		return c.conn.Written() > c.sentBefore
	}
	return c.bytes > 0
}
