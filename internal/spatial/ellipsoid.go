package spatial

import (
	"math"

	"github.com/postgeo/postgeo/geo"
)

// The WGS84 ellipsoid (NIMA TR8350.2, 2000): semi-major axis in meters,
// flattening, and derived constants.
const (
	semiMajor        = 6378137.0
	flattening       = 1 / 298.257223563
	semiMinor        = semiMajor * (1 - flattening)
	eccentricity2    = flattening * (2 - flattening)
	leastCurvature   = semiMinor * semiMinor / semiMajor // the smallest radius of curvature anywhere, meters
	greatCurvature   = semiMajor * semiMajor / semiMinor // the largest, at the poles
	meanRadius       = 6371007                           // of the sphere with the same area, for what needs no better
	radiansPerTurn   = 2 * math.Pi
	degreesPerTurn   = 360.0
	radiansPerDegree = math.Pi / 180
)

// A vec3 is a point or direction in space. The frame is earth-centered: x
// through longitude 0, y through 90 east, z through the north pole.
type vec3 struct{ x, y, z float64 }

// The conversions to float64 prevent fused multiply-add instructions, which
// would make the last digits differ between processors.

func (v vec3) dot(w vec3) float64 {
	return float64(v.x*w.x) + float64(v.y*w.y) + float64(v.z*w.z)
}

func (v vec3) sub(w vec3) vec3 { return vec3{v.x - w.x, v.y - w.y, v.z - w.z} }

func (v vec3) scale(f float64) vec3 { return vec3{v.x * f, v.y * f, v.z * f} }

// unit returns v with length 1, or the north pole when v has no direction.
func (v vec3) unit() vec3 {
	n := math.Sqrt(v.dot(v))
	if !(n > 0) {
		return vec3{0, 0, 1}
	}
	return v.scale(1 / n)
}

// earthCentered returns the point of the ellipsoid in meters. Divided by the
// semi-axes it is the unit vector of the parametric latitude.
func earthCentered(p geo.LatLng) vec3 {
	sinLat, cosLat := math.Sincos(p.Lat() * radiansPerDegree)
	sinLng, cosLng := math.Sincos(p.Lng() * radiansPerDegree)
	n := semiMajor / math.Sqrt(1-float64(eccentricity2*float64(sinLat*sinLat)))
	return vec3{n * cosLat * cosLng, n * cosLat * sinLng, n * (1 - eccentricity2) * sinLat}
}

// squaredHaversine returns sin² of half the angle between two points on the
// auxiliary sphere, for their difference d in meters.
func squaredHaversine(d vec3) float64 {
	const a, b = 0.25 / (semiMajor * semiMajor), 0.25 / (semiMinor * semiMinor)
	return float64(a*(float64(d.x*d.x)+float64(d.y*d.y))) + float64(b*float64(d.z*d.z))
}

// thomasReach is the largest squared haversine at which [thomasDistance]
// keeps the error that thomasError promises: about 4,000 km.
const thomasReach = 0.095

// thomasError returns a bound for the error of a distance of d meters by
// [thomasDistance]: 3 mm at 500 miles. It was found by experiment; the worst of 1.8 million
// pairs used 0.70 of it.
func thomasError(d float64) float64 { return float64(4e-9*d) + 1e-6 }

// thomasDistance returns the length in meters of the geodesic between two
// points, to the second order of the flattening. It takes 11 ns, Karney's exact method
// 650 ns. The squared haversine h of the points is at most thomasReach, and z1 and z2 are
// the sines of their parametric latitudes. Source: Thomas, "Spheroidal geodesics, reference
// systems, & local geometry", 1970, in the form with parametric latitudes.
func thomasDistance(h, z1, z2 float64) float64 {
	if h < 1e-30 { // nearer than a nanometer, where v is 0/0
		return 0
	}
	m := 1 - h
	sum, dif := z1+z2, z1-z2
	u := float64(sum*sum) / (2 * m)
	v := float64(dif*dif) / (2 * h)
	x, y := u+v, u-v
	sine := 2 * math.Sqrt(float64(h*m))
	var t float64  // the angle over its sine
	if h < 0.005 { // up to 900 km: a series in h is faster than an arcsine
		t = 256./693 + float64(h*(1024./3003))
		t = 128./315 + float64(h*t)
		t = 16./35 + float64(h*t)
		t = 8./15 + float64(h*t)
		t = 2./3 + float64(h*t)
		t = 1 + float64(h*t)
	} else {
		t = 2 * math.Asin(math.Sqrt(h)) / sine
	}
	cosine := 1 - 2*h
	d := float64(4 * t * t)
	e := 2 * cosine
	a := float64(d * e)
	b := 2 * d
	c := t - float64(0.5*(a-e))
	first := float64(t*x) - y
	second := float64(x*(a+float64(c*x))) - float64(y*(b+float64(e*y))) + float64(d*x*y)
	return semiMajor * sine * (t - float64(flattening/4*first) + float64(flattening*flattening/64*second))
}

