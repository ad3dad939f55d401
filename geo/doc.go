// Package geo provides points on the WGS84 ellipsoid, boxes, quantities with
// units, and geodesics.
//
// # Usage
//
// A [LatLng] is created by [LatLngFromDegrees] or [ParseLatLng], which return
// an error for values out of range. A valid point needs no further check:
//
//	a, err := geo.ParseLatLng("34.0901,-118.4065")
//	…
//	d, bearing := geo.Inverse(a, b)
//	fmt.Println(d.Miles(), bearing)
//
// # Concurrency
//
// Types are values without hidden state unless documented otherwise. All
// functions are safe for concurrent use.
//
// # Errors
//
// Errors about coordinates match [ErrInvalidLatLng] and contain the value and
// its range.
package geo
