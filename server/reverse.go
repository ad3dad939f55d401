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

func (s *Server) reverseTask() task[pointQuery, *geocode.Nearest] {
	return task[pointQuery, *geocode.Nearest]{
		meter: s.meter("reverse"),
		allow: func(id *billing.Identity, q *pointQuery) error { return checkCode(id, q.at) },
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
func (s *Server) reverse() kind[pointQuery, operation.ReverseRequest, operation.PointsRequest, *geocode.Nearest] {
	k := kind[pointQuery, operation.ReverseRequest, operation.PointsRequest, *geocode.Nearest]{
		about: operation.Reverse, params: operation.Reverse.Params[1:], list: paramPoints, listed: operation.Reverse.Params[1:], task: s.reverseTask(),
		input: func(q *pointQuery) any { return &q.ReverseInput },
		read: func(in *input, q *pointQuery) {
			q.opt, q.unknown = q.Options(in.lastYear(acs.Tract))
			q.include, q.inBatch = q.opt.Include, in.batch
		},
		set: func(q *pointQuery, text string) { q.Point = text },
		check: func(q *pointQuery) (err error) {
			q.at, err = operation.ParsePoint(q.Point)
			return err
		},
		echo: func(q *pointQuery) operation.ReverseRequest {
			return operation.ReverseRequest{Point: q.at.String(), Within: q.Within, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		total: func(q *pointQuery, n int) operation.PointsRequest {
			return operation.PointsRequest{PointsCount: n, Within: q.Within, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		same:      func(q *pointQuery) string { return q.at.String() },
		notices:   (*pointQuery).notices,
		summarize: enrichedNotices[pointQuery],
	}
	k.given.Within = float64(geocode.DefaultWithin)
	return k
}
