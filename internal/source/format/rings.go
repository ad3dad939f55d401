package format

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/rings"
)

// work is the number of vertices and boxes that may be compared to place the
// holes of a shape of so many points. Beyond it the shape counts as hostile. It
// suffices for coasts of half a million points with hundreds of holes, a few
// seconds at most.
func work(points int) int { return min(1<<24+2000*points, 1<<31-1) }

// polygons groups the rings of one shape. In the file outer rings run clockwise
// and holes counter-clockwise, by the ESRI white paper. Every ring is turned
// round, so that the relative orientation of the source stays. If the largest
// ring is counter-clockwise, the file has the opposite convention and no ring
// is turned. A hole belongs to the smallest outer ring around it, and becomes
// an outer ring without one. The second result is false when the rings would
// take too long to compare.
func polygons(list []orb.Ring) (orb.MultiPolygon, bool) {
	if len(list) == 0 {
		return nil, true
	}
	largest, points := 0.0, 0 // signed area of the file's coordinates; negative is clockwise
	areas := make([]float64, len(list))
	for i, r := range list {
		points += len(r)
		if areas[i] = rings.Area(r); math.Abs(areas[i]) > math.Abs(largest) {
			largest = areas[i]
		}
	}
	var mp orb.MultiPolygon
	var holes []orb.Ring
	var order []int // outer rings from the smallest
	size := map[int]float64{}
	for i, r := range list {
		if largest < 0 {
			slices.Reverse(r)
		}
		if (areas[i] > 0) != (largest > 0) {
			holes = append(holes, r)
			continue
		}
		size[len(mp)], order = math.Abs(areas[i]), append(order, len(mp))
		mp = append(mp, orb.Polygon{r})
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[a], size[b]) })
	boxes := make([]orb.Bound, len(mp))
	for i, p := range mp {
		boxes[i] = p[0].Bound()
	}
	budget := work(points)
	for _, h := range holes {
		box := h.Bound()
		at := slices.IndexFunc(order, func(i int) bool {
			if budget--; budget < 0 || !boxes[i].Contains(box.Min) || !boxes[i].Contains(box.Max) {
				return false
			}
			return within(h, mp[i][0], &budget)
		})
		if budget < 0 {
			return nil, false
		}
		if at >= 0 {
			mp[order[at]] = append(mp[order[at]], h)
			continue
		}
		slices.Reverse(h)
		mp = append(mp, orb.Polygon{h})
	}
	return mp, true
}

// within reports whether the ring lies in the other: whether its first vertex
// off the other's boundary does. A ring on the boundary lies inside.
func within(r, outer orb.Ring, budget *int) bool {
	for _, p := range r {
		if *budget -= len(outer); *budget < 0 {
			return false
		}
		if in, on := contains(outer, p); !on {
			return in
		}
	}
	return true
}

// contains reports whether the point is in the ring, and whether it is on it.
func contains(ring orb.Ring, p orb.Point) (in, on bool) {
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		if (a[1] > p[1]) == (b[1] > p[1]) {
			if a[1] == p[1] && b[1] == p[1] && min(a[0], b[0]) <= p[0] && p[0] <= max(a[0], b[0]) || a == p || b == p {
				return false, true
			}
			continue
		}
		side := float64((b[0]-a[0])*(p[1]-a[1])) - float64((p[0]-a[0])*(b[1]-a[1]))
		if side == 0 {
			return false, true
		}
		if (side > 0) == (b[1] > a[1]) {
			in = !in
		}
	}
	return in, false
}
