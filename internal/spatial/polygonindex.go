package spatial

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// groupShapes is how many shapes share a bounding cap in a search.
const groupShapes = 32

// A PolygonIndex finds the areas that contain a point, and the share of each
// area inside a circle. Searches read only the relevant pieces of outlines. A
// PolygonIndex is safe for concurrent use.
//
// It has four levels. Shapes in the order of a Hilbert curve are grouped by 32; a shape has
// rings; a ring has chunks of up to 32 edges, which stay packed. Searches for a point go from
// the grid or a raster to shapes by their boxes and on to chunks by theirs. Searches for
// circles go from groups to shapes to chunks by caps on the authalic sphere. Facts of one level
// that different searches read are in different arrays, so that neither loads the other's.
//
// Everything but the rasters is fixed once decoded. The grid, boxes, groups and ranks are
// derived when an index is decoded and not stored.
type PolygonIndex struct {
	areas    int
	shapes   []shape
	extents  []extent    // of the shapes
	caps     []sphereCap // of the shapes, apart because every search reads many
	groups   []sphereCap
	rings    []uint32 // the first chunk of each ring, and the end of the last one
	chunks   []chunk
	measures []measure // of the chunks
	vertices []byte    // packed, chunk after chunk
	place    []int32   // by area: its shape, or -1
	grid     cellGrid
	rasters  rasters
}

// A shape is an area that has polygons. Shapes are numbered along a Hilbert
// curve. A shape has only the fields that a search for a point reads, so that it is
// half a line of the processor's cache.
type shape struct {
	lo, hi     vertex // its box
	chunk, end uint32 // its first chunk and the end of its last one
	index      int32  // of the area
	rank       int32  // by size, smallest first
}

// spansSea reports whether the box reaches longitude 180 or beyond.
func (s *shape) spansSea() bool { return s.hi.x >= 180*unitsPerDegree }

// An extent has the other facts of a shape.
type extent struct {
	ring  uint32 // the first one
	rings uint32
	area  float64 // m²
}

// end returns the ring behind the last.
func (e *extent) end() uint32 { return e.ring + e.rings }

// Len returns how many areas the index was built of, those without polygons
// included.
func (x *PolygonIndex) Len() int { return x.areas }

// HasPolygon reports whether the area has a polygon. It is false for an index
// out of range.
func (x *PolygonIndex) HasPolygon(area int) bool { return x.shapeOf(area) >= 0 }

// shapeOf returns the number of the shape of an area, or -1.
func (x *PolygonIndex) shapeOf(area int) int {
	if area < 0 || area >= x.areas {
		return -1
	}
	return int(x.place[area])
}

// Area returns the extent of an area on WGS84; 0 when it has no polygon.
func (x *PolygonIndex) Area(area int) geo.SquareMeters {
	i := x.shapeOf(area)
	if i < 0 {
		return 0
	}
	return geo.SquareMeters(x.extents[i].area)
}

// Box returns the smallest box that holds an area, as [BoundingBox] does; the
// zero Box when it has no polygon.
func (x *PolygonIndex) Box(area int) geo.Box {
	i := x.shapeOf(area)
	if i < 0 {
		return geo.Box{}
	}
	// The shape's own box does not do: its longitudes run on, and rings on both sides of the
	// antimeridian span the globe in it. Boxes of chunks suffice, so nothing is unpacked.
	s, e := &x.shapes[i], &x.extents[i]
	var few [8]lngSpan
	spans := few[:0]
	for ring := e.ring; ring < e.end(); ring++ {
		west, east := int64(math.MaxInt64), int64(math.MinInt64)
		for _, c := range x.chunksOf(ring) {
			west, east = min(west, int64(c.x)), max(east, int64(c.x)+int64(c.w))
		}
		spans = append(spans, lngSpan{float64(west) / unitsPerDegree, float64(east) / unitsPerDegree})
	}
	span := joinSpans(spans)
	return geo.Box{
		SouthWest: geo.MustLatLng(float64(s.lo.y)/unitsPerDegree, span.west),
		NorthEast: geo.MustLatLng(float64(s.hi.y)/unitsPerDegree, span.east),
	}
}

// Vertices returns how many vertices the outlines have.
func (x *PolygonIndex) Vertices() int {
	n := 0
	for i := range x.chunks {
		n += int(x.chunks[i].edges)
	}
	return n
}

// MemoryBytes returns how much memory the index occupies, the packed vertices
// included, but not what searches for many points add, at most 30 MB.
func (x *PolygonIndex) MemoryBytes() int {
	return sliceBytes(x.shapes) + sliceBytes(x.extents) + sliceBytes(x.caps) + sliceBytes(x.groups) + sliceBytes(x.rings) +
		sliceBytes(x.chunks) + sliceBytes(x.measures) + sliceBytes(x.vertices) + sliceBytes(x.place) + x.grid.memoryBytes()
}

func (x *PolygonIndex) chunksOf(ring uint32) []chunk {
	return x.chunks[x.rings[ring]:x.rings[ring+1]]
}

// Polygons returns the outline of an area: outer rings counterclockwise, each
// with its holes, which run clockwise. Longitudes are within -180 to 180
// except in rings that cross the antimeridian, which run on beyond 180. It is
// nil when the area has no polygon.
func (x *PolygonIndex) Polygons(area int) orb.MultiPolygon {
	i := x.shapeOf(area)
	if i < 0 {
		return nil
	}
	var out orb.MultiPolygon
	for ring := x.extents[i].ring; ring < x.extents[i].end(); ring++ {
		r := x.ringOf(ring)
		// Polygons are not stored. The builder turns rings and puts holes behind their outer ring.
		if planeArea(r) >= 0 || len(out) == 0 {
			out = append(out, orb.Polygon{r})
		} else {
			last := len(out) - 1
			out[last] = append(out[last], r)
		}
	}
	return out
}

// ringOf unpacks a ring, closed.
func (x *PolygonIndex) ringOf(ring uint32) orb.Ring {
	var out orb.Ring
	chunks := x.chunksOf(ring)
	for i := range chunks {
		c := &chunks[i]
		r := c.reader(x.vertices)
		for k := range int(c.edges) {
			dx, dy := r.at(k)
			out = append(out, orb.Point{
				float64(int64(c.x)+int64(dx)) / unitsPerDegree,
				float64(int64(c.y)+int64(dy)) / unitsPerDegree,
			})
		}
	}
	return append(out, out[0])
}

// group fills the caps over runs of shapes.
func (x *PolygonIndex) group() {
	for from := 0; from < len(x.caps); from += groupShapes {
		members := x.caps[from:min(from+groupShapes, len(x.caps))]
		var sum vec3
		for _, c := range members {
			sum = vec3{sum.x + float64(c.x), sum.y + float64(c.y), sum.z + float64(c.z)}
		}
		sum = sum.unit()
		g := sphereCap{x: float32(sum.x), y: float32(sum.y), z: float32(sum.z)}
		for _, c := range members {
			d := vec3{float64(c.x) - float64(g.x), float64(c.y) - float64(g.y), float64(c.z) - float64(g.z)}
			g.r = max(g.r, roundUp(math.Sqrt(d.dot(d))*authalicRadius+float64(c.r)+2))
		}
		x.groups = append(x.groups, g)
	}
}
