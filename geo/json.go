package geo

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

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

// appendMicro appends degrees rounded to six decimals without trailing zeros.
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
