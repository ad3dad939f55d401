package shape

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// Outlines are made valid by these rules, ring by ring:
//
//   - An open ring is closed (the readers do that and count it).
//   - A vertex that repeats the one before is dropped, and so is a ring of fewer
//     than three vertices.
//   - A ring that crosses itself or returns to a vertex is cut there and at the
//     points of contact. Loops in the direction of the ring are area. A loop in
//     the other direction is a hole within such a loop, else area. A loop within
//     another of the same direction is covered already and dropped.
//
// Rings otherwise keep their vertices and their direction, so that neighbors
// keep every shared edge.

// Repairs counts the repairs of the outlines of a layer.
type Repairs struct {
	Closed   int64 // rings that were open
	repeated int64 // vertices that repeat the one before
	dropped  int64 // rings of fewer than three vertices
	crossing int64 // rings that crossed or met themselves
}

// RepairAll makes outlines valid, side by side, and counts.
func (n *Repairs) RepairAll(outlines []orb.MultiPolygon) {
	var workers []*Repairs
	_ = ParallelWith(len(outlines), func() func(int) error {
		w := &Repairs{}
		workers = append(workers, w)
		return func(i int) error {
			outlines[i] = w.Repair(outlines[i])
			return nil
		}
	})
	for _, w := range workers {
		n.repeated, n.dropped, n.crossing = n.repeated+w.repeated, n.dropped+w.dropped, n.crossing+w.crossing
	}
}

// Repair returns the polygons made valid, and counts.
func (n *Repairs) Repair(polygons orb.MultiPolygon) orb.MultiPolygon {
	out := make(orb.MultiPolygon, 0, len(polygons))
	for _, p := range polygons {
		var whole orb.Polygon
		var more orb.MultiPolygon
		for i, r := range p {
			if i > 0 && len(whole) == 0 {
				break // without its outer ring a polygon is nothing
			}
			r = n.distinct(r)
			if len(r) < 4 {
				n.dropped++
				continue
			}
			loops := n.uncross(r)
			switch {
			case loops == nil:
				whole = append(whole, r)
			case len(loops) == 0:
				n.dropped++
			case i == 0:
				whole = append(whole, loops[0]...)
				more = append(more, loops[1:]...)
			default: // of a hole: every loop that is area is a hole
				for _, l := range loops {
					whole = append(whole, l[0])
				}
			}
		}
		if len(whole) > 0 {
			out = append(append(out, whole), more...)
		}
	}
	return out
}

// distinct returns a closed ring without vertices that repeat the one before.
func (n *Repairs) distinct(r orb.Ring) orb.Ring {
	same := 0
	for i := 1; i < len(r); i++ {
		if r[i] == r[i-1] {
			same++
		}
	}
	if same == 0 {
		return r
	}
	n.repeated += int64(same)
	return slices.Compact(slices.Clone(r))
}

// segment is an edge of a ring, from vertex i to the next.
type segment struct {
	i          int
	minX, maxX float64
	minY, maxY float64
}

// crossing is where two edges of a ring cross.
type crossing struct {
	edge int     // the edge's first vertex
	at   float64 // how far along the edge, 0 to 1
	p    orb.Point
}

// uncross cuts a ring that crosses itself into polygons, nil if it does not.
// Longitudes of the ring continue beyond 180 degrees at the antimeridian.
func (n *Repairs) uncross(ring orb.Ring) []orb.Polygon {
	r := runOn(ring)
	cuts, touches := crossings(r)
	if len(cuts) == 0 && !slices.ContainsFunc(touches, func(t touch) bool { return t.crosses(r) }) && !returns(r) {
		return nil
	}
	n.crossing++
	for _, t := range touches {
		cuts = append(cuts, t.crossing)
	}
	slices.SortFunc(cuts, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.edge, b.edge), cmp.Compare(a.at, b.at))
	})
	path := make([]orb.Point, 0, len(r)+len(cuts))
	k := 0
	for i := range len(r) - 1 {
		path = append(path, r[i])
		for ; k < len(cuts) && cuts[k].edge == i; k++ {
			path = append(path, cuts[k].p)
		}
	}
	return nested(loopsOf(path), ringArea(r) < 0)
}

// runOn returns the ring with longitudes that continue beyond the antimeridian,
// or the ring itself if it does not cross it.
func runOn(r orb.Ring) orb.Ring {
	for i := 1; i < len(r); i++ {
		if math.Abs(r[i][0]-r[i-1][0]) > 180 {
			out := slices.Clone(r)
			for k := 1; k < len(out); k++ {
				out[k][0] += 360 * math.Round((out[k-1][0]-out[k][0])/360)
			}
			return out
		}
	}
	return r
}

// returns reports whether a closed ring comes to a vertex again.
func returns(r orb.Ring) bool {
	sorted := slices.Clone(r[1:])
	slices.SortFunc(sorted, func(a, b orb.Point) int {
		switch { // coordinates are numbers; this takes half the time of cmp.Compare
		case a[0] < b[0]:
			return -1
		case a[0] > b[0]:
			return 1
		case a[1] < b[1]:
			return -1
		case a[1] > b[1]:
			return 1
		}
		return 0
	})
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return true
		}
	}
	return false
}

