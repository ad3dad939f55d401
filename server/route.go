package server

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server/internal/admission"
	"github.com/postgeo/postgeo/server/internal/document"
)

// A route is an operation without its types.
type route struct {
	document.Route
	serve func(c *call) answer
}

var (
	readMethods   = []string{http.MethodGet, http.MethodHead}
	singleMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost}
	batchMethods  = []string{http.MethodPost}
)

// routeList returns the routes in the order in which they are shown. A new
// route joins the house here.
func (s *Server) routeList() []*route {
	return []*route{
		s.quickZIP().route(),
		s.quickZIPBatch().route(),
		s.zip().route(),
		s.zipBatch().route(),
		s.radius().route(),
		s.radiusBatch().route(),
		s.distance().route(),
		s.distanceBatch().route(),
		s.suggest().route(),
		s.address().route(),
		s.addressBatch().route(),
		s.health(),
	}
}

// A task is what a route does for one parsed request or item P: it delivers R
// or fails, and either costs something.
type task[P, R any] struct {
	// meter remembers what the task costs, by the size of the request.
	meter *admission.Meter
	// size grows with the work that a request makes; nil: its quote, in credits.
	size func(p *P) int
	// prepare finds out what limits and credits depend on; nil stands for
	// nothing. Its errors are those of work.
	prepare func(ctx context.Context, db DB, p *P) error
	// allow says whether a caller may ask for this; nil stands for everybody
	// may. It checks what demo, test and free callers are limited to.
	allow func(id *billing.Identity, p *P) error
	// input returns what a failed item repeats of the request.
	input func(p *P) envelope.Input
	// quote returns the most that the request can cost.
	quote func(p *P) billing.Cost
	// work does it; at is the time of the time zones. A failure whose code
	// belongs to items becomes a failed item, any other error fails the request.
	work func(ctx context.Context, db DB, p *P, at time.Time) (R, error)
	// price returns what the delivered result cost.
	price func(p *P, result R) billing.Cost
	// failed returns what a failed item cost.
	failed func(p *P, err error) billing.Cost
	// denies says that a single answer without its item says success false.
	denies bool

	// What only the documentation tells.
	failures []envelope.Code // of items that failed in prepare and work
	refusals []envelope.Code // of allow
	cost     string          // what price and failed come to, in words
}

// describe sets the results, failures and price of a route.
func (t *task[P, R]) describe(rt document.Route, echo reflect.Type) document.Route {
	rt.Echo, rt.Result, rt.Failures, rt.Refusals, rt.Price = echo, reflect.TypeFor[R](), t.failures, t.refusals, t.cost
	return rt
}

// sizeOf returns the size by which the cost of a request is remembered.
func (t *task[P, R]) sizeOf(p *P) int {
	if t.size != nil {
		return t.size(p)
	}
	return t.quote(p).Used
}

func (t *task[P, R]) allows(id *billing.Identity, p *P) error {
	if t.allow == nil {
		return nil
	}
	return t.allow(id, p)
}

// An operation is a route that takes a parsed request P, echoes Q and delivers
// R. The machinery gives it decoding, limits, failures, credits and headers.
type operation[P, Q, R any] struct {
	path    string
	summary string
	params  []*param
	task    task[P, R]

	// parse reads the parameters. Its errors are whole-request failures that
	// cost nothing.
	parse func(in *input) (P, error)
	// echo returns what the answer repeats of the request.
	echo func(p *P) Q
	// notices returns what is to be said about the request as a whole; nil
	// stands for nothing.
	notices func(p *P) []envelope.Notice
}

// route hides the operation's types.
func (o operation[P, Q, R]) route() *route {
	rt := document.Route{Path: o.path, Summary: o.summary, Methods: singleMethods, Params: o.params}
	return &route{o.task.describe(rt, reflect.TypeFor[Q]()), o.serve}
}

func (o *operation[P, Q, R]) serve(c *call) answer {
	if err := c.pin(); err != nil {
		return c.fail(err)
	}
	defer c.unpin()
	in, err := c.decode(document.MaxBodyBytes)
	if err != nil {
		return c.fail(err)
	}
	p, err := o.parse(in)
	if err != nil {
		return c.fail(err)
	}
	at, err := in.time(o.params, c.began)
	if err != nil {
		return c.fail(err)
	}
	size := o.task.sizeOf(&p)
	ctx := c.deadline()
	if err := c.admit(o.task.meter.Expect(size)); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	if o.task.prepare != nil {
		if err := o.task.prepare(ctx, c.db, &p); err != nil {
			return c.fail(timedOut(ctx, err))
		}
	}
	if err := c.permit(func(id *billing.Identity) error { return o.task.allows(id, &p) }); err != nil {
		return c.fail(err)
	}
	c.watched.stage(stageParse)
	quote := o.task.quote(&p)
	if err := c.reserveInTurn(ctx, quote, false); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageReserve)
	c.meter, c.size = o.task.meter, size
	stint := c.stint()
	result, err := o.task.work(ctx, c.db, &p, at)
	c.took(stint)
	c.turn.Pause()
	c.watched.stage(stageWork)

	resp := &envelope.Response[Q, R]{Success: true, Request: o.echo(&p)}
	var cost billing.Cost
	switch {
	case err == nil:
		cost = o.task.price(&p, result)
		resp.Results = envelope.Delivered(result)
	case envelope.StatusOf(err) == http.StatusOK:
		cost = o.task.failed(&p, err)
		resp.Success = !o.task.denies
		resp.Results = envelope.Undelivered[R](c.s.failed(o.task.input(&p), err))
	default:
		return c.fail(timedOut(ctx, err))
	}
	if o.notices != nil {
		resp.Meta.Notices = o.notices(&p)
	}
	if resp.Meta.Credits, err = c.settle(ctx, cost, quote); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageSettle)
	resp.Meta.Debug = c.debug(len(resp.Results))
	return answer{status: http.StatusOK, body: resp, meta: &resp.Meta}
}
