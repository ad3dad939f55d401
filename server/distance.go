package server

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

var (
	paramFrom = &param{
		Name: "from", Required: true, Chars: lookup.MaxCodeLength,
		Aliases: []string{"origin", "zip1"},
		Doc:     "Start: any code, or latitude,longitude.",
		Example: "90210", Codes: codeShapes,
	}
	paramTo = &param{
		Name: "to", Required: true, Chars: lookup.MaxCodeLength,
		Aliases: []string{"destination", "zip2"},
		Doc:     "End: any code, or latitude,longitude.",
		Example: "10001", Codes: codeShapes,
	}
)

// A pair is the parsed request of /v2/distance.
type pair struct {
	given    envelope.Input
	from, to lookup.Code
}

var paramPairs = &param{
	Name: "pairs", Required: true, List: true, Doc: "List of 1 to 100 objects with from and to.",
	Fields: []*param{paramFrom, paramTo}, Example: `[{"from": "90210", "to": "10001"}, {"from": "K1A 0B1", "to": "98101"}]`,
}

func parsePair(in *input) (p pair, err error) {
	var toErr error
	p.given.From, err = in.text(paramFrom)
	p.given.To, toErr = in.text(paramTo) // a failed item repeats both
	if err = worstOf(err, toErr); err != nil {
		return p, err
	}
	if p.from, err = parseEnd(paramFrom, p.given.From); err != nil {
		return p, err
	}
	p.to, err = parseEnd(paramTo, p.given.To)
	return p, err
}

func (s *Server) distanceTask() task[pair, *radius.DistanceResult] {
	return task[pair, *radius.DistanceResult]{
		meter: s.meter("distance"),
		allow: func(id *billing.Identity, p *pair) error {
			if err := id.CheckCode(p.from); err != nil {
				return err
			}
			return id.CheckCode(p.to)
		},
		input: func(p *pair) envelope.Input { return p.given },
		quote: func(*pair) billing.Cost { return billing.QuoteDistance() },
		work: func(ctx context.Context, db DB, p *pair, at time.Time) (*radius.DistanceResult, error) {
			return db.Distance(ctx, p.given.From, p.given.To, radius.DistanceOptions{At: at})
		},
		price:  func(_ *pair, r *radius.DistanceResult) billing.Cost { return billing.ForDistance(r) },
		failed: func(_ *pair, err error) billing.Cost { return billing.ForDistanceError(err) },

		failures: []envelope.Code{envelope.NotFoundFrom, envelope.NotFoundTo},
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
		cost:     "1 per pair, found or not.",
	}
}

// distance is /v2/distance, the distance and direction between two codes.
func (s *Server) distance() operation[pair, envelope.DistanceRequest, *radius.DistanceResult] {
	return operation[pair, envelope.DistanceRequest, *radius.DistanceResult]{
		path:    "/v2/distance",
		summary: "The distance and direction from one code to another.",
		params:  []*param{paramFrom, paramTo, paramAt},
		task:    s.distanceTask(),
		parse:   parsePair,
		echo: func(p *pair) envelope.DistanceRequest {
			return envelope.DistanceRequest{From: p.from.String(), To: p.to.String()}
		},
	}
}

// distanceBatch is /v2/distance/batch.
func (s *Server) distanceBatch() batch[pair, envelope.PairsRequest, *radius.DistanceResult] {
	return batch[pair, envelope.PairsRequest, *radius.DistanceResult]{
		path:    "/v2/distance/batch",
		summary: "The distances between the codes of up to 100 pairs.",
		list:    paramPairs,
		params:  []*param{paramAt},
		task:    s.distanceTask(),
		begin: func(_ *input, n int) (itemParser[pair], envelope.PairsRequest, error) {
			parse := func(el element) (pair, error) {
				in, err := el.fields()
				if err != nil {
					return pair{}, err
				}
				return parsePair(in)
			}
			return parse, envelope.PairsRequest{PairsCount: n}, nil
		},
		same: func(p *pair) string { return p.from.String() + "\n" + p.to.String() },
	}
}

// parseEnd parses a code so that its error names the parameter.
func parseEnd(p *param, given string) (lookup.Code, error) {
	code, err := lookup.ParseCode(given)
	return code, fault.In("distance", p.Name, err)
}
