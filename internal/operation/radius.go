package operation

import (
	"context"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// Radius is the search for the codes around a center.
var Radius = define((*RadiusInput).Run, Operation{
	Name: "radius", Path: "/v2/radius", Batch: "/v2/radius/batch", Command: "radius",
	Summary: "Find the codes around a code or coordinate.",
	Detail:  "Matches are sorted by distance, with counts. An ACS profile is summed up over all US ZIP Codes inside, regardless of limit.",
	Price: "1 for every 100 miles of max or part of them (50 in spatial mode), × (1 + each distinct flag + auto_radius). " +
		"Matches, and flags that cannot be served, cost nothing. Unknown center: 1.",
	Failures: notFoundCode[:3],
})

// RadiusInput is the input of [Radius].
type RadiusInput struct {
	Place
	RadiusParams
	Flagged

	Index *int           `json:"-"` // in a batch, for failed items
	Opt   radius.Options `json:"-"` // by Check
	Miles geo.Miles      `json:"-"` // radius in effect; 0 if it is automatic and not known
}

// Echo returns the input as failed items repeat it.
func (in *RadiusInput) Echo() envelope.Input {
	if in.Index == nil {
		return in.Place.Echo()
	}
	return envelope.Input{Index: in.Index, Code: in.Code, Max: in.Max.Echo()}
}

// Same returns a text that is equal for duplicates.
func (in *RadiusInput) Same() string {
	parts := []string{in.Parsed.String(), in.Max.String(), strconv.FormatFloat(float64(in.Opt.Min), 'g', -1, 64), strconv.Itoa(in.Opt.Limit)}
	return strings.Join(append(parts, in.Include...), "\n")
}

// RadiusParams are the parameters of [Radius] for any number of centers.
type RadiusParams struct {
	Max     Reach          `required:"" aliases:"radius,distance,miles" values:"auto,auto-commute" most:"500" example:"10" placeholder:"MILES" help:"Radius in miles, above 0 and at most 500 (250 in spatial mode); or auto (by density), or auto-commute (by travel time to work)."`
	Min     *geo.Miles     `range:"at least 0 miles and below max" default:"0" placeholder:"MILES" help:"Excluded miles around the center, less than max."`
	Mode    radius.Mode    `values:"centroid,spatial" default:"centroid" placeholder:"MODE" help:"centroid finds ZIPs and postal codes by their points; spatial finds ZIPs and FSAs by their areas, with the share inside."`
	Limit   *int           `least:"1" placeholder:"N" help:"Maximum number of matches, nearest first."`
	Include envelope.Flags `values:"timezone,acs_demographic,acs_social,acs_economic,acs_housing" placeholder:"FLAG" short:"i" help:"timezone adds the time zone of each match. An ACS profile is summed up over all US ZIP Codes inside, in stats. It can have a year, as in acs_social_2019. layers.NAME adds a layer to matches."`
	Clock
}

// Options returns the options of the search and the unknown flags. ACS flags may
// have years up to last.
func (in *RadiusParams) Options(last int) (o radius.Options, unknown []string) {
	o = radius.Options{Max: in.Max.Miles, Auto: in.Max.Auto, Mode: in.Mode, At: in.At}
	if in.Min != nil {
		o.Min, o.EchoMin = *in.Min, true
	}
	if in.Limit != nil {
		o.Limit = *in.Limit
	}
	o.Include, unknown = radius.ParseInclude(in.Include, last)
	return o, unknown
}

// Check parses the code and the flags, and checks the bounds.
func (in *RadiusInput) Check(ctx context.Context, db DB) error {
	in.Miles = in.options(ctx, db).Max
	if err := in.parse(); err != nil {
		return err
	}
	return in.Opt.Check()
}

// options returns the options, which Check may have parsed.
func (in *RadiusInput) options(ctx context.Context, db DB) radius.Options {
	if !in.Parsed.IsValid() {
		in.Opt, in.Unknown = in.Options(LastYear(ctx, db, acs.ZCTA))
	}
	in.Opt.At = in.At
	return in.Opt
}

// Run searches.
func (in *RadiusInput) Run(ctx context.Context, db DB) (*radius.Result, error) {
	return db.Radius(ctx, in.Code, in.options(ctx, db))
}

// A Reach is a number of miles or an automatic radius.
type Reach struct {
	Miles geo.Miles
	Auto  radius.Auto
}

// Numeric marks a type of numbers and texts.
func (Reach) Numeric() {}

// UnmarshalText is [radius.ParseMax].
func (r *Reach) UnmarshalText(text []byte) (err error) {
	*r = Reach{}
	r.Miles, r.Auto, err = radius.ParseMax(string(text))
	return err
}

// String returns the text that UnmarshalText reads.
func (r Reach) String() string {
	if e := r.Echo(); e != nil && e.Auto != "" {
		return e.Auto
	}
	return strconv.FormatFloat(float64(r.Miles), 'g', -1, 64)
}

// Echo returns the value as requests repeat it.
func (r Reach) Echo() *envelope.RadiusMax {
	switch {
	case r.Auto == radius.Commute:
		return &envelope.RadiusMax{Auto: "auto-commute"}
	case r.Auto != "":
		return &envelope.RadiusMax{Auto: "auto"}
	case r.Miles != 0:
		return &envelope.RadiusMax{Miles: float64(r.Miles)}
	default:
		return nil
	}
}
