package server

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server/internal/compress"
	"github.com/postgeo/postgeo/server/internal/conn"
)

// Common values of headers, as slices to save allocations. They are shared by all requests
// and must not be modified: handlers replace a slice, they never append to one.
var (
	headerNoStore    = []string{"no-store"}
	headerVersion    = []string{envelope.HeaderVersion}
	headerJSON       = []string{"application/json; charset=utf-8"}
	headerNoSniff    = []string{"nosniff"}
	headerVary       = []string{"Accept-Encoding"}
	headerVaryScheme = []string{"Accept-Encoding, X-Forwarded-Proto"}
	headerAnyOrigin  = []string{"*"}
	headerExposed    = []string{"X-Request-Id, X-Api-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Window, Retry-After"}
	headerMethods    = []string{"GET, HEAD, POST, OPTIONS"}
	headerAskHeaders = []string{"X-Api-Key, Content-Type, Authorization, Idempotency-Key"}
	headerMaxAge     = []string{"86400"}
)

func (c *call) setHeaders() {
	h := c.w.Header()
	h["Cache-Control"] = headerNoStore
	c.idHeader[0] = c.id
	h["X-Request-Id"] = c.idHeader[:]
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

// maxOwnLength is the maximum size in bytes of bodies whose length net/http sets: the size
// of its buffer of a response (bufferBeforeChunkingSize).
const maxOwnLength = 2048

// write completes a response and sends it. All JSON responses pass through it.
func (c *call) write(a answer) {
	if a.status != http.StatusOK {
		c.spool = compress.Spool{} // results of a batch that failed as a whole
		c.giveBack()               // before the response: its receiver may check the balance
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
	if c.charged != nil {
		c.credits = 0 // they were counted with the first request
	}
	h := c.w.Header()
	h["Content-Type"] = headerJSON
	for _, f := range a.header {
		h.Set(f.name, f.value)
	}
	if err := c.turn.Resume(c.deadline()); err != nil { // not of cheap work, nor after Leave
		c.write(c.fail(timedOut(c.deadline(), err)))
		return
	}
	buf := compress.NewBuffer()
	defer buf.Free()
	stint := c.stint()
	var err error
	buf.B, err = encode.AppendPieces(buf.B, a.body, c.keep)
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
		c.write(c.fail(fmt.Errorf("server: encoding the response: %w", err)))
		return
	}
	a.body, a.meta = nil, nil // free memory before the response is sent
	c.cost.Bytes = int64(c.spool.Size + c.streamed + len(buf.B))
	if err := c.send(a.status, buf.B); err != nil {
		c.cutOff(err)
	}
}

// An ending is the end of the response to a batch, whose results are in the spool.
type ending struct{ meta *envelope.Meta }

// AppendJSON implements encode.Appender.
func (e ending) AppendJSON(dst []byte) ([]byte, error) {
	dst, err := encode.Append(append(dst, `],"meta":`...), e.meta)
	return append(dst, '}'), err
}

// unreadable returns the complete response to a request that net/http cannot read,
// in place of its plain text. It is written to the connection by itself: there is no
// ResponseWriter for such a request. See package conn.
func (s *Server) unreadable(method, target string, status []byte) []byte {
	text, _, _ := strings.Cut(string(status), " ")
	code, err := strconv.Atoi(text)
	if err != nil {
		code = http.StatusBadRequest
	}
	reason := http.StatusText(code)
	if _, after, ok := strings.Cut(string(status), ": "); ok {
		reason = after // a constant of net/http
	}
	now := s.cfg.Now()
	id, _ := s.ids.next(now) // optional
	if code == http.StatusExpectationFailed {
		reason = "the only value of the header Expect is 100-continue"
	}
	fault := &envelope.Fault{Code: envelope.BadRequest, Message: wording.RequestUnreadable(reason), Status: code}
	if code == http.StatusRequestHeaderFieldsTooLarge {
		fault.Message = wording.HeaderTooLarge(s.cfg.MaxHeaderBytes >> 10)
	}
	if u, err := url.ParseRequestURI(target); err == nil {
		target = cmp.Or(u.RawPath, u.Path) // as call.path
	}
	resp := &operation.FailedResponse{
		Request: operation.PathRequest{Method: method, Path: target},
		Error:   s.links.Error(fault),
		Meta:    envelope.Meta{RequestID: id, Version: envelope.Version, Credits: envelope.Credits{Source: envelope.SourceNone}},
	}
	body, _ := resp.AppendPieces(nil, nil) // it can be written
	s.metrics.CountUnreadable(code, fault.Code)
	s.cfg.Logger.Info("unreadable request", slog.String("request_id", id), slog.Int("status", code), slog.String("code", string(fault.Code)))
	var out bytes.Buffer
	fmt.Fprintf(&out, "HTTP/1.1 %s\r\n", bytes.TrimRight(status, "\r\n"))
	h := http.Header{
		"Content-Type": headerJSON, "Content-Length": {strconv.Itoa(len(body))}, "Connection": {"close"}, "X-Request-Id": {id},
		"Cache-Control": headerNoStore, "X-Api-Version": headerVersion, "Access-Control-Allow-Origin": headerAnyOrigin,
	}
	_ = h.Write(&out) // to memory
	out.WriteString("\r\n")
	if method != http.MethodHead {
		out.Write(body)
	}
	return out.Bytes()
}

// twoLengths returns the failure of a request with two lengths (decision D58). It
// closes the connection, because the next request has no defined beginning.
func (c *call) twoLengths() error {
	if len(c.r.TransferEncoding) == 0 || !conn.Of(c.r.Context()).TwoLengths() {
		return nil
	}
	c.w.Header()["Connection"] = []string{"close"}
	return &envelope.Fault{Code: envelope.BadRequest, Message: wording.TwoLengths}
}

// An idSource makes the ULIDs of requests, ascending within a millisecond. It
// is safe for concurrent use. An id is the id of the request's hold as well: ids that ascend
// append to the index of the accounts, and let old records be found from its beginning.
type idSource struct {
	mu      sync.Mutex
	entropy io.Reader
	mono    *ulid.MonotonicEntropy
	last    ulid.ULID // here to save an allocation
}

// newIDSource takes crypto/rand when entropy is nil.
func newIDSource(entropy io.Reader) *idSource {
	if entropy == nil {
		entropy = rand.Reader
	}
	return &idSource{entropy: entropy, mono: ulid.Monotonic(entropy, 0)}
}

// next returns the id of a request that began at t.
func (s *idSource) next(t time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ms := ulid.Timestamp(t)
	err := s.mono.MonotonicRead(ms, s.last[6:])
	if err != nil { // the 80 random bits of this millisecond ran over
		s.mono = ulid.Monotonic(s.entropy, 0)
		err = s.mono.MonotonicRead(ms, s.last[6:])
	}
	if err = cmp.Or(err, s.last.SetTime(ms)); err != nil {
		return "", fmt.Errorf("server: making a request id: %w", err)
	}
	return s.last.String(), nil
}
