package shape

import "github.com/paulmach/orb"

// Repair makes polygons valid and returns how many rings were dropped and cut,
// and how many vertices dropped.
func Repair(m orb.MultiPolygon) (out orb.MultiPolygon, dropped, cut, repeated int64) {
	var n Repairs
	out = n.Repair(m)
	return out, n.Dropped, n.Crossing, n.Repeated
}
