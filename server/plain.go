package server

import (
	"context"
	"reflect"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/draw"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

// A polygonInput has a polygon, whose size sets the price.
type polygonInput interface {
	Prepare() error // it is called before Size
	Size() int
}

// A plainTask is a request of an operation whose route follows from its description. Its
// price is 1, or that of a polygon.
type plainTask struct {
	about *operation.Operation
	in    any
}

// described returns the route of an operation that follows from its description.
func (s *Server) described(o *operation.Operation) *route {
	return s.route(o, &plainTask{o, reflect.New(o.Input).Interface()})
}

func (t *plainTask) copy() task {
	in := reflect.New(t.about.Input)
	in.Elem().Set(reflect.ValueOf(t.in).Elem())
	return &plainTask{t.about, in.Interface()}
}

func (t *plainTask) input() any { return t.in }

func (t *plainTask) check(*input) error { return nil }

func (t *plainTask) prepare(context.Context, DB) error {
	if in, ok := t.in.(polygonInput); ok {
		return in.Prepare()
	}
	return nil
}

// allow refuses test and demo keys, except for the figures of small circles.
func (t *plainTask) allow(id *billing.Identity) error {
	f, ok := t.in.(*draw.FiguresInput)
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

func (t *plainTask) quote() billing.Cost {
	if in, ok := t.in.(polygonInput); ok {
		return billing.QuotePolygon(in.Size())
	}
	return billing.QuoteDistance()
}

func (t *plainTask) work(ctx context.Context, db DB, at time.Time) (any, error) {
	for _, p := range t.about.Params {
		if field := reflect.ValueOf(t.in).Elem().FieldByIndex(p.Index); p.Kind == operation.Time && field.IsZero() {
			field.Set(reflect.ValueOf(at))
		}
	}
	out, err := t.about.Run(ctx, db, t.in)
	if e := envelope.AsFailure(err); e != nil && e.Kind == envelope.KindUnavailable && e.Thing == envelope.ThingLayer {
		err = &envelope.Failure{Op: e.Op, Kind: e.Kind, Thing: envelope.ThingArea, Lacks: e.Lacks} // not a fault of the request
	}
	return out, err
}

func (t *plainTask) price(_ any, err error) billing.Cost {
	if err != nil {
		return billing.ForError(err)
	}
	return t.quote()
}

// Echo returns an empty input for operations whose request repeats all.
func (t *plainTask) Echo() (echo envelope.Input) {
	if in, ok := t.in.(interface{ Echo() envelope.Input }); ok {
		return in.Echo()
	}
	return echo
}

func (t *plainTask) request() any { return t.in }
