package server

import (
	"context"
	"errors"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

var (
	paramFrom = &param{
		name: "from", required: true, chars: lookup.MaxCodeLength,
		aliases: []string{"origin", "zip1"},
		doc:     "Where the distance begins: any code, or latitude,longitude.",
	}
	paramTo = &param{
		name: "to", required: true, chars: lookup.MaxCodeLength,
		aliases: []string{"destination", "zip2"},
		doc:     "Where the distance ends: any code, or latitude,longitude.",
	}
)

// A pair is the parsed request of /v2/distance.
type pair struct {
	given    envelope.Input
	from, to lookup.Code
}

// distance is /v2/distance: how far is it from one code to the other, and in
// which direction?
func (s *Server) distance() operation[pair, envelope.DistanceRequest, *radius.DistanceResult] {
	return operation[pair, envelope.DistanceRequest, *radius.DistanceResult]{
		path:    "/v2/distance",
		summary: "How far it is from one code to another, and in which direction.",
		params:  []*param{paramFrom, paramTo},
		parse: func(in *input) (p pair, err error) {
			if p.given.From, err = in.text(paramFrom); err != nil {
				return p, err
			}
			if p.given.To, err = in.text(paramTo); err != nil {
				return p, err
			}
			if p.from, err = parseEnd(paramFrom, p.given.From); err != nil {
				return p, err
			}
			p.to, err = parseEnd(paramTo, p.given.To)
			return p, err
		},
		echo: func(p *pair) envelope.DistanceRequest {
			return envelope.DistanceRequest{From: p.from.String(), To: p.to.String()}
		},
		input: func(p *pair) envelope.Input { return p.given },
		quote: func(*pair) billing.Cost { return billing.QuoteDistance() },
		work: func(ctx context.Context, p *pair) (*radius.DistanceResult, error) {
			return s.db.Distance(ctx, p.given.From, p.given.To)
		},
		price:  func(_ *pair, r *radius.DistanceResult) billing.Cost { return billing.ForDistance(r) },
		failed: func(_ *pair, err error) billing.Cost { return billing.ForDistanceError(err) },
	}
}

// parseEnd parses a code so that its error names the parameter.
func parseEnd(p *param, given string) (lookup.Code, error) {
	code, err := lookup.ParseCode(given)
	var malformed *lookup.ParseError
	if errors.As(err, &malformed) {
		malformed.Param = p.name
	}
	return code, err
}
