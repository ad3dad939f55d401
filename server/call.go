package server

import (
	"cmp"
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
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server/internal/compress"
	"github.com/postgeo/postgeo/server/internal/conn"
	"github.com/postgeo/postgeo/server/internal/deadline"
	"github.com/postgeo/postgeo/server/internal/document"
	"github.com/postgeo/postgeo/server/internal/metrics"
	"github.com/postgeo/postgeo/server/internal/monitor"
)

// A call is the state of one request. serve runs it on the goroutine of net/http:
//
//	dispatch → process → parse, admit, reserve, work, settle   decides the response
//	write → keep, send                                         encodes and sends it
//	finish                                                     gives back, counts and logs
//
// process returns errors and never writes, so that a request has one response. Credits
// are spent by settle before write: a response is then either charged or not sent. write
// refunds a response that it cannot send. finish is deferred, so that a panic anywhere ends
// in a refund, a log record, and a response or a reset connection.
//
// Many small parts are fields here instead of allocations of their own (idHeader, limits,
// in, room): a quick lookup makes 10 allocations, and made 18.
type call struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	id    string
	began time.Time

	idHeader [1]string // id, as the value of a header

	caller   *billing.Identity // nil in open mode, of keyless routes and before authentication
	sender   *billing.Identity // of a known key, for the log; also if it was refused
	hold     holdState
	charge   billing.Hold      // of the request; its Once is set with an Idempotency-Key
	charged  *billing.Receipt  // of an earlier request with the same key
	batch    bool              // the route is a batch
	worked   bool              // the work of a batch has begun
	goesLast bool              // batches of the account have the lowest priority
	watched  *stopwatch        // nil unless the caller has the debug scope
	work     *deadline.Context // of the work on the request, in limits; nil before
	limits   deadline.Context

	// The response as sent.
	conn       *conn.Conn     // nil if unknown
	sentBefore int64          // bytes of conn before the response
	sendBy     time.Time      // zero for short responses
	cut        bool           // the response is incomplete
	spool      compress.Spool // the beginning of a long one, or
	streamed   int            // its length if it was sent at once

	// The cost of the work; see admit.
	turn     *admission.Turn // nil for cheap work
	bodyTurn *admission.Turn // of a large body
	measured bool
	meter    *admission.Meter // nil if the cost is not recorded
	size     int
	cost     admission.Cost
	db       DB // of the whole call, from pin to unpin
	pinned   *postgeo.DB

	in        input
	params    query        // of the query string, once parsed is true
	room      [4]parameter // of params
	paramsErr error
	parsed    bool

	// Fields of the log record.
	route   string
	status  int
	bytes   int // of the body, sent
	credits int
	source  envelope.CreditSource // source of the credits
	code    envelope.Code         // of a request that failed as a whole
	failed  bool                  // fail was called
	err     error                 // hidden from the caller
	defect  bool                  // err is a fault of the server, regardless of the status
	lasting bool                  // status 503 because of missing data, which is not a fault (decision D53)
	outage  monitor.Outage        // that made the request or its items fail
}

// An answer is the response of a handler. Only call.write sends answers.
type answer struct {
	status  int
	body    any            // encoded by [encode.Append]
	meta    *envelope.Meta // of body; completed when it is written
	header  []headerField
	results int // for meta.debug
}

type headerField struct{ name, value string }

// statusClientGone is the logged status if the caller left before the response. It is
// nginx's, never sent, and keeps these requests out of the rate of failures.
const statusClientGone = 499

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	c := &call{s: s, w: w, r: r, began: s.cfg.Now(), route: "unknown"}
	defer c.finish()
	var err error
	c.id, err = s.ids.next(c.began)
	c.setHeaders() // first: refusals have them too
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

// dispatch returns the response to a request.
func (c *call) dispatch() answer {
	a, err := c.process()
	if err == nil {
		return a
	}
	if c.work != nil {
		err = timedOut(c.work, err)
	}
	return c.fail(err)
}

