// Package geo holds points on the WGS84 ellipsoid, quantities with their
// units, and the geodesic between two points.
//
// # Usage
//
// A [LatLng] is made by [LatLngFromDegrees] or [ParseLatLng], which refuse
// what is out of range, so that a valid point needs no further check:
//
//	a, err := geo.ParseLatLng("34.0901,-118.4065")
//	…
//	d, bearing := geo.Inverse(a, b)
//	fmt.Println(d.Miles(), bearing)
//
// # Concurrency
//
// All types are values without hidden state; every function may be called
// from several goroutines.
//
// # Errors
//
// Everything that refuses a coordinate matches [ErrInvalidLatLng] and says
// which value was given and which range is allowed.
package geo
