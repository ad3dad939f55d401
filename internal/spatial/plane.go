package spatial

import (
	"math"

	"github.com/postgeo/postgeo/geo"
)

// A Plane is a map about a center: Lambert's azimuthal equal-area projection of the
// authalic sphere, stretched so that directions at the center are true on the ellipsoid.
type Plane struct{ plane }

// NewPlane returns the plane about a center.
func NewPlane(center geo.LatLng) *Plane { return &Plane{newPlane(center)} }

// Project returns the place of a point, in degrees, in meters from the center. Longitudes
// may lie beyond 180.
func (p *Plane) Project(lng, lat float64) (east, north geo.Meters) {
	at := p.project(authalicVec(lng, lat))
	return geo.Meters(at.x), geo.Meters(at.y)
}

// A plane has the center, and what turns vectors into plane coordinates.
//
// The authalic sphere shortens or lengthens a small circle about the center by different
// factors to the east and to the north. The stretch undoes that without changing areas, and so
// keeps the outline of a small geodesic circle round. It is 1.0011 at the equator and 1 at the
// poles.
type plane struct {
	at, toEast, toNorth vec3 // on the unit sphere; the last two scaled to meters
	stretch             float64
}

func newPlane(center geo.LatLng) plane {
	c := plane{at: authalicVec(center.Lng(), center.Lat()), stretch: 1}
	sinLng, cosLng := math.Sincos(center.Lng() * radiansPerDegree)
	sinLat, cosLat := math.Sincos(center.Lat() * radiansPerDegree)
	cosine := math.Sqrt(max(0, 1-float64(c.at.z*c.at.z)))
	if cosine > 1e-6 { // nearer to a pole both parts of the quotient vanish, and it is 1
		n := semiMajor / math.Sqrt(1-float64(eccentricity2*float64(sinLat*sinLat)))
		c.stretch = n * cosLat / (authalicRadius * cosine)
	}
	c.toEast = vec3{-sinLng, cosLng, 0}.scale(authalicRadius * math.Sqrt2 * c.stretch)
	c.toNorth = vec3{-c.at.z * cosLng, -c.at.z * sinLng, cosine}.scale(authalicRadius * math.Sqrt2 / c.stretch)
	return c
}

// project maps a vector of the authalic sphere to the plane.
func (c *plane) project(v vec3) planePoint {
	const antipode = 1e-9 // keeps the point opposite finite
	far := 1 + c.at.dot(v)
	if far < antipode {
		far = antipode
	}
	k := 1 / math.Sqrt(far)
	return planePoint{
		k * (float64(c.toEast.x*v.x) + float64(c.toEast.y*v.y)),
		k * c.toNorth.dot(v),
	}
}
