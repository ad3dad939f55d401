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

func (s *Server) addressTask() task[addressQuery, *address.Match] {
	return task[addressQuery, *address.Match]{
		meter: s.meter("address"),
		allow: func(id *billing.Identity, q *addressQuery) error { return checkAddress(id, q.Address) },
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
func (s *Server) address() kind[addressQuery, operation.AddressRequest, operation.AddressesRequest, *address.Match] {
	return kind[addressQuery, operation.AddressRequest, operation.AddressesRequest, *address.Match]{
		about: operation.Address, params: addressParams, list: paramAddresses, listed: addressesParams, task: s.addressTask(), long: true,
		input: func(q *addressQuery) any { return &q.AddressInput },
		read: func(in *input, q *addressQuery) {
			var o address.Options
			o, q.unknown = q.Options(in.lastYear(acs.Tract))
			q.include, q.inBatch = o.Include, in.batch
		},
		set:   func(q *addressQuery, text string) { q.Address = text },
		check: func(q *addressQuery) error { return address.Check(q.Address) },
		echo: func(q *addressQuery) operation.AddressRequest {
			return operation.AddressRequest{Address: q.Address, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		total: func(q *addressQuery, n int) operation.AddressesRequest {
			return operation.AddressesRequest{AddressesCount: n, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		same:      func(q *addressQuery) string { return address.Clean(q.Address) },
		notices:   (*addressQuery).notices,
		summarize: enrichedNotices[addressQuery],
	}
}

// addressBatch is /v2/address/batch. An address without a match is a result, not a
// failed item.
func (s *Server) addressBatch() *route {
	k := s.address()
	single := k.task.work
	k.task.failures = nil
	k.task.work = func(ctx context.Context, db DB, q *addressQuery, at time.Time) (*address.Match, error) {
		m, err := single(ctx, db, q, at)
		if q.missed {
			return missed(err), nil
		}
		if err == nil {
			m.Matched = lookup.True
		}
		return m, err
	}
	return k.batch()
}

// missed returns the entry of an address without a match.
func missed(err error) *address.Match {
	m := &address.Match{Matched: lookup.False}
	m.Success = true
	e := envelope.Links{}.Error(err)
	m.Notices = []envelope.Notice{{Code: e.Code, Message: e.Message, Class: envelope.ClassMatch}}
	return m
}
