package server

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

var (
	// addressInclude is a string, never a list.
	addressInclude = operation.Address.Param("include").But(func(p *param) { p.List, p.Commas, p.Chars, p.Values = false, true, maxListChars, nil })

	addressesInclude = operation.Address.Param("include").But(func(p *param) { p.Example = "" })

	addressParams   = []*param{addressInclude, operation.Address.Param("as_of"), operation.Address.Param("plan")}
	addressesParams = append([]*param{addressesInclude}, addressParams[1:]...)

	paramAddresses = &param{
		Name: "addresses", Required: true, List: true, Help: "List of 1 to 250 addresses.",
		Entry: operation.Address.Param("address"), Size: 250, Example: `["101 N Aspen Dr Ste 101, New York, NY 10118", "PO Box 5, New York, NY 10001"]`,
	}
)

// An addressQuery is the parsed request of /v2/address, or an item of a batch.
type addressQuery struct {
	operation.AddressInput
	enriched
}

func parseAddress(in *input) (q addressQuery, err error) {
	if err = in.fill(&q.AddressInput, operation.Address.Param("address")); err != nil {
		return q, err
	}
	if err = in.fill(&q.AddressInput, addressParams...); err != nil {
		return q, err
	}
	q.read(in)
	return q, address.Check(q.Address)
}

// read parses the flags.
func (q *addressQuery) read(in *input) {
	var o address.Options
	o, q.unknown = q.Options(in.lastYear(acs.Tract))
	q.include = o.Include
}

func (s *Server) addressTask() task[addressQuery, *address.Match] {
	return task[addressQuery, *address.Match]{
		meter: s.meter("address"),
		allow: func(id *billing.Identity, q *addressQuery) error { return id.CheckAddress(q.Address) },
		input: (*addressQuery).Echo,
		quote: func(q *addressQuery) billing.Cost {
			return billing.QuoteAddress(q.include.Coordinates, q.include.Enrichments()...)
		},
		work: func(ctx context.Context, db DB, q *addressQuery, at time.Time) (*address.Match, error) {
			q.include.Plans.At = at
			m, err := db.MatchAddress(ctx, q.Address, address.Options{Include: q.include})
			q.missed = address.Unmatched(err)
			if err == nil {
				m.Notices = q.withhold(m.Unavailable(), m.Notices)
			}
			return m, err
		},
		price: func(q *addressQuery, m *address.Match) billing.Cost {
			return billing.ForAddress(q.include.Coordinates, m)
		},
		failed: func(q *addressQuery, err error) billing.Cost {
			return billing.ForAddressError(q.include.Coordinates, err)
		},
		unsuccessful: true,

		failures: []envelope.Code{envelope.InsufficientInput, envelope.Ambiguous, envelope.NotFound},
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
	}
}

// address is /v2/address, which matches an address with a ZIP+4 record.
func (s *Server) address() single[addressQuery, envelope.AddressRequest, *address.Match] {
	return single[addressQuery, envelope.AddressRequest, *address.Match]{
		about:  operation.Address,
		params: append([]*param{operation.Address.Param("address")}, addressParams...),
		task:   s.addressTask(),
		parse:  parseAddress,
		echo: func(q *addressQuery) envelope.AddressRequest {
			return envelope.AddressRequest{Address: q.Address, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		notices: (*addressQuery).notices,
	}
}

// addressBatch is /v2/address/batch. An address without a match is a result, not a
// failed item.
func (s *Server) addressBatch() batch[addressQuery, envelope.AddressesRequest, *address.Match] {
	t := s.addressTask()
	single := t.work
	t.work = func(ctx context.Context, db DB, q *addressQuery, at time.Time) (*address.Match, error) {
		m, err := single(ctx, db, q, at)
		if q.missed {
			return missed(err), nil
		}
		if err == nil {
			m.Matched = lookup.True
		}
		return m, err
	}
	t.failures = nil
	return batch[addressQuery, envelope.AddressesRequest, *address.Match]{
		about:  operation.Address,
		list:   paramAddresses,
		params: addressesParams,
		task:   t,
		long:   true,
		begin: func(in *input, n int) (itemParser[addressQuery], envelope.AddressesRequest, error) {
			var shared addressQuery
			if err := in.fill(&shared.AddressInput, addressesParams...); err != nil {
				return nil, envelope.AddressesRequest{}, err
			}
			shared.read(in)
			shared.inBatch = true
			parse := func(el element) (q addressQuery, err error) {
				q = shared
				if q.Address, err = el.text(paramAddresses.Entry); err != nil {
					return q, err
				}
				return q, address.Check(q.Address)
			}
			return parse, envelope.AddressesRequest{AddressesCount: n, Include: shared.Include, PlansRequest: shared.EchoPlans()}, nil
		},
		same:      func(q *addressQuery) string { return address.Clean(q.Address) },
		summarize: enrichedNotices[addressQuery],
	}
}

// missed returns the entry of an address without a match.
func missed(err error) *address.Match {
	m := &address.Match{Matched: lookup.False}
	m.Success = true
	e := envelope.Links{}.Error(err)
	m.Notices = []envelope.Notice{{Code: e.Code, Message: e.Message, Class: envelope.ClassMatch}}
	return m
}
