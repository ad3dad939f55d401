package server

import (
	"context"
	"reflect"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

// Optional methods of inputs.
type (
	// A polygonInput has a polygon, whose size sets the price.
	polygonInput interface {
		Prepare() error // it is called before Size
		Size() int
	}
	// A workInput has an expected cost.
	workInput interface{ Work() int }
	// A requestInput has an echo other than its JSON.
	requestInput interface{ Request() any }
)

// described returns the route of an operation that follows from its description. Its
// price is 1, or that of a polygon.
func (s *Server) described(o *operation.Operation) *route {
	zero := reflect.New(o.Input).Interface()
	t := task[any, any]{
		meter: s.meter(o.Name),
		allow: allowDescribed,
		input: func(in *any) (echo envelope.Input) {
			if _, own := (*in).(requestInput); own {
				return echo // the request repeats all
			}
			if e, ok := (*in).(interface{ Echo() envelope.Input }); ok {
				echo = e.Echo()
			}
			return echo
		},
		quote: func(*any) billing.Cost { return billing.QuoteDistance() },
		work: func(ctx context.Context, db DB, in *any, at time.Time) (any, error) {
			library, ok := db.(*postgeo.DB)
			if !ok {
				return nil, &envelope.Failure{Op: o.Name, Kind: envelope.KindUnavailable, Lacks: "data of " + o.Name}
			}
			for _, p := range o.Params {
				if p.Kind == operation.Time {
					reflect.ValueOf(*in).Elem().FieldByIndex(p.Index).Set(reflect.ValueOf(at))
				}
			}
			out, err := o.Run(ctx, library, *in)
			if e := envelope.AsFailure(err); e != nil && e.Kind == envelope.KindUnavailable && e.Thing == envelope.ThingLayer {
				err = &envelope.Failure{Op: e.Op, Kind: e.Kind, Thing: envelope.ThingArea, Lacks: e.Lacks} // not a fault of the request
			}
			return out, err
		},
		failed:   func(_ *any, err error) billing.Cost { return billing.ForError(err) },
		failures: o.Failures,
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
	}
	if _, ok := zero.(workInput); ok {
		t.size = func(in *any) int { return (*in).(workInput).Work() }
	}
	if _, ok := zero.(polygonInput); ok {
		t.prepare = func(_ context.Context, _ DB, in *any) error { return (*in).(polygonInput).Prepare() }
		t.quote = func(in *any) billing.Cost { return billing.QuotePolygon((*in).(polygonInput).Size()) }
	}
	t.price = func(in *any, _ any) billing.Cost { return t.quote(in) }
	echo := func(in *any) any {
		if r, ok := (*in).(requestInput); ok {
			return r.Request()
		}
		return *in
	}
	r := single[any, any, any]{
		about: o, params: o.Params, task: t, echo: echo,
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
	}.route()
	r.Echo, r.Result = o.Input, o.Result
	if in, ok := zero.(requestInput); ok {
		r.Echo = reflect.TypeOf(in.Request())
	}
	return r
}

// allowDescribed refuses test and demo keys, except for the figures of small circles.
func allowDescribed(id *billing.Identity, in *any) error {
	f, ok := (*in).(*operation.FiguresInput)
	if !ok || f.Max == nil {
		return checkLive(id)
	}
	code, err := lookup.ParseCode(f.Code)
	if err != nil {
		return checkLive(id)
	}
	if err := checkCode(id, code); err != nil {
		return err
	}
	return checkRadius(id, float64(*f.Max), true)
}
