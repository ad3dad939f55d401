package svg

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// The ellipsoid and its authalic sphere, which has the same area (Snyder, "Map
// projections, a working manual", USGS 1987, pages 16 and 187).
const (
	semiMajor     = 6378137.0
	flattening    = 1 / 298.257223563
	eccentricity2 = flattening * (2 - flattening)
	radians       = math.Pi / 180
)

// A vec is a point of the unit sphere, or a direction times a scale.
type vec struct{ x, y, z float64 }

func (v vec) dot(w vec) float64 { return float64(v.x*w.x) + float64(v.y*w.y) + float64(v.z*w.z) }

// A projection maps the authalic sphere to the pixels of a map: Lambert's
// azimuthal equal-area projection about a center, stretched so that directions
// at the center are true on the ellipsoid.
type projection struct {
	center        vec
	east, north   vec     // of the center, in pixels
	middleX       float64 // the center on the map
	middleY       float64
	pixelsPerUnit float64 // of length on the ellipsoid near the center: per meter
}

func newProjection(center geo.LatLng, pixelsPerMeter, middleX, middleY float64) *projection {
	at := sphere(center.Lng(), center.Lat())
	sinLng, cosLng := math.Sincos(center.Lng() * radians)
	sinLat, cosLat := math.Sincos(center.Lat() * radians)
	cosine := math.Sqrt(max(0, 1-float64(at.z*at.z)))
	radius := semiMajor * math.Sqrt(authalicQ(1)/2)
	stretch := 1.0
	if cosine > 1e-6 { // nearer to a pole both parts of the quotient vanish, and it is 1
		normal := semiMajor / math.Sqrt(1-float64(eccentricity2*float64(sinLat*sinLat)))
		stretch = normal * cosLat / (radius * cosine)
	}
	scale := pixelsPerMeter * radius * math.Sqrt2
	e, n := scale*stretch, scale/stretch
	return &projection{
		center:        at,
		east:          vec{-sinLng * e, cosLng * e, 0},
		north:         vec{-at.z * cosLng * n, -at.z * sinLng * n, cosine * n},
		middleX:       middleX,
		middleY:       middleY,
		pixelsPerUnit: pixelsPerMeter,
	}
}

// authalicQ is Snyder's q (3-12) for the sine of a latitude.
func authalicQ(sine float64) float64 {
	e := math.Sqrt(eccentricity2)
	return (1 - eccentricity2) * (sine/(1-float64(eccentricity2*float64(sine*sine))) + math.Atanh(e*sine)/e)
}

// sphere returns a point, in degrees, on the authalic sphere.
func sphere(lng, lat float64) vec {
	s := authalicQ(math.Sin(lat*radians)) / authalicQ(1)
	c := math.Sqrt(max(0, (1-s)*(1+s)))
	sinLng, cosLng := math.Sincos(lng * radians)
	return vec{c * cosLng, c * sinLng, s}
}

// pixel returns the position of a point, in degrees, on the map.
func (p *projection) pixel(lng, lat float64) orb.Point {
	const antipode = 1e-9 // keeps the point opposite finite
	v := sphere(lng, lat)
	k := 1 / math.Sqrt(max(1+p.center.dot(v), antipode))
	return orb.Point{p.middleX + float64(k*p.east.dot(v)), p.middleY - float64(k*p.north.dot(v))}
}
