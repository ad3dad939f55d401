package operation

import (
	"strings"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// Place is the input of operations on one code or coordinate.
type Place struct {
	Code string `arg:"" join:"codes" is:"code" aliases:"zip,zipcode,zip_code,postal,postalcode,postal_code" example:"90210" help:"ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), Canadian postal code (K1A 0B1), or latitude,longitude."`

	Parsed lookup.Code `json:"-"` // by Check
}

func (p *Place) parse() (err error) {
	p.Parsed, err = lookup.ParseCode(p.Code)
	return err
}

// Same returns a text that is equal for duplicates.
func (p *Place) Same() string { return p.Parsed.String() }

// Echo returns the input as failed items repeat it.
func (p Place) Echo() envelope.Input { return envelope.Input{Code: p.Code} }

// Clock is the time of time zones.
type Clock struct {
	At time.Time `json:"-" placeholder:"WHEN" chars:"35" help:"Date and time of the time zones, in RFC 3339 form such as 2027-01-31T12:00:00Z. Default: now."`
}

// Start sets the time, if there is none, to that of the request.
func (c *Clock) Start(at time.Time) {
	if c.At.IsZero() {
		c.At = at
	}
}

// Plans selects the plans of districts.
type Plans struct {
	AsOf Day    `json:"as_of,omitzero" placeholder:"YYYY-MM-DD" chars:"10" help:"Day of the district plans. Default: today."`
	Plan string `json:"plan,omitzero" placeholder:"ID" chars:"40" help:"District plan, such as cd120."`
}

// Day is a day in UTC. The zero value is none.
type Day time.Time

// UnmarshalText reads a day in the form YYYY-MM-DD.
func (d *Day) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "as_of", Input: string(text), Range: "a day such as 2027-01-03"}
	}
	*d = Day(t)
	return nil
}

// IsZero reports whether there is no day.
func (d Day) IsZero() bool { return time.Time(d).IsZero() }

// MarshalText returns the text that UnmarshalText reads.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String returns the day in the form YYYY-MM-DD.
func (d Day) String() string { return time.Time(d).Format(time.DateOnly) }

// Ends are two places.
type Ends struct {
	From string `json:"from" required:"" is:"code" aliases:"origin,zip1" example:"90210" help:"Start: any code, or latitude,longitude."`
	To   string `json:"to" required:"" is:"code" aliases:"destination,zip2" example:"10001" help:"End: any code, or latitude,longitude."`
}

// Echo returns the input as failed items repeat it.
func (in Ends) Echo() envelope.Input { return envelope.Input{From: in.From, To: in.To} }

// Miles is a distance above 0.
type Miles geo.Miles

// UnmarshalText reads a number of miles.
func (m *Miles) UnmarshalText(text []byte) error {
	v, ok := ParseNumber(string(text))
	if !ok || v <= 0 {
		return &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "max", Input: string(text), Range: "a number of miles above 0"}
	}
	*m = Miles(v)
	return nil
}

// A LayerInput names a kind of area.
type LayerInput struct {
	Layer string `arg:"" is:"layer" help:"Kind: county, cousub, place, tract, bg, cbsa, cd, sldu, sldl, school, puma, urban, tribal, vtd; Canada: csd, ct, cma, er, fed."`
}

// ID returns the layer.
func (l LayerInput) ID() (lookup.Layer, error) {
	id, ok := lookup.ParseLayer(l.Layer)
	if !ok {
		var names []string
		for _, layer := range lookup.Layers() {
			names = append(names, string(layer))
		}
		return "", &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "layer", Input: l.Layer, Range: "one of " + strings.Join(names, ", ")}
	}
	return id, nil
}
