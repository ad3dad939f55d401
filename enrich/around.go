package enrich

import (
	"context"
	"errors"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/lookup"
)

// measures reports whether anything around rows is asked for.
func (e *Enricher) measures() bool {
	return e.distance || e.radius || e.nearest.Count > 0 || e.places > 0 || e.areas || e.neighbors || e.boundary
}

// measure asks for what lies around a row. A row without a point, such as a
// military ZIP, keeps its other fields.
func (e *Enricher) measure(ctx context.Context, around string, a *answers, out *Outcome) (err error) {
	if around == "" { // a text means a place whose point is not known
		if e.measures() {
			out.tell(string(envelope.EnrichmentUnavailable))
		}
		return nil
	}
	a.distance, err = askAround(err, e.distance && a.to != "", out, func() (*postgeo.DistanceResult, error) { return e.distanceTo(ctx, around, a.to, out) })
	a.radius, err = askAround(err, e.radius, out, func() (*postgeo.RadiusResult, error) { return e.db.Radius(ctx, around, e.opt.Radius) })
	a.nearest, err = askAround(err, e.nearest.Count > 0, out, func() (*postgeo.NearestResult, error) { return e.db.Nearest(ctx, around, e.nearest) })
	a.neighbors, err = askAround(err, e.neighbors, out, func() (*postgeo.Neighbors, error) {
		return e.db.Neighbors(ctx, around, postgeo.NeighborOptions{})
	})
	a.boundary, err = askAround(err, e.boundary, out, func() (*postgeo.BoundaryResult, error) { return e.db.Boundary(ctx, around, e.opt.BoundaryOf) })
	if err != nil {
		return err
	}
	if a.radius != nil {
		out.note(a.radius.Notices)
	}
	if a.neighbors != nil && a.neighbors.BorderMi == 0 { // it has no area
		a.neighbors = nil
		out.tell(string(envelope.EnrichmentUnavailable))
	}
	if e.places > 0 || e.areas {
		a.locate(around)
		if !a.at.IsValid() {
			out.tell(string(envelope.EnrichmentUnavailable))
			return nil
		}
	}
	if e.places > 0 {
		a.places = e.opt.Places.nearest(a.at, e.places, e.opt.Nearest.Max)
	}
	if e.areas {
		a.area, a.inArea = e.opt.Areas.index.Containing(a.at)
	}
	return nil
}

// distanceTo measures to a place. One that a row brought and that is none is told;
// there is then no answer.
func (e *Enricher) distanceTo(ctx context.Context, around, to string, out *Outcome) (*postgeo.DistanceResult, error) {
	d, err := e.db.Distance(ctx, around, to, postgeo.DistanceOptions{})
	if e := fault.As(err); e != nil && e.Param == "to" {
		bad, _ := failed(err)
		out.tell(bad.Reason)
		return nil, nil
	}
	return d, err
}

// askAround asks an operation if it is wanted and none before failed. That the
// place of an answered row is not known is told, and is no error.
func askAround[T any](before error, wanted bool, out *Outcome, ask func() (*T, error)) (*T, error) {
	if before != nil || !wanted {
		return nil, before
	}
	answer, err := ask()
	if errors.Is(err, postgeo.ErrNotFound) {
		out.tell(string(envelope.EnrichmentUnavailable))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// locate notes where a row is: at a coordinate, or at the point of what its key
// led to.
func (a *answers) locate(around string) {
	if c, err := lookup.ParseCode(around); err == nil && c.Type() == lookup.Coordinates {
		a.at = c.LatLng()
	} else if a.text == nil {
		a.at = a.identity.Location
	} else {
		a.at = a.text.Location
	}
}
