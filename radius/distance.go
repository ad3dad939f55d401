package radius

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// A DistanceResult is the contract's distance item. Its Item carries the
// notices of both ends, those of From first.
type DistanceResult struct {
	envelope.Item
	From     End     `json:"from"`
	To       End     `json:"to"`
	Distance Length  `json:"distance"`
	Bearing  float64 `json:"bearing"` // degrees clockwise from north at From, 0 ≤ bearing < 360, 1 decimal
}

// A Length is a distance in two units, rounded to 2 decimals.
type Length struct {
	Miles geo.Miles      `json:"miles"` // rounded to 2 decimals
	Km    geo.Kilometers `json:"km"`    // kilometers, rounded to 2 decimals
}

func newLength(m geo.Meters) Length {
	return Length{
		Miles: geo.Miles(geo.Round(float64(m.Miles()), 2)),
		Km:    geo.Kilometers(geo.Round(float64(m.Kilometers()), 2)),
	}
}

// An End is one of the two places of a distance. A coordinate has no code; it has
// the country, city, state and county of the area that contains it, if any.
type End struct {
	Country   string           `json:"country,omitzero"`   // US or CA
	Code      string           `json:"code,omitzero"`      // canonical form
	CodeType  lookup.CodeType  `json:"code_type,omitzero"` // what kind of code it is
	City      string           `json:"city,omitzero"`      // city of the code, in proper case
	State     string           `json:"state,omitzero"`     // two letters
	County    string           `json:"county,omitzero"`    // official name
	Location  geo.LatLng       `json:"location"`           // in degrees of WGS84
	Timezone  *lookup.TimeZone `json:"timezone,omitzero"`
	InputType InputType        `json:"input_type"` // whether it was given as a code or as coordinates
}

// An InputType is the form in which a place was given.
type InputType string

// The forms of places.
const (
	InputCode        InputType = "code"
	InputCoordinates InputType = "coordinates"
)

// DistanceOptions configures a distance.
type DistanceOptions struct {
	At time.Time // start of the twelve months of time zone rules; zero means now
}

// Distance measures the geodesic between two codes or coordinates. For a full
// postal code that the dataset lacks, the point of its FSA is used, with a
// notice FALLBACK_USED. Coordinates are used with a notice COORDINATES_USED.
//
// The error is a [*envelope.Failure] whose Param is "from" or "to", the context's,
// or a failure of the dataset. From is checked before to.
func Distance(ctx context.Context, r *lookup.Reader, from, to string, opt DistanceOptions) (*DistanceResult, error) {
	if opt.At.IsZero() {
		opt.At = time.Now() // one time for both ends
	}
	out := new(measured)
	res := &out.DistanceResult
	if err := out.locate(ctx, r, &res.From, &out.zones[0], "from", from, opt.At); err != nil {
		// An invalid request is refused as a whole, but an unknown end is a
		// result. So an invalid form of the other end takes precedence.
		if _, shape := lookup.ParseCode(to); shape != nil && errors.Is(err, envelope.ErrNotFound) {
			return nil, atEnd("to", to, shape)
		}
		return nil, err
	}
	if err := out.locate(ctx, r, &res.To, &out.zones[1], "to", to, opt.At); err != nil {
		return nil, err
	}
	meters, bearing := geo.Inverse(res.From.Location, res.To.Location)
	res.Success = true
	res.Distance = newLength(meters)
	res.Bearing = geo.Round(float64(bearing), 1)
	if res.Bearing >= 360 {
		res.Bearing = 0
	}
	return res, nil
}

// A measured result has room for the time zones of its ends, so that it is a
// single allocation and shares nothing with other results.
type measured struct {
	DistanceResult
	zones [2]lookup.TimeZone
}

func (m *measured) locate(ctx context.Context, r *lookup.Reader, end *End, zone *lookup.TimeZone, param, input string, at time.Time) error {
	p, err := r.Locate(ctx, input)
	switch {
	case err != nil:
		return atEnd(param, input, err)
	case !p.Location.IsValid():
		c := lookup.MustParseCode(input)
		return &envelope.Failure{Op: opDistance, Kind: envelope.KindNotFound, Reason: envelope.ReasonPointless, Thing: c.Thing(), Param: param, Input: input}
	}
	m.Notices = append(m.Notices, p.Notices...)
	end.Location = p.Location
	end.Country = p.Country
	end.City = p.City
	end.State = p.State
	end.County = p.County
	if p.CodeType == lookup.Coordinates {
		end.InputType = InputCoordinates
	} else {
		end.InputType = InputCode
		end.Code = p.Code
		end.CodeType = p.CodeType
	}
	if t, ok := p.TimeZone(at); ok {
		*zone = t
		end.Timezone = zone
	}
	return nil
}

const opDistance = "distance"

// atEnd adds the end of the distance and its input as given to an error.
func atEnd(param, input string, err error) error {
	e := envelope.AsFailure(err)
	if e == nil {
		return fmt.Errorf("radius: %s: %w", param, err)
	}
	end := *e
	end.Op, end.Param, end.Input = opDistance, param, input
	return &end
}
