package geojson

import (
	"math"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// decimals is the precision of coordinates: about 0.1 m.
const decimals = 6

// AppendPoint appends a Point; null when it is not valid.
func AppendPoint(dst []byte, p geo.LatLng) []byte {
	if !p.IsValid() {
		return append(dst, "null"...)
	}
	dst = append(dst, `{"type":"Point","coordinates":`...)
	return append(appendPosition(dst, orb.Point{p.Lng(), p.Lat()}), '}')
}

// AppendPolygons appends a Polygon when there is one, a MultiPolygon when
// there are several, and null when there is none. Rings may run on beyond
// longitude 180, up to 540; rings of fewer than three vertices, and holes of
// them, are left out.
func AppendPolygons(dst []byte, m orb.MultiPolygon) []byte {
	m = Cut(m)
	switch len(m) {
	case 0:
		return append(dst, "null"...)
	case 1:
		dst = append(dst, `{"type":"Polygon","coordinates":`...)
		dst = appendPolygon(dst, m[0])
	default:
		dst = append(dst, `{"type":"MultiPolygon","coordinates":[`...)
		for i, p := range m {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendPolygon(dst, p)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendPolygon(dst []byte, p orb.Polygon) []byte {
	dst = append(dst, '[')
	for i, r := range p {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for k, v := range r {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst = appendPosition(dst, v)
		}
		if r[0] != r[len(r)-1] {
			dst = appendPosition(append(dst, ','), r[0])
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

func appendPosition(dst []byte, p orb.Point) []byte {
	dst = appendNumber(append(dst, '['), p[0])
	dst = appendNumber(append(dst, ','), p[1])
	return append(dst, ']')
}

func appendNumber(dst []byte, v float64) []byte {
	v = geo.Round(v, decimals)
	if math.IsNaN(v) || math.IsInf(v, 0) || v == 0 {
		return append(dst, '0') // JSON has no other number for them
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}
