package geo

import "math"

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
func earthCentered(p LatLng) vec3 {
	sinLat, cosLat := math.Sincos(p.Lat() * radiansPerDegree)
	sinLng, cosLng := math.Sincos(p.lng * radiansPerDegree)
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
// [thomasDistance]. It was found by experiment; the worst of millions of
// pairs uses two thirds of it.
func thomasError(d float64) float64 { return float64(4e-9*d) + 1e-6 }

// thomasDistance returns the length in meters of the geodesic between two
// points, to the second order of the flattening. The formula is from Thomas,
// "Spheroidal geodesics, reference systems, & local geometry", 1970, in its
// form with parametric latitudes. h is their squared haversine, at most
// thomasReach, and z1 and z2 are the sines of their parametric latitudes.
func thomasDistance(h, z1, z2 float64) float64 {
	if h < 1e-30 { // nearer than a nanometer
		return 0
	}
	m := 1 - h
	sum, dif := z1+z2, z1-z2
	u := float64(sum*sum) / (2 * m)
	v := float64(dif*dif) / (2 * h)
	x, y := u+v, u-v
	sine := 2 * math.Sqrt(float64(h*m))
	var t float64 // the angle over its sine
	if h < 0.005 {
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
