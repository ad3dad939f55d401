package geo

import (
	"encoding/json"
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
	// latBits has the bits of the latitude with inverted sign. 0 would be the latitude -0,
	// which latLng never makes, and is the invalid point. So a point takes 16 bytes and not 24.
	latBits uint64
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

// parseDegrees parses a decimal number. [strconv.ParseFloat] alone takes more: 0x1p-2, inf
// and nan.
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

// String returns "latitude,longitude" with as many digits as the values need;
// [ParseLatLng] reads it back. An invalid point is the empty string.
func (p LatLng) String() string {
	if !p.IsValid() {
		return ""
	}
	var room [64]byte
	text := append(strconv.AppendFloat(room[:0], p.Lat(), 'f', -1, 64), ',')
	return string(strconv.AppendFloat(text, p.lng, 'f', -1, 64))
}

// Rounded returns p with both values rounded to 1e-6 degree (about 0.1 m),
// the precision of published coordinates.
func (p LatLng) Rounded() LatLng {
	if !p.IsValid() {
		return p
	}
	return latLng(math.Round(p.Lat()*1e6)/1e6, math.Round(p.lng*1e6)/1e6)
}

// AppendJSON appends the contract's location object to dst,
// {"lat":34.0901,"lon":-118.4065}, rounded to six decimals without trailing
// zeros. An invalid point is null.
func (p LatLng) AppendJSON(dst []byte) []byte {
	if !p.IsValid() {
		return append(dst, "null"...)
	}
	dst = append(dst, `{"lat":`...)
	dst = appendMicro(dst, p.Lat())
	dst = append(dst, `,"lon":`...)
	dst = appendMicro(dst, p.lng)
	return append(dst, '}')
}

// appendMicro appends degrees rounded to six decimals without trailing zeros. Answers of
// thousands of matches have two such numbers each, and package strconv would look for the
// shortest decimal of each.
func appendMicro(dst []byte, v float64) []byte {
	n := int64(math.Round(v * 1e6))
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = strconv.AppendInt(dst, n/1e6, 10)
	frac := uint32(n % 1e6)
	if frac == 0 {
		return dst
	}
	dst = append(dst, '.', '0'+byte(frac/1e5), '0'+byte(frac/1e4%10), '0'+byte(frac/1e3%10),
		'0'+byte(frac/100%10), '0'+byte(frac/10%10), '0'+byte(frac%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// MarshalJSON returns what [LatLng.AppendJSON] appends.
func (p LatLng) MarshalJSON() ([]byte, error) { return p.AppendJSON(make([]byte, 0, 40)), nil }

// UnmarshalJSON reads the object that MarshalJSON writes. Both members are
// needed and must be in range; null is the invalid point.
func (p *LatLng) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*p = LatLng{}
		return nil
	}
	var v struct {
		Lat *float64 `json:"lat"`
		Lon *float64 `json:"lon"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return fmt.Errorf("%w: %w; expected an object with numbers lat and lon", ErrInvalidLatLng, err)
	}
	if v.Lat == nil || v.Lon == nil {
		return fmt.Errorf("%w: %s has no lat or no lon", ErrInvalidLatLng, data)
	}
	q, err := LatLngFromDegrees(*v.Lat, *v.Lon)
	if err != nil {
		return err
	}
	*p = q
	return nil
}

// Factors between units. A mile is the international mile of 1959: 5,280 feet
// of exactly 0.3048 m.
const (
	metersPerMile             = 1609.344
	metersPerKilometer        = 1000
	squareMetersPerSquareMile = metersPerMile * metersPerMile // 2,589,988.110336
)

// Meters is a length.
type Meters float64

// Miles returns the length in international miles.
func (m Meters) Miles() Miles { return Miles(m / metersPerMile) }

// Kilometers returns the length in kilometers.
func (m Meters) Kilometers() Kilometers { return Kilometers(m / metersPerKilometer) }

// Miles is a length in international miles of 1609.344 m.
type Miles float64

// Meters returns the length in meters.
func (m Miles) Meters() Meters { return Meters(m * metersPerMile) }

// Kilometers is a length.
type Kilometers float64

// Meters returns the length in meters.
func (k Kilometers) Meters() Meters { return Meters(k * metersPerKilometer) }

// Degrees is an angle. As a bearing it is at least 0 and less than 360,
// clockwise from north.
type Degrees float64

// SquareMeters is an area.
type SquareMeters float64

// SquareMiles returns the area in square miles of 2,589,988.110336 m².
func (a SquareMeters) SquareMiles() SquareMiles { return SquareMiles(a / squareMetersPerSquareMile) }

// SquareMiles is an area in square miles of 2,589,988.110336 m².
type SquareMiles float64

// Round returns v rounded to the number of decimals, halves away from zero.
// Published coordinates have 6 decimals, miles and areas 2, bearings and
// percentages 1. Round panics if decimals is not 0 to 9, because the product of
// a larger power of ten and a coordinate or an area is not exact.
func Round(v float64, decimals int) float64 {
	if uint(decimals) >= uint(len(powersOfTen)) {
		panic("geo: number of decimals is not 0 to 9")
	}
	scale := powersOfTen[decimals]
	return math.Round(v*scale) / scale
}

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}
