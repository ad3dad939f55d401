package geojson

import (
	"math"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

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

// Cut returns the polygons cut at longitude 180, with all longitudes within
// -180 to 180. Polygons that do not reach beyond are returned as they are;
// nothing that was given is changed.
func Cut(m orb.MultiPolygon) orb.MultiPolygon {
	out := make(orb.MultiPolygon, 0, len(m))
	for _, p := range m {
		west, east := reach(p)
		if west >= -180 && east <= 180 {
			out = appendWhole(out, p)
			continue
		}
		for turn := math.Floor((west + 180) / 360); turn*360-180 < east; turn++ {
			// clip changes the rings that it is given.
			part := clip.Polygon(orb.Bound{Min: orb.Point{turn*360 - 180, -90}, Max: orb.Point{turn*360 + 180, 90}}, p.Clone())
			for _, r := range part {
				for i := range r {
					r[i][0] -= turn * 360
				}
			}
			out = appendWhole(out, part)
		}
	}
	return out
}

// reach returns the range of longitudes of a polygon's outer ring. Longitudes beyond 540 do
// not count: Cut makes a copy for each turn between the two, and 1e308 has many.
func reach(p orb.Polygon) (west, east float64) {
	if len(p) == 0 || len(p[0]) == 0 {
		return 0, 0
	}
	west, east = math.Inf(1), math.Inf(-1)
	for _, v := range p[0] {
		if math.Abs(v[0]) <= 540 {
			west, east = min(west, v[0]), max(east, v[0])
		}
	}
	return west, east
}

// appendWhole appends a polygon without the rings that have no extent.
func appendWhole(out orb.MultiPolygon, p orb.Polygon) orb.MultiPolygon {
	whole := make(orb.Polygon, 0, len(p))
	for i, r := range p {
		n := len(r)
		if n > 0 && r[0] == r[n-1] {
			n--
		}
		switch {
		case n >= 3:
			whole = append(whole, r)
		case i == 0:
			return out
		}
	}
	if len(whole) == 0 {
		return out
	}
	return append(out, whole)
}
