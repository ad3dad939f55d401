package server

import (
	"context"
	"slices"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

var paramCode = &param{
	name: "code", required: true, chars: lookup.MaxCodeLength,
	aliases: []string{"zip", "zipcode", "zip_code", "postal", "postalcode", "postal_code"},
	doc:     "ZIP, ZIP+4, FSA or Canadian postal code.",
}

var (
	paramQuickInclude = &param{name: "include", list: true, doc: "timezone adds the time zone of the code's point."}
	paramInclude      = &param{name: "include", list: true, doc: "Enrichments, divided by commas; timezone is one."}
)

// A codeQuery is the parsed request of the two routes that look up one code.
type codeQuery struct {
	given   string // as the caller wrote it
	code    lookup.Code
	flags   envelope.Flags
	include lookup.Include
	unknown []string // flags without a meaning on the route
}

func (q *codeQuery) echo() envelope.CodeRequest {
	return envelope.CodeRequest{Code: q.code.String(), CodeType: q.code.Type().String(), Include: q.flags}
}

func (q *codeQuery) input() envelope.Input { return envelope.Input{Code: q.given} }

func (q *codeQuery) notices() []envelope.Notice {
	if len(q.unknown) == 0 {
		return nil
	}
	return []envelope.Notice{envelope.UnknownEnrichments(q.unknown)}
}

func parseCodeQuery(in *input, include *param) (q codeQuery, err error) {
	if q.given, err = in.text(paramCode); err != nil {
		return q, err
	}
	if q.flags, err = in.flags(include); err != nil {
		return q, err
	}
	q.code, err = lookup.ParseCode(q.given)
	return q, err
}

// quickZIP is /v2/quick-zip: which place is this code?
func (s *Server) quickZIP() operation[codeQuery, envelope.CodeRequest, *lookup.QuickRecord] {
	return operation[codeQuery, envelope.CodeRequest, *lookup.QuickRecord]{
		path:    "/v2/quick-zip",
		summary: "Which place a code is: city, state, county and location.",
		params:  []*param{paramCode, paramQuickInclude},
		parse: func(in *input) (codeQuery, error) {
			q, err := parseCodeQuery(in, paramQuickInclude)
			q.include.Timezone = slices.Contains(q.flags, flagTimezone)
			for _, f := range q.flags {
				if f != flagTimezone {
					q.unknown = append(q.unknown, f)
				}
			}
			return q, err
		},
		echo:    (*codeQuery).echo,
		input:   (*codeQuery).input,
		notices: (*codeQuery).notices,
		quote: func(q *codeQuery) billing.Cost {
			return billing.QuoteQuickLookup(q.code, q.include.Timezone)
		},
		work: func(ctx context.Context, q *codeQuery) (*lookup.QuickRecord, error) {
			return s.db.QuickLookup(ctx, q.given, lookup.QuickOptions{Timezone: q.include.Timezone})
		},
		price:  func(_ *codeQuery, r *lookup.QuickRecord) billing.Cost { return billing.ForQuickLookup(r) },
		failed: func(_ *codeQuery, err error) billing.Cost { return billing.ForQuickLookupError(err) },
	}
}

const flagTimezone = "timezone"

// zip is /v2/zip: everything about this code.
func (s *Server) zip() operation[codeQuery, envelope.CodeRequest, *lookup.Record] {
	return operation[codeQuery, envelope.CodeRequest, *lookup.Record]{
		path:    "/v2/zip",
		summary: "Everything that identifies a code, and the enrichments that are asked for.",
		params:  []*param{paramCode, paramInclude},
		parse: func(in *input) (codeQuery, error) {
			q, err := parseCodeQuery(in, paramInclude)
			q.include, q.unknown = lookup.ParseInclude(q.flags)
			return q, err
		},
		echo:    (*codeQuery).echo,
		input:   (*codeQuery).input,
		notices: (*codeQuery).notices,
		quote:   func(q *codeQuery) billing.Cost { return billing.QuoteLookup(q.code, q.include) },
		work: func(ctx context.Context, q *codeQuery) (*lookup.Record, error) {
			return s.db.Lookup(ctx, q.given, lookup.Options{Include: q.include})
		},
		price:  func(_ *codeQuery, r *lookup.Record) billing.Cost { return billing.ForLookup(r) },
		failed: func(_ *codeQuery, err error) billing.Cost { return billing.ForLookupError(err) },
	}
}
