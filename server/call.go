package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server/internal/admission"
	"github.com/postgeo/postgeo/server/internal/conn"
	"github.com/postgeo/postgeo/server/internal/deadline"
	"github.com/postgeo/postgeo/server/internal/metrics"
	"github.com/postgeo/postgeo/server/internal/monitor"
)

// A call is one request on its way through the server.
type call struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	id    string
	began time.Time

	caller   *billing.Identity // nil in open mode, and until the gate was passed
	hold     holdState
	batch    bool              // the route is a batch
	worked   bool              // the work of a batch has begun
	goesLast bool              // the batches of the account go after everybody else's
	watched  *stopwatch        // nil unless the caller may see it
	work     *deadline.Context // of the work on the request; nil: not begun

	// What was sent.
	conn       *conn.Conn // nil: not known
	sentBefore int64      // bytes of conn before the answer
	sendBy     time.Time  // zero: nothing long was sent
	cut        bool       // the answer did not arrive whole

	// What the work costs; see admit.
	turn     *admission.Turn // nil: cheap
	bodyTurn *admission.Turn // of a large body
	measured bool
	meter    *admission.Meter // nil: nothing is remembered
	size     int
	cost     admission.Cost
	db       DB // of the whole call, from pin to unpin
	pinned   *postgeo.DB

	params    query // of the query string, once parsed is true
	paramsErr error
	parsed    bool

	// What the log tells at the end.
	route   string
	status  int
	bytes   int // of the body, sent
	credits int
	source  envelope.CreditSource // who paid the credits
	code    envelope.Code         // of a request that failed as a whole
	failed  bool                  // fail was called
	err     error                 // what the caller is not shown
	defect  bool                  // err is this side's fault, whatever the status says
	lasting bool                  // status 503 because the dataset lacks something: no fault (decision D53)
	outage  monitor.Outage        // what the request failed for, or items of it
}

// An answer is what a handler returns. call.write is the only place that
// sends one.
type answer struct {
	status int
	body   envelope.Appender
	meta   *envelope.Meta // of body, to be completed when it is written
	header []headerField
}

type headerField struct{ name, value string }

// statusClientGone is what the log tells of a request whose caller left
// before the answer. Nothing is sent.
const statusClientGone = 499

// serve is the public handler.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	c := &call{s: s, w: w, r: r, began: s.cfg.Now(), route: "unknown"}
	defer c.finish()
	var err error
	c.id, err = s.ids.next(c.began)
	c.setHeaders()
	if err != nil {
		c.write(c.fail(err))
		return
	}
	if err := c.twoLengths(); err != nil {
		c.write(c.fail(err))
		return
	}
	if r.Method == http.MethodOptions {
		c.preflight()
		return
	}
	path := c.path()
	if p, ok := s.pages[path]; ok {
		c.servePage(path, p)
		return
	}
	c.write(c.dispatch())
}

// dispatch finds the route and lets it answer, in the order of checks that the
// package comment tells.
func (c *call) dispatch() answer {
	rt, err := c.s.find(c.path())
	if err != nil {
		return c.fail(err)
	}
	c.route, c.batch = rt.Path, rt.Batch
	if !rt.allows(c.r.Method) {
		return c.methodNotAllowed(rt)
	}
	if err := c.authenticate(rt); err != nil {
		return c.fail(err)
	}
	c.watch()
	return rt.serve(c)
}

// path returns the path of the request. One with percent signs where none are
// needed is another path than the one it stands for, and no route (decision
// D9).
func (c *call) path() string {
	if raw := c.r.URL.RawPath; raw != "" {
		return raw
	}
	return c.r.URL.Path
}

// query returns the parameters of the query string, which is read once.
func (c *call) query() (query, error) {
	if !c.parsed {
		c.params, c.paramsErr = parseQuery(c.r.URL.RawQuery)
		c.parsed = true
	}
	return c.params, c.paramsErr
}

// linger is the time that work continues after the caller closed its half of the
// connection. A caller may do so after its request and still read the response.
const linger = 2 * time.Second

// deadline returns the context of the work on the request. The work begins with
// the first call of deadline.
func (c *call) deadline() *deadline.Context {
	if c.work == nil {
		c.work = deadline.New(c.r.Context(), c.s.cfg.RequestTimeout, linger)
	}
	return c.work
}

// limit sets a separate time limit for the work on a request. A longer limit than
// usual also extends the time to send the response.
func (c *call) limit(work time.Duration) {
	if c.work != nil {
		c.work.Stop()
	}
	c.work = deadline.New(c.r.Context(), work, linger)
	if work <= c.s.cfg.RequestTimeout {
		return
	}
	c.sendBy = time.Now().Add(work + c.s.cfg.WriteTimeout)
	_ = http.NewResponseController(c.w).SetWriteDeadline(c.sendBy) // writers without deadlines have no limit
}

// decode reads the query and, of a POST, the body of at most limit bytes.
func (c *call) decode(limit int) (*input, error) {
	in := &input{client: c.client(), db: c.db}
	var err error
	if in.query, err = c.query(); err != nil {
		return nil, err
	}
	if c.r.Method == http.MethodPost {
		if err = c.admitBody(limit); err != nil {
			return nil, err
		}
		if in.body, err = readBody(c.w, c.r, limit); err != nil {
			return nil, err
		}
	}
	if c.watched != nil {
		c.watched.asked = in.asksDebug()
	}
	return in, nil
}

