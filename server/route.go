package server

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/draw"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server/internal/document"
)

// A route is an operation over HTTP, for one input or for a list of them.
type route struct {
	document.Route
	about *operation.Operation
	terms terms
	meter *admission.Meter // of the cost of a task; one input and a list share it
	given any              // pointer to an input with the defaults of the parameters
	text  bool             // the first parameter is parsed before the others
	long  bool             // Config.AddressBatchTimeout limits the work

	unsuccessful bool                 // a single response without a result has success false
	serve        func(c *call) answer // of a route that is free and runs at once; else nil
}

var (
	readMethods   = []string{http.MethodGet, http.MethodHead}
	singleMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost}
	batchMethods  = []string{http.MethodPost}
)

// routeList returns the routes in the order of the documents. Operations that are not
// named here get a route by their description: the contract's routes come first, with the
// limits and prices that it gives each, and our own follow.
func (s *Server) routeList() []*route {
	var list []*route
	add := func(rt *route, refusals ...envelope.Code) *route {
		rt.Refusals = refusals
		list = append(list, rt)
		return rt
	}
	// both adds the routes for one input and for a list, which has no parameters beside the
	// list but those after the first.
	both := func(o *operation.Operation, t terms, items *param, text bool) (one, many *route) {
		one = s.route(o, t)
		one.text = text
		many = one.batch(items, one.Params[1:]...)
		return add(one, envelope.AuthTestKeyRestricted), add(many, envelope.AuthTestKeyRestricted)
	}
	both(operation.Quick, quickTerms, paramCodes, true)
	both(operation.Lookup, fullTerms, paramCodes, true)

	radius := s.route(operation.Radius, radiusTerms)
	searches := radius.batch(paramSearches, batchMax, batchMin, batchMode, batchInclude, operation.Radius.Param("at"))
	for _, rt := range []*route{radius, searches} {
		add(rt, envelope.AuthTestKeyRestricted, envelope.AuthTestKeyRadiusExceeded, envelope.AuthFreeTierRadiusExceeded)
	}

	_, distances := both(operation.Distance, distanceTerms, paramPairs, false)
	distances.Params = []*param{paramPairs, operation.Distance.Param("at")}

	suggest := add(s.route(operation.Suggest, s.suggestTerms()))
	suggest.Params = operation.SuggestRoute

	address, addresses := both(operation.Address, addressTerms, paramAddresses, true)
	address.unsuccessful = true // by the contract, for this route alone
	address.Params = append(slices.Clip(address.Params[:1]), addressParams...)
	addresses.Params = append([]*param{paramAddresses}, addressesParams...)
	addresses.Failures = nil // an address without a match is a result
	_, geocodes := both(operation.Geocode, geocodeTerms, paramPlaces, true)
	addresses.long, geocodes.long = true, true
	both(operation.Reverse, reverseTerms, paramPoints, true)

	for _, o := range append([]*operation.Operation{draw.Outlines, draw.AreaOf, operation.Inside, draw.Figures}, operation.All()...) {
		if o.Path != "" && !slices.ContainsFunc(list, func(r *route) bool { return r.Path == o.Path }) {
			add(s.route(o, describedTerms(o)), envelope.AuthTestKeyRestricted)
		}
	}
	return append(list, s.health())
}

// route returns the route of an operation for one input.
func (s *Server) route(o *operation.Operation, t terms) *route {
	given := reflect.New(o.Input)
	if err := operation.SetDefaults(given.Elem(), o.Params); err != nil {
		panic(err) // the tags are constant
	}
	rt := &route{about: o, terms: t, meter: s.meter(o.Name), given: given.Interface(), Route: document.Route{
		Path: o.Path, Summary: o.Summary, Detail: o.Detail, Price: o.Price, Methods: singleMethods, Params: o.Params,
		Echo: o.Input, Result: o.Result, Failures: o.Failures,
	}}
	if q, ok := rt.given.(repeated); ok {
		rt.Echo = reflect.TypeOf(q.Request()).Elem()
	}
	return rt
}

// batch returns the route for a list of inputs, with the parameters for all of them. Its
// inputs are those of the single route, so that both have one parser, price and result.
func (rt *route) batch(list *param, params ...*param) *route {
	b := *rt
	b.text, b.unsuccessful = false, false
	b.Path, b.Summary, b.Detail = rt.about.Batch, fmt.Sprintf("%s For up to %d %s.", rt.Summary, list.MaxItems(), list.Name), ""
	b.Methods, b.Batch, b.Items, b.Params = batchMethods, true, list, append([]*param{list}, params...)
	b.Echo = reflect.TypeOf(rt.given.(listed).Total(0)).Elem()
	return &b
}

const prefix = "/v2"

// find returns the route of a path, or a failure (decision D9). A map and not a ServeMux,
// which would redirect /v2//zip, and refuse unknown paths in plain text.
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
