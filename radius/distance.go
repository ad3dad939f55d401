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
	Km    geo.Kilometers `json:"km"`    // kilometres, rounded to 2 decimals
}

func newLength(m geo.Meters) Length {
	return Length{
		Miles: geo.Miles(geo.Round(float64(m.Miles()), 2)),
		Km:    geo.Kilometers(geo.Round(float64(m.Kilometers()), 2)),
	}
}

// An End is one of the two places of a distance. A coordinate has no code; it
// carries the country, city, state and county of the area that holds it, where
// there is one.
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

// InputType says what kind of input an end was given as.
type InputType string

// The input types.
const (
	InputCode        InputType = "code"
	InputCoordinates InputType = "coordinates"
)

// DistanceOptions configures a distance.
type DistanceOptions struct {
	At time.Time // from which the rules of both time zones are told; zero: the present
}

// Distance measures the geodesic between two codes or coordinates. A full
// postal code that the dataset does not hold is taken at its FSA's point, with
// a notice FALLBACK_USED; a coordinate is taken as it is, with a notice
// COORDINATES_USED.
//
// Errors are [*lookup.ParseError], [*EndError], the context's error, or a
// failure of the dataset. From is looked at before to.
func Distance(ctx context.Context, r *lookup.Reader, from, to string, opt DistanceOptions) (*DistanceResult, error) {
	if opt.At.IsZero() {
		opt.At = time.Now() // one time for both ends
	}
	out := new(measured)
	res := &out.DistanceResult
	if err := out.locate(ctx, r, &res.From, &out.zones[0], "from", from, opt.At); err != nil {
		// An invalid request is refused as a whole, an unknown end is an
		// answer: the shape of the other end comes before.
		if _, shape := lookup.ParseCode(to); shape != nil && errors.Is(err, lookup.ErrNotFound) {
			return nil, atEnd("to", withParam(shape, "to"))
		}
		return nil, atEnd("from", err)
	}
	if err := out.locate(ctx, r, &res.To, &out.zones[1], "to", to, opt.At); err != nil {
		return nil, atEnd("to", err)
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

// locate fills one end.
func (m *measured) locate(ctx context.Context, r *lookup.Reader, end *End, zone *lookup.TimeZone, param, input string, at time.Time) error {
	p, err := r.Locate(ctx, input)
	switch {
	case errors.Is(err, lookup.ErrNotFound):
		return &EndError{Param: param, Input: input}
	case err == nil && !p.Location.IsValid():
		return &EndError{Param: param, Input: input, Pointless: true}
	case err != nil:
		return withParam(err, param)
	}
	if len(p.Notices) > 0 {
		m.Notices = append(m.Notices, p.Notices...)
	}
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
	if t, ok := r.TimeZone(p.Zone, at); ok {
		*zone = t
		end.Timezone = zone
	}
	return nil
}

// atEnd says at which end an error was met, unless it does so itself.
func atEnd(name string, err error) error {
	var end *EndError
	if errors.As(err, &end) {
		return err
	}
	return fmt.Errorf("radius: %s: %w", name, err)
}

// withParam names the parameter in a parse error.
func withParam(err error, param string) error {
	var pe *lookup.ParseError
	if errors.As(err, &pe) {
		pe.Param = param
	}
	return err
}

// An EndError says that an end of a distance is a well-formed code that does
// not exist, or one without a point. It matches [lookup.ErrNotFound] and is an
// [envelope.Failure].
type EndError struct {
	Param     string // "from" or "to"
	Input     string // as given
	Pointless bool   // the code exists, and the dataset knows no point of it
}

// Error names the end and the input.
func (e *EndError) Error() string {
	if e.Pointless {
		return fmt.Sprintf("radius: %s code %q has no known point", e.Param, e.Input)
	}
	return fmt.Sprintf("radius: %s code %q not found", e.Param, e.Input)
}

// Is reports whether target is [lookup.ErrNotFound].
func (e *EndError) Is(target error) bool { return target == lookup.ErrNotFound }

// ContractCode returns NOT_FOUND_FROM or NOT_FOUND_TO.
func (e *EndError) ContractCode() envelope.Code {
	if e.Param == "to" {
		return envelope.NotFoundTo
	}
	return envelope.NotFoundFrom
}

// ContractMessage returns the contract's sentence.
func (e *EndError) ContractMessage() string { return envelope.EndNotFound(e.Input) }
