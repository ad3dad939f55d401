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

func (q *codeQuery) echo() envelope.CodeRequest {
	return envelope.CodeRequest{Code: q.code.String(), CodeType: string(q.code.Type()), Include: q.Include, PlansRequest: q.EchoPlans()}
}

func (q *codeQuery) input() envelope.Input { return q.Echo() }

func (q *codeQuery) notices() []envelope.Notice { return operation.Ignored(q.unknown) }

// parse parses the parameters. The function read parses the flags.
func (q *codeQuery) parse(in *input, about *operation.Operation, read func(q *codeQuery, in *input)) (err error) {
	if err = in.fill(&q.LookupInput, about.Param("code")); err != nil {
		return err
	}
	if err = in.fill(&q.LookupInput, about.Params[1:]...); err != nil {
		return err
	}
	read(q, in)
	q.code, err = lookup.ParseCode(q.Code)
	return err
}

// readQuick parses the flags of quick-zip.
func (q *codeQuery) readQuick(*input) { q.quick, q.unknown = q.QuickOptions() }

// readFull parses the flags of zip.
func (q *codeQuery) readFull(in *input) { q.full, q.unknown = q.Options(in.lastYear(acs.ZCTA)) }

func (s *Server) quickTask() task[codeQuery, *lookup.QuickRecord] {
	return task[codeQuery, *lookup.QuickRecord]{
		meter: s.meter("quick-zip"),
		allow: func(id *billing.Identity, q *codeQuery) error { return id.CheckCode(q.code) },
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
func (s *Server) quickZIP() single[codeQuery, envelope.CodeRequest, *lookup.QuickRecord] {
	return singleCode(operation.Quick, s.quickTask(), (*codeQuery).readQuick)
}

func (s *Server) quickZIPBatch() batch[codeQuery, envelope.CodesRequest, *lookup.QuickRecord] {
	b := batchOfCodes(operation.Quick, s.quickTask(), (*codeQuery).readQuick)
	b.reword = envelope.InBatch
	return b
}

func (s *Server) fullTask() task[codeQuery, *lookup.Record] {
	return task[codeQuery, *lookup.Record]{
		meter: s.meter("zip"),
		allow: func(id *billing.Identity, q *codeQuery) error { return id.CheckCode(q.code) },
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
func (s *Server) zip() single[codeQuery, envelope.CodeRequest, *lookup.Record] {
	return singleCode(operation.Lookup, s.fullTask(), (*codeQuery).readFull)
}

func (s *Server) zipBatch() batch[codeQuery, envelope.CodesRequest, *lookup.Record] {
	return batchOfCodes(operation.Lookup, s.fullTask(), (*codeQuery).readFull)
}

// singleCode returns the route of a lookup. The function read parses the flags.
func singleCode[R any](about *operation.Operation, t task[codeQuery, R], read func(q *codeQuery, in *input)) single[codeQuery, envelope.CodeRequest, R] {
	return single[codeQuery, envelope.CodeRequest, R]{
		about:  about,
		params: about.Params,
		task:   t,
		parse: func(in *input) (q codeQuery, err error) {
			err = q.parse(in, about, read)
			return q, err
		},
		echo:    (*codeQuery).echo,
		notices: (*codeQuery).notices,
	}
}

func batchOfCodes[R entry](about *operation.Operation, t task[codeQuery, R], read func(q *codeQuery, in *input)) batch[codeQuery, envelope.CodesRequest, R] {
	return batch[codeQuery, envelope.CodesRequest, R]{
		about:  about,
		list:   paramCodes,
		params: about.Params[1:],
		task:   t,
		begin: func(in *input, n int) (itemParser[codeQuery], envelope.CodesRequest, error) {
			var shared codeQuery
			if err := in.fill(&shared.LookupInput, about.Params[1:]...); err != nil {
				return nil, envelope.CodesRequest{}, err
			}
			read(&shared, in)
			parse := func(el element) (q codeQuery, err error) {
				q = shared
				if q.Code, err = el.text(paramCodes.Entry); err != nil {
					return q, err
				}
				q.code, err = lookup.ParseCode(q.Code)
				return q, err
			}
			return parse, envelope.CodesRequest{CodesCount: n, Include: shared.Include, PlansRequest: shared.EchoPlans()}, nil
		},
		same: func(q *codeQuery) string { return q.code.String() },
	}
}
