package server

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

// reverseParams are the parameters of all points of a batch.
var reverseParams = operation.Reverse.Params[1:]

var paramPoints = &param{
	Name: "points", Required: true, List: true, Help: "List of 1 to 100 points.",
	Entry: operation.Reverse.Param("point"), Example: `["40.7484,-73.9857", "34.0731,-118.4004"]`,
}

// A pointQuery is the parsed request of /v2/reverse, or an item of a batch.
type pointQuery struct {
	operation.ReverseInput
	enriched
	opt geocode.ReverseOptions
	at  lookup.Code // the point
}

func parsePoint(in *input, params []*param) (q pointQuery, err error) {
	q.Within = float64(geocode.DefaultWithin)
	if err = in.fill(&q.ReverseInput, params...); err != nil {
		return q, err
	}
	q.opt, q.unknown = q.Options(in.lastYear(acs.Tract))
	q.include = q.opt.Include
	return q, nil
}

func (s *Server) reverseTask() task[pointQuery, *geocode.Nearest] {
	return task[pointQuery, *geocode.Nearest]{
		meter: s.meter("reverse"),
		allow: func(id *billing.Identity, q *pointQuery) error { return id.CheckCode(q.at) },
		input: (*pointQuery).Echo,
		quote: func(q *pointQuery) billing.Cost { return billing.QuoteGeocode(q.include.Enrichments()...) },
		work: func(ctx context.Context, db DB, q *pointQuery, at time.Time) (*geocode.Nearest, error) {
			q.opt.Include.Plans.At = at
			r, err := db.Reverse(ctx, q.at.LatLng(), q.opt)
			if err == nil {
				r.Notices = q.withhold(r.Unavailable(), r.Notices)
			}
			return r, err
		},
		price:  func(_ *pointQuery, r *geocode.Nearest) billing.Cost { return billing.QuoteGeocode(r.Delivered()...) },
		failed: func(_ *pointQuery, err error) billing.Cost { return billing.ForError(err) },

		failures: []envelope.Code{envelope.NotFound},
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
	}
}

// reverse is /v2/reverse, the address nearest to a point.
func (s *Server) reverse() single[pointQuery, envelope.ReverseRequest, *geocode.Nearest] {
	return single[pointQuery, envelope.ReverseRequest, *geocode.Nearest]{
		about:  operation.Reverse,
		params: operation.Reverse.Params,
		task:   s.reverseTask(),
		parse: func(in *input) (pointQuery, error) {
			q, err := parsePoint(in, operation.Reverse.Params)
			if err == nil {
				q.at, err = operation.ParsePoint(q.Point)
			}
			return q, err
		},
		echo: func(q *pointQuery) envelope.ReverseRequest {
			return envelope.ReverseRequest{Point: q.at.String(), Within: q.Within, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		notices: (*pointQuery).notices,
	}
}

func (s *Server) reverseBatch() batch[pointQuery, envelope.PointsRequest, *geocode.Nearest] {
	return batch[pointQuery, envelope.PointsRequest, *geocode.Nearest]{
		about:  operation.Reverse,
		list:   paramPoints,
		params: reverseParams,
		task:   s.reverseTask(),
		begin: func(in *input, n int) (itemParser[pointQuery], envelope.PointsRequest, error) {
			shared, err := parsePoint(in, reverseParams)
			if err != nil {
				return nil, envelope.PointsRequest{}, err
			}
			shared.inBatch = true
			parse := func(el element) (q pointQuery, err error) {
				q = shared
				if q.Point, err = el.text(paramPoints.Entry); err != nil {
					return q, err
				}
				q.at, err = operation.ParsePoint(q.Point)
				return q, err
			}
			return parse, envelope.PointsRequest{PointsCount: n, Within: shared.Within, Include: shared.Include, PlansRequest: shared.EchoPlans()}, nil
		},
		same:      func(q *pointQuery) string { return q.at.String() },
		summarize: enrichedNotices[pointQuery],
	}
}
