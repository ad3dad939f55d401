package server

import (
	"cmp"
	"context"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

var paramPairs = &param{
	Name: "pairs", Required: true, List: true, Help: "List of 1 to 100 objects with from and to.",
	Fields: operation.Distance.Params[:2], Example: `[{"from": "90210", "to": "10001"}, {"from": "K1A 0B1", "to": "98101"}]`,
}

// A pair is a request of /v2/distance.
type pair struct {
	operation.DistanceInput
	from, to lookup.Code
}

func (p *pair) copy() task { c := *p; return &c }

func (p *pair) input() any { return &p.DistanceInput }

func (p *pair) check(*input) (err error) {
	if p.from, err = lookup.ParseCode(p.From); err != nil {
		return envelope.In("distance", "from", err)
	}
	p.to, err = lookup.ParseCode(p.To)
	return envelope.In("distance", "to", err)
}

func (p *pair) allow(id *billing.Identity) error {
	if err := checkCode(id, p.from); err != nil {
		return err
	}
	return checkCode(id, p.to)
}

func (p *pair) quote() billing.Cost { return billing.QuoteDistance() }

func (p *pair) work(ctx context.Context, db DB, at time.Time) (any, error) {
	return db.Distance(ctx, p.From, p.To, radius.DistanceOptions{At: cmp.Or(p.At, at)})
}

func (p *pair) price(_ any, err error) billing.Cost {
	if err != nil {
		return billing.ForError(err)
	}
	return billing.QuoteDistance()
}

func (p *pair) request() any {
	return &operation.DistanceInput{Ends: operation.Ends{From: p.from.String(), To: p.to.String()}}
}

func (p *pair) total(n int) any { return &operation.PairsRequest{PairsCount: n} }

func (p *pair) same() string { return p.from.String() + "\n" + p.to.String() }
