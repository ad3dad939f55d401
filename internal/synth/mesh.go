package synth

import (
	"cmp"
	"math"
	"slices"
)

// A mesh holds the corners of all cells, so that neighbors share the vertices of
// their border.
type mesh struct {
	cells  []Cell
	onX    map[int32][]int32 // corners on the meridian x: their y, ascending
	onY    map[int32][]int32 // corners on the parallel y: their x, ascending
	detail int
	seed   uint64
	limits map[edge]float64 // maximum distance of a border from its straight line
}

// antimeridian is 180 degrees; borders along it stay straight.
const antimeridian = 180_000_000

// An edge joins two adjacent corners.
type edge struct{ A, B vertex }

func (e edge) reversed() edge { return edge{e.B, e.A} }

// canonical returns e in the direction that both neighbors use, and whether it
// was reversed.
func (e edge) canonical() (edge, bool) {
	if e.B.X < e.A.X || e.B.X == e.A.X && e.B.Y < e.A.Y {
		return e.reversed(), true
	}
	return e, false
}

func newMesh(cells []Cell, points []vertex, detail int, seed uint64, gaps bool) *mesh {
	m := &mesh{cells: cells, onX: map[int32][]int32{}, onY: map[int32][]int32{}, detail: detail, seed: seed}
	for _, c := range cells {
		b := c.Box
		for _, x := range [2]int32{b.X0, b.X1} {
			m.onX[x] = append(m.onX[x], b.Y0, b.Y1)
		}
		for _, y := range [2]int32{b.Y0, b.Y1} {
			m.onY[y] = append(m.onY[y], b.X0, b.X1)
		}
	}
	for _, axis := range []map[int32][]int32{m.onX, m.onY} {
		for k, v := range axis {
			slices.Sort(v)
			axis[k] = slices.Compact(v)
		}
	}
	if detail > 0 {
		m.limit(points)
	}
	if gaps && detail > 0 {
		m.straighten()
	}
	return m
}

// straighten keeps the outer borders straight, because bent ones could meet
// across a narrow gap.
func (m *mesh) straighten() {
	times := make(map[edge]int, len(m.limits))
	for _, c := range m.cells {
		for _, e := range m.corners(c.Box) {
			k, _ := e.canonical()
			times[k]++
		}
	}
	for e, n := range times {
		if n == 1 {
			m.limits[e] = 0
		}
	}
}

// limit sets how far each edge may bend: an eighth of the narrower side of both
// cells, and half the distance to their points. Cell i must keep points[i].
func (m *mesh) limit(points []vertex) {
	m.limits = make(map[edge]float64, 6*len(m.cells))
	for i := range m.cells {
		b, p := m.cells[i].Box, points[i]
		for _, e := range m.corners(b) {
			room := float64(min(b.X1-b.X0, b.Y1-b.Y0)) / 8
			if e.A.X == e.B.X {
				room = min(room, math.Abs(float64(p.X-e.A.X))/2)
			} else {
				room = min(room, math.Abs(float64(p.Y-e.A.Y))/2)
			}
			k, _ := e.canonical()
			if old, ok := m.limits[k]; !ok || room < old {
				m.limits[k] = room
			}
		}
	}
}

// corners returns the edges of a box counterclockwise from its south-west
// corner. Corners of other cells divide them.
func (m *mesh) corners(b Box) []edge {
	ring := make([]vertex, 0, 12)
	between := func(s []int32, lo, hi int32) []int32 {
		i, _ := slices.BinarySearch(s, lo+1)
		j, _ := slices.BinarySearch(s, hi)
		return s[i:max(i, j)]
	}
	ring = append(ring, vertex{b.X0, b.Y0})
	for _, x := range between(m.onY[b.Y0], b.X0, b.X1) {
		ring = append(ring, vertex{x, b.Y0})
	}
	ring = append(ring, vertex{b.X1, b.Y0})
	for _, y := range between(m.onX[b.X1], b.Y0, b.Y1) {
		ring = append(ring, vertex{b.X1, y})
	}
	ring = append(ring, vertex{b.X1, b.Y1})
	for _, x := range slices.Backward(between(m.onY[b.Y1], b.X0, b.X1)) {
		ring = append(ring, vertex{x, b.Y1})
	}
	ring = append(ring, vertex{b.X0, b.Y1})
	for _, y := range slices.Backward(between(m.onX[b.X0], b.Y0, b.Y1)) {
		ring = append(ring, vertex{b.X0, y})
	}
	edges := make([]edge, len(ring))
	for i, a := range ring {
		edges[i] = edge{a, ring[(i+1)%len(ring)]}
	}
	return edges
}

// bend appends the start of the edge and the points between its corners.
func (m *mesh) bend(ring []vertex, e edge) []vertex {
	ring = append(ring, e.A)
	if m.detail == 0 || e.A.X == e.B.X && (e.A.X == antimeridian || e.A.X == -antimeridian) {
		return ring
	}
	c, turned := e.canonical()
	limit := m.limits[c]
	length := float64(c.B.X-c.A.X) + float64(c.B.Y-c.A.Y) // one of the two is 0
	if limit < 2 || length < float64(4*m.detail) {
		return ring
	}
	h := hash(m.seed, uint64(uint32(c.A.X))<<32|uint64(uint32(c.A.Y)), uint64(uint32(c.B.X))<<32|uint64(uint32(c.B.Y)))
	from := len(ring)
	for k := 1; k <= m.detail; k++ {
		t := float64(k) / float64(m.detail+1)
		h = hash(h, uint64(k), 0)
		// A slope under one half keeps borders that meet at a corner apart.
		stray := float64((float64(h>>40)/(1<<23) - 1) * min(limit, float64(0.4*length)*min(t, 1-t)))
		v := c.A
		if c.A.Y == c.B.Y {
			v.X += int32(math.Round(float64(t * length)))
			v.Y += int32(math.Round(stray))
		} else {
			v.Y += int32(math.Round(float64(t * length)))
			v.X += int32(math.Round(stray))
		}
		ring = append(ring, v)
	}
	if turned {
		slices.Reverse(ring[from:])
	}
	return ring
}

// cellArea returns the area of a cell in square meters.
func (m *mesh) cellArea(b Box) float64 {
	var ring []vertex
	for _, e := range m.corners(b) {
		ring = m.bend(ring, e)
	}
	return ringArea(ring)
}

// hash mixes three numbers (the finisher of SplitMix64, Steele et al. 2014).
func hash(a, b, c uint64) uint64 {
	x := a ^ b*0x9e3779b97f4a7c15 ^ c*0xd1b54a32d192ed03
	for range 2 {
		x += 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}

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
