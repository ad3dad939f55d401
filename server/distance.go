package server

import (
	"context"
	"reflect"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A pair is the parsed request of /v2/distance.
type pair struct {
	operation.Ends
	from, to lookup.Code
}

// ends describes the fields of a pair.
var ends = operation.Params(reflect.TypeFor[operation.Ends]())

var paramPairs = &param{
	Name: "pairs", Required: true, List: true, Help: "List of 1 to 100 objects with from and to.",
	Fields: ends, Example: `[{"from": "90210", "to": "10001"}, {"from": "K1A 0B1", "to": "98101"}]`,
}

func parsePair(in *input) (p pair, err error) {
	if err = in.fill(&p.Ends, ends...); err != nil { // a failed item repeats both
		return p, err
	}
	if p.from, err = parseEnd("from", p.From); err != nil {
		return p, err
	}
	p.to, err = parseEnd("to", p.To)
	return p, err
}

func (s *Server) distanceTask() task[pair, *radius.DistanceResult] {
	return task[pair, *radius.DistanceResult]{
		meter: s.meter("distance"),
		allow: func(id *billing.Identity, p *pair) error {
			if err := checkCode(id, p.from); err != nil {
				return err
			}
			return checkCode(id, p.to)
		},
		input: func(p *pair) envelope.Input { return p.Echo() },
		quote: func(*pair) billing.Cost { return billing.QuoteDistance() },
		work: func(ctx context.Context, db DB, p *pair, at time.Time) (*radius.DistanceResult, error) {
			return db.Distance(ctx, p.From, p.To, radius.DistanceOptions{At: at})
		},
		price:  func(*pair, *radius.DistanceResult) billing.Cost { return billing.QuoteDistance() },
		failed: func(_ *pair, err error) billing.Cost { return billing.ForError(err) },

		failures: []envelope.Code{envelope.NotFoundFrom, envelope.NotFoundTo},
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
	}
}

// distance is /v2/distance, the distance and direction between two codes.
func (s *Server) distance() single[pair, operation.DistanceRequest, *radius.DistanceResult] {
	return single[pair, operation.DistanceRequest, *radius.DistanceResult]{
		about:  operation.Distance,
		params: operation.Distance.Params,
		task:   s.distanceTask(),
		parse:  parsePair,
		echo: func(p *pair) operation.DistanceRequest {
			return operation.DistanceRequest{From: p.from.String(), To: p.to.String()}
		},
	}
}

func (s *Server) distanceBatch() batch[pair, operation.PairsRequest, *radius.DistanceResult] {
	return batch[pair, operation.PairsRequest, *radius.DistanceResult]{
		about:  operation.Distance,
		list:   paramPairs,
		params: []*param{operation.Distance.Param("at")},
		task:   s.distanceTask(),
		begin: func(_ *input, n int) (itemParser[pair], operation.PairsRequest, error) {
			parse := func(el element) (pair, error) {
				in, err := el.fields()
				if err != nil {
					return pair{}, err
				}
				return parsePair(in)
			}
			return parse, operation.PairsRequest{PairsCount: n}, nil
		},
		same: func(p *pair) string { return p.from.String() + "\n" + p.to.String() },
	}
}

func parseEnd(param, given string) (lookup.Code, error) {
	code, err := lookup.ParseCode(given)
	return code, envelope.In("distance", param, err)
}