// process checks and runs a request of any route. The order of the checks is that of
// the contract; the first that fails decides the response.
func (c *call) process() (answer, error) {
	rt, err := c.s.find(c.path()) // version and path
	if err != nil {
		return answer{}, err
	}
	c.route, c.batch = rt.Path, rt.Batch
	if !rt.allows(c.r.Method) {
		return c.methodNotAllowed(rt), nil
	}
	if err := c.authenticate(rt); err != nil { // key, address, origin, requests per minute; the plan, for batches
		return answer{}, err
	}
	c.watch()
	if rt.serve != nil {
		return rt.serve(c), nil
	}
	// One version of the dataset from the parameters, whose flags depend on its years and
	// layers, to the result. It ends before the response is encoded and sent: results do
	// not refer to the file, and a slow caller must not keep a replaced file open.
	if err := c.pin(); err != nil {
		return answer{}, err
	}
	defer c.unpin()
	j, err := rt.parse(c) // query, body and parameters
	if err != nil {
		return answer{}, err
	}
	if rt.long {
		c.limit(c.s.live.Load().AddressBatchTimeout)
	}
	if err := c.admit(j.expect()); err != nil { // a turn in the queue
		return answer{}, err
	}
	if err := j.prepare(c); err != nil { // values that limits and credits need
		return answer{}, err
	}
	if err := j.allow(c.caller); err != nil { // limits of demo, test and free keys
		return answer{}, err
	}
	c.watched.stage(stageParse)
	if err := c.reserveInTurn(j.sum, rt.Batch); err != nil { // credits, and the Idempotency-Key
		return answer{}, err
	}
	c.watched.stage(stageReserve)
	a, cost, err := j.work(c)
	c.pauseForLedger() // also after an error: fail may refund
	c.watched.stage(stageWork)
	if err != nil {
		return answer{}, err
	}
	if err := c.settle(cost, j.sum, a.meta); err != nil {
		return answer{}, err
	}
	c.watched.stage(stageSettle)
	a.meta.Debug = c.debug(a.results)
	return a, nil
}

// path returns the path of the request. A path with unnecessary percent encoding is
// a different path (decision D9).
func (c *call) path() string {
	if raw := c.r.URL.RawPath; raw != "" {
		return raw
	}
	return c.r.URL.Path
}

func (c *call) query() (query, error) {
	if !c.parsed {
		c.params, c.paramsErr = parseQuery(c.r.URL.RawQuery, c.room[:0])
		c.parsed = true
	}
	return c.params, c.paramsErr
}

// linger is the time that work continues after the caller closed its half of the
// connection. A caller may do so after its request and still read the response.
const linger = 2 * time.Second

// deadline returns the context of the work on the request. The work begins with
// the first call of deadline, usually that of authenticate, and all time from there to the
// settlement counts. The response has limits of its own; see hurry.
func (c *call) deadline() *deadline.Context {
	if c.work == nil {
		c.work = c.limits.Start(c.r.Context(), c.s.live.Load().RequestTimeout, linger)
	}
	return c.work
}

// limit sets a separate time limit for the work on a request. A longer limit than
// usual also extends the time to send the response.
func (c *call) limit(work time.Duration) {
	if c.work != nil {
		c.work.Stop()
	}
	c.work = c.limits.Start(c.r.Context(), work, linger)
	if work <= c.s.live.Load().RequestTimeout {
		return
	}
	c.sendBy = time.Now().Add(work + c.s.cfg.WriteTimeout)
	_ = http.NewResponseController(c.w).SetWriteDeadline(c.sendBy) // writers without deadlines have no limit
}

// decode parses the query and the body of a POST, which has at most limit bytes.
func (c *call) decode(limit int) (*input, error) {
	in := &c.in
	key, err := c.onceKey()
	if err != nil {
		return nil, err
	}
	if _, err = c.query(); err != nil {
		return nil, err
	}
	in.Query = &c.params
	if in.batch = c.batch; in.batch { // batches have no parameters in the query
		in.Query, in.MaxFlags = nil, document.MaxFlags
	}
	var data []byte
	if c.r.Method == http.MethodPost {
		if data, err = c.readBody(limit); err != nil {
			return nil, err
		}
		if in.JSON, err = c.parseInTurn(data); err != nil {
			return nil, err
		}
	}
	c.setOnce(key, data)
	if c.watched != nil {
		c.watched.requested = wantsDebug(c.params, in)
	}
	return in, nil
}

