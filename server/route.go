package server

import (
	"context"
	"net/http"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
)

// A route is what the table of routes holds: an operation without its types.
type route struct {
	path    string
	summary string
	methods []string // as the header Allow tells them; OPTIONS is understood
	params  []*param
	batch   bool // for paid plans only
	serve   func(c *call) answer
}

var (
	readMethods   = []string{http.MethodGet, http.MethodHead}
	singleMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost}
	batchMethods  = []string{http.MethodPost}
)

// routeTable returns the routes by path. A new route joins the house here.
func (s *Server) routeTable() map[string]*route {
	table := map[string]*route{}
	for _, r := range []*route{
		s.quickZIP().route(),
		s.quickZIPBatch().route(),
		s.zip().route(),
		s.zipBatch().route(),
		s.distance().route(),
		s.distanceBatch().route(),
		s.health(),
	} {
		table[r.path] = r
	}
	return table
}

// routeOrder is the order in which routes are shown.
var routeOrder = []string{
	"/v2/quick-zip", "/v2/quick-zip/batch", "/v2/zip", "/v2/zip/batch", "/v2/distance", "/v2/distance/batch", "/v2/health",
}

// A task is what a route does for one parsed request or item P: it delivers R
// or fails, and either costs something.
type task[P, R any] struct {
	// input returns what a failed item repeats of the request.
	input func(p *P) envelope.Input
	// quote returns the most that the request can cost.
	quote func(p *P) billing.Cost
	// work does it. A failure whose code belongs to items becomes a failed
	// item, any other error fails the request.
	work func(ctx context.Context, p *P) (R, error)
	// price returns what the delivered result cost.
	price func(p *P, result R) billing.Cost
	// failed returns what a failed item cost.
	failed func(p *P, err error) billing.Cost
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
	return &route{path: o.path, summary: o.summary, methods: singleMethods, params: o.params, serve: o.serve}
}

func (o *operation[P, Q, R]) serve(c *call) answer {
	in, err := c.decode(maxBodyBytes)
	if err != nil {
		return c.fail(err)
	}
	p, err := o.parse(in)
	if err != nil {
		return c.fail(err)
	}
	quote := o.task.quote(&p)
	if err := c.enter(1); err != nil {
		return c.fail(err)
	}
	defer c.leave(1)
	ctx := newDeadline(c.r.Context(), c.s.cfg.RequestTimeout)
	defer ctx.stop()
	result, err := o.task.work(ctx, &p)

	resp := &envelope.Response[Q, R]{Success: true, Request: o.echo(&p)}
	var cost billing.Cost
	switch {
	case err == nil:
		cost = o.task.price(&p, result)
		resp.Results = envelope.Delivered(result)
	case envelope.StatusOf(err) == http.StatusOK:
		cost = o.task.failed(&p, err)
		resp.Results = envelope.Undelivered[R](c.s.links.Failed(o.task.input(&p), err))
	default:
		return c.fail(timedOut(ctx, err))
	}
	if cost.Used > quote.Used {
		c.warn("a result cost more than its quote", quote.Used, cost.Used)
	}
	if o.notices != nil {
		resp.Meta.Notices = o.notices(&p)
	}
	resp.Meta.Credits = Credits(cost, envelope.SourceNone)
	return answer{status: http.StatusOK, body: resp, meta: &resp.Meta}
}

// Credits returns what an answer tells of a cost and of who bore it.
func Credits(cost billing.Cost, source envelope.CreditSource) envelope.Credits {
	c := envelope.Credits{
		Used:   cost.Used,
		Source: source,
		Breakdown: envelope.Breakdown{
			Base:        cost.Base,
			Calculation: cost.Calculation,
			Note:        cost.Note,
		},
	}
	if len(cost.Enrichments) > 0 {
		c.Breakdown.Enrichments = make(envelope.Enrichments, len(cost.Enrichments))
		for _, e := range cost.Enrichments {
			c.Breakdown.Enrichments[e.Flag] = e.Credits
		}
	}
	return c
}
