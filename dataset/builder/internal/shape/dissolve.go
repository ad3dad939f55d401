package shape

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/rings"
)

// Dissolve returns one area for neighbors that share edges. An edge that one
// outline runs along one way and another the other way is inner, and dropped.
// The remaining edges are put together to rings again. Neighbors must have the
// same vertices along their border, as in the agencies' files. Otherwise
// slivers of the width of the difference are left.
//
// Outer rings come from the largest to the smallest, each with its holes. No
// ring may cross the antimeridian.
//
// Edges are matched by equal coordinates, in time proportional to their number. So
// vertices stay as they are, and nothing depends on a tolerance. A general union of
// polygons would also join neighbors whose vertices differ, but would move vertices by
// rounding.
func Dissolve(polygons orb.MultiPolygon) orb.MultiPolygon { return newEdgeSet(polygons).areas() }

// areas puts the edges together to polygons, which it takes out of the set.
func (s *edgeSet) areas() orb.MultiPolygon {
	var outers, holes []orb.Ring
	for _, r := range s.rings() {
		for _, loop := range rings.Loops(r[:len(r)-1]) {
			if rings.Area(loop) > 0 {
				outers = append(outers, loop)
			} else {
				holes = append(holes, loop)
			}
		}
	}
	slices.SortStableFunc(outers, func(a, b orb.Ring) int { return cmp.Compare(rings.Area(b), rings.Area(a)) })
	slices.SortStableFunc(holes, func(a, b orb.Ring) int { return cmp.Compare(rings.Area(a), rings.Area(b)) })
	out, _, _ := rings.Group(outers, holes, math.MaxInt)
	return out
}

// An edgeSet holds directed edges without those that run both ways. Most vertices have
// one edge, so that the lists of ends are searched from front to back. The order of
// starts, not that of the map, decides where rings begin.
type edgeSet struct {
	starts []orb.Point               // where edges begin, in the order they came
	next   map[orb.Point][]orb.Point // ends of the edges
}

// newEdgeSet takes the edges of polygons, the area always to the left of them.
func newEdgeSet(polygons orb.MultiPolygon) *edgeSet {
	s := &edgeSet{next: map[orb.Point][]orb.Point{}}
	for _, p := range polygons {
		for i, r := range p {
			// Holes run clockwise, so that their area, too, lies to the left of the
			// edges.
			if isHole := i > 0; len(r) < 4 || (rings.Area(r) < 0) != isHole {
				r = slices.Clone(r)
				slices.Reverse(r)
			}
			for k := 1; k < len(r); k++ {
				s.add(r[k-1], r[k])
			}
		}
	}
	return s
}

func (s *edgeSet) add(a, b orb.Point) {
	if i := slices.Index(s.next[b], a); i >= 0 {
		s.next[b] = slices.Delete(s.next[b], i, i+1)
		return
	}
	if _, known := s.next[a]; !known {
		s.starts = append(s.starts, a)
	}
	s.next[a] = append(s.next[a], b)
}

// rings follows the edges in the order of their starts, and takes each once. At
// a vertex with several ways on it turns left as far as it can, which separates
// areas that touch in a vertex.
func (s *edgeSet) rings() []orb.Ring {
	var out []orb.Ring
	for _, start := range s.starts {
		for len(s.next[start]) > 0 {
			ring := orb.Ring{start}
			for at, from := start, start; ; {
				i := sharpest(from, at, s.next[at])
				if i < 0 {
					break // the edges of closed rings always lead back
				}
				to := s.next[at][i]
				s.next[at] = slices.Delete(s.next[at], i, i+1)
				ring = append(ring, to)
				from, at = at, to
				if at == start {
					break
				}
			}
			if len(ring) > 3 && ring[0] == ring[len(ring)-1] {
				out = append(out, ring)
			}
		}
	}
	return out
}

// sharpest returns the way on from a vertex that turns left the most, coming
// from another; -1 without any.
func sharpest(from, at orb.Point, ways []orb.Point) int {
	if len(ways) < 2 || from == at {
		return len(ways) - 1
	}
	best, least := -1, 0.0
	back := math.Atan2(from[1]-at[1], from[0]-at[0])
	for i, w := range ways {
		clockwise := math.Mod(back-math.Atan2(w[1]-at[1], w[0]-at[0])+4*math.Pi, 2*math.Pi)
		if best < 0 || clockwise < least {
			best, least = i, clockwise
		}
	}
	return best
}
