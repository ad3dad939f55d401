package synth

import (
	"cmp"
	"slices"
)

// A polygon is an outer ring, counterclockwise, and its holes, clockwise. No
// ring repeats its first vertex at the end.
type polygon struct {
	Outer []vertex
	Holes [][]vertex
}

// group lists the cells of each owner. It omits cells without an owner.
func group(cells []Cell, n int, owner func(*Cell) int32) [][]int32 {
	groups := make([][]int32, n)
	for i := range cells {
		if o := owner(&cells[i]); o != None {
			groups[o] = append(groups[o], int32(i))
		}
	}
	return groups
}

// outline joins cells and removes the borders between them.
func (m *mesh) outline(cells []int32) []polygon {
	var edges []edge
	for _, i := range cells {
		edges = append(edges, m.corners(m.cells[i].Box)...)
	}
	if len(cells) > 1 {
		have := make(map[edge]struct{}, len(edges))
		for _, e := range edges {
			have[e] = struct{}{}
		}
		edges = slices.DeleteFunc(edges, func(e edge) bool {
			_, inner := have[e.reversed()]
			return inner
		})
	}
	return m.assemble(link(edges))
}

// link chains edges into closed rings of corners. No ring visits a corner twice.
func link(edges []edge) [][]vertex {
	out := make(map[vertex][]vertex, len(edges)) // ends of unused edges
	for _, e := range edges {
		out[e.A] = append(out[e.A], e.B)
	}
	var rings [][]vertex
	for _, e := range edges {
		ends := out[e.A]
		i := slices.Index(ends, e.B)
		if i < 0 {
			continue
		}
		out[e.A] = slices.Delete(ends, i, i+1)
		path, at := []vertex{e.A}, map[vertex]int{e.A: 0}
		prev, v := e.A, e.B
		for {
			if k, seen := at[v]; seen {
				ring := slices.Clone(path[k:])
				rings = append(rings, ring)
				for _, u := range ring {
					delete(at, u)
				}
				path = path[:k]
				if k == 0 {
					break
				}
				prev = path[k-1]
			}
			at[v] = len(path)
			path = append(path, v)
			ends := out[v]
			i := leftmost(prev, v, ends)
			prev, v = v, ends[i]
			out[prev] = slices.Delete(ends, i, i+1)
		}
	}
	return rings
}

// leftmost returns the index of the end with the sharpest turn to the left, on
// the way from prev through v.
func leftmost(prev, v vertex, ends []vertex) int {
	if len(ends) == 1 {
		return 0
	}
	dx, dy := int64(v.X-prev.X), int64(v.Y-prev.Y)
	turn := func(e vertex) int {
		ex, ey := int64(e.X-v.X), int64(e.Y-v.Y)
		return cmp.Compare(dx*ey-dy*ex, 0)
	}
	best := 0
	for i := range ends {
		if turn(ends[i]) > turn(ends[best]) {
			best = i
		}
	}
	return best
}

// assemble bends the borders of rings and assigns holes to outer rings.
func (m *mesh) assemble(rings [][]vertex) []polygon {
	var polygons []polygon
	var cornersOf [][]vertex // of each polygon's outer ring
	var holes [][]vertex
	for _, ring := range rings {
		if signed(ring) > 0 {
			polygons = append(polygons, polygon{Outer: m.bendRing(ring)})
			cornersOf = append(cornersOf, ring)
		} else {
			holes = append(holes, ring)
		}
	}
	for _, hole := range holes {
		best := -1
		for i, ring := range cornersOf {
			if aroundEdge(ring, hole) && (best < 0 || signed(ring) < signed(cornersOf[best])) {
				best = i
			}
		}
		if best >= 0 {
			polygons[best].Holes = append(polygons[best].Holes, m.bendRing(hole))
		}
	}
	return polygons
}

func (m *mesh) bendRing(corners []vertex) []vertex {
	ring := make([]vertex, 0, len(corners)*(m.detail+1))
	for i, a := range corners {
		ring = m.bend(ring, edge{a, corners[(i+1)%len(corners)]})
	}
	return ring
}

// signed returns twice the flat area of a ring, positive counterclockwise.
func signed(ring []vertex) int64 {
	var sum int64
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		sum += int64(a.X)*int64(b.Y) - int64(b.X)*int64(a.Y)
	}
	return sum
}

// aroundEdge reports whether the ring encloses the middle of the hole's first
// edge. The middle never lies on the ring: rings share corners, not edges.
func aroundEdge(ring, hole []vertex) bool {
	px, py := int64(hole[0].X)+int64(hole[1].X), int64(hole[0].Y)+int64(hole[1].Y)
	inside := false
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		ax, ay, bx, by := 2*int64(a.X), 2*int64(a.Y), 2*int64(b.X), 2*int64(b.Y)
		if (ay > py) == (by > py) {
			continue
		}
		// Rings of corners have upright edges only, so ax equals bx here.
		if ax == bx && ax > px {
			inside = !inside
		}
	}
	return inside
}
