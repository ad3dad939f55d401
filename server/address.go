package server

import (
	"context"
	"slices"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/lookup"
)

// maxAddresses is the maximum number of addresses of a batch.
const maxAddresses = 250

var (
	paramAddress = &param{
		Name: "address", Required: true, Chars: address.MaxRaw,
		Aliases: []string{"addr", "street"},
		Doc:     "A US address on one line, of 9 to 300 characters after cleanup. City and state are optional with a ZIP Code.",
		Example: "101 N Aspen Dr Ste 101, New York, NY 10118",
		Codes:   []envelope.Code{envelope.ValidationInputTooShort},
	}
	paramAddresses = &param{
		Name: "addresses", Required: true, List: true, Doc: "List of 1 to 250 addresses.",
		Entry: paramAddress, Size: maxAddresses, Example: `["101 N Aspen Dr Ste 101, New York, NY 10118", "PO Box 5, New York, NY 10001"]`,
	}
	paramAddressFlags = &param{
		Name: "include", Chars: maxListChars, Commas: true,
		Doc: "Enrichments at the matched point, separated by commas: coordinates, census, cd, state_leg, school_district and the profiles " +
			"of the tract, acs_tract_demographic, acs_tract_social, acs_tract_economic and acs_tract_housing, of 2024 or with _2023 or _2022.",
		Example: "coordinates,cd",
	}
	paramAddressesFlags = &param{Name: "include", List: true, Doc: paramAddressFlags.Doc, Values: addressFlags()}
)

// addressFlags are the flags of address matching, profiles without years.
func addressFlags() []string {
	inc, _ := address.ParseInclude([]string{"acs_tract_demographic", "acs_tract_social", "acs_tract_economic", "acs_tract_housing"})
	inc.Coordinates, inc.Census, inc.CongressionalDistrict, inc.StateLegislative, inc.SchoolDistrict = true, true, true, true, true
	return inc.Flags()
}

// An addressQuery is the parsed request of /v2/address, or an item of a batch.
type addressQuery struct {
	given   string
	flags   envelope.Flags
	include address.Include
	unknown []string
	missed  bool     // it was parsed but not matched
	lacking []string // requested flags that are unavailable
}

func (q *addressQuery) input() envelope.Input { return envelope.Input{Address: q.given} }

// read parses the flags. The argument newest is the newest year of tract profiles.
func (q *addressQuery) read(flags envelope.Flags, newest int) {
	q.flags = flags
	q.include, q.unknown = address.ParseIncludeUntil(flags, newest)
}

func (q *addressQuery) notices() []envelope.Notice {
	var list []envelope.Notice
	if q.missed && len(q.include.Enrichments()) > 0 {
		list = append(list, envelope.AddressUnmatched())
	}
	if len(q.unknown) > 0 {
		list = append(list, envelope.UnknownEnrichments(q.unknown))
	}
	return list
}

func parseAddress(in *input) (q addressQuery, err error) {
	if q.given, err = in.text(paramAddress); err != nil {
		return q, err
	}
	flags, err := in.text(paramAddressFlags) // a list is refused
	if err != nil {
		return q, err
	}
	q.read(envelope.ParseFlags(flags), in.lastYear(acs.Tract))
	return q, address.Check(q.given)
}

func (s *Server) addressTask() task[addressQuery, *address.Match] {
	return task[addressQuery, *address.Match]{
		meter: s.meter("address"),
		allow: func(id *billing.Identity, q *addressQuery) error { return id.CheckAddress(q.given) },
		input: (*addressQuery).input,
		quote: func(q *addressQuery) billing.Cost {
			return billing.QuoteAddress(billing.AddressMatch{Coordinates: q.include.Coordinates, Flags: q.include.Enrichments()})
		},
		work: func(ctx context.Context, db DB, q *addressQuery, _ time.Time) (*address.Match, error) {
			m, err := db.MatchAddress(ctx, q.given, address.Options{Include: q.include})
			q.missed = address.Unmatched(err)
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
		cost: "1, and 1 each for requested coordinates, each delivered boundary, and each delivered tract profile and year. " +
			"Not matched: 1, and 1 for coordinates.",
	}
}

// address is /v2/address, which matches an address with a ZIP+4 record.
func (s *Server) address() operation[addressQuery, envelope.AddressRequest, *address.Match] {
	return operation[addressQuery, envelope.AddressRequest, *address.Match]{
		path:    "/v2/address",
		summary: "The corrected and standardized ZIP+4 record of a US address, with enrichments.",
		params:  []*param{paramAddress, paramAddressFlags},
		task:    s.addressTask(),
		parse:   parseAddress,
		echo: func(q *addressQuery) envelope.AddressRequest {
			return envelope.AddressRequest{Address: q.given, Include: q.flags}
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
			q.lacking = m.Unavailable()
			m.Notices = withoutUnavailable(m.Notices) // reported once for the whole batch
		}
		return m, err
	}
	t.price = func(q *addressQuery, m *address.Match) billing.Cost {
		return billing.ForAddress(q.include.Coordinates, m)
	}
	t.failures = nil
	return batch[addressQuery, envelope.AddressesRequest, *address.Match]{
		path:    "/v2/address/batch",
		summary: "The ZIP+4 records of up to 250 US addresses.",
		list:    paramAddresses,
		params:  []*param{paramAddressesFlags},
		task:    t,
		timeout: s.cfg.AddressBatchTimeout,
		begin: func(in *input, n int) (itemParser[addressQuery], envelope.AddressesRequest, error) {
			flags, _, err := in.flags(paramAddressesFlags)
			if err != nil {
				return nil, envelope.AddressesRequest{}, err
			}
			var shared addressQuery
			shared.read(flags, in.lastYear(acs.Tract))
			parse := func(el element) (q addressQuery, err error) {
				q = shared
				if q.given, err = el.text(paramAddress); err != nil {
					return q, err
				}
				return q, address.Check(q.given)
			}
			return parse, envelope.AddressesRequest{AddressesCount: n, Include: flags}, nil
		},
		same:      func(q *addressQuery) string { return address.Clean(q.given) },
		summarize: addressNotices,
	}
}

// missed returns the entry of an address without a match.
func missed(err error) *address.Match {
	m := &address.Match{Matched: lookup.False}
	m.Success = true
	if e := fault.As(err); e != nil {
		m.Notices = []envelope.Notice{{Code: e.ContractCode(), Message: e.ContractMessage(), Class: envelope.ClassMatch}}
	}
	return m
}

func withoutUnavailable(list []envelope.Notice) []envelope.Notice {
	var kept []envelope.Notice
	for _, n := range list {
		if n.Code != envelope.EnrichmentUnavailable {
			kept = append(kept, n)
		}
	}
	return kept
}

// addressNotices returns the notices about unavailable enrichments, addresses
// without a match, and unknown flags.
func addressNotices(items []batchItem[addressQuery]) []envelope.Notice {
	var unavailable []string
	var list []envelope.Notice
	missedSome := false
	for i := range items {
		q := &items[i].parsed
		missedSome = missedSome || q.missed && len(q.include.Enrichments()) > 0
		for _, f := range q.lacking {
			if !slices.Contains(unavailable, f) {
				unavailable = append(unavailable, f)
			}
		}
	}
	if len(unavailable) > 0 {
		list = append(list, envelope.UnavailableEnrichments(unavailable))
	}
	if missedSome {
		list = append(list, envelope.AddressUnmatched())
	}
	if len(items) > 0 && len(items[0].parsed.unknown) > 0 {
		list = append(list, envelope.UnknownEnrichments(items[0].parsed.unknown))
	}
	return list
}
