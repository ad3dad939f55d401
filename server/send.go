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

	"github.com/postgeo/postgeo/server/internal/compress"
	"github.com/postgeo/postgeo/server/internal/conn"
)

// A response takes one of four ways, by its size and its encoding:
//
//   - Of one piece and up to compress.MinSize, or without compression: whole.
//   - Of one piece and longer: whole, compressed when it is complete.
//   - Of many pieces, for one input: compressed in a spool while it is encoded. A caller
//     without compression gets the pieces as they are made (keep); collecting and then
//     decompressing them took twice the time and memory.
//   - A batch: in a spool, of gzip beyond 1 MiB. It is encoded while the batch works, and
//     nothing may be sent before its price is settled. A caller without gzip gets it
//     decompressed piece by piece.
//
// The turn is paused while bytes are written, so that a slow caller holds no processor, and
// the reserved memory shrinks to the bytes that are left.

// pieceBytes is the size of the pieces of a long response. Each has a deadline of its own
// (hurry), and others may compute between them.
const pieceBytes = 64 << 10

// keep takes a piece of a long response to one input. It goes to the spool or, if the caller
// does not accept compression, is sent at once. Others compute meanwhile.
func (c *call) keep(piece []byte) ([]byte, error) {
	if c.spool.Size == 0 && c.streamed == 0 {
		c.spool.Encoding = compress.Negotiate(c.r.Header["Accept-Encoding"])
	}
	if c.spool.Encoding != compress.Identity {
		c.spool.Add(piece)
		return piece[:0], c.turn.Yield(context.Background())
	}
	first := c.streamed == 0
	if c.streamed += len(piece); c.r.Method == http.MethodHead { // only counted
		return piece[:0], nil
	}
	c.turn.Pause()
	if first {
		c.begin(http.StatusOK)
	}
	if err := c.sendBytes(piece); err != nil {
		return piece, err
	}
	return piece[:0], c.turn.Resume(context.Background())
}

// send sends a body or its end: the spool and the end of a compressed one, or the end alone
// after pieces that were sent.
func (c *call) send(status int, rest []byte) error {
	accepted := c.r.Header["Accept-Encoding"]
	enc := compress.Identity
	if c.spool.Size > 0 {
		c.spool.Add(rest)
		var body *compress.Buffer
		body, enc = c.spool.End()
		defer body.Free()
		rest = body.B
	}
	if c.streamed == 0 && enc == compress.Identity && len(rest) > compress.MinSize {
		if enc = compress.Negotiate(accepted); enc != compress.Identity {
			body := compress.Pack(enc, rest)
			defer body.Free()
			rest = body.B
		}
	}
	c.turn.Pause()
	c.turn.Reserve(int64(len(rest)))
	switch {
	case c.streamed > 0 && c.r.Method == http.MethodHead:
		c.begin(status)
		return nil
	case c.streamed > 0:
		if err := c.sendBytes(rest); err != nil {
			return err
		}
		return c.flushed()
	case enc == compress.Gzip && !compress.TakesGzip(accepted):
		return c.sendUnpacked(status, rest)
	case enc != compress.Identity:
		c.w.Header()["Content-Encoding"] = enc.Header()
	}
	return c.sendWhole(status, rest)
}

// sendWhole sends a complete body. It sets the length if net/http would not: net/http
// does for short bodies unless they are flushed, and flushed reports whether they arrived.
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

// sendUnpacked sends a batch in gzip format to a caller who does not accept it.
func (c *call) sendUnpacked(status int, packed []byte) error {
	c.w.Header()["Content-Length"] = []string{strconv.Itoa(c.spool.Size)}
	c.begin(status)
	if c.r.Method == http.MethodHead {
		return nil
	}
	body, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return fmt.Errorf("server: encoding the response: %w", err)
	}
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

// begin sends the header. It notes how much the connection has written, so that reached
// can find out whether any byte of this response left, since net/http has a buffer.
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

// hurry sets the deadline for the next n bytes. A deadline for the whole response alone
// would either cut long responses on slow lines or let a caller that reads one byte a
// second hold its memory to the end.
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
