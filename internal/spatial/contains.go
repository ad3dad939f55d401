package spatial

import (
	"encoding/binary"
	"math"

	"github.com/postgeo/postgeo/geo"
)

// pointsPerUnit is how much finer points are looked up than vertices are
// stored: in ten-millionths of a degree, 1.1 cm.
const pointsPerUnit = 10

// Whether a point is in an area is decided in whole numbers, so that two areas with a common
// edge agree: a point on it is in one of them. A ray to the east counts the edges that it crosses.
// Edges are half-open: a vertex at the height of the ray counts as below it, so a ray
// through a vertex crosses one of the two edges there. A point on an edge counts as slightly
// north and east of it, for every shape alike. Only a point on the outer edge of a
// tessellation is then in no area, and a second pass, touches, gives it to the one that has
// the edge.

// A probe is a point in units of 1e-7 degree, and its whole part in stored
// units, rounded down. A coordinate v of a vertex is greater than x exactly
// when it is greater than floorX. So almost all comparisons are of 32-bit vertices.
type probe struct {
	x, y           int64
	floorX, floorY int64
}

func newProbe(p geo.LatLng) probe {
	x := int64(math.Round(p.Lng() * (unitsPerDegree * pointsPerUnit)))
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
func (x *PolygonIndex) Containing(p geo.LatLng) (area int, ok bool) {
	if !p.IsValid() {
		return 0, false
	}
	var room [16]around
	at := newProbe(p)
	near := x.near(at, room[:0])
	for _, a := range near {
		if area, ok := x.inside(a, at); ok {
			return area, true
		}
	}
	return x.onEdgeOf(near, at) // only now, because an area that holds the point goes before one that has it on the edge
}

// near returns what is around a point, smallest first. It appends to room or replaces it.
func (x *PolygonIndex) near(p probe, room []around) []around {
	if list, ok := x.leaf(p); ok {
		return list
	}
	c := x.candidates(p)
	for n := c.next(); n >= 0; n = c.next() {
		room = append(room, around(n))
	}
	return room
}

// inside returns the area of a, if it holds the point.
func (x *PolygonIndex) inside(a around, p probe) (area int, ok bool) {
	if area, ok := a.whole(); ok {
		return area, true
	}
	s := &x.shapes[a]
	return int(s.index), x.holds(s, p)
}

// onEdgeOf returns the first area with the point on its edge.
func (x *PolygonIndex) onEdgeOf(near []around, p probe) (area int, ok bool) {
	for _, a := range near {
		if _, whole := a.whole(); !whole && x.touches(&x.shapes[a], p) {
			return int(x.shapes[a].index), true
		}
	}
	return 0, false
}

// AppendContaining appends all areas that hold the point or have it on their
// edge, smallest first.
func (x *PolygonIndex) AppendContaining(dst []int, p geo.LatLng) []int {
	if !p.IsValid() {
		return dst
	}
	var room [16]around
	at := newProbe(p)
	for _, a := range x.near(at, room[:0]) {
		if area, ok := x.inside(a, at); ok || x.touches(&x.shapes[a], at) {
			dst = append(dst, area)
		}
	}
	return dst
}

// AppendAround appends the areas that the point belongs to, smallest first.
// Nested areas are all appended. A point on a shared edge belongs to one area,
// as for [PolygonIndex.Containing]. If no area contains the point in its
// interior, the smallest with the point on its edge is appended.
func (x *PolygonIndex) AppendAround(dst []int, p geo.LatLng) []int {
	if !p.IsValid() {
		return dst
	}
	var room [16]around
	at := newProbe(p)
	near := x.near(at, room[:0])
	from := len(dst)
	for _, a := range near {
		if area, ok := x.inside(a, at); ok {
			dst = append(dst, area)
		}
	}
	if len(dst) == from {
		if area, ok := x.onEdgeOf(near, at); ok {
			dst = append(dst, area)
		}
	}
	return dst
}

// Covers reports whether the point lies in the area or on its edge. It is
// false for an area without polygon or an index out of range.
func (x *PolygonIndex) Covers(area int, p geo.LatLng) bool {
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
	if s.spansSea() { // its part west of 180 and its part that runs on are one outline
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
//
// The products are below 1.4e18, so that their difference fits an int64: a chunk is at most
// 720 by 180 degrees, and points are ten times as fine.
func (r *vertexReader) crossings(edges int, floorX, floorY uint32, px, py int64) bool {
	odd := false
	_, dy := r.at(0)
	above := dy > floorY
	data, stride, mask := r.data, r.stride, uint32(r.hMask)
	for i, bit := 1, stride; i <= edges; i, bit = i+1, bit+stride {
		// The height of vertex i. Few edges cross the height of the point, and so
		// need more.
		height := uint32(binary.LittleEndian.Uint64(data[bit>>3:])>>((bit&7+int(r.wBits))&63)) & mask
		if was := above; was != (height > floorY) {
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

// Clear reports whether no outline comes within a distance of the point, so that all
// points that near lie in the same areas. It may be false, too, if an outline is up to half
// as far again, and for long distances and near a pole or the antimeridian.
func (x *PolygonIndex) Clear(p geo.LatLng, d geo.Meters) bool {
	const perDegree, mostCells, edge = 110_500, 64, 1 // meters; lists; degrees from the ends of the map
	lat := float64(d) / perDegree
	lng := lat / math.Cos((math.Abs(p.Lat())+lat)*math.Pi/180)
	if !p.IsValid() || !(math.Abs(p.Lat())+lat < 90-edge && math.Abs(p.Lng())+lng < 180-edge) {
		return false
	}
	units := func(degrees float64) int32 { return int32(math.Round(degrees * unitsPerDegree)) }
	lo, hi := vertex{units(p.Lng()-lng) - 1, units(p.Lat()-lat) - 1}, vertex{units(p.Lng()+lng) + 1, units(p.Lat()+lat) + 1}
	span := spanOf(&shape{lo: lo, hi: hi})
	if span.lists() > mostCells {
		return false
	}
	alone := true
	look := func(list []entry) {
		for _, e := range list {
			alone = alone && !x.meets(&x.shapes[e.shape()], lo, hi)
		}
	}
	span.ofBlocks().each(0, func(row, col int, _ entry) { look(x.grid.wideBlocks.list(blockOf(row, col))) })
	span.each(0, func(row, col int, _ entry) {
		if alone && x.grid.blocks[blockOf(row/blockCells, col/blockCells)] >= 0 {
			look(x.grid.cells.list(x.grid.cell(row, col)))
		}
	})
	return alone
}

// meets reports whether the box around an edge of the shape meets a box.
func (x *PolygonIndex) meets(s *shape, lo, hi vertex) bool {
	if s.lo.x > hi.x || s.hi.x < lo.x || s.lo.y > hi.y || s.hi.y < lo.y {
		return s.spansSea() && lo.x < 0 && x.meets(s, vertex{lo.x + unitsPerTurn, lo.y}, vertex{hi.x + unitsPerTurn, hi.y})
	}
	chunks := x.chunks[s.chunk:s.end]
	for i := range chunks {
		c := &chunks[i]
		west, east, south, north := int64(lo.x)-int64(c.x), int64(hi.x)-int64(c.x), int64(lo.y)-int64(c.y), int64(hi.y)-int64(c.y)
		if west > int64(c.w) || east < 0 || south > int64(c.h) || north < 0 {
			continue
		}
		r := c.reader(x.vertices)
		ax, ay := r.at(0)
		for k := 1; k <= int(c.edges); k++ {
			bx, by := r.at(k)
			if int64(min(ax, bx)) <= east && int64(max(ax, bx)) >= west && int64(min(ay, by)) <= north && int64(max(ay, by)) >= south {
				return true
			}
			ax, ay = bx, by
		}
	}
	return false
}
