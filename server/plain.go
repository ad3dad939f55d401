package server

import (
	"context"
	"reflect"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A polygonInput is an input with a polygon, whose price grows with its size.
type polygonInput interface {
	Prepare() error // it is called before Size
	Size() int
}

// plain returns a route that runs an operation on the whole library at a price of 1, or
// by the size of a polygon. Inputs start as given, which sets defaults.
func plain[In, Q, Out any](s *Server, o *operation.Operation, given In, run func(*In, context.Context, operation.DB) (Out, error), check func(*billing.Identity, *In) error, echo func(*In) Q, failures ...envelope.Code) single[In, Q, Out] {
	var size func(*In) int
	if _, ok := any(&given).(interface{ Work() int }); ok {
		size = func(in *In) int { return any(in).(interface{ Work() int }).Work() }
	}
	var prepare func(context.Context, DB, *In) error
	quote := func(*In) billing.Cost { return billing.QuoteDistance() }
	if _, ok := any(&given).(polygonInput); ok {
		prepare = func(_ context.Context, _ DB, in *In) error { return any(in).(polygonInput).Prepare() }
		quote = func(in *In) billing.Cost { return billing.QuotePolygon(any(in).(polygonInput).Size()) }
	}
	return single[In, Q, Out]{
		about:  o,
		params: o.Params,
		task: task[In, Out]{
			meter:   s.meter(o.Name),
			size:    size,
			prepare: prepare,
			allow:   check,
			input:   func(*In) envelope.Input { return envelope.Input{} },
			quote:   quote,
			work: func(ctx context.Context, db DB, in *In, _ time.Time) (out Out, err error) {
				library, ok := db.(*postgeo.DB)
				if !ok {
					return out, &fault.Error{Op: o.Name, Kind: fault.Unavailable, Thing: fault.Area, Lacks: "outlines"}
				}
				out, err = run(in, ctx, library)
				if e := fault.As(err); e != nil && e.Kind == fault.Unavailable && e.Thing == fault.Layer {
					err = &fault.Error{Op: e.Op, Kind: e.Kind, Thing: fault.Area, Lacks: e.Lacks} // not a fault of the request
				}
				return out, err
			},
			price:    func(in *In, _ Out) billing.Cost { return quote(in) },
			failed:   func(_ *In, err error) billing.Cost { return billing.ForError(err) },
			failures: failures,
			refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
		},
		parse: func(in *input) (In, error) {
			p := given
			err := in.fill(&p, o.Params...)
			return p, err
		},
		echo: echo,
	}
}

// described returns the route of an operation with a price of 1 for live keys. Its echo
// is the input as JSON.
func (s *Server) described(o *operation.Operation) *route {
	price := billing.QuoteDistance
	r := single[any, any, any]{
		about:  o,
		params: o.Params,
		task: task[any, any]{
			meter: s.meter(o.Name),
			allow: func(id *billing.Identity, _ *any) error { return id.CheckLive() },
			input: func(in *any) (echo envelope.Input) {
				if e, ok := (*in).(interface{ Echo() envelope.Input }); ok {
					echo = e.Echo()
				}
				return echo
			},
			quote: func(*any) billing.Cost { return price() },
			work: func(ctx context.Context, db DB, in *any, _ time.Time) (any, error) {
				library, ok := db.(*postgeo.DB)
				if !ok {
					return nil, &fault.Error{Op: o.Name, Kind: fault.Unavailable, Lacks: "data of " + o.Name}
				}
				return o.Run(ctx, library, *in)
			},
			price:    func(*any, any) billing.Cost { return price() },
			failed:   func(_ *any, err error) billing.Cost { return billing.ForError(err) },
			failures: o.Failures,
			refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
		},
		parse: func(in *input) (any, error) {
			p := reflect.New(o.Input)
			for _, param := range o.Params {
				if param.Default != "" {
					if err := param.Set(p.Elem(), param.Default); err != nil {
						return nil, err
					}
				}
			}
			return p.Interface(), in.fill(p.Interface(), o.Params...)
		},
		echo: func(in *any) any { return *in },
	}.route()
	r.Echo, r.Result = o.Input, o.Result
	return r
}

// outlineRoute is /v2/outlines, the areas of a box.
func (s *Server) outlineRoute() *route {
	return plain(s, operation.Outlines, operation.OutlinesInput{Tolerance: 0.001, Limit: operation.MaxOutlines}, (*operation.OutlinesInput).Run,
		func(id *billing.Identity, _ *operation.OutlinesInput) error { return id.CheckLive() },
		func(in *operation.OutlinesInput) envelope.OutlinesRequest {
			return envelope.OutlinesRequest{Box: in.Box.String(), Tolerance: in.Tolerance, Limit: in.Limit, Codes: in.Codes}
		}, envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal).route()
}

// area is /v2/area, an area with its outline and codes.
func (s *Server) area() *route {
	return plain(s, operation.AreaOf, operation.AreaOfInput{Tolerance: 0.001}, (*operation.AreaOfInput).Run,
		func(id *billing.Identity, _ *operation.AreaOfInput) error { return id.CheckLive() },
		func(in *operation.AreaOfInput) envelope.AreaRequest {
			return envelope.AreaRequest{Layer: in.LayerID, GEOID: in.GEOID, Tolerance: in.Tolerance, Plan: in.Plan}
		}, envelope.NotFound).route()
}

// inside is /v2/inside, the codes inside a polygon.
func (s *Server) inside() *route {
	return plain(s, operation.Inside, operation.InsideInput{Limit: 50, InsideParams: operation.InsideParams{Mode: radius.Spatial}}, (*operation.InsideInput).Run,
		func(id *billing.Identity, _ *operation.InsideInput) error { return id.CheckLive() },
		func(in *operation.InsideInput) envelope.InsideRequest {
			return envelope.InsideRequest{Mode: string(in.Mode), Include: in.Include, Limit: in.Limit}
		}).route()
}

// figures is /v2/figures, a field of the survey for the codes of a place.
func (s *Server) figures() *route {
	return plain(s, operation.Figures, operation.FiguresInput{}, (*operation.FiguresInput).Run,
		func(id *billing.Identity, in *operation.FiguresInput) error {
			code, err := lookup.ParseCode(in.Code)
			if err != nil || in.Max == nil {
				return id.CheckLive()
			}
			if err := id.CheckCode(code); err != nil {
				return err
			}
			return id.CheckRadius(float64(*in.Max), true)
		},
		func(in *operation.FiguresInput) envelope.FiguresRequest {
			return envelope.FiguresRequest{Field: in.Field, Code: in.Code, Max: (*float64)(in.Max), Layer: in.Layer, GEOID: in.GEOID, Year: in.Year}
		}, envelope.NotFound, envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal).route()
}