// fail returns the response to a request that failed as a whole. Details that are
// hidden from the caller are logged.
func (c *call) fail(err error) answer {
	// Both: a Canceled of another context is a defect, to be reported as any other.
	if errors.Is(err, context.Canceled) && c.r.Context().Err() != nil {
		c.cut = true
		return answer{status: statusClientGone}
	}
	err = c.conceal(err)
	status := statusOf(err)
	resp := &operation.FailedResponse{
		Request: operation.PathRequest{Method: c.r.Method, Path: c.path()},
		Error:   c.s.links.Error(err),
		Meta:    envelope.Meta{Credits: envelope.Credits{Source: envelope.SourceNone}},
	}
	c.code = resp.Error.Code
	c.failed = true
	a := answer{status: status, body: resp, meta: &resp.Meta}
	var limited *billing.RateLimitError
	if errors.As(err, &limited) {
		limit := envelope.RateLimit{Limit: limited.Window.Limit, Window: "minute", RetryAfter: 60}
		resp.Meta.RateLimit = &limit
		a.header = append(a.header, headerField{"Retry-After", strconv.Itoa(limit.RetryAfter)})
	}
	if status/100 == 4 && c.bodyTurn != nil {
		c.payAgain()
	}
	c.lasting = status == http.StatusServiceUnavailable && lasting(err)
	if status == http.StatusServiceUnavailable && !c.lasting {
		a.header = append(a.header, headerField{"Retry-After", "1"})
	}
	return a
}

// statusOf returns the HTTP status of a request that failed with err: that of its
// code, unless a [envelope.Fault] overrides it. Errors that are not a failure have 500.
func statusOf(err error) int {
	if f := envelope.FaultOf(err); f != nil {
		return cmp.Or(f.Status, f.Code.Status())
	}
	return http.StatusInternalServerError
}

// lasting reports whether the dataset lacks the data, so that a retry fails too.
func lasting(err error) bool {
	e := envelope.AsFailure(err)
	return e != nil && e.Lasting()
}

// conceal returns the error for the caller. It keeps hidden details for the log.
func (c *call) conceal(err error) error {
	shown := err
	// The hold was swept and possibly forgotten, because the clock jumped or this
	// process was suspended.
	away := errors.Is(err, billing.ErrUnavailable) || errors.Is(err, billing.ErrHoldClosed) || errors.Is(err, billing.ErrHoldNotFound)
	lost := errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrUnreadable)
	switch {
	case away:
		c.outage = monitor.LedgerOutage
	case lost:
		c.outage = monitor.DatasetOutage
	}
	if lost || away && envelope.FaultOf(err) == nil {
		shown = &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.Unavailable}
	}
	if c.err == nil && statusOf(shown) >= http.StatusInternalServerError {
		c.err, c.defect = err, !lasting(shown)
	}
	return shown
}

// timedOut returns a timeout error if the work exceeded its time limit, else err. It looks
// at the context too: a time limit inside the work, such as that of a database, is not
// the caller's 504.
func timedOut(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &envelope.Fault{
			Code: envelope.ServiceUnavailable, Message: wording.TimedOut,
			Status: http.StatusGatewayTimeout,
		}
	}
	return err
}

// finish handles panics of handlers and writes the log record. Deferred calls run in
// reverse: the connection is aborted, the turns are left, and last the context is stopped.
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
		// net/http closes the connection. A return would end a chunked body properly, and
		// the caller would take the part for the whole.
		defer panic(http.ErrAbortHandler)
	}
	c.remember()
	now := c.s.cfg.Now()
	c.s.metrics.Count(metrics.Request{
		Route: c.route, Method: c.r.Method, Status: c.status, Took: now.Sub(c.began), Bytes: c.bytes, Cut: c.cut,
		Code: c.code, Credits: c.credits, Source: c.source,
	})
	// Requests without a route or without any work do not count.
	if (c.db != nil || c.outage != monitor.NoOutage || c.status == http.StatusInternalServerError) && c.status != statusClientGone {
		c.s.monitor.Answered(now, c.status == http.StatusInternalServerError, c.outage)
	}
	level := slog.LevelInfo
	if c.defect || c.status >= http.StatusInternalServerError && !c.lasting {
		level = slog.LevelError
	}
	handler := c.s.cfg.Logger.Handler()
	if !handler.Enabled(context.Background(), level) {
		return
	}
	// The query, headers and body are left out: they have keys and addresses of people. The
	// Logger would look up the source line, which takes longer than the rest.
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
	add := func(name, value string) {
		if value != "" {
			record.AddAttrs(slog.String(name, value))
		}
	}
	add("code", string(c.code))
	if c.sender != nil {
		add("account", c.sender.Account)
		add("key_id", c.sender.KeyID) // public
	}
	if c.err != nil {
		record.AddAttrs(slog.String("error", c.err.Error()))
	}
	_ = handler.Handle(context.Background(), record) // a failing log cannot be reported
}

// warn logs a defect without consequences for the caller.
func (c *call) warn(message string, quoted, used int) {
	c.s.cfg.Logger.LogAttrs(context.Background(), slog.LevelWarn, message,
		slog.String("request_id", c.id), slog.String("route", c.route),
		slog.Int("quoted", quoted), slog.Int("used", used))
}
