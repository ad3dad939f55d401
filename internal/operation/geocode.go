package operation

import (
	"context"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/envelope"
)

// Geocode finds the position of an address.
var Geocode = New[GeocodeInput, *postgeo.GeocodeResult](Operation{
	Name: "geocode", Command: "geocode", Absent: "not part of the contract",
	Summary: "Find the position of a US or Canadian address or street crossing.",
	Detail:  "The precision is point, interpolated, intersection, street, zip or city; 90 % of positions are within the radius.",
})

// GeocodeInput is the input of [Geocode].
type GeocodeInput struct {
	Address string `arg:"" join:"text" example:"350 5th Ave, New York, NY 10118" help:"An address or a street crossing on one line."`
	GeocodeParams
}

// GeocodeParams are the parameters of [Geocode] for any number of addresses.
type GeocodeParams struct {
	Offset float64 `least:"-1" most:"100" default:"8" placeholder:"METERS" help:"Distance of interpolated positions from the middle of the street, in meters. Negative means none."`
}

// Options returns the options of the search.
func (in *GeocodeParams) Options() postgeo.GeocodeOptions {
	if in.Offset == 0 {
		return postgeo.GeocodeOptions{Offset: -1}
	}
	return postgeo.GeocodeOptions{Offset: geo.Meters(in.Offset)}
}

// Echo returns the input as failed items repeat it.
func (in *GeocodeInput) Echo() envelope.Input { return envelope.Input{Address: in.Address} }

// Run finds the position.
func (in *GeocodeInput) Run(ctx context.Context, db *postgeo.DB) (*postgeo.GeocodeResult, error) {
	return db.Geocode(ctx, in.Address, in.Options())
}

// Reverse finds the address nearest to a point.
var Reverse = New[ReverseInput, *postgeo.ReverseResult](Operation{
	Name: "reverse", Command: "reverse", Absent: "not part of the contract",
	Summary: "Find the address nearest to a point.",
	Detail:  "The nearest address point or street segment gives the number.",
})

// ReverseInput is the input of [Reverse].
type ReverseInput struct {
	Point string `arg:"" join:"text" example:"40.7484,-73.9857" help:"Latitude and longitude in degrees."`
	ReverseParams
}

// ReverseParams are the parameters of [Reverse] for any number of points.
type ReverseParams struct {
	Within float64 `least:"1" most:"5000" default:"500" placeholder:"METERS" help:"Maximum distance of the address, in meters."`
}

// Options returns the options of the search.
func (in *ReverseParams) Options() postgeo.ReverseOptions {
	return postgeo.ReverseOptions{Within: geo.Meters(in.Within)}
}

// Echo returns the input as failed items repeat it.
func (in *ReverseInput) Echo() envelope.Input { return envelope.Input{Code: in.Point} }

// Run finds the address.
func (in *ReverseInput) Run(ctx context.Context, db *postgeo.DB) (*postgeo.ReverseResult, error) {
	at, err := geo.ParseLatLng(in.Point)
	if err != nil {
		return nil, err
	}
	return db.Reverse(ctx, at, in.Options())
}
