package spatial

import (
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	// unitsPerDegree is the precision of stored vertices: a millionth of a
	// degree, 0.11 m at most.
	unitsPerDegree = 1_000_000
	degreesPerUnit = 1.0 / unitsPerDegree
	unitsPerTurn   = 360 * unitsPerDegree

	// chunkEdges is the most edges that a chunk holds.
	chunkEdges = 32
	// padding follows the packed vertices, so that the last one can be read
	// like the others: as a word of eight bytes.
	padding = 8
	// splitUnits is the length in longitude or latitude above which an edge
	// is cut before it is projected: 0.015 degree, 1.7 km at most. Up to there the series of
	// its lens is right to a thousandth; see [lensCurve].
	splitUnits = 15_000
	// maxPieces bounds the pieces of one edge, so that no stored edge is slow.
	maxPieces = 1024
)

// A vertex is a stored one, in units of 1e-6 degree. Longitudes run on beyond
// 180 degrees instead of jumping.
type vertex struct{ x, y int32 }

func (v vertex) vec() vec3 {
	return authalicVec(float64(v.x)*degreesPerUnit, float64(v.y)*degreesPerUnit)
}

// A sphereCap is a disc on the authalic unit sphere: its middle, and its
// radius as a straight line in meters, which is rounded up.
type sphereCap struct{ x, y, z, r float32 }

// A chunk is a run of up to [chunkEdges] edges of a ring. The vertices, one more
// than edges, are packed as offsets from the south-western corner of the chunk's
// box. Their width in bits follows from the box, so each can be read separately
// and any bits are vertices: a damaged file gives wrong outlines, but no index out of range.
//
// Searches decide about most chunks by their box or cap and unpack only those that the point
// or the circle's outline meets. Outlines therefore stay packed in memory, and an index opens
// without decoding them. Neighboring chunks both hold the vertex between them, so that each
// can be read alone.
//
// A chunk has only the fields that a search for a point reads, so that its 32 bytes are half a
// line of the processor's cache. A search for a random point waits for memory: with shapes and
// chunks of this size, and searches in spatial order, a million points to tracts took 4.5 s
// of processor time instead of 10.5.
type chunk struct {
	x, y        int32  // the south-western corner
	w, h        uint32 // the box's extent
	first, last uint32 // heights of the first and last vertex over the corner
	offset      uint32 // of the packed vertices, bytes
	edges       uint8
	wBits       uint8
	hBits       uint8
}

// A measure has the facts of a chunk that searches for areas and distances read.
type measure struct {
	bounds sphereCap // holds the edges
	start  vec3      // the first vertex
	lens   float64   // area between the edges and the great circle from the first to the last vertex, m²
}

// stride returns the bits of a vertex. A word of 64 bits read at its first
// byte holds the vertex. A vertex of more than 57 bits that began in the middle of a byte could
// reach beyond the word, so those of such boxes begin at whole words.
func (c *chunk) stride() int {
	n := int(c.wBits) + int(c.hBits)
	if n > 57 {
		return 64
	}
	return n
}

// packedLen returns how many bytes the vertices take.
func (c *chunk) packedLen() int { return ((int(c.edges)+1)*c.stride() + 7) / 8 }

func (c *chunk) setBox(x, y int32, w, h uint32) {
	c.x, c.y, c.w, c.h = x, y, w, h
	c.wBits, c.hBits = uint8(bits.Len32(w)), uint8(bits.Len32(h))
}

// A vertexReader reads the packed vertices of a chunk.
type vertexReader struct {
	data         []byte
	stride       int
	wBits        uint8
	wMask, hMask uint64
}

func (c *chunk) reader(vertices []byte) vertexReader {
	return vertexReader{
		data:   vertices[c.offset : int(c.offset)+c.packedLen()+padding],
		stride: c.stride(),
		wBits:  c.wBits,
		wMask:  1<<c.wBits - 1,
		hMask:  1<<c.hBits - 1,
	}
}

