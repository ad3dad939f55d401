package geo

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrInvalidLatLng is matched by every error that says a latitude or
// longitude is malformed, not finite or out of range.
var ErrInvalidLatLng = errors.New("geo: invalid coordinates")

// A LatLng is a point on the WGS84 ellipsoid, in degrees. The zero value is
// not a point: IsValid reports false, and it stands for "no location known".
// LatLngs are comparable with ==.
type LatLng struct {
	lat, lng float64
	valid    bool
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
	return LatLng{lat: lat + 0, lng: lng + 0, valid: true}, nil // +0 turns -0 into 0, so that == holds
}

// LatLngFromMicrodegrees returns the point at the latitude (-90e6 to 90e6) and
// longitude (-180e6 to 180e6) in millionths of a degree, the precision of
// published coordinates; the invalid point when either is out of range.
func LatLngFromMicrodegrees(lat, lng int32) LatLng {
	if lat < -90e6 || lat > 90e6 || lng < -180e6 || lng > 180e6 {
		return LatLng{}
	}
	return LatLng{lat: float64(lat) / 1e6, lng: float64(lng) / 1e6, valid: true}
}

// MustLatLng is LatLngFromDegrees for constants; it panics on bad input.
func MustLatLng(lat, lng float64) LatLng {
	p, err := LatLngFromDegrees(lat, lng)
	if err != nil {
		panic(err)
	}
	return p
}

// ParseLatLng reads "latitude,longitude" in decimal degrees; blanks around
// either number are allowed, exponents, signs and leading dots too, but not
// hexadecimal numbers, infinities or NaN.
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
func (p LatLng) Lat() float64 { return p.lat }

// Lng returns the longitude in degrees, -180 to 180; 0 when the point is not valid.
func (p LatLng) Lng() float64 { return p.lng }

// IsValid reports whether p is a point; the zero LatLng is not.
func (p LatLng) IsValid() bool { return p.valid }

// IsZero reports whether p is no point at all, for the omitzero option of
// encoding/json.
func (p LatLng) IsZero() bool { return !p.valid }

// String returns "latitude,longitude" with as many digits as the values need;
// [ParseLatLng] reads it back. An invalid point is the empty string.
func (p LatLng) String() string {
	if !p.valid {
		return ""
	}
	return formatDegrees(p.lat) + "," + formatDegrees(p.lng)
}

// Strings returns latitude and longitude with as many digits as the values
// need; both are empty for an invalid point.
func (p LatLng) Strings() (lat, lng string) {
	if !p.valid {
		return "", ""
	}
	return formatDegrees(p.lat), formatDegrees(p.lng)
}

func formatDegrees(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Rounded returns p with both values rounded to 1e-6 degree (about 0.1 m),
// the precision of published coordinates.
func (p LatLng) Rounded() LatLng {
	if !p.valid {
		return p
	}
	return LatLng{lat: math.Round(p.lat*1e6) / 1e6, lng: math.Round(p.lng*1e6) / 1e6, valid: true}
}
