package format

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/rings"
)

// polygons groups the rings of one shape. In the file outer rings run clockwise
// and holes counter-clockwise, by the ESRI white paper. Every ring is turned
// round, so that the relative orientation of the source stays. If the largest
// ring is counter-clockwise, the file has the opposite convention and no ring
// is turned. A hole in no outer ring becomes one. The second result is false for
// a hostile shape, whose rings would take too long to compare.
func polygons(list []orb.Ring) (orb.MultiPolygon, bool) {
	largest, points := 0.0, 0 // signed area of the file's coordinates; negative is clockwise
	areas := make([]float64, len(list))
	for i, r := range list {
		points += len(r)
		if areas[i] = rings.Area(r); math.Abs(areas[i]) > math.Abs(largest) {
			largest = areas[i]
		}
	}
	var outers, holes []orb.Ring
	for i, r := range list {
		if largest < 0 {
			slices.Reverse(r)
		}
		// areas are those before the turn, so that the comparison is with the largest
		// ring.
		if (areas[i] > 0) == (largest > 0) {
			outers = append(outers, r)
		} else {
			holes = append(holes, r)
		}
	}
	// The number of comparisons bounds the time to a few seconds. Coasts of half a
	// million points with hundreds of holes take fewer.
	mp, stray, ok := rings.Group(outers, holes, min(1<<24+2000*points, 1<<31-1))
	for _, h := range stray {
		slices.Reverse(h)
		mp = append(mp, orb.Polygon{h})
	}
	return mp, ok
}
