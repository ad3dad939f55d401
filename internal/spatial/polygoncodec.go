package spatial

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// DecodePolygonIndex returns the index that [PolygonIndexBuilder.AppendBinary]
// encoded. It keeps data, which must not be changed afterwards. Data of another
// format or length, or with impossible numbers, gives an error that matches
// [ErrDamagedIndex]. Other damage makes results wrong but nothing worse.
//
// A file can come from anyone, so every number that later serves as an index, a length or a
// shift is checked here, once. Searches then check nothing. Memory is bounded by the length
// of the data, apart from the areas and the entries of the grid, which have limits of
// their own.
func DecodePolygonIndex(data []byte) (*PolygonIndex, error) {
	x := &PolygonIndex{}
	d := decoder{data: data}
	if err := x.decodeHeader(&d); err != nil {
		return nil, err
	}
	if err := x.decodeShapes(&d); err != nil {
		return nil, err
	}
	if err := x.decodeChunks(&d); err != nil {
		return nil, err
	}
	x.vertices = d.data
	x.bound()
	x.group()
	if err := x.rank(); err != nil {
		return nil, err
	}
	return x, nil
}

// A decoder takes numbers from the front of data, which is known to be long
// enough.
type decoder struct{ data []byte }

func (d *decoder) uint32() uint32 {
	v := binary.LittleEndian.Uint32(d.data)
	d.data = d.data[4:]
	return v
}

func (d *decoder) float32() float32 { return math.Float32frombits(d.uint32()) }

func (d *decoder) float64() float64 {
	v := math.Float64frombits(binary.LittleEndian.Uint64(d.data))
	d.data = d.data[8:]
	return v
}

func (d *decoder) cap() sphereCap {
	return sphereCap{d.float32(), d.float32(), d.float32(), d.float32()}
}

// possible reports whether the middle is a direction and the radius a length
// on the earth.
func (c sphereCap) possible() bool {
	n := c.x*c.x + c.y*c.y + c.z*c.z
	return n > 0.999 && n < 1.001 && c.r >= 0 && c.r < earthReach
}

// finite reports whether v is a number whose size an area on the earth can
// have.
func finite(v float64) bool { return math.Abs(v) < 1e15 }

func (x *PolygonIndex) decodeHeader(d *decoder) error {
	if len(d.data) < headerSize+padding || string(d.data[:4]) != polygonMagic {
		return fmt.Errorf("%w: %d data does not begin with %q", ErrDamagedIndex, len(d.data), polygonMagic)
	}
	size := uint64(len(d.data))
	d.data = d.data[4:]
	if v := d.uint32(); v != polygonVersion {
		return fmt.Errorf("%w: the polygon index has version %d, expected %d", ErrDamagedIndex, v, polygonVersion)
	}
	areas, shapes, rings, chunks := d.uint32(), d.uint32(), d.uint32(), d.uint32()
	vertices := binary.LittleEndian.Uint64(d.data)
	d.data = d.data[8:]
	// All counts are below 1<<32 and sizes below 64, so the sum cannot overflow. It is compared
	// before anything of these lengths is made.
	want := headerSize + uint64(shapes)*shapeSize + uint64(rings)*ringSize + uint64(chunks)*chunkSize + padding
	if vertices > size || size != want+vertices {
		return fmt.Errorf("%w: the polygon index has %d bytes, expected %d and %d of vertices", ErrDamagedIndex, size, want, vertices)
	}
	// Areas without polygons take no bytes, so their number is bounded separately.
	const mostAreas = 1 << entryBits
	if areas > mostAreas || shapes > areas || rings > chunks || shapes > rings {
		return fmt.Errorf("%w: %d areas with %d shapes of %d rings and %d chunks cannot be", ErrDamagedIndex, areas, shapes, rings, chunks)
	}
	x.areas = int(areas)
	x.shapes, x.extents = make([]shape, shapes), make([]extent, shapes)
	x.caps = make([]sphereCap, shapes)
	x.rings = make([]uint32, rings+1)
	x.chunks, x.measures = make([]chunk, chunks), make([]measure, chunks)
	return nil
}

func (x *PolygonIndex) decodeShapes(d *decoder) error {
	x.place = make([]int32, x.areas)
	for i := range x.place {
		x.place[i] = -1
	}
	rings := uint64(0)
	for i := range x.shapes {
		index, n := d.uint32(), d.uint32()
		x.caps[i] = d.cap()
		area := d.float64()
		switch {
		case uint64(index) >= uint64(x.areas) || x.place[index] >= 0:
			return fmt.Errorf("%w: shape %d is of area %d, which has one already or is not among the %d", ErrDamagedIndex, i, index, x.areas)
		case n == 0 || rings+uint64(n) > uint64(len(x.rings)-1):
			return fmt.Errorf("%w: shape %d has %d rings after %d of %d", ErrDamagedIndex, i, n, rings, len(x.rings)-1)
		case !x.caps[i].possible() || !finite(area) || !(area > 0):
			return fmt.Errorf("%w: shape %d has an impossible bound %v or area %v", ErrDamagedIndex, i, x.caps[i], area)
		}
		x.place[index] = int32(i)
		x.shapes[i].index, x.extents[i] = int32(index), extent{uint32(rings), n, area}
		rings += uint64(n)
	}
	if rings != uint64(len(x.rings)-1) {
		return fmt.Errorf("%w: the shapes have %d rings, expected %d", ErrDamagedIndex, rings, len(x.rings)-1)
	}
	return nil
}

