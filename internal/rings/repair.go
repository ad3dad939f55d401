// Package rings makes polygons valid: it cuts rings that cross themselves.
//
// Outlines are made valid by these rules, ring by ring:
//
//   - An open ring is closed.
//   - A vertex that repeats the one before is dropped, and so is a ring of fewer
//     than three vertices.
//   - A ring that crosses itself or returns to a vertex is cut there and at the
//     points of contact. Loops in the direction of the ring are area. A loop in
//     the other direction is a hole within such a loop, else area. A loop within
//     another of the same direction is covered already and dropped.
//   - A part that a ring winds around several times counts once. Rounding can move a
//     crossing of nearly collinear edges across a third edge. The windings then
//     contradict each other, and the loops alone decide as above.
//
// Rings otherwise keep their vertices and their direction, so that neighbors
// keep every shared edge.
//
// # How a ring is cut
//
//  1. A grid finds the pairs of edges that may meet ([grid]), and so all crossings and
//     vertices on edges. Nearly all rings have none and are returned as they are.
//  2. The crossings become vertices. The ring is then a path that meets itself only in them.
//  3. The path divides the plane into faces ([graph]). How often it winds around a face follows
//     from a neighboring face and the edge between them.
//  4. The borders between faces with windings and without are the new rings.
//
// Agencies' files and polygons of users go through the same code. Users' polygons may be
// crafted, so their work is bounded by [Limits] and gives way to other work. Coordinates are
// floating-point numbers of degrees, and a crossing is rounded. Step 3 notices if that moved one
// across an edge, and the loops decide instead.
package rings

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// Limits bound the work for one polygon from a stranger. Zero means no limit.
type Limits struct {
	Crossings int // of all rings with themselves
	Steps     int // comparisons of edges and vertices

	// Pause is called about every millisecond of work. Its error ends the work. nil
	// disables it.
	Pause func() error
}

// Counts counts repairs.
type Counts struct {
	Repeated int64 // vertices that repeat the one before
	Dropped  int64 // rings of fewer than three vertices
	Crossing int64 // rings that crossed or met themselves
}

