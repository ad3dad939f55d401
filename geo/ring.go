package geo

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// ErrInvalidPolygon indicates coordinates of a polygon that are not finite, out
// of range, or wind more than once around a pole.
var ErrInvalidPolygon = errors.New("geo: invalid polygon")

// Edges are straight in longitude and latitude, the model of the agencies'
// files, and go the short way round: an edge from 179 to -179 degrees is two
// degrees long.

// unwrapRing returns the vertices of a ring without the repeated last one, as
// a ring of the longitude–latitude plane: longitudes run on beyond 180
// degrees instead of jumping, the westernmost being at least -180 and less
// than 180, and a ring around a pole is led along the meridian to the pole
// and back. Rings of fewer than three vertices are empty.
func unwrapRing(r orb.Ring) ([]orb.Point, error) {
	if n := len(r); n > 1 && r[0] == r[n-1] {
		r = r[:n-1]
	}
	if len(r) < 3 {
		return nil, nil
	}
	out := make([]orb.Point, 0, len(r)+3)
	west, north := math.Inf(1), 0.0
	previous := r[0][0]
	for i, p := range r {
		if !(math.Abs(p[0]) <= 1.5*degreesPerTurn && math.Abs(p[1]) <= 90) {
			return nil, fmt.Errorf("%w: vertex %d is at longitude %v, latitude %v; expected -540 to 540 and -90 to 90", ErrInvalidPolygon, i, p[0], p[1])
		}
		p[0] += degreesPerTurn * math.Round((previous-p[0])/degreesPerTurn)
		previous = p[0]
		west = min(west, p[0])
		north += p[1]
		out = append(out, p)
	}
	turns := math.Round((previous - out[0][0]) / degreesPerTurn)
	if math.Abs(turns) > 1 {
		return nil, fmt.Errorf("%w: a ring winds %v times around a pole", ErrInvalidPolygon, math.Abs(turns))
	}
	if turns != 0 {
		pole := math.Copysign(90, north)
		first := out[0]
		far := first[0] + degreesPerTurn*turns
		out = append(out, orb.Point{far, first[1]}, orb.Point{far, pole}, orb.Point{first[0], pole})
		west = min(west, far)
	}
	if shift := degreesPerTurn * math.Floor((west+180)/degreesPerTurn); shift != 0 {
		for i := range out {
			out[i][0] -= shift
		}
	}
	return out, nil
}