// fail returns the answer to a request that failed as a whole. What the error
// hides from the caller is kept for the log.
func (c *call) fail(err error) answer {
	if errors.Is(err, context.Canceled) && c.r.Context().Err() != nil {
		c.cut = true
		return answer{status: statusClientGone}
	}
	err = c.conceal(err)
	status := envelope.StatusOf(err)
	resp := &envelope.FailedResponse{
		Request: envelope.PathRequest{Method: c.r.Method, Path: c.path()},
		Error:   c.s.links.Error(err),
		Meta:    envelope.Meta{Credits: envelope.Credits{Source: envelope.SourceNone}},
	}
	c.code = resp.Error.Code
	c.failed = true
	a := answer{status: status, body: resp, meta: &resp.Meta}
	var limited *billing.RateLimitError
	if errors.As(err, &limited) {
		limit := limited.Meta()
		resp.Meta.RateLimit = &limit
		a.header = append(a.header, headerField{"Retry-After", strconv.Itoa(limit.RetryAfter)})
	}
	c.lasting = status == http.StatusServiceUnavailable && !envelope.Retryable(err)
	if status == http.StatusServiceUnavailable && !c.lasting {
		a.header = append(a.header, headerField{"Retry-After", "1"})
	}
	return a
}

// conceal returns what a caller may know of an error, and keeps for the log
// what the error hides.
func (c *call) conceal(err error) error {
	shown := err
	var failure envelope.Failure
	// A hold that is closed was swept, one that is not found was forgotten since:
	// the clock jumped, or this process was stopped.
	away := errors.Is(err, billing.ErrUnavailable) || errors.Is(err, billing.ErrHoldClosed) || errors.Is(err, billing.ErrHoldNotFound)
	lost := errors.Is(err, dataset.ErrClosed) || errors.Is(err, dataset.ErrDamaged) || errors.Is(err, dataset.ErrUnreadable)
	switch {
	case away:
		c.outage = monitor.LedgerOutage
	case lost:
		c.outage = monitor.DatasetOutage
	}
	if lost || away && !errors.As(err, &failure) {
		shown = envelope.NewFault(envelope.ServiceUnavailable, envelope.Unavailable)
	}
	if c.err == nil && envelope.StatusOf(shown) >= http.StatusInternalServerError {
		lacks := envelope.StatusOf(shown) == http.StatusServiceUnavailable && !envelope.Retryable(shown)
		c.err, c.defect = err, !lacks
	}
	return shown
}

// timedOut turns an error into a timeout's when the work ran out of time.
func timedOut(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &envelope.Fault{
			Code: envelope.ServiceUnavailable, Message: envelope.TimedOut,
			Status: http.StatusGatewayTimeout,
		}
	}
	return err
}

// finish answers for a handler that panicked, and writes the log record.
func (c *call) finish() {
	if c.work != nil {
		defer c.work.Stop()
	}
	defer c.turn.Leave()
	defer c.bodyTurn.Leave()
	if p := recover(); p != nil {
		c.err = fmt.Errorf("server: panic: %v\n%s", p, debug.Stack())
		if c.status == 0 {
			c.write(c.fail(c.err))
		} else {
			c.cutOff(nil)
		}
	}
	if c.cut {
		defer panic(http.ErrAbortHandler) // net/http closes the connection
	}
	c.remember()
	now := c.s.cfg.Now()
	c.s.metrics.Count(metrics.Request{
		Route: c.route, Method: c.r.Method, Status: c.status, Took: now.Sub(c.began), Bytes: c.bytes, Cut: c.cut,
		Code: c.code, Credits: c.credits, Source: c.source,
	})
	// Requests without a route or without any work do not count.
	if (c.db != nil || c.outage != monitor.NoOutage || c.status == http.StatusInternalServerError) && c.status != statusClientGone {
		c.s.monitor.Answered(now, c.status == http.StatusInternalServerError, c.hold == settled, c.outage)
	}
	level := slog.LevelInfo
	if c.defect || c.status >= http.StatusInternalServerError && !c.lasting {
		level = slog.LevelError
	}
	handler := c.s.cfg.Logger.Handler()
	if !handler.Enabled(context.Background(), level) {
		return
	}
	// The record is built here rather than by the Logger: that would look for
	// its place in the source, which takes longer than the rest.
	record := slog.NewRecord(now, level, "request", 0)
	record.AddAttrs(
		slog.String("request_id", c.id),
		slog.String("method", c.r.Method),
		slog.String("route", c.route),
		slog.Int("status", c.status),
		slog.Int64("duration_us", now.Sub(c.began).Microseconds()),
		slog.Int("bytes", c.bytes),
		slog.Int("credits", c.credits),
	)
	if c.caller != nil && c.caller.KeyID != "" {
		record.AddAttrs(slog.String("key_id", c.caller.KeyID)) // the public name of the key
	}
	if c.err != nil {
		record.AddAttrs(slog.String("error", c.err.Error()))
	}
	_ = handler.Handle(context.Background(), record) // there is nowhere to tell of a log that fails
}

// warn logs a defect of this program that the caller does not suffer from.
func (c *call) warn(message string, quoted, used int) {
	c.s.cfg.Logger.LogAttrs(context.Background(), slog.LevelWarn, message,
		slog.String("request_id", c.id), slog.String("route", c.route),
		slog.Int("quoted", quoted), slog.Int("used", used))
}
