package server

import (
	"fmt"
	"net/http"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/server/internal/compress"
)

// Common values of headers, as slices to save allocations. They must not be
// modified.
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
)

// setHeaders sets the headers of all responses.
func (c *call) setHeaders() {
	h := c.w.Header()
	h["Cache-Control"] = headerNoStore
	h["X-Request-Id"] = []string{c.id}
	h["X-Api-Version"] = headerVersion
	h["Vary"] = headerVary
	h["Access-Control-Allow-Origin"] = headerAnyOrigin
	h["Access-Control-Expose-Headers"] = headerExposed
}

// preflight serves OPTIONS for all paths. A browser learns about an unknown path from
// its actual request.
func (c *call) preflight() {
	h := c.w.Header()
	h["Access-Control-Allow-Methods"] = headerMethods
	h["Access-Control-Allow-Headers"] = headerAskHeaders
	h["Access-Control-Max-Age"] = headerMaxAge
	h["Allow"] = headerMethods
	if rt, ok := c.s.routes[c.path()]; ok {
		c.route = rt.Path
		h["Allow"] = []string{rt.allow()}
	}
	c.status = http.StatusNoContent
	c.w.WriteHeader(c.status)
}

// maxOwnLength is the maximum size in bytes of bodies whose length net/http sets.
const maxOwnLength = 2048

// write completes a response and sends it. All JSON responses pass through it.
func (c *call) write(a answer) {
	if a.status != http.StatusOK {
		c.giveBack()
		c.turn.Leave()
	}
	if a.status == statusClientGone {
		c.cutOff(nil)
		return
	}
	a.meta.RequestID = c.id
	a.meta.Version = envelope.Version
	a.meta.TimingMS = c.s.cfg.Now().Sub(c.began).Milliseconds()
	c.credits, c.source = a.meta.Credits.Used, a.meta.Credits.Source
	h := c.w.Header()
	h["Content-Type"] = headerJSON
	for _, f := range a.header {
		h.Set(f.name, f.value)
	}
	if b, ok := a.body.(*spooled); ok && b.results.Compressed() {
		if err := c.sendSpool(a.status, b); err != nil {
			c.cutOff(err)
		}
		return
	}

	if err := c.turn.Resume(c.deadline()); err != nil {
		c.write(c.fail(timedOut(c.deadline(), err)))
		return
	}
	buf := compress.NewBuffer()
	defer buf.Free()
	out := outlet{c: c, status: a.status}
	defer out.free()
	stint := c.stint()
	var err error
	buf.B, err = envelope.AppendPieces(buf.B, a.body, out.flush)
	c.took(stint)
	switch {
	case err != nil && c.status != 0: // the beginning was sent
		c.cutOff(err)
		return
	case err != nil && c.failed: // the response to a failure fails, too
		c.giveBack()
		c.status = http.StatusInternalServerError
		c.w.WriteHeader(c.status)
		return
	case err != nil:
		buf.B = buf.B[:0]
		c.write(c.fail(fmt.Errorf("server: encoding the response: %w", err)))
		return
	}
	a.body, a.meta = nil, nil // free memory before the response is sent
	if err := out.end(buf.B); err != nil {
		c.cutOff(err)
	}
	c.cost.Bytes = out.size
}
