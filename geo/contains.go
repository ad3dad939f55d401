package geo

import "math"

// pointsPerUnit is how much finer points are looked up than vertices are
// stored: in ten-millionths of a degree, 1.1 cm.
const pointsPerUnit = 10

// A probe is a point in units of 1e-7 degree, and its whole part in stored
// units, rounded down. A coordinate v of a vertex is greater than x exactly
// when it is greater than floorX.
type probe struct {
	x, y           int64
	floorX, floorY int64
}

func newProbe(p LatLng) probe {
	x := int64(math.Round(p.lng * (unitsPerDegree * pointsPerUnit)))
	if x == 180*unitsPerDegree*pointsPerUnit {
		x = -x
	}
	return probe{}.at(x, int64(math.Round(p.Lat()*(unitsPerDegree*pointsPerUnit))))
}

func (probe) at(x, y int64) probe {
	return probe{x, y, floorDiv(x, pointsPerUnit), floorDiv(y, pointsPerUnit)}
}

// east returns the same point a turn further east.
func (p probe) east() probe { return p.at(p.x+unitsPerTurn*pointsPerUnit, p.y) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Containing returns the area that contains the point. The decision is exact
// for the point rounded to 1e-7 degree. A point on an edge shared by areas
// belongs to exactly one of them, and a point on any other edge to its area.
// Among overlapping areas the smallest is returned, and among equals the one
// with the lower index. It returns false if no area contains the point or the
// point is not valid.
func (x *PolygonIndex) Containing(p LatLng) (area int, ok bool) {
	if !p.IsValid() {
		return 0, false
	}
	at := newProbe(p)
	small, large := x.grid.candidates(int32(at.floorX), int32(at.floorY))
	best := x.first(small, large, at, x.holds)
	if best < 0 {
		best = x.first(small, large, at, x.touches)
	}
	if best < 0 {
		return 0, false
	}
	return int(x.shapes[best].index), true
}

// first returns the smallest of the shapes that pass the test, or -1. Both
// lists are in order of size.
func (x *PolygonIndex) first(small, large []int32, p probe, test func(*shape, probe) bool) int32 {
	best := int32(-1)
	for _, i := range small {
		if test(&x.shapes[i], p) {
			best = i
			break
		}
	}
	for _, i := range large {
		if best >= 0 && x.shapes[i].rank > x.shapes[best].rank {
			break
		}
		if test(&x.shapes[i], p) {
			return i
		}
	}
	return best
}

// AppendContaining appends all areas that hold the point or have it on their
// edge, smallest first.
func (x *PolygonIndex) AppendContaining(dst []int, p LatLng) []int {
	if !p.IsValid() {
		return dst
	}
	at := newProbe(p)
	small, large := x.grid.candidates(int32(at.floorX), int32(at.floorY))
	for len(small) > 0 || len(large) > 0 {
		next := &small
		if len(small) == 0 || len(large) > 0 && x.shapes[large[0]].rank < x.shapes[small[0]].rank {
			next = &large
		}
		s := &x.shapes[(*next)[0]]
		*next = (*next)[1:]
		if x.holds(s, at) || x.touches(s, at) {
			dst = append(dst, int(s.index))
		}
	}
	return dst
}

// Covers reports whether the point lies in the area or on its edge. It is
// false for an area without polygon or an index out of range.
func (x *PolygonIndex) Covers(area int, p LatLng) bool {
	i := x.shapeOf(area)
	if i < 0 || !p.IsValid() {
		return false
	}
	s, at := &x.shapes[i], newProbe(p)
	return x.holds(s, at) || x.touches(s, at)
}

// holds reports whether the point is in the shape. A point on an edge is moved
// infinitesimally north and then east, so that shapes that share the edge
// agree.
func (x *PolygonIndex) holds(s *shape, p probe) bool {
	odd := x.odd(s, p)
	if s.spansSea() {
		odd = odd != x.odd(s, p.east())
	}
	return odd
}

// odd reports whether a ray from the point to the east crosses the outline an
// odd number of times.
func (x *PolygonIndex) odd(s *shape, p probe) bool {
	if p.floorX < int64(s.lo.x) || p.floorX >= int64(s.hi.x) || p.floorY < int64(s.lo.y) || p.floorY >= int64(s.hi.y) {
		return false
	}
	odd := false
	chunks := x.chunks[s.chunk:s.end]
	for i := range chunks {
		c := &chunks[i]
		dx, dy := p.floorX-int64(c.x), p.floorY-int64(c.y)
		if dy < 0 || dy >= int64(c.h) || dx >= int64(c.w) {
			continue
		}
		if dx < 0 { // all of it lies to the east, so only its ends matter
			if (int64(c.first) > dy) != (int64(c.last) > dy) {
				odd = !odd
			}
			continue
		}
		r := c.reader(x.vertices)
		if r.crossings(int(c.edges), uint32(dx), uint32(dy), p.x-int64(c.x)*pointsPerUnit, p.y-int64(c.y)*pointsPerUnit) {
			odd = !odd
		}
	}
	return odd
}

// crossings reports whether a ray to the east crosses the edges of a chunk an
// odd number of times. The point is given relative to the chunk's corner, in
// stored units rounded down and in units of points.
func (r *vertexReader) crossings(edges int, floorX, floorY uint32, px, py int64) bool {
	odd := false
	above := r.heightAt(0) > floorY
	for i := 1; i <= edges; i++ {
		if was := above; was != (r.heightAt(i) > floorY) {
			above = !was
			ax, ay := r.at(i - 1)
			bx, by := r.at(i)
			switch {
			case ax > floorX && bx > floorX:
				odd = !odd
			case ax <= floorX && bx <= floorX:
			default:
				// The point is strictly west of the edge when it lies to the
				// left of the edge taken upwards.
				ex, ey := int64(bx)-int64(ax), int64(by)-int64(ay)
				turn := ex*(py-int64(ay)*pointsPerUnit) - (px-int64(ax)*pointsPerUnit)*ey
				if turn != 0 && (turn > 0) == above {
					odd = !odd
				}
			}
		}
	}
	return odd
}

// touches reports whether the point lies exactly on the outline.
func (x *PolygonIndex) touches(s *shape, p probe) bool {
	return x.onEdge(s, p) || s.spansSea() && x.onEdge(s, p.east())
}

func (x *PolygonIndex) onEdge(s *shape, p probe) bool {
	chunks := x.chunks[s.chunk:s.end]
	for i := range chunks {
		c := &chunks[i]
		px, py := p.x-int64(c.x)*pointsPerUnit, p.y-int64(c.y)*pointsPerUnit
		if px < 0 || py < 0 || px > int64(c.w)*pointsPerUnit || py > int64(c.h)*pointsPerUnit {
			continue
		}
		r := c.reader(x.vertices)
		ux, uy := r.at(0)
		ax, ay := int64(ux)*pointsPerUnit, int64(uy)*pointsPerUnit
		for k := 1; k <= int(c.edges); k++ {
			ux, uy := r.at(k)
			bx, by := int64(ux)*pointsPerUnit, int64(uy)*pointsPerUnit
			if px >= min(ax, bx) && px <= max(ax, bx) && py >= min(ay, by) && py <= max(ay, by) &&
				(bx-ax)*(py-ay) == (px-ax)*(by-ay) {
				return true
			}
			ax, ay = bx, by
		}
	}
	return false
}
