package spatial

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/paulmach/orb"
)

// A PolygonIndexBuilder collects areas and packs them for
// [DecodePolygonIndex]. The zero value is ready for use.
type PolygonIndexBuilder struct {
	areas  int
	shapes []builtShape
}

// A builtShape is an area with its rings still unpacked.
type builtShape struct {
	index int
	key   uint32 // along the Hilbert curve
	area  float64
	rings [][]vertex
}

// Add appends an area; its index is the number of areas added before. An area
// without polygons is allowed and contains nothing. Coordinates are longitude
// and latitude in degrees and are stored in millionths of a degree. Rings may
// run either way, cross the antimeridian and go around a pole. The first ring
// of a polygon is the outer one. Rings without extent are left out. Invalid
// coordinates give an error that matches [geo.ErrInvalidPolygon], and nothing is
// added.
func (b *PolygonIndexBuilder) Add(m orb.MultiPolygon) error {
	shape := builtShape{index: b.areas}
	for i, p := range m {
		for j, r := range p {
			plane, err := unwrapRing(r)
			if err != nil {
				return fmt.Errorf("area %d, polygon %d, ring %d: %w", b.areas, i, j, err)
			}
			ring := quantizeRing(plane)
			if len(ring) < 3 {
				if j == 0 {
					break // without its outer ring a polygon is nothing
				}
				continue
			}
			// Directions and areas are those of the stored vertices. A sliver can turn around
			// when it is rounded.
			area := float64(planeArea(degreesOf(ring)))
			if isHole := j > 0; (area < 0) != isHole {
				slices.Reverse(ring)
				area = -area
			}
			shape.area += area
			shape.rings = append(shape.rings, ring)
		}
	}
	b.areas++
	if shape.area > 0 {
		v := shape.rings[0][0]
		shape.key = hilbertKey(float64(v.x)*degreesPerUnit, float64(v.y)*degreesPerUnit)
		b.shapes = append(b.shapes, shape)
	}
	return nil
}

// quantizeRing rounds to the stored precision and drops vertices that repeat. Neighbors have
// the same vertices on a common edge, and keep them.
func quantizeRing(plane []orb.Point) []vertex {
	out := make([]vertex, 0, len(plane))
	for _, p := range plane {
		v := vertex{int32(math.Round(p[0] * unitsPerDegree)), int32(math.Round(p[1] * unitsPerDegree))}
		if len(out) == 0 || out[len(out)-1] != v {
			out = append(out, v)
		}
	}
	for len(out) > 1 && out[0] == out[len(out)-1] {
		out = out[:len(out)-1]
	}
	return out
}

// degreesOf returns the ring in degrees.
func degreesOf(ring []vertex) []orb.Point {
	out := make([]orb.Point, len(ring))
	for i, v := range ring {
		out[i] = orb.Point{float64(v.x) * degreesPerUnit, float64(v.y) * degreesPerUnit}
	}
	return out
}

// The packed form is little-endian. It begins with a header and the shapes in
// the order of a Hilbert curve. The number of chunks of each ring, the chunks,
// the vertices and eight zero bytes follow. The caps and lenses of chunks and shapes are stored,
// because each takes the sines of all vertices. Boxes of shapes, offsets and first vertices
// follow from the rest.
const (
	polygonMagic   = "PGPI"
	polygonVersion = 1
	headerSize     = 4 + 4 + 4*4 + 8 // magic, version, areas, shapes, rings, chunks, bytes of vertices
	shapeSize      = 4 + 4 + 16 + 8
	ringSize       = 4
	chunkSize      = 16 + 8 + 8 + 1 + 8
)

// AppendBinary appends the packed form of the areas to dst. The same areas in
// the same order give the same bytes.
func (b *PolygonIndexBuilder) AppendBinary(dst []byte) ([]byte, error) {
	slices.SortFunc(b.shapes, func(p, q builtShape) int {
		return cmp.Or(cmp.Compare(p.key, q.key), cmp.Compare(p.index, q.index))
	})
	parts := b.pack()
	numRings, numChunks, size := 0, 0, uint64(0)
	for _, p := range parts {
		numRings += len(p.rings) / ringSize
		numChunks += len(p.chunks) / chunkSize
		size += uint64(len(p.vertices))
	}
	if size > math.MaxUint32-padding {
		return dst, fmt.Errorf("spatial: the vertices of %d areas take %d bytes, more than a polygon index can hold", b.areas, size)
	}
	dst = slices.Grow(dst, headerSize+len(b.shapes)*shapeSize+numRings*ringSize+numChunks*chunkSize+int(size)+padding)
	dst = append(dst, polygonMagic...)
	for _, v := range []int{polygonVersion, b.areas, len(b.shapes), numRings, numChunks} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	dst = binary.LittleEndian.AppendUint64(dst, size)
	for _, section := range []func(*packedShapes) []byte{
		func(p *packedShapes) []byte { return p.shapes },
		func(p *packedShapes) []byte { return p.rings },
		func(p *packedShapes) []byte { return p.chunks },
		func(p *packedShapes) []byte { return p.vertices },
	} {
		for i := range parts {
			dst = append(dst, section(&parts[i])...)
		}
	}
	return append(dst, make([]byte, padding)...), nil
}

// packedShapes holds the contribution of a run of shapes to each section.
type packedShapes struct{ shapes, rings, chunks, vertices []byte }

// packedRun is how many shapes a processor packs before it takes the next.
const packedRun = 8

// pack packs the shapes, runs of them on all processors. The result does not depend on which
// goroutine takes which run: each run has its own slices, joined in order.
func (b *PolygonIndexBuilder) pack() []packedShapes {
	parts := make([]packedShapes, (len(b.shapes)+packedRun-1)/packedRun)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(parts), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
				run := b.shapes[i*packedRun : min((i+1)*packedRun, len(b.shapes))]
				for k := range run {
					parts[i].add(&run[k])
				}
			}
		})
	}
	wg.Wait()
	return parts
}

func (p *packedShapes) add(s *builtShape) {
	var path []vec3
	for _, ring := range s.rings {
		closed := append(slices.Clip(ring), ring[0])
		n := 0
		for from := 0; from < len(ring); from += chunkEdges {
			c, m, part, vertices := makeChunk(p.vertices, closed[from:min(from+chunkEdges, len(ring))+1])
			p.vertices, p.chunks = vertices, appendChunk(p.chunks, &c, &m)
			if from > 0 {
				part = part[1:] // the vertex that ends the chunk before; the cap is of their mean
			}
			path = append(path, part...)
			n++
		}
		p.rings = binary.LittleEndian.AppendUint32(p.rings, uint32(n))
	}
	p.shapes = binary.LittleEndian.AppendUint32(p.shapes, uint32(s.index))
	p.shapes = binary.LittleEndian.AppendUint32(p.shapes, uint32(len(s.rings)))
	p.shapes = appendCap(p.shapes, capOf(path))
	p.shapes = appendFloat(p.shapes, s.area)
}

func appendChunk(dst []byte, c *chunk, m *measure) []byte {
	dst = appendCap(dst, m.bounds)
	for _, v := range []uint32{uint32(c.x), uint32(c.y), c.w, c.h} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	return appendFloat(append(dst, c.edges), m.lens)
}

func appendCap(dst []byte, c sphereCap) []byte {
	for _, v := range []float32{c.x, c.y, c.z, c.r} {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
	}
	return dst
}

func appendFloat(dst []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
}
