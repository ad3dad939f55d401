package geocode

import (
	"math"

	"github.com/postgeo/postgeo/geo"
)

// A plane is a local map in meters around a point: degrees times constants. Straight lines
// in degrees stay straight, so that interpolation is exact. Distances are at most 0.7 % off
// up to the latitude of 80 degrees, because degrees of latitude have one length here; radii
// are far less certain than that.
type plane struct{ lat, lng, perLat, perLng float64 }

// metersOfDegree is the length of a degree of longitude on the equator of WGS84.
const metersOfDegree = 111_320

func planeAt(p geo.LatLng) plane {
	return plane{p.Lat(), p.Lng(), metersOfDegree, metersOfDegree * math.Cos(p.Lat()*math.Pi/180)}
}

func (m plane) xy(p geo.LatLng) (x, y float64) {
	return (p.Lng() - m.lng) * m.perLng, (p.Lat() - m.lat) * m.perLat
}

func (m plane) point(x, y float64) geo.LatLng {
	p, err := geo.LatLngFromDegrees(m.lat+y/m.perLat, m.lng+x/m.perLng)
	if err != nil { // at a pole
		return geo.MustLatLng(m.lat, m.lng)
	}
	return p
}

// along returns the point at a part of a line's length, moved to the left by an
// offset in meters, and the length.
func along(line []geo.LatLng, part, left float64) (geo.LatLng, float64) {
	m := planeAt(line[0])
	total := 0.0
	for i := 1; i < len(line); i++ {
		total += span(m, line[i-1], line[i])
	}
	rest := part * total
	for i := 1; i < len(line); i++ {
		d := span(m, line[i-1], line[i])
		if d == 0 || rest > d && i < len(line)-1 { // rounding must not run past the last edge
			rest -= d
			continue
		}
		x, y := m.xy(line[i-1])
		u, v := m.xy(line[i])
		t := min(rest/d, 1)
		return m.point(x+t*(u-x)-left*(v-y)/d, y+t*(v-y)+left*(u-x)/d), total
	}
	return line[0], total
}

func span(m plane, a, b geo.LatLng) float64 {
	x, y := m.xy(a)
	u, v := m.xy(b)
	return hypot(u-x, v-y)
}

// hypot is [math.Hypot] for lengths of a map, which neither overflow nor vanish; Hypot and
// a plane for each distance took a third of the time. The conversions keep
// compilers from fusing the product with the sum, so that results are equal on all machines.
func hypot(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// project returns the distance of a point from a line in meters. It also returns the
// part of the line before the nearest place, and the side: 0 on the left, 1 on the right.
func project(line []geo.LatLng, p geo.LatLng) (away, part float64, side int) {
	m := planeAt(p)
	away = math.Inf(1)
	before, total := 0.0, 0.0
	for i := 1; i < len(line); i++ {
		x, y := m.xy(line[i-1])
		u, v := m.xy(line[i])
		d := hypot(u-x, v-y)
		t := 0.0
		if d > 0 {
			t = min(max(-(x*(u-x)+y*(v-y))/(d*d), 0), 1)
		}
		if near := hypot(x+t*(u-x), y+t*(v-y)); near < away {
			away, before = near, total+t*d
			if side = 1; (v-y)*x > (u-x)*y {
				side = 0
			}
		}
		total += d
	}
	if total > 0 {
		part = before / total
	}
	return away, part, side
}