// crossings finds, from west to east, the pairs of edges that cross at a point
// within both, and the vertices that lie within an edge.
func crossings(r orb.Ring) ([]crossing, []touch) {
	segments := make([]segment, len(r)-1)
	for i := range segments {
		a, b := r[i], r[i+1]
		segments[i] = segment{i, min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])}
	}
	slices.SortFunc(segments, func(a, b segment) int {
		switch {
		case a.minX < b.minX:
			return -1
		case a.minX > b.minX:
			return 1
		}
		return a.i - b.i
	})
	var active []segment
	var out []crossing
	var touches []touch
	for _, s := range segments {
		kept := active[:0]
		for _, o := range active {
			if o.maxX < s.minX {
				continue
			}
			kept = append(kept, o)
			if o.minY > s.maxY || o.maxY < s.minY {
				continue
			}
			if t, u, ok := cross(r[s.i], r[s.i+1], r[o.i], r[o.i+1]); ok {
				p := orb.Point{r[s.i][0] + float64(t*(r[s.i+1][0]-r[s.i][0])), r[s.i][1] + float64(t*(r[s.i+1][1]-r[s.i][1]))}
				out = append(out, crossing{s.i, t, p}, crossing{o.i, u, p})
			}
			touches = appendTouch(appendTouch(touches, r, s.i, o.i), r, o.i, s.i)
		}
		kept = append(kept, s)
		active = kept
	}
	return out, touches
}

// side is positive where r lies to the left of the way from p to q, negative
// to the right, and 0 on the line.
func side(p, q, r orb.Point) float64 {
	return float64((q[0]-p[0])*(r[1]-p[1])) - float64((q[1]-p[1])*(r[0]-p[0]))
}

// cross returns how far along each the edges ab and cd cross.
func cross(a, b, c, d orb.Point) (t, u float64, ok bool) {
	c1, d1 := side(a, b, c), side(a, b, d)
	a1, b1 := side(c, d, a), side(c, d, b)
	if c1 == 0 || d1 == 0 || a1 == 0 || b1 == 0 || (c1 > 0) == (d1 > 0) || (a1 > 0) == (b1 > 0) {
		return 0, 0, false
	}
	return a1 / (a1 - b1), c1 / (c1 - d1), true
}

// touch is a vertex within an edge.
type touch struct {
	crossing
	vertex int
}

// appendTouch appends a vertex of the ring if it lies within an edge.
func appendTouch(touches []touch, r orb.Ring, vertex, edge int) []touch {
	v, a, b := r[vertex], r[edge], r[edge+1]
	if side(a, b, v) != 0 || v == a || v == b {
		return touches
	}
	axis := 0 // along which the edge is longer
	if math.Abs(b[1]-a[1]) > math.Abs(b[0]-a[0]) {
		axis = 1
	}
	at := (v[axis] - a[axis]) / (b[axis] - a[axis])
	if !(at > 0 && at < 1) {
		return touches
	}
	return append(touches, touch{crossing{edge, at, v}, vertex})
}

// crosses reports whether the ring comes to the edge from one side and leaves
// it to the other. It follows the ring, which is closed, as long as it stays on
// the edge's line.
func (t touch) crosses(r orb.Ring) bool {
	a, b := r[t.edge], r[t.edge+1]
	n := len(r) - 1
	off := func(step int) float64 {
		for k := 1; k < n; k++ {
			if s := side(a, b, r[((t.vertex+k*step)%n+n)%n]); s != 0 {
				return s
			}
		}
		return 0
	}
	return off(-1)*off(1) < 0
}

// loopsOf cuts an unclosed path into closed rings that pass no point twice.
func loopsOf(path []orb.Point) []orb.Ring {
	var loops []orb.Ring
	var stack []orb.Point
	seen := map[orb.Point]int{}
	for _, p := range append(path, path[0]) {
		at, again := seen[p]
		if !again {
			seen[p] = len(stack)
			stack = append(stack, p)
			continue
		}
		loop := append(orb.Ring(slices.Clone(stack[at:])), p)
		if len(loop) > 3 && ringArea(loop) != 0 {
			loops = append(loops, loop)
		}
		for _, q := range stack[at+1:] {
			delete(seen, q)
		}
		stack = stack[:at+1]
	}
	return loops
}

// nested makes polygons of the loops of one ring, the largest first.
func nested(loops []orb.Ring, clockwise bool) []orb.Polygon {
	slices.SortStableFunc(loops, func(a, b orb.Ring) int {
		return cmp.Compare(math.Abs(ringArea(b)), math.Abs(ringArea(a)))
	})
	var out []orb.Polygon
	for _, l := range loops {
		around := slices.IndexFunc(out, func(p orb.Polygon) bool { return ringWithin(l, p[0]) })
		same := (ringArea(l) < 0) == clockwise
		switch {
		case around < 0:
			if !same {
				slices.Reverse(l)
			}
			out = append(out, orb.Polygon{l})
		case !same:
			out[around] = append(out[around], l)
		}
	}
	if len(out) == 0 { // nothing has extent
		return []orb.Polygon{}
	}
	return out
}

// ringArea returns the signed area of a closed ring in square degrees,
// positive when it runs counter-clockwise.
func ringArea(r orb.Ring) float64 {
	sum := 0.0
	for i := 1; i < len(r); i++ {
		sum += float64((r[i-1][0]-r[0][0])*(r[i][1]-r[0][1])) - float64((r[i][0]-r[0][0])*(r[i-1][1]-r[0][1]))
	}
	return sum / 2
}

// ringWithin reports whether a ring lies within another that it does not
// cross: whether its first vertex off the other's does.
func ringWithin(r, outer orb.Ring) bool {
	set := NewAreas()
	set.addPolygon("", orb.Polygon{outer})
	if len(set.Parts) == 0 {
		return false
	}
	for _, p := range r {
		if !slices.Contains(outer, p) {
			return set.Parts[0].Contains(p[0], p[1])
		}
	}
	return true
}
