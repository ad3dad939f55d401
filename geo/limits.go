package geo

import "errors"

// ErrInvalidPolygon indicates coordinates of a polygon that are not finite, out
// of range, or wind more than once around a pole.
var ErrInvalidPolygon = errors.New("geo: invalid polygon")

// ErrInvalidCircle indicates a circle without a valid center, or with a radius
// out of range.
var ErrInvalidCircle = errors.New("geo: invalid circle")

// MaxCircleRadius is the largest radius of a circle, 500 miles: that of a search in the
// contract.
const MaxCircleRadius = Meters(500 * metersPerMile)

// MaxCircleCorners is the maximum number of points of a circle's outline.
const MaxCircleCorners = 1_000_000
