package geo

import "math"

// The authalic sphere has the area of the ellipsoid. The authalic latitude of a
// point encloses the same area between it and the equator (Snyder, "Map
// projections, a working manual", USGS 1987, pages 16 and 187). Areas on the
// sphere are therefore areas on the ellipsoid.

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
	if t2 := t * t; t2 < 1e-6 { // all but enormous triangles
		return 2 * authalicRadius * authalicRadius * float64(t*(1-float64(t2*(1./3-t2/5))))
	}
	return 2 * authalicRadius * authalicRadius * math.Atan2(a.dot(cross), 1+a.dot(b)+a.dot(c)+b.dot(c))
}
