package geo

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrInvalidLatLng indicates a latitude or longitude that is malformed, not
// finite or out of range.
var ErrInvalidLatLng = errors.New("geo: invalid coordinates")

// A LatLng is a point on the WGS84 ellipsoid, in degrees. The zero value is not
// a valid point and means an unknown location. LatLngs are comparable with ==.
type LatLng struct {
	latBits uint64 // the bits of the latitude with inverted sign; 0, which would be -0, is the invalid point
	lng     float64
}

const signBit = 1 << 63

// latLng makes a valid point; +0 turns -0 into 0, so that == holds.
func latLng(lat, lng float64) LatLng {
	return LatLng{latBits: math.Float64bits(lat+0) ^ signBit, lng: lng + 0}
}

// LatLngFromDegrees returns the point at the latitude (-90 to 90, north
// positive) and longitude (-180 to 180, east positive). Values that are out
// of range or not finite are refused with an error that matches
// [ErrInvalidLatLng].
func LatLngFromDegrees(lat, lng float64) (LatLng, error) {
	if !(lat >= -90 && lat <= 90) {
		return LatLng{}, fmt.Errorf("%w: latitude %v is not within -90 to 90", ErrInvalidLatLng, lat)
	}
	if !(lng >= -180 && lng <= 180) {
		return LatLng{}, fmt.Errorf("%w: longitude %v is not within -180 to 180", ErrInvalidLatLng, lng)
	}
	return latLng(lat, lng), nil
}

// LatLngFromMicrodegrees returns the point at the latitude (-90e6 to 90e6) and
// longitude (-180e6 to 180e6) in millionths of a degree. This is the precision
// of published coordinates. It returns the invalid point if either is out of
// range.
func LatLngFromMicrodegrees(lat, lng int32) LatLng {
	if lat < -90e6 || lat > 90e6 || lng < -180e6 || lng > 180e6 {
		return LatLng{}
	}
	return latLng(float64(lat)/1e6, float64(lng)/1e6)
}

// MustLatLng is LatLngFromDegrees for constants; it panics on bad input.
func MustLatLng(lat, lng float64) LatLng {
	p, err := LatLngFromDegrees(lat, lng)
	if err != nil {
		panic(err)
	}
	return p
}

// ParseLatLng parses "latitude,longitude" in decimal degrees. Spaces around
// either number, exponents, signs and leading dots are allowed. Hexadecimal
// numbers, infinities and NaN are not.
func ParseLatLng(s string) (LatLng, error) {
	a, b, ok := strings.Cut(s, ",")
	if !ok {
		return LatLng{}, fmt.Errorf("%w: %q has no comma; expected latitude,longitude", ErrInvalidLatLng, s)
	}
	lat, err := parseDegrees(a)
	if err != nil {
		return LatLng{}, fmt.Errorf("%w: latitude %q is not a decimal number", ErrInvalidLatLng, strings.TrimSpace(a))
	}
	lng, err := parseDegrees(b)
	if err != nil {
		return LatLng{}, fmt.Errorf("%w: longitude %q is not a decimal number", ErrInvalidLatLng, strings.TrimSpace(b))
	}
	return LatLngFromDegrees(lat, lng)
}

func parseDegrees(s string) (float64, error) {
	s = strings.TrimSpace(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c == '.', c == '+', c == '-', c == 'e', c == 'E':
		default:
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseFloat(s, 64)
}

// Lat returns the latitude in degrees, -90 to 90; 0 when the point is not valid.
func (p LatLng) Lat() float64 { return math.Float64frombits(p.latBits^signBit) + 0 }

// Lng returns the longitude in degrees, -180 to 180; 0 when the point is not valid.
func (p LatLng) Lng() float64 { return p.lng }

// IsValid reports whether p is a point; the zero LatLng is not.
func (p LatLng) IsValid() bool { return p.latBits != 0 }

// IsZero reports whether p is the zero LatLng, for the omitzero option of
// encoding/json.
func (p LatLng) IsZero() bool { return p.latBits == 0 }

// String returns "latitude,longitude" with as many digits as the values need;
// [ParseLatLng] reads it back. An invalid point is the empty string.
func (p LatLng) String() string {
	if !p.IsValid() {
		return ""
	}
	return formatDegrees(p.Lat()) + "," + formatDegrees(p.lng)
}

// Strings returns latitude and longitude with as many digits as the values
// need; both are empty for an invalid point.
func (p LatLng) Strings() (lat, lng string) {
	if !p.IsValid() {
		return "", ""
	}
	return formatDegrees(p.Lat()), formatDegrees(p.lng)
}

func formatDegrees(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Rounded returns p with both values rounded to 1e-6 degree (about 0.1 m),
// the precision of published coordinates.
func (p LatLng) Rounded() LatLng {
	if !p.IsValid() {
		return p
	}
	return latLng(math.Round(p.Lat()*1e6)/1e6, math.Round(p.lng*1e6)/1e6)
}
