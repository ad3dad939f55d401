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

// geocodeParams are the parameters of all addresses of a batch.
var geocodeParams = operation.Geocode.Params[1:]

var paramPlaces = paramAddresses.But(func(p *param) {
	p.Entry, p.Example = operation.Geocode.Param("address"), `["350 5th Ave, New York, NY 10118", "5th Ave & W 34th St, New York, NY"]`
})

// A placeQuery is the parsed request of /v2/geocode, or an item of a batch.
type placeQuery struct {
	operation.GeocodeInput
	enriched
	opt geocode.Options
}

func parsePlace(in *input, params []*param) (q placeQuery, err error) {
	q.Offset = float64(geocode.DefaultOffset)
	if err = in.fill(&q.GeocodeInput, params...); err != nil {
		return q, err
	}
	q.opt, q.unknown = q.Options(in.lastYear(acs.Tract))
	q.include = q.opt.Include
	return q, nil
}

func (s *Server) geocodeTask() task[placeQuery, *geocode.Result] {
	return task[placeQuery, *geocode.Result]{
		meter: s.meter("geocode"),
		allow: func(id *billing.Identity, q *placeQuery) error { return id.CheckAddress(q.Address) },
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
func (s *Server) geocode() single[placeQuery, envelope.GeocodeRequest, *geocode.Result] {
	return single[placeQuery, envelope.GeocodeRequest, *geocode.Result]{
		about:  operation.Geocode,
		params: operation.Geocode.Params,
		task:   s.geocodeTask(),
		parse: func(in *input) (placeQuery, error) {
			q, err := parsePlace(in, operation.Geocode.Params)
			if err == nil {
				err = address.Check(q.Address)
			}
			return q, err
		},
		echo: func(q *placeQuery) envelope.GeocodeRequest {
			return envelope.GeocodeRequest{Address: q.Address, Offset: q.Offset, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		notices: (*placeQuery).notices,
	}
}

func (s *Server) geocodeBatch() batch[placeQuery, envelope.GeocodesRequest, *geocode.Result] {
	return batch[placeQuery, envelope.GeocodesRequest, *geocode.Result]{
		about:  operation.Geocode,
		list:   paramPlaces,
		params: geocodeParams,
		task:   s.geocodeTask(),
		long:   true,
		begin: func(in *input, n int) (itemParser[placeQuery], envelope.GeocodesRequest, error) {
			shared, err := parsePlace(in, geocodeParams)
			if err != nil {
				return nil, envelope.GeocodesRequest{}, err
			}
			shared.inBatch = true
			parse := func(el element) (q placeQuery, err error) {
				q = shared
				if q.Address, err = el.text(paramPlaces.Entry); err != nil {
					return q, err
				}
				return q, address.Check(q.Address)
			}
			return parse, envelope.GeocodesRequest{AddressesCount: n, Offset: shared.Offset, Include: shared.Include, PlansRequest: shared.EchoPlans()}, nil
		},
		same:      func(q *placeQuery) string { return address.Clean(q.Address) },
		summarize: enrichedNotices[placeQuery],
	}
}