func (x *PolygonIndex) decodeChunks(d *decoder) error {
	first := uint64(0)
	for i := range x.rings[1:] {
		n := d.uint32()
		first += uint64(n)
		if n == 0 || first > uint64(len(x.chunks)) {
			return fmt.Errorf("%w: ring %d has %d chunks, %d in all of %d", ErrDamagedIndex, i, n, first, len(x.chunks))
		}
		x.rings[i+1] = uint32(first)
	}
	if first != uint64(len(x.chunks)) {
		return fmt.Errorf("%w: the rings have %d chunks, expected %d", ErrDamagedIndex, first, len(x.chunks))
	}
	vertices := uint64(len(d.data) - len(x.chunks)*chunkSize - padding)
	offset := uint64(0)
	for i := range x.chunks {
		c, m := &x.chunks[i], &x.measures[i]
		m.bounds = d.cap()
		px, py, w, h := int32(d.uint32()), int32(d.uint32()), d.uint32(), d.uint32()
		c.setBox(px, py, w, h)
		c.edges = d.data[0]
		d.data = d.data[1:]
		m.lens = d.float64()
		// setBox takes the widths in bits from this box. Beyond it, vertices could need more than
		// 64 bits, and products of whole numbers in searches could overflow.
		const west, south, north = -180 * unitsPerDegree, -90 * unitsPerDegree, 90 * unitsPerDegree
		switch {
		case c.edges == 0 || c.edges > chunkEdges:
			return fmt.Errorf("%w: chunk %d has %d edges, expected 1 to %d", ErrDamagedIndex, i, c.edges, chunkEdges)
		case int64(px) < west || int64(px)+int64(w) >= west+2*unitsPerTurn || int64(py) < south || int64(py)+int64(h) > north:
			return fmt.Errorf("%w: the box of chunk %d reaches beyond the earth", ErrDamagedIndex, i)
		case !m.bounds.possible() || !finite(m.lens):
			return fmt.Errorf("%w: chunk %d has an impossible bound %v", ErrDamagedIndex, i, m.bounds)
		}
		if offset+uint64(c.packedLen()) > vertices || offset > math.MaxUint32 {
			return fmt.Errorf("%w: chunk %d ends behind the vertices", ErrDamagedIndex, i)
		}
		c.offset = uint32(offset)
		offset += uint64(c.packedLen())
	}
	if offset != vertices {
		return fmt.Errorf("%w: the chunks have %d bytes of vertices, expected %d", ErrDamagedIndex, offset, vertices)
	}
	// Only now are all offsets known to lie within the data.
	for i := range x.chunks {
		c := &x.chunks[i]
		r := c.reader(d.data)
		dx, dy := r.at(0)
		_, last := r.at(int(c.edges))
		c.first, c.last = dy, last
		x.measures[i].start = authalicVec(float64(int64(c.x)+int64(dx))*degreesPerUnit, float64(int64(c.y)+int64(dy))*degreesPerUnit)
	}
	return nil
}

func firstVertex(c *chunk, vertices []byte) (dx, dy uint32) {
	r := c.reader(vertices)
	return r.at(0)
}

// bound derives the boxes of the shapes from those of their chunks.
func (x *PolygonIndex) bound() {
	for i := range x.shapes {
		s, e := &x.shapes[i], &x.extents[i]
		s.chunk, s.end = x.rings[e.ring], x.rings[e.end()]
		s.lo, s.hi = vertex{math.MaxInt32, math.MaxInt32}, vertex{math.MinInt32, math.MinInt32}
		for k := range x.chunks[s.chunk:s.end] {
			c := &x.chunks[int(s.chunk)+k]
			s.lo = vertex{min(s.lo.x, c.x), min(s.lo.y, c.y)}
			s.hi = vertex{max(s.hi.x, c.x+int32(c.w)), max(s.hi.y, c.y+int32(c.h))}
		}
	}
}

// rank numbers the shapes by size and enters them into the grid in that order. Searches for a
// point then find the smallest area first without comparing sizes.
func (x *PolygonIndex) rank() error {
	const mostEntries = 1 << 25 // 128 MB; a file of a few MB could otherwise claim gigabytes
	entries := 0
	order := make([]int32, len(x.shapes))
	for i := range order {
		order[i] = int32(i)
		entries += spanOf(&x.shapes[i]).entries()
	}
	if entries > mostEntries {
		return fmt.Errorf("%w: the boxes of %d areas overlap so much that they need %d grid cells, more than %d", ErrDamagedIndex, len(order), entries, mostEntries)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(x.extents[a].area, x.extents[b].area), cmp.Compare(x.shapes[a].index, x.shapes[b].index))
	})
	for rank, i := range order {
		x.shapes[i].rank = int32(rank)
	}
	x.grid = makeGrid(x.shapes, order)
	return nil
}

// absolute turns an offset from the corner into a vertex.
func (c *chunk) absolute(dx, dy uint32) (px, py int64) {
	return int64(c.x) + int64(dx), int64(c.y) + int64(dy)
}
