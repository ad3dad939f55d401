package server

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server/internal/document"
)

// A route is an operation without its types.
type route struct {
	document.Route
	parse func(c *call) (job, error)
	long  bool                 // Config.AddressBatchTimeout limits the work
	serve func(c *call) answer // of a route that is free and runs at once; else nil
}

// A job is a parsed request. See [call.process] for the order of its methods.
type job interface {
	expect() (cost admission.Cost, known bool) // before prepare
	prepare(c *call) error
	allow(id *billing.Identity) error
	quote() billing.Cost
	work(c *call) (answer, billing.Cost, error)
}

var (
	readMethods   = []string{http.MethodGet, http.MethodHead}
	singleMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost}
	batchMethods  = []string{http.MethodPost}
)

// routeList returns the routes in the order of the documents. Operations without a
// route of their own get one by their description.
func (s *Server) routeList() []*route {
	quick, zip, address, geocode, reverse := s.quickZIP(), s.zip(), s.address(), s.geocode(), s.reverse()
	list := []*route{
		quick.single(), quick.batch(),
		zip.single(), zip.batch(),
		s.radius().route(), s.radiusBatch().route(),
		s.distance().route(), s.distanceBatch().route(),
		s.suggest().route(),
		address.single(), s.addressBatch(),
		geocode.single(), geocode.batch(),
		reverse.single(), reverse.batch(),
		s.described(operation.Outlines),
		s.described(operation.AreaOf),
		s.described(operation.Inside),
		s.described(operation.Figures),
	}
	for _, o := range operation.All() {
		if o.Path != "" && !slices.ContainsFunc(list, func(r *route) bool { return r.Path == o.Path }) {
			list = append(list, s.described(o))
		}
	}
	return append(list, s.health())
}

// A task processes one parsed request or item P. It delivers R or fails, and both
// have a price.
type task[P, R any] struct {
	// meter records the cost of the task by the size of the request.
	meter *admission.Meter
	// size grows with the work of a request. If nil, the quote in credits is used.
	size func(p *P) int
	// prepare computes values for limits and credits. It returns the errors of work
	// and may be nil.
	prepare func(ctx context.Context, db DB, p *P) error
	// allow checks the limits of demo, test and free callers. It may be nil.
	allow func(id *billing.Identity, p *P) error
	// input returns the input field of a failed item.
	input func(p *P) envelope.Input
	// quote returns the maximum cost of the request.
	quote func(p *P) billing.Cost
	// work runs the task; at is the time of the time zones. A failure with a code of
	// items becomes a failed item. Other errors fail the request.
	work func(ctx context.Context, db DB, p *P, at time.Time) (R, error)
	// price returns the cost of the result.
	price func(p *P, result R) billing.Cost
	// failed returns the cost of a failed item.
	failed func(p *P, err error) billing.Cost
	// unsuccessful is set if a single response without a result has success false.
	unsuccessful bool

	// The rest is documentation.
	failures []envelope.Code // of items, in prepare and work
	refusals []envelope.Code // of allow
}

func (t *task[P, R]) describe(rt document.Route, echo reflect.Type) document.Route {
	rt.Echo, rt.Result, rt.Failures, rt.Refusals = echo, reflect.TypeFor[R](), t.failures, t.refusals
	return rt
}

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

// A single is a route that parses a request P, echoes Q and delivers R. The
// package adds decoding, limits, failures, credits and headers.
type single[P, Q, R any] struct {
	about  *operation.Operation
	params []*param
	task   task[P, R]

	// parse parses the parameters. Its errors fail the request at no cost.
	parse func(in *input) (P, error)
	// echo returns the request field of the response.
	echo func(p *P) Q
	// notices returns notices about the request as a whole. It may be nil.
	notices func(p *P) []envelope.Notice
}

// route hides the types of a single.
func (o single[P, Q, R]) route() *route {
	rt := document.Route{Path: o.about.Path, Summary: o.about.Summary, Detail: o.about.Detail, Price: o.about.Price, Methods: singleMethods, Params: o.params}
	return &route{Route: o.task.describe(rt, reflect.TypeFor[Q]()), parse: o.newJob}
}

