package operation

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// Lookup is the full record of a code.
var Lookup = define((*LookupInput).Run, Operation{
	Name: "lookup", Path: "/v2/zip", Batch: "/v2/zip/batch", Command: "lookup",
	Summary:  "Look up the full record of a code or coordinate.",
	Detail:   "It has identity, area codes, elevation, metro areas, city names and postal facts, and the requested enrichments.",
	Price:    "1, and 1 for each delivered enrichment, each ACS profile and year, and the resolution of a coordinate. Not found: 1.",
	Failures: notFoundCode,
})

// notFoundCode are the failures of lookups.
var notFoundCode = []envelope.Code{
	envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal, envelope.NotFoundCoordsNoBoundary,
}

// LookupInput is the input of [Lookup].
type LookupInput struct {
	Place
	LookupParams
	Flagged

	Opt lookup.Options `json:"-"` // by Check
}

// LookupParams are the parameters of [Lookup] for any number of codes.
type LookupParams struct {
	Include envelope.Flags `json:"include" values:"timezone,census,cd,state_leg,school_district,demographics,medicare,quality,cd_next,state_leg_next,likely,acs_demographic,acs_social,acs_economic,acs_housing" placeholder:"FLAG" short:"i" help:"Enrichments to add. An ACS profile can have a year, 2011 to 2024, as in acs_social_2019; default: the newest. quality is free. The flags cd_next and state_leg_next add the next plan, layers.NAME a layer, and likely the probability of each area of the other flags, or of all without one."`
	Clock
	Plans
}

// Options returns the options of the lookup and the unknown flags. ACS flags may
// have years up to last.
func (in *LookupParams) Options(last int) (o lookup.Options, unknown []string) {
	o, unknown = lookup.ParseOptions(in.Include, last)
	o.At, o.AsOf, o.Plan = in.At, time.Time(in.AsOf), in.Plan
	return o, unknown
}

// Check parses the code and the flags.
func (in *LookupInput) Check(ctx context.Context, db DB) error {
	in.options(ctx, db)
	return in.parse()
}

// options returns the options, which Check may have parsed: the server calls it before the
// price, other front ends do not.
func (in *LookupInput) options(ctx context.Context, db DB) lookup.Options {
	if !in.Parsed.IsValid() { // Check parses the code last
		in.Opt, in.Unknown = in.Options(LastYear(ctx, db, acs.ZCTA))
	}
	in.Opt.At = in.At
	return in.Opt
}

// Run looks up the code.
func (in *LookupInput) Run(ctx context.Context, db DB) (*lookup.Record, error) {
	return db.Lookup(ctx, in.Code, in.options(ctx, db))
}

// Quick is the short record of a code.
var Quick = define((*QuickInput).Run, Operation{
	Name: "quick_lookup", Path: "/v2/quick-zip", Batch: "/v2/quick-zip/batch", Command: "lookup",
	Summary: "Look up the place of a code or coordinate: city, state, county and location.",
	Detail:  "It is short and fast. A postal code that is not in the dataset gets its FSA.",
	Params: []*Param{Lookup.Param("code"), Lookup.Param("include").But(func(p *Param) {
		p.Values, p.Help = p.Values[:1], "timezone adds the time zone of the code's point."
	}), Lookup.Param("at")},
	Price: "Base × (1 + timezone + reverse_geocode); the base is 2 for a ZIP+4 and 1 for every other code, " +
		"and a coordinate counts as reverse_geocode. Not found: 1, of a coordinate 2.",
	Failures: notFoundCode,
})

// QuickInput is the input of [Quick].
type QuickInput struct { // begins like LookupInput: its parameters have indexes of fields of that
	Place
	LookupParams
	Flagged
}

// QuickOptions returns the options of a quick lookup and the unknown flags.
func (in *LookupParams) QuickOptions() (o lookup.QuickOptions, unknown []string) {
	timezone, unknown := onlyTimezone(in.Include)
	return lookup.QuickOptions{Timezone: timezone, At: in.At}, unknown
}

// Check parses the code and the flags.
func (in *QuickInput) Check(context.Context, DB) error {
	_, in.Unknown = in.QuickOptions()
	return in.parse()
}

// Run looks up the code.
func (in *QuickInput) Run(ctx context.Context, db DB) (*lookup.QuickRecord, error) {
	var o lookup.QuickOptions
	o, in.Unknown = in.QuickOptions()
	return db.QuickLookup(ctx, in.Code, o)
}

// onlyTimezone reports whether flags include timezone, and returns the others.
func onlyTimezone(flags envelope.Flags) (timezone bool, unknown []string) {
	for _, f := range flags {
		if f == "timezone" {
			timezone = true
		} else {
			unknown = append(unknown, f)
		}
	}
	return timezone, unknown
}