// The authalic sphere has the area of the ellipsoid. The authalic latitude of a
// point encloses the same area between it and the equator. Areas on the sphere
// are therefore areas on the ellipsoid. Source: Snyder, "Map projections, a
// working manual", USGS 1987, pages 16 and 187.

// authalicTerms is the number of powers of the squared eccentricity that are
// kept; the next is below 1e-18.
const authalicTerms = 8

var (
	authalicPole   = authalicQ(1)
	authalicRadius = semiMajor * math.Sqrt(authalicPole/2) // 6,371,007.18 m
	authalicSeries = authalicCoefficients()
)

// authalicQ is Snyder's q (3-12) for the sine of a latitude.
func authalicQ(sine float64) float64 {
	e := math.Sqrt(eccentricity2)
	return (1 - eccentricity2) * (sine/(1-float64(eccentricity2*sine*sine)) + math.Atanh(e*sine)/e)
}

// authalicCoefficients returns the series of the sine of the authalic
// latitude in odd powers of the sine of the latitude.
func authalicCoefficients() (out [authalicTerms]float64) {
	c := (1 - eccentricity2) / authalicPole
	for k := range out {
		out[k] = c * (1 + 1/float64(2*k+1))
		c *= eccentricity2
	}
	return out
}

// authalicSine returns the sine of the authalic latitude for that of the
// latitude.
func authalicSine(s float64) float64 {
	a := &authalicSeries
	t := float64(s * s)
	v := a[7]
	v = a[6] + float64(t*v)
	v = a[5] + float64(t*v)
	v = a[4] + float64(t*v)
	v = a[3] + float64(t*v)
	v = a[2] + float64(t*v)
	v = a[1] + float64(t*v)
	v = a[0] + float64(t*v)
	return s * v
}

// authalicVec returns the unit vector of a point, in degrees, on the authalic
// sphere.
func authalicVec(lng, lat float64) vec3 {
	sinLng, cosLng := math.Sincos(lng * radiansPerDegree)
	return authalicTrig(math.Sin(lat*radiansPerDegree), sinLng, cosLng)
}

// authalicTrig is authalicVec for sines and cosines.
func authalicTrig(sinLat, sinLng, cosLng float64) vec3 {
	z := authalicSine(sinLat)
	c := math.Sqrt(max(0, 1-float64(z*z)))
	return vec3{c * cosLng, c * sinLng, z}
}

// triangleArea returns the area, in square meters, of the great circle triangle
// of three unit vectors. It is positive if they turn counterclockwise seen from
// outside (van Oosterom and Strackee, 1983).
func triangleArea(a, b, c vec3) float64 {
	cross := vec3{
		float64(b.y*c.z) - float64(b.z*c.y),
		float64(b.z*c.x) - float64(b.x*c.z),
		float64(b.x*c.y) - float64(b.y*c.x),
	}
	t := a.dot(cross) / (1 + a.dot(b) + a.dot(c) + b.dot(c))
	if t2 := t * t; t2 < 1e-6 { // all but enormous triangles: two terms of the arctangent's series do
		return 2 * authalicRadius * authalicRadius * float64(t*(1-float64(t2*(1./3-t2/5))))
	}
	return 2 * authalicRadius * authalicRadius * math.Atan2(a.dot(cross), 1+a.dot(b)+a.dot(c)+b.dot(c))
}
