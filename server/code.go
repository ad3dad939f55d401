package server

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

var paramCode = &param{
	Name: "code", Required: true, Chars: lookup.MaxCodeLength,
	Aliases: []string{"zip", "zipcode", "zip_code", "postal", "postalcode", "postal_code"},
	Doc:     "ZIP, ZIP+4, FSA, Canadian postal code, or latitude,longitude.",
	Example: "90210", Codes: codeShapes,
}

// codeShapes are the failures of malformed codes.
var codeShapes = []envelope.Code{
	envelope.ValidationInvalidZIP, envelope.ValidationInvalidFSA, envelope.ValidationInvalidPostal, envelope.ValidationInvalidCoordinates,
}

// paramAt extends the contract.
var paramAt = &param{
	Name: "at", Chars: len("2027-01-31T12:00:00.123456789-00:00"),
	Doc: "Date and time of the time zones, in RFC 3339 form such as 2027-01-31T12:00:00Z. Default: now.",
}

var paramCodes = &param{
	Name: "codes", Required: true, List: true, Doc: "List of 1 to 100 codes.",
	Entry: paramCode, Example: `["90210", "10118", "K1A 0B1"]`,
}

var (
	paramQuickInclude = &param{Name: "include", List: true, Doc: "timezone adds the time zone of the code's point.", Values: []string{flagTimezone}}
	paramInclude      = &param{
		Name: "include", List: true,
		Doc:    "Enrichments, separated by commas. An ACS profile can have a year, 2011 to 2024, as in acs_social_2019; the default is the newest. quality is free.",
		Values: fullFlags(),
	}
)

// fullFlags are the flags of a full record, ACS profiles without years.
func fullFlags() []string {
	inc, _ := lookup.ParseInclude([]string{"acs_demographic", "acs_social", "acs_economic", "acs_housing"})
	inc.Timezone, inc.Census, inc.CongressionalDistrict, inc.StateLegislative = true, true, true, true
	inc.SchoolDistrict, inc.Demographics, inc.Medicare, inc.Quality = true, true, true, true
	return inc.Flags()
}

// notFoundCodes are the failures of lookups.
var notFoundCodes = []envelope.Code{
	envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal, envelope.NotFoundCoordsNoBoundary,
}

// A codeQuery is the parsed request of quick-zip and zip.
type codeQuery struct {
	given   string // as the caller wrote it
	code    lookup.Code
	flags   envelope.Flags
	include lookup.Include
	unknown []string // unknown flags
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
	if q.flags, _, err = in.flags(include); err != nil {
		return q, err
	}
	q.code, err = lookup.ParseCode(q.given)
	return q, err
}

// readQuickFlags parses the flags of quick-zip.
func (q *codeQuery) readQuickFlags(*input) {
	for _, f := range q.flags {
		if f == flagTimezone {
			q.include.Timezone = true
		} else {
			q.unknown = append(q.unknown, f)
		}
	}
}

// readFlags parses the flags of zip.
func (q *codeQuery) readFlags(in *input) {
	q.include, q.unknown = lookup.ParseIncludeUntil(q.flags, in.lastYear(acs.ZCTA))
}

const flagTimezone = "timezone"

func (s *Server) quickTask() task[codeQuery, *lookup.QuickRecord] {
	return task[codeQuery, *lookup.QuickRecord]{
		meter: s.meter("quick-zip"),
		allow: func(id *billing.Identity, q *codeQuery) error { return id.CheckCode(q.code) },
		input: (*codeQuery).input,
		quote: func(q *codeQuery) billing.Cost { return billing.QuoteQuickLookup(q.code, q.include.Timezone) },
		work: func(ctx context.Context, db DB, q *codeQuery, at time.Time) (*lookup.QuickRecord, error) {
			return db.QuickLookup(ctx, q.given, lookup.QuickOptions{Timezone: q.include.Timezone, At: at})
		},
		price:  func(_ *codeQuery, r *lookup.QuickRecord) billing.Cost { return billing.ForQuickLookup(r) },
		failed: func(_ *codeQuery, err error) billing.Cost { return billing.ForQuickLookupError(err) },

		failures: notFoundCodes,
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
		cost: "Base × (1 + timezone + reverse_geocode); the base is 2 for a ZIP+4 and 1 for every other code, " +
			"and a coordinate counts as reverse_geocode. Not found: 1, of a coordinate 2.",
	}
}

