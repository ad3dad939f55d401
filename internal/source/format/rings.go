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
	all := make([]ringInfo, len(list))
	largest := 0
	for i, r := range list {
		all[i] = ringInfo{ring: r, area: rings.Area(r), box: r.Bound()}
		if math.Abs(all[i].area) > math.Abs(all[largest].area) {
			largest = i
		}
	}
	if all[largest].area > 0 { // opposite convention
		for i := range all {
			all[i].area = -all[i].area
		}
	} else {
		for _, r := range list {
			slices.Reverse(r)
		}
	}
	var outers, holes []ringInfo
	for _, r := range all {
		if r.area <= 0 {
			outers = append(outers, r)
		} else {
			holes = append(holes, r)
		}
	}
	mp := make(orb.MultiPolygon, len(outers), len(outers)+len(holes))
	for i, o := range outers {
		mp[i] = orb.Polygon{o.ring}
	}
	if len(holes) == 0 {
		return mp, true
	}
	order := make([]int, len(outers)) // outers from the smallest
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(-outers[a].area, -outers[b].area) })
	points := 0
	for _, r := range list {
		points += len(r)
	}
	budget := work(points)
	for _, h := range holes {
		at := -1
		for _, i := range order {
			if budget--; budget < 0 {
				return nil, false
			}
			if box := outers[i].box; box.Contains(h.box.Min) && box.Contains(h.box.Max) && h.inside(outers[i].ring, &budget) {
				at = i
				break
			}
		}
		if at >= 0 {
			mp[at] = append(mp[at], h.ring)
			continue
		}
		slices.Reverse(h.ring)
		mp = append(mp, orb.Polygon{h.ring})
	}
	return mp, true
}

type ringInfo struct {
	ring orb.Ring
	area float64 // signed, of the file's coordinates; negative is clockwise
	box  orb.Bound
}

// inside reports whether the ring lies in the other: whether its first vertex
// off the other's boundary does. A ring on the boundary lies inside.
func (r ringInfo) inside(outer orb.Ring, budget *int) bool {
	for _, p := range r.ring {
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