// A singleJob is a parsed request of a single.
type singleJob[P, Q, R any] struct {
	*single[P, Q, R]
	p    P
	at   time.Time
	size int
}

func (o *single[P, Q, R]) newJob(c *call) (job, error) {
	in, err := c.decode(document.MaxBodyBytes)
	if err != nil {
		return nil, err
	}
	j := &singleJob[P, Q, R]{single: o}
	if j.p, err = o.parse(in); err != nil {
		return nil, err
	}
	if j.at, err = in.time(o.params, c.began); err != nil {
		return nil, err
	}
	j.size = o.task.sizeOf(&j.p)
	return j, nil
}

func (j *singleJob[P, Q, R]) expect() (admission.Cost, bool) { return expect(j.task.meter, j.size) }

func (j *singleJob[P, Q, R]) prepare(c *call) error {
	if j.task.prepare == nil {
		return nil
	}
	return j.task.prepare(c.paced(), c.db, &j.p)
}

func (j *singleJob[P, Q, R]) allow(id *billing.Identity) error { return j.task.allows(id, &j.p) }

func (j *singleJob[P, Q, R]) quote() billing.Cost { return j.task.quote(&j.p) }

func (j *singleJob[P, Q, R]) work(c *call) (answer, billing.Cost, error) {
	c.meter, c.size = j.task.meter, j.size
	stint := c.stint()
	result, err := j.task.work(c.paced(), c.db, &j.p, j.at)
	c.took(stint)
	resp := &envelope.Response[Q, R]{Success: true, Request: j.echo(&j.p)}
	var cost billing.Cost
	switch {
	case err == nil:
		cost = j.task.price(&j.p, result)
		resp.Results = []envelope.Result[R]{{Value: result}}
	case statusOf(err) == http.StatusOK:
		cost = j.task.failed(&j.p, err)
		resp.Success = !j.task.unsuccessful
		failed := c.s.failed(j.task.input(&j.p), err)
		resp.Results = []envelope.Result[R]{{Failed: &failed}}
	default:
		return answer{}, cost, err
	}
	if j.notices != nil {
		resp.Meta.Notices = j.notices(&j.p)
	}
	return answer{status: http.StatusOK, body: resp, meta: &resp.Meta, results: 1}, cost, nil
}

const prefix = "/v2"

// find returns the route of a path, or a failure (decision D9).
func (s *Server) find(path string) (*route, error) {
	if rt, ok := s.routes[path]; ok {
		return rt, nil
	}
	if path == prefix || strings.HasPrefix(path, prefix+"/") {
		return nil, &envelope.Fault{Code: envelope.BadRequest, Message: wording.PathUnknown, Status: http.StatusNotFound}
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if isVersion(first) {
		return nil, &envelope.Fault{Code: envelope.UnknownVersion, Message: wording.PathUnknownVersion(first)}
	}
	return nil, &envelope.Fault{Code: envelope.MissingVersion, Message: wording.PathWithoutVersion}
}

// isVersion reports whether a segment looks like a version: v1, V3, v2.0.
func isVersion(segment string) bool {
	const longest = 16
	if len(segment) < 2 || len(segment) > longest || segment[0]|0x20 != 'v' {
		return false
	}
	for number := range strings.SplitSeq(segment[1:], ".") {
		if number == "" || strings.Trim(number, "0123456789") != "" {
			return false
		}
	}
	return true
}

func (rt *route) allows(method string) bool { return slices.Contains(rt.Methods, method) }

func (c *call) methodNotAllowed(rt *route) answer {
	last := len(rt.Methods) - 1
	allowed := rt.Methods[last]
	if last > 0 {
		allowed = strings.Join(rt.Methods[:last], ", ") + " or " + allowed
	}
	a := c.fail(&envelope.Fault{
		Code: envelope.BadRequest, Message: wording.MethodNotAllowed(c.r.Method, allowed),
		Status: http.StatusMethodNotAllowed,
	})
	a.header = append(a.header, headerField{"Allow", rt.allow()})
	return a
}

func (rt *route) allow() string {
	return strings.Join(rt.Methods, ", ") + ", " + http.MethodOptions
}