// at returns the offset of vertex i from the corner of the box.
func (r *vertexReader) at(i int) (dx, dy uint32) {
	bit := i * r.stride
	word := binary.LittleEndian.Uint64(r.data[bit>>3:]) >> (bit & 7)
	return uint32(word & r.wMask), uint32(word >> (r.wBits & 63) & r.hMask)
}

// makeChunk packs vertices behind dst. It returns their [denseVectors] too.
//
// The area of the chunk's lens is a fan of triangles from the middle of the cap over the dense
// vectors, plus the lens of each short piece, less the triangle of the first and last vertex.
// A search then needs a single triangle for a chunk that it does not unpack.
func makeChunk(dst []byte, vertices []vertex) (chunk, measure, []vec3, []byte) {
	lo, hi := vertices[0], vertices[0]
	for _, v := range vertices {
		lo = vertex{min(lo.x, v.x), min(lo.y, v.y)}
		hi = vertex{max(hi.x, v.x), max(hi.y, v.y)}
	}
	path := denseVectors(vertices)
	c := chunk{offset: uint32(len(dst)), edges: uint8(len(vertices) - 1)}
	c.setBox(lo.x, lo.y, uint32(hi.x-lo.x), uint32(hi.y-lo.y))
	dst = append(dst, make([]byte, c.packedLen()+padding)...)
	packed := dst[c.offset:]
	stride := c.stride()
	for i, v := range vertices {
		bit := i * stride
		word := uint64(v.x-lo.x) | uint64(v.y-lo.y)<<c.wBits
		at := packed[bit>>3:]
		binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)|word<<(bit&7))
	}
	dst = dst[:int(c.offset)+c.packedLen()]

	m := measure{bounds: capOf(path), start: path[0]}
	middle := vec3{float64(m.bounds.x), float64(m.bounds.y), float64(m.bounds.z)}.unit()
	for i := 1; i < len(path); i++ {
		m.lens += triangleArea(middle, path[i-1], path[i])
	}
	for i := 1; i < len(vertices); i++ {
		a, b := vertices[i-1], vertices[i]
		n := max(1, pieces(b.x-a.x, b.y-a.y))
		dx, dy := float64(b.x-a.x)/float64(n), float64(b.y-a.y)/float64(n)
		for k := range n {
			l := lensAt(float64(a.y) + float64(dy*(float64(k)+0.5)))
			m.lens += l.area(l.sinLat, dx, dy)
		}
	}
	m.lens -= triangleArea(middle, path[0], path[len(path)-1])
	return c, m, path, dst
}

// pieces returns into how many parts an edge is cut.
func pieces(dx, dy int32) int {
	n := max(dx, -dx, dy, -dy)
	return min(int(n+splitUnits-1)/splitUnits, maxPieces)
}

// denseVectors returns the vectors of the vertices and of the points between
// them where long edges are cut.
func denseVectors(vertices []vertex) []vec3 {
	out := make([]vec3, 0, len(vertices))
	for i, v := range vertices {
		if i > 0 {
			u := vertices[i-1]
			n := pieces(v.x-u.x, v.y-u.y)
			for k := 1; k < n; k++ {
				t := float64(k) / float64(n)
				out = append(out, authalicVec(
					(float64(u.x)+float64(t*float64(v.x-u.x)))*degreesPerUnit,
					(float64(u.y)+float64(t*float64(v.y-u.y)))*degreesPerUnit))
			}
		}
		out = append(out, v.vec())
	}
	return out
}

func capOf(path []vec3) sphereCap {
	var sum vec3
	for _, v := range path {
		sum = vec3{sum.x + v.x, sum.y + v.y, sum.z + v.z}
	}
	sum = sum.unit()
	c := sphereCap{x: float32(sum.x), y: float32(sum.y), z: float32(sum.z)}
	middle := vec3{float64(c.x), float64(c.y), float64(c.z)}
	far := 0.0
	for _, v := range path {
		d := v.sub(middle)
		far = max(far, d.dot(d))
	}
	const slack = 2 // meters: the bulge of pieces between vertices, 6 cm for 1.7 km, and rounding
	c.r = roundUp(float64(math.Sqrt(far)*authalicRadius) + slack)
	return c
}