// Repair returns the polygons made valid. The error is a [*LimitError] or that of
// limits.Pause. Coordinates must be finite.
func Repair(polygons orb.MultiPolygon, limits Limits) (orb.MultiPolygon, Counts, error) {
	n := repairer{work: work{limits: limits}}
	out := make(orb.MultiPolygon, 0, len(polygons))
	for _, p := range polygons {
		var whole orb.Polygon
		var more orb.MultiPolygon
		for i, r := range p {
			if i > 0 && len(whole) == 0 {
				break // without its outer ring a polygon is nothing
			}
			r = n.distinct(closed(r))
			if len(r) < 4 {
				n.Dropped++
				continue
			}
			loops, err := n.uncross(r)
			switch {
			case err != nil:
				return nil, n.Counts, err
			case loops == nil:
				whole = append(whole, r)
			case len(loops) == 0:
				n.Dropped++
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
	return out, n.Counts, nil
}

type repairer struct {
	Counts
	work
}

// closed returns the ring with its first vertex at the end.
func closed(r orb.Ring) orb.Ring {
	if len(r) == 0 || r[0] == r[len(r)-1] {
		return r
	}
	return append(slices.Clone(r), r[0])
}

// distinct returns a closed ring without vertices that repeat the one before.
func (n *repairer) distinct(r orb.Ring) orb.Ring {
	same := 0
	for i := 1; i < len(r); i++ {
		if r[i] == r[i-1] {
			same++
		}
	}
	if same == 0 {
		return r
	}
	n.Repeated += int64(same)
	return slices.Compact(slices.Clone(r))
}

// uncross cuts a ring that crosses itself into polygons, nil if it does not.
// Longitudes of the ring continue beyond 180 degrees at the antimeridian. A ring
// around a pole remains as it is.
func (n *repairer) uncross(ring orb.Ring) ([]orb.Polygon, error) {
	r := runOn(ring)
	if r[0] != r[len(r)-1] {
		return nil, nil
	}
	cuts, touches, err := n.crossings(r)
	if err != nil {
		return nil, err
	}
	simple := len(cuts) == 0 && !returns(r)
	for i := 0; simple && i < len(touches); i++ {
		// A vertex that touches an edge from one side needs no cut.
		simple = !touches[i].crosses(r, &n.work)
	}
	if err := n.err(); err != nil || simple {
		return nil, err
	}
	n.Crossing++
	for _, t := range touches {
		cuts = append(cuts, t.crossing)
	}
	slices.SortFunc(cuts, compareCrossings)
	path := make([]orb.Point, 0, len(r)+len(cuts))
	k := 0
	for i := range len(r) - 1 {
		path = append(path, r[i])
		for ; k < len(cuts) && cuts[k].edge == i; k++ {
			path = append(path, cuts[k].p)
		}
	}
	clockwise := Area(r) < 0
	loops, exact := covered(path)
	if !exact {
		loops = Loops(path)
	} else if clockwise {
		for _, l := range loops {
			slices.Reverse(l)
		}
	}
	return n.nested(loops, clockwise, exact)
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

// Loops cuts an unclosed path into closed rings that pass no point twice.
func Loops(path []orb.Point) []orb.Ring {
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
		if len(loop) > 3 && Area(loop) != 0 {
			loops = append(loops, loop)
		}
		for _, q := range stack[at+1:] {
			delete(seen, q)
		}
		stack = stack[:at+1]
	}
	return loops
}

// nested makes polygons of the loops of one ring, the largest first. If they are exact,
// those in its direction are outer rings and the others holes. Otherwise a loop in a loop
// of the same direction is dropped, and one in no loop is area.
func (n *repairer) nested(loops []orb.Ring, clockwise, exact bool) ([]orb.Polygon, error) {
	type loop struct {
		ring orb.Ring
		area float64
		box  orb.Bound
	}
	list := make([]loop, len(loops))
	for i, l := range loops {
		list[i] = loop{l, Area(l), l.Bound()}
	}
	slices.SortStableFunc(list, func(a, b loop) int { return cmp.Compare(math.Abs(b.area), math.Abs(a.area)) })
	out := []orb.Polygon{}
	var boxes []orb.Bound // of their outer rings
	for _, l := range list {
		around, same := -1, (l.area < 0) == clockwise
		for i := len(out) - 1; i >= 0 && !(exact && same); i-- { // the smallest around it
			if !n.step(1) {
				return nil, n.err()
			}
			if boxes[i].Contains(l.box.Min) && boxes[i].Contains(l.box.Max) && n.step(len(out[i][0])+len(l.ring)) && Within(l.ring, out[i][0]) {
				around = i
				break
			}
		}
		switch {
		case around < 0:
			if !same {
				slices.Reverse(l.ring)
			}
			out, boxes = append(out, orb.Polygon{l.ring}), append(boxes, l.box)
		case !same:
			out[around] = append(out[around], l.ring)
		}
	}
	return out, n.err()
}

// Group adds each hole to the smallest of the outer rings around it, and returns the
// polygons in the order of the outer rings, and the holes outside of all. It reports false
// if that takes more steps than allowed.
func Group(outers, holes []orb.Ring, steps int) (polygons orb.MultiPolygon, stray []orb.Ring, ok bool) {
	order, sizes, boxes := make([]int, len(outers)), make([]float64, len(outers)), make([]orb.Bound, len(outers))
	for i, r := range outers {
		order[i], sizes[i], boxes[i] = i, math.Abs(Area(r)), r.Bound()
		polygons = append(polygons, orb.Polygon{r})
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	for _, h := range holes {
		box := h.Bound()
		at := slices.IndexFunc(order, func(i int) bool {
			if steps--; steps < 0 || !boxes[i].Contains(box.Min) || !boxes[i].Contains(box.Max) {
				return false
			}
			steps -= len(outers[i]) + len(h)
			return Within(h, outers[i])
		})
		switch {
		case steps < 0:
			return nil, nil, false
		case at < 0:
			stray = append(stray, h)
		default:
			polygons[order[at]] = append(polygons[order[at]], h)
		}
	}
	return polygons, stray, true
}

// Area returns the signed area of a closed ring in square degrees,
// positive when it runs counter-clockwise.
func Area(r orb.Ring) float64 {
	sum := 0.0
	for i := 1; i < len(r); i++ {
		sum += float64((r[i-1][0]-r[0][0])*(r[i][1]-r[0][1])) - float64((r[i][0]-r[0][0])*(r[i-1][1]-r[0][1]))
	}
	return sum / 2
}

// Within reports whether a ring lies within another that it does not
// cross: whether its first vertex off the other's outline does.
func Within(r, outer orb.Ring) bool {
	const few = 8 // vertices; usually the first one decides, and the map below is not made
	for _, p := range r[:min(few, len(r))] {
		if !slices.Contains(outer, p) {
			if in, on := inside(p, outer); !on {
				return in
			}
		}
	}
	vertices := make(map[orb.Point]bool, len(outer))
	for _, p := range outer {
		vertices[p] = true
	}
	for _, p := range r {
		if !vertices[p] {
			if in, on := inside(p, outer); !on {
				return in
			}
		}
	}
	return true
}

// inside reports whether a point lies in a closed ring, and whether it is on its outline.
func inside(p orb.Point, ring orb.Ring) (in, on bool) {
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		if a[1] > b[1] {
			a, b = b, a
		}
		switch {
		case p[1] < a[1] || p[1] > b[1]:
		case a[1] == b[1]:
			on = on || min(a[0], b[0]) <= p[0] && p[0] <= max(a[0], b[0])
		default:
			s := side(a, b, p)
			on = on || s == 0
			if s > 0 && p[1] < b[1] {
				in = !in
			}
		}
	}
	return in, on
}

// Widest returns the middle and the width of the longest stretch of a parallel within a
// polygon. The crossings with its edges ascend; stretches begin at the odd ones.
func Widest(crossings []float64) (middle, width float64) {
	for i := 0; i+1 < len(crossings); i += 2 {
		if w := crossings[i+1] - crossings[i]; w > width {
			middle, width = (crossings[i]+crossings[i+1])/2, w
		}
	}
	return middle, width
}
