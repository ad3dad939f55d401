package operation

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

const pricePlace = "1, and 1 for each delivered boundary and each delivered tract profile and year. Not found: 1."

// Geocode finds the position of an address.
var Geocode = define((*GeocodeInput).Run, Operation{
	Name: "geocode", Path: "/v2/geocode", Batch: "/v2/geocode/batch", Command: "geocode",
	Summary: "Find the position of a US or Canadian address or street crossing.",
	Detail: "The precision is point, interpolated, intersection, street, zip or city. The radius is expected to hold 90 % of the errors. " +
		"Notices name each part of the input that the position contradicts: ZIP_CORRECTED, CITY_CORRECTED, STATE_CORRECTED, STREET_CORRECTED.",
	Price: pricePlace, Failures: []envelope.Code{envelope.Ambiguous, envelope.NotFound},
})

// GeocodeInput is the input of [Geocode].
type GeocodeInput struct {
	Address string `json:"address" arg:"" join:"text" is:"address" aliases:"addr,street" example:"350 5th Ave, New York, NY 10118" help:"An address or a street crossing on one line, of 9 to 300 characters after cleanup."`
	GeocodeParams
	Around
}

// GeocodeParams are the parameters of [Geocode] for any number of addresses.
type GeocodeParams struct {
	Offset float64 `json:"offset" least:"-1" most:"100" default:"8" placeholder:"METERS" help:"Distance of interpolated positions from the middle of the street, in meters. Negative means none."`
	PlaceParams
}

// PlaceParams are the parameters of areas around a position.
type PlaceParams struct {
	Include envelope.Flags `json:"include" values:"census,cd,state_leg,school_district,cd_next,state_leg_next,likely,acs_tract_demographic,acs_tract_social,acs_tract_economic,acs_tract_housing" placeholder:"FLAG" short:"i" help:"Areas around the position, if its precision is point, interpolated or intersection. likely adds the probability of each area of the other flags, or of all without one, also for street and zip. Profiles of the tract can have a year, 2024, 2023 or 2022, as in acs_tract_social_2023. layers.NAME adds a layer."`
	Plans
}

// Areas returns the requested areas and the unknown flags. Flags of tract profiles
// may have years up to last.
func (in *PlaceParams) Areas(last int) (o address.Options, unknown []string) {
	o, unknown = address.ParseOptions(in.Include, last)
	o.AsOf, o.Plan = time.Time(in.AsOf), in.Plan
	if o.Include.Coordinates { // a flag of /v2/address alone: positions always have them
		o.Include.Coordinates, unknown = false, append(unknown, "coordinates")
	}
	return o, unknown
}

// Options returns the options of the search and the unknown flags.
func (in *GeocodeParams) Options(last int) (o geocode.Options, unknown []string) {
	if o.Offset = geo.Meters(in.Offset); o.Offset == 0 {
		o.Offset = -1 // the library's 0 is its default of 8 meters; -1 is none
	}
	a, unknown := in.Areas(last)
	o.Include, o.Likely, o.AsOf, o.Plan = a.Include, a.Likely, a.AsOf, a.Plan
	return o, unknown
}

// Echo returns the input as failed items repeat it.
func (in *GeocodeInput) Echo() envelope.Input { return envelope.Input{Address: in.Address} }

// Same returns a text that is equal for duplicates.
func (in *GeocodeInput) Same() string { return address.Clean(in.Address) }

// Check parses the flags and checks the length of the address.
func (in *GeocodeInput) Check(ctx context.Context, db DB) error {
	in.Wanted, in.Unknown = in.Areas(LastYear(ctx, db, acs.Tract))
	return address.Check(in.Address)
}

// Run finds the position.
func (in *GeocodeInput) Run(ctx context.Context, db DB) (*geocode.Result, error) {
	var o geocode.Options
	o, in.Unknown = in.Options(LastYear(ctx, db, acs.Tract))
	o.At = in.At
	return db.Geocode(ctx, in.Address, o)
}

// Reverse finds the address nearest to a point.
var Reverse = define((*ReverseInput).Run, Operation{
	Name: "reverse", Path: "/v2/reverse", Batch: "/v2/reverse/batch", Command: "reverse",
	Summary: "Find the address nearest to a point.",
	Detail:  "The nearest address point or street segment gives the number.",
	Price:   pricePlace, Failures: []envelope.Code{envelope.NotFound},
})

// ReverseInput is the input of [Reverse].
type ReverseInput struct {
	Point string `json:"point" arg:"" join:"text" is:"point" example:"40.7484,-73.9857" help:"Latitude and longitude in degrees."`
	ReverseParams
	Around

	Parsed lookup.Code `json:"-"` // by Check
}

// ReverseParams are the parameters of [Reverse] for any number of points.
type ReverseParams struct {
	Within float64 `json:"within" least:"1" most:"5000" default:"500" placeholder:"METERS" help:"Maximum distance of the address, in meters."`
	PlaceParams
}

// Options returns the options of the search and the unknown flags.
func (in *ReverseParams) Options(last int) (o geocode.ReverseOptions, unknown []string) {
	o.Within = geo.Meters(in.Within)
	a, unknown := in.Areas(last)
	o.Include, o.Likely, o.AsOf, o.Plan = a.Include, a.Likely, a.AsOf, a.Plan
	return o, unknown
}

// ParsePoint parses latitude and longitude.
func ParsePoint(text string) (lookup.Code, error) {
	c, err := lookup.ParseCode(text)
	if err != nil || c.Type() != lookup.Coordinates {
		return lookup.Code{}, &envelope.Failure{Op: "reverse", Kind: envelope.KindInvalidCode, Thing: envelope.ThingCoordinates, Input: text}
	}
	return c, nil
}

// Same returns a text that is equal for duplicates.
func (in *ReverseInput) Same() string { return in.Parsed.String() }

// Check parses the point and the flags.
func (in *ReverseInput) Check(ctx context.Context, db DB) (err error) {
	in.Wanted, in.Unknown = in.Areas(LastYear(ctx, db, acs.Tract))
	in.Parsed, err = ParsePoint(in.Point)
	return err
}

// Echo returns the input as failed items repeat it.
func (in *ReverseInput) Echo() envelope.Input { return envelope.Input{Code: in.Point} }

// Run finds the address.
func (in *ReverseInput) Run(ctx context.Context, db DB) (*geocode.Nearest, error) {
	at, err := ParsePoint(in.Point)
	if err != nil {
		return nil, err
	}
	var o geocode.ReverseOptions
	o, in.Unknown = in.Options(LastYear(ctx, db, acs.Tract))
	o.At = in.At
	return db.Reverse(ctx, at.LatLng(), o)
}
