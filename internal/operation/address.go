package operation

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
)

// Address matches a US address.
var Address = define((*AddressInput).Run, Operation{
	Name: "match_address", Path: "/v2/address", Batch: "/v2/address/batch", Command: "address",
	Summary: "Match a US address to its ZIP+4 record.",
	Detail:  "The result has the corrected and standardized form and the confidence, and the requested enrichments. The house number is never changed.",
	Price: "1, and 1 each for requested coordinates, each delivered boundary, and each delivered tract profile and year. " +
		"Not matched: 1, and 1 for coordinates.",
	Failures: []envelope.Code{envelope.InsufficientInput, envelope.Ambiguous, envelope.NotFound},
})

// AddressLine is the address itself.
type AddressLine struct {
	Address string `json:"address" arg:"" join:"addresses" is:"address" aliases:"addr,street" example:"101 N Aspen Dr Ste 101, New York, NY 10118" help:"A US address on one line, of 9 to 300 characters after cleanup. City and state are optional with a ZIP Code."`
}

// Same returns a text that is equal for duplicates.
func (in AddressLine) Same() string { return address.Clean(in.Address) }

// Echo returns the input as failed items repeat it.
func (in AddressLine) Echo() envelope.Input { return envelope.Input{Address: in.Address} }

// AddressInput is the input of [Address].
type AddressInput struct {
	AddressLine
	AddressParams
	Around
}

// Around are the areas around an address that its flags request.
type Around struct {
	Flagged
	At     time.Time       `json:"-"` // of the plans; default: now
	Wanted address.Options `json:"-"` // by Check
}

// Start sets the time to that of the request.
func (a *Around) Start(at time.Time) { a.At = at }

// Asked returns the areas that Check found.
func (a *Around) Asked() *Around { return a }

// AddressParams are the parameters of [Address] for any number of addresses.
type AddressParams struct {
	Include envelope.Flags `json:"include" values:"coordinates,census,cd,state_leg,school_district,cd_next,state_leg_next,likely,acs_tract_demographic,acs_tract_social,acs_tract_economic,acs_tract_housing" example:"coordinates,cd" placeholder:"FLAG" short:"i" help:"Enrichments at the matched point. likely adds the probability of each area of the other flags, or of all without one. Profiles of the tract can have a year, 2024, 2023 or 2022, as in acs_tract_social_2023. layers.NAME adds a layer."`
	Plans
}

// Options returns the options of the match and the unknown flags. Flags of tract
// profiles may have years up to last.
func (in *AddressParams) Options(last int) (o address.Options, unknown []string) {
	o, unknown = address.ParseOptions(in.Include, last)
	o.AsOf, o.Plan = time.Time(in.AsOf), in.Plan
	return o, unknown
}

// Check parses the flags and checks the length of the address.
func (in *AddressInput) Check(ctx context.Context, db DB) error {
	in.Wanted, in.Unknown = in.Options(LastYear(ctx, db, acs.Tract))
	return address.Check(in.Address)
}

// Run matches the address.
func (in *AddressInput) Run(ctx context.Context, db DB) (*address.Match, error) {
	var o address.Options
	o, in.Unknown = in.Options(LastYear(ctx, db, acs.Tract))
	o.At = in.At
	return db.MatchAddress(ctx, in.Address, o)
}
