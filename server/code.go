package server

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

var paramCodes = &param{
	Name: "codes", Required: true, List: true, Help: "List of 1 to 100 codes.",
	Entry: operation.Lookup.Param("code"), Example: `["90210", "10118", "K1A 0B1"]`,
}

// notFoundCodes are the failures of lookups.
var notFoundCodes = []envelope.Code{
	envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal, envelope.NotFoundCoordsNoBoundary,
}

// A codeQuery is the parsed request of quick-zip and zip.
type codeQuery struct {
	operation.LookupInput
	code    lookup.Code
	quick   lookup.QuickOptions
	full    lookup.Options
	unknown []string // unknown flags
}

func (q *codeQuery) input() envelope.Input { return q.Echo() }

func (s *Server) quickTask() task[codeQuery, *lookup.QuickRecord] {
	return task[codeQuery, *lookup.QuickRecord]{
		meter: s.meter("quick-zip"),
		allow: func(id *billing.Identity, q *codeQuery) error { return checkCode(id, q.code) },
		input: (*codeQuery).input,
		quote: func(q *codeQuery) billing.Cost { return billing.QuoteQuickLookup(q.code, q.quick.Timezone) },
		work: func(ctx context.Context, db DB, q *codeQuery, at time.Time) (*lookup.QuickRecord, error) {
			opt := q.quick
			opt.At = at
			return db.QuickLookup(ctx, q.Code, opt)
		},
		price:  func(_ *codeQuery, r *lookup.QuickRecord) billing.Cost { return billing.ForQuickLookup(r) },
		failed: func(_ *codeQuery, err error) billing.Cost { return billing.ForQuickLookupError(err) },

		failures: notFoundCodes,
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
	}
}

// quickZIP is /v2/quick-zip, the place of a code.
func (s *Server) quickZIP() kind[codeQuery, operation.CodeRequest, operation.CodesRequest, *lookup.QuickRecord] {
	k := kindOfCode(operation.Quick, s.quickTask())
	k.read = func(_ *input, q *codeQuery) { q.quick, q.unknown = q.QuickOptions() }
	k.reword = operation.InBatch
	return k
}

func (s *Server) fullTask() task[codeQuery, *lookup.Record] {
	return task[codeQuery, *lookup.Record]{
		meter: s.meter("zip"),
		allow: func(id *billing.Identity, q *codeQuery) error { return checkCode(id, q.code) },
		input: (*codeQuery).input,
		quote: func(q *codeQuery) billing.Cost { return billing.QuoteLookup(q.code, q.full.Include) },
		work: func(ctx context.Context, db DB, q *codeQuery, at time.Time) (*lookup.Record, error) {
			opt := q.full
			opt.At = at
			return db.Lookup(ctx, q.Code, opt)
		},
		price:  func(_ *codeQuery, r *lookup.Record) billing.Cost { return billing.ForLookup(r) },
		failed: func(_ *codeQuery, err error) billing.Cost { return billing.ForError(err) },

		failures: notFoundCodes,
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
	}
}

// zip is /v2/zip, the full record of a code.
func (s *Server) zip() kind[codeQuery, operation.CodeRequest, operation.CodesRequest, *lookup.Record] {
	k := kindOfCode(operation.Lookup, s.fullTask())
	k.read = func(in *input, q *codeQuery) { q.full, q.unknown = q.Options(in.lastYear(acs.ZCTA)) }
	return k
}

// kindOfCode returns a lookup without the function that reads its options.
func kindOfCode[R entry](about *operation.Operation, t task[codeQuery, R]) kind[codeQuery, operation.CodeRequest, operation.CodesRequest, R] {
	return kind[codeQuery, operation.CodeRequest, operation.CodesRequest, R]{
		about: about, params: about.Params[1:], list: paramCodes, listed: about.Params[1:], task: t,
		input: func(q *codeQuery) any { return &q.LookupInput },
		set:   func(q *codeQuery, text string) { q.Code = text },
		check: func(q *codeQuery) (err error) {
			q.code, err = lookup.ParseCode(q.Code)
			return err
		},
		echo: func(q *codeQuery) operation.CodeRequest {
			return operation.CodeRequest{Code: q.code.String(), CodeType: string(q.code.Type()), Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		total: func(q *codeQuery, n int) operation.CodesRequest {
			return operation.CodesRequest{CodesCount: n, Include: q.Include, PlansRequest: q.EchoPlans()}
		},
		same:    func(q *codeQuery) string { return q.code.String() },
		notices: func(q *codeQuery) []envelope.Notice { return operation.Ignored(q.unknown) },
	}
}
