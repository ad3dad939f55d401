package server

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/postgeo/postgeo/envelope"
)

// Values of headers that are the same on every answer. They are slices so
// that setting them costs nothing; nobody changes them.
var (
	headerNoStore    = []string{"no-store"}
	headerVersion    = []string{envelope.HeaderVersion}
	headerJSON       = []string{"application/json; charset=utf-8"}
	headerNoSniff    = []string{"nosniff"}
	headerVary       = []string{"Accept-Encoding"}
	headerAnyOrigin  = []string{"*"}
	headerExposed    = []string{"X-Request-Id, X-Api-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Window, Retry-After"}
	headerMethods    = []string{"GET, HEAD, POST, OPTIONS"}
	headerAskHeaders = []string{"X-Api-Key, Content-Type, Authorization"}
	headerMaxAge     = []string{"86400"}
	encodingBrotli   = []string{"br"}
	encodingGzip     = []string{"gzip"}
)

// setHeaders sets what every answer carries, of whatever kind.
func (c *call) setHeaders() {
	h := c.w.Header()
	h["Cache-Control"] = headerNoStore
	h["X-Request-Id"] = []string{c.id}
	h["X-Api-Version"] = headerVersion
	h["Vary"] = headerVary
	h["Access-Control-Allow-Origin"] = headerAnyOrigin
	h["Access-Control-Expose-Headers"] = headerExposed
}

// preflight answers OPTIONS, of known and unknown paths alike: a browser
// learns of an unknown path from the answer to the request it asks about.
func (c *call) preflight() {
	h := c.w.Header()
	h["Access-Control-Allow-Methods"] = headerMethods
	h["Access-Control-Allow-Headers"] = headerAskHeaders
	h["Access-Control-Max-Age"] = headerMaxAge
	h["Allow"] = headerMethods
	if rt, ok := c.s.routes[c.path()]; ok {
		c.route = rt.path
		h["Allow"] = []string{rt.allow()}
	}
	c.status = http.StatusNoContent
	c.w.WriteHeader(c.status)
}

// maxOwnLength is the size in bytes up to which net/http finds the length of a
// body out by itself.
const maxOwnLength = 2048

// A buffer holds an answer while it is built.
type buffer struct{ b []byte }

// maxPooled is the largest buffer that is kept for the next answer.
const maxPooled = 1 << 20

var buffers = sync.Pool{New: func() any { return &buffer{b: make([]byte, 0, 4096)} }}

func (b *buffer) free() {
	if cap(b.b) <= maxPooled {
		b.b = b.b[:0]
		buffers.Put(b)
	}
}

// Write implements io.Writer for the compressors.
func (b *buffer) Write(p []byte) (int, error) {
	b.b = append(b.b, p...)
	return len(p), nil
}

// write completes an answer and sends it. Every answer in JSON passes here.
// The credits of one that does not arrive are given back.
func (c *call) write(a answer) {
	if a.status != http.StatusOK {
		c.giveBack()
	}
	if a.body == nil {
		c.status = a.status
		return
	}
	a.meta.RequestID = c.id
	a.meta.Version = envelope.Version
	a.meta.TimingMS = c.s.cfg.Now().Sub(c.began).Milliseconds()
	c.credits, c.source = a.meta.Credits.Used, a.meta.Credits.Source

	if b, ok := a.body.(*spooled); ok && b.results.gz != nil {
		c.w.Header()["Content-Type"] = headerJSON
		if err := c.sendSpool(a.status, b); err != nil || c.r.Context().Err() != nil {
			if err != nil && c.err == nil {
				c.err = err
			}
			c.giveBack()
		}
		return
	}
	buf := buffers.Get().(*buffer)
	defer buf.free()
	var err error
	if buf.b, err = a.body.AppendJSON(buf.b); err != nil {
		if c.err != nil { // the answer to a failure fails as well
			c.w.WriteHeader(http.StatusInternalServerError)
			c.status = http.StatusInternalServerError
			c.giveBack()
			return
		}
		buf.b = buf.b[:0]
		c.write(c.fail(fmt.Errorf("server: encoding the answer: %w", err)))
		return
	}
	a.body, a.meta = nil, nil // not held while the answer is sent
	h := c.w.Header()
	h["Content-Type"] = headerJSON
	for _, f := range a.header {
		h.Set(f.name, f.value)
	}
	if err := c.send(a.status, buf.b); err != nil || c.r.Context().Err() != nil {
		c.giveBack()
	}
}

// send writes a body, compressed where that is worth it and the caller takes
// it.
func (c *call) send(status int, body []byte) error {
	h := c.w.Header()
	if len(body) > minCompressed {
		if enc := negotiate(c.r.Header["Accept-Encoding"]); enc != identity {
			packed := buffers.Get().(*buffer)
			defer packed.free()
			enc.compress(packed, body)
			h["Content-Encoding"] = enc.header()
			body = packed.b
		}
	}
	return c.transmit(status, body)
}

// transmit sends a body as it is.
func (c *call) transmit(status int, body []byte) error {
	h := c.w.Header()
	// For small bodies net/http sets the length itself, at less cost.
	if len(body) > maxOwnLength || c.r.Method == http.MethodHead {
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	c.status = status
	c.w.WriteHeader(status)
	if c.r.Method == http.MethodHead {
		return nil
	}
	c.sending(len(body))
	defer c.sending(-len(body))
	n, err := c.w.Write(body)
	c.bytes = n
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("server: sending the answer: %w", err)
	}
	return err
}