// quickZIP is /v2/quick-zip, the place of a code.
func (s *Server) quickZIP() operation[codeQuery, envelope.CodeRequest, *lookup.QuickRecord] {
	return operation[codeQuery, envelope.CodeRequest, *lookup.QuickRecord]{
		path:    "/v2/quick-zip",
		summary: "The place of a code: city, state, county and location.",
		params:  []*param{paramCode, paramQuickInclude, paramAt},
		task:    s.quickTask(),
		parse: func(in *input) (codeQuery, error) {
			q, err := parseCodeQuery(in, paramQuickInclude)
			q.readQuickFlags(in)
			return q, err
		},
		echo:    (*codeQuery).echo,
		notices: (*codeQuery).notices,
	}
}

// quickZIPBatch is /v2/quick-zip/batch.
func (s *Server) quickZIPBatch() batch[codeQuery, envelope.CodesRequest, *lookup.QuickRecord] {
	return batch[codeQuery, envelope.CodesRequest, *lookup.QuickRecord]{
		path:    "/v2/quick-zip/batch",
		summary: "The places of up to 100 codes.",
		list:    paramCodes,
		params:  []*param{paramQuickInclude, paramAt},
		task:    s.quickTask(),
		begin:   beginCodes(paramQuickInclude, (*codeQuery).readQuickFlags),
		same:    func(q *codeQuery) string { return q.code.String() },
	}
}

func (s *Server) fullTask() task[codeQuery, *lookup.Record] {
	return task[codeQuery, *lookup.Record]{
		meter: s.meter("zip"),
		allow: func(id *billing.Identity, q *codeQuery) error { return id.CheckCode(q.code) },
		input: (*codeQuery).input,
		quote: func(q *codeQuery) billing.Cost { return billing.QuoteLookup(q.code, q.include) },
		work: func(ctx context.Context, db DB, q *codeQuery, at time.Time) (*lookup.Record, error) {
			return db.Lookup(ctx, q.given, lookup.Options{Include: q.include, At: at})
		},
		price:  func(_ *codeQuery, r *lookup.Record) billing.Cost { return billing.ForLookup(r) },
		failed: func(_ *codeQuery, err error) billing.Cost { return billing.ForLookupError(err) },

		failures: notFoundCodes,
		refusals: []envelope.Code{envelope.AuthTestKeyRestricted},
		cost:     "1, and 1 for each delivered enrichment, each ACS profile and year, and the resolution of a coordinate. Not found: 1.",
	}
}

// zip is /v2/zip, the full record of a code.
func (s *Server) zip() operation[codeQuery, envelope.CodeRequest, *lookup.Record] {
	return operation[codeQuery, envelope.CodeRequest, *lookup.Record]{
		path:    "/v2/zip",
		summary: "The full record of a code, with the requested enrichments.",
		params:  []*param{paramCode, paramInclude, paramAt},
		task:    s.fullTask(),
		parse: func(in *input) (codeQuery, error) {
			q, err := parseCodeQuery(in, paramInclude)
			q.readFlags(in)
			return q, err
		},
		echo:    (*codeQuery).echo,
		notices: (*codeQuery).notices,
	}
}

// zipBatch is /v2/zip/batch.
func (s *Server) zipBatch() batch[codeQuery, envelope.CodesRequest, *lookup.Record] {
	return batch[codeQuery, envelope.CodesRequest, *lookup.Record]{
		path:    "/v2/zip/batch",
		summary: "The full records of up to 100 codes, with the same enrichments for all.",
		list:    paramCodes,
		params:  []*param{paramInclude, paramAt},
		task:    s.fullTask(),
		begin:   beginCodes(paramInclude, (*codeQuery).readFlags),
		same:    func(q *codeQuery) string { return q.code.String() },
	}
}

// beginCodes parses the enrichments of a batch. The function read parses the
// flags.
func beginCodes(include *param, read func(q *codeQuery, in *input)) func(in *input, n int) (itemParser[codeQuery], envelope.CodesRequest, error) {
	return func(in *input, n int) (itemParser[codeQuery], envelope.CodesRequest, error) {
		var shared codeQuery
		var err error
		if shared.flags, _, err = in.flags(include); err != nil {
			return nil, envelope.CodesRequest{}, err
		}
		read(&shared, in)
		parse := func(el element) (q codeQuery, err error) {
			q = shared
			if q.given, err = el.text(paramCode); err != nil {
				return q, err
			}
			q.code, err = lookup.ParseCode(q.given)
			return q, err
		}
		return parse, envelope.CodesRequest{CodesCount: n, Include: shared.flags}, nil
	}
}
