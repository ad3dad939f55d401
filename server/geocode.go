package server

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

var paramPlaces = paramAddresses.But(func(p *param) {
	p.Entry, p.Example = operation.Geocode.Param("address"), `["350 5th Ave, New York, NY 10118", "5th Ave & W 34th St, New York, NY"]`
})

// A placeQuery is the parsed request of /v2/geocode, or an item of a batch.
type placeQuery struct {
	operation.GeocodeInput
	enriched
	opt geocode.Options
}

func (s *Server) geocodeTask() task[placeQuery, *geocode.Result] {
	return task[placeQuery, *geocode.Result]{
		meter: s.meter("geocode"),
		allow: func(id *billing.Identity, q *placeQuery) error { return checkAddress(id, q.Address) },
		input: (*placeQuery).Echo,
		quote: func(q *placeQuery) billing.Cost { return billing.QuoteGeocode(q.include.Enrichments()...) },
		work: func(ctx context.Context, db DB, q *placeQuery, at time.Time) (*geocode.Result, error) {
			q.opt.Include.Plans.At = at
			r, err := db.Geocode(ctx, q.Address, q.opt)
			q.missed = address.Unmatched(err)
			if err == nil {
				r.Notices = q.withhold(r.Unavailable(), r.Notices)
			}
			return r, err
		},
		price:  func(_ *placeQuery, r *geocode.Result) billing.Cost { return billing.QuoteGeocode(r.Delivered()...) },
		failed: func(_ *placeQuery, err error) billing.Cost { return billing.ForAddressError(false, err) },

		failures: []envelope.Code{envelope.Ambiguous, envelope.NotFound},
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
	}
}

// geocode is /v2/geocode, the position of an address.
func (s *Server) geocode() kind[placeQuery, operation.GeocodeRequest, operation.GeocodesRequest, *geocode.Result] {
	k := kind[placeQuery, operation.GeocodeRequest, operation.GeocodesRequest, *geocode.Result]{
		about: operation.Geocode, params: operation.Geocode.Params[1:], list: paramPlaces, listed: operation.Geocode.Params[1:], task: s.geocodeTask(), long: true,
		input: func(q *placeQuery) any { return &q.GeocodeInput },
		read: func(in *input, q *placeQuery) {
			q.opt, q.unknown = q.Options(in.lastYear(acs.Tract))
			q.include, q.inBatch = q.opt.Include, in.batch
		},
		set:   func(q *placeQuery, text string) { q.Address = text },
		check: func(q *placeQuery) error { return address.Check(q.Address) },
		echo: func(q *placeQuery) operation.GeocodeRequest {
			return operation.GeocodeRequest{Address: q.Address, Offset: q.Offset, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		total: func(q *placeQuery, n int) operation.GeocodesRequest {
			return operation.GeocodesRequest{AddressesCount: n, Offset: q.Offset, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		same:      func(q *placeQuery) string { return address.Clean(q.Address) },
		notices:   (*placeQuery).notices,
		summarize: enrichedNotices[placeQuery],
	}
	k.given.Offset = float64(geocode.DefaultOffset)
	return k
}
