package geo

import "github.com/tidwall/geodesic"

// Inverse solves the inverse geodesic problem on WGS84. It returns the length
// of the shortest path from a to b over the ellipsoid, and the direction of the
// path at a. The length is exact to about 15 nanometers (Karney, "Algorithms
// for geodesics", J. Geodesy 87, 2013).
//
// The bearing of coincident points is 0. At a pole it is measured from the
// point's own meridian, as in GeographicLib. Between antipodes, one of several
// shortest paths is chosen. If a point is invalid, both results are 0.
func Inverse(a, b LatLng) (Meters, Degrees) {
	if !a.IsValid() || !b.IsValid() || a == b {
		return 0, 0
	}
	var dist, azimuth float64
	geodesic.WGS84.Inverse(a.Lat(), a.lng, b.Lat(), b.lng, &dist, &azimuth, nil)
	if dist == 0 {
		return 0, 0
	}
	if azimuth < 0 {
		azimuth += 360
		if azimuth >= 360 { // a tiny negative azimuth, whose sum is rounded
			azimuth = 0
		}
	}
	return Meters(dist), Degrees(azimuth + 0) // +0 turns -0 into 0
}

// Distance returns the length of the shortest path between a and b over the
// WGS84 ellipsoid; 0 when a point is not valid.
func Distance(a, b LatLng) Meters {
	if !a.IsValid() || !b.IsValid() || a == b {
		return 0
	}
	var dist float64
	geodesic.WGS84.Inverse(a.Lat(), a.lng, b.Lat(), b.lng, &dist, nil, nil)
	return Meters(dist)
}
