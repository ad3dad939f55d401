package spatial

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Many points are looked up in few places, such as cities. A cell of the grid in which
// many were gets a raster: its leaves list the shapes around them, so that a point in a
// leaf without an edge needs no outline.
//
// A cell goes through these states, each reached by the points looked up in it:
//
//  1. It counts its points. They are searched in the grid.
//  2. After rasterLook points its edges are counted once. A cell without edges, the usual one
//     in large areas, gets its raster at once: one leaf.
//  3. Otherwise the count jumps ahead, so that rasterHits is reached after as many points as
//     cost what the raster does. So rasters that never pay at most double the time.
//  4. At rasterHits one goroutine makes the raster, and all later points use it.
//
// Rasters are never dropped. Their bytes are bounded instead, because a stream of points all
// over the globe would make and drop them in turn.
const (
	cellUnits    = quarterUnits * quarterCount // side of a cell in stored units
	rasterLook   = 4                           // points in a cell before its edges are counted
	rasterHits   = 1024                        // points in a cell before it gets a raster, at most
	mostRasters  = 24 << 20                    // bytes of the rasters and degrees of an index
	mostLists    = 255                         // of leaves in a raster; a leaf with another one is looked up in the grid
	mostShapes   = 250                         // around a raster, so that the lists have less than 1<<16 items
	rasterMargin = 2                           // units around an edge that belong to it
)

// rasters are the rasters of an index by their degree. They are made by the points of
// searches, from any number of goroutines at once, and therefore published by atomic pointers
// without a lock. Two goroutines that make the same raster at once make equal ones. Nothing
// is allocated for an index before its first point, and nothing for degrees without shapes.
type rasters struct {
	degrees atomic.Pointer[[blocksWide * blocksHigh]atomic.Pointer[degreeRasters]]
	bytes   atomic.Int64
}

type degreeRasters struct {
	cells [blockSize]atomic.Pointer[raster]
	hits  [blockSize]atomic.Uint32
}

// A raster divides a cell into square leaves. Leaves with the same areas around them share a
// list, so that a leaf takes one byte. Few lists differ: neighboring leaves have the same areas
// unless a border runs between them.
type raster struct {
	unit   int32    // side of a leaf in stored units
	side   int32    // leaves in a row
	leaves []uint8  // from the south-western corner: the number of a list, or mostLists
	starts []uint16 // of each list in items, and the end of the last
	items  []around
}

// An around is an area around a whole leaf, as its complement, or a shape that has an edge
// there.
type around int32

// whole returns the area around the leaf.
func (a around) whole() (area int, ok bool) { return int(^a), a < 0 }

// leaf returns what is around a point, smallest first. It returns false if the grid has to
// be searched.
func (x *PolygonIndex) leaf(p probe) ([]around, bool) {
	degrees := x.rasters.degrees.Load()
	if degrees == nil {
		degrees = new([blocksWide * blocksHigh]atomic.Pointer[degreeRasters])
		if !x.rasters.degrees.CompareAndSwap(nil, degrees) {
			degrees = x.rasters.degrees.Load()
		}
	}
	row, col := quarterOf(int32(p.floorX), int32(p.floorY))
	row, col = row/quarterCount, col/quarterCount
	block := blockOf(row/blockCells, col/blockCells)
	degree := &degrees[block]
	d := degree.Load()
	if d == nil {
		if x.grid.blocks[block] < 0 && len(x.grid.wideBlocks.list(block)) == 0 {
			return nil, true
		}
		if x.rasters.bytes.Load() > mostRasters {
			return nil, false
		}
		d = new(degreeRasters)
		if degree.CompareAndSwap(nil, d) {
			x.rasters.bytes.Add(int64(unsafe.Sizeof(*d)))
		} else {
			d = degree.Load()
		}
	}
	at := row%blockCells*blockCells + col%blockCells
	r := d.cells[at].Load()
	if r == nil {
		if r = x.makeRaster(&d.hits[at], row, col); r == nil {
			return nil, false
		}
		d.cells[at].Store(r)
	}
	i, j := (int32(p.floorX)-westOf(col))/r.unit, min((int32(p.floorY)-southOf(row))/r.unit, r.side-1) // the pole is in the last row
	n := r.leaves[j*r.side+i]
	if n == mostLists {
		return nil, false
	}
	return r.items[r.starts[n]:r.starts[n+1]], true
}

// makeRaster makes the raster of a cell once it saves more than it costs, and returns nil
// until then. hits is the number of points that were looked up in the cell. When its edges
// have been counted, the number is set so that it reaches rasterHits after as many searches
// as take the time of making the raster.
func (x *PolygonIndex) makeRaster(hits *atomic.Uint32, row, col int) *raster {
	if hits.Load() >= rasterHits || x.rasters.bytes.Load() > mostRasters {
		return nil
	}
	// Of the goroutines that count at the same time, one sees each number. The others search
	// the grid meanwhile, so that nobody waits.
	n := hits.Add(1)
	if n != rasterLook && n != rasterHits {
		return nil
	}
	z := rasterizers.Get().(*rasterizer)
	defer rasterizers.Put(z)
	if n == rasterLook {
		if cost := z.cost(x, row, col); cost > 0 {
			hits.Store(rasterHits - cost)
			return nil
		}
		hits.Store(rasterHits) // so that no other goroutine makes it too
	} else {
		z.begin(x, row, col)
	}
	r := z.finish()
	x.rasters.bytes.Add(int64(r.memoryBytes()))
	return r
}

func westOf(col int) int32  { return int32(col*cellUnits - 180*unitsPerDegree) }
func southOf(row int) int32 { return int32(row*cellUnits - 90*unitsPerDegree) }

func (r *raster) memoryBytes() int {
	return sliceBytes(r.leaves) + sliceBytes(r.starts) + sliceBytes(r.items) + 128 // with the raster itself
}

// A rasterizer makes rasters, one after the other.
type rasterizer struct {
	x           *PolygonIndex
	west, south int64   // of the cell
	shapes      []int32 // whose box meets the cell, smallest first
	ends        []int   // of their edges
	edges       []edge4 // of the cell, shape by shape
	unit        int64   // side of a leaf in stored units
	side        int     // leaves in a row
	leaves      []uint8 // by leaf its list so far
	marks       []int32 // by leaf the last shape with an edge there
	insides     []int8  // by leaf 1 or -1 in or outside the last shape, 0 unknown
	steps       []listStep
	// next has, by list, the one with the last shape too: around the leaf, and with an edge
	// in it. Zero is none yet.
	next [2][mostLists]uint8
}

var rasterizers = sync.Pool{New: func() any { return new(rasterizer) }}

// An edge4 is an edge from the corner of a cell.
type edge4 struct{ ax, ay, bx, by int64 }

// A listStep is a list that adds one item to another. Shapes are entered in order of size, so
// lists grow at their ends only and form a tree whose root is the empty list, number 0. Equal
// lists are found by one array access and never compared.
type listStep struct {
	before uint8
	item   around
}

// around returns the shapes whose box meets the cell of a rasterizer.
func (z *rasterizer) around(x *PolygonIndex, row, col int) candidates {
	z.x, z.west, z.south = x, int64(westOf(col)), int64(southOf(row))
	c := x.candidates(probe{}.at((z.west+cellUnits/2)*pointsPerUnit, (z.south+cellUnits/2)*pointsPerUnit))
	c.inSmall, c.inLarge = 0, 0 // any quarter: next then skips nothing
	return c
}

// begin collects the shapes and edges of a cell.
func (z *rasterizer) begin(x *PolygonIndex, row, col int) {
	z.shapes, z.ends, z.edges = z.shapes[:0], z.ends[:0], z.edges[:0]
	near := z.around(x, row, col)
	for n := near.next(); n >= 0 && len(z.shapes) <= mostShapes; n = near.next() {
		s := &x.shapes[n]
		z.collect(s, 0)
		if s.spansSea() {
			z.collect(s, unitsPerTurn)
		}
		z.shapes, z.ends = append(z.shapes, n), append(z.ends, len(z.edges))
	}
	z.divide()
}

// cost returns how many searches of points take about as long as making the raster, less
// than rasterHits. It is 0 for a cell without edges. The edges of many shapes are estimated:
// collecting them only to learn that a raster does not pay yet took longer than the searches
// of a million points in tracts.
func (z *rasterizer) cost(x *PolygonIndex, row, col int) uint32 {
	const fewShapes, edgesOfShape = 6, 64
	const base, edgesOfSearch, leavesOfSearch = 8, 4, 16
	near := z.around(x, row, col)
	edges, leaves := edgesOfShape*(len(near.small)+len(near.large)), 0
	if edges <= edgesOfShape*fewShapes {
		z.begin(x, row, col)
		edges, leaves = len(z.edges), z.side*z.side
	}
	if edges == 0 {
		return 0
	}
	return uint32(min(base+edges/edgesOfSearch+leaves/leavesOfSearch, rasterHits-rasterLook))
}

// collect collects the edges of a shape in the cell, which lies so many units further east.
func (z *rasterizer) collect(s *shape, turn int64) {
	const low, high = -rasterMargin, cellUnits + rasterMargin
	west := z.west + turn
	if int64(s.hi.x) < west+low || int64(s.lo.x) > west+high || int64(s.hi.y) < z.south+low || int64(s.lo.y) > z.south+high {
		return
	}
	chunks := z.x.chunks[s.chunk:s.end]
	for i := range chunks {
		c := &chunks[i]
		dx, dy := int64(c.x)-west, int64(c.y)-z.south
		if dx > high || dy > high || dx+int64(c.w) < low || dy+int64(c.h) < low {
			continue
		}
		r := c.reader(z.x.vertices)
		ux, uy := r.at(0)
		ax, ay := int64(ux)+dx, int64(uy)+dy
		for k := 1; k <= int(c.edges); k++ {
			ux, uy := r.at(k)
			bx, by := int64(ux)+dx, int64(uy)+dy
			if min(ax, bx) <= high && max(ax, bx) >= low && min(ay, by) <= high && max(ay, by) >= low {
				z.edges = append(z.edges, edge4{ax, ay, bx, by})
			}
			ax, ay = bx, by
		}
	}
}

// divide chooses the size of leaves by the length of the edges: few leaves have one. Edges of
// length n cross about n/unit leaves of side² in all. 40 leaves in a row, of 140 m or less, are
// the finest, 1,600 bytes.
func (z *rasterizer) divide() {
	length := int64(0)
	for _, e := range z.edges {
		length += min(max(abs(e.bx-e.ax), abs(e.by-e.ay)), cellUnits)
	}
	z.side = 1
	for _, side := range [...]int{10, 20, 40} {
		if length > 0 && int64(z.side)*cellUnits < 2*length {
			z.side = side
		}
	}
	z.unit = cellUnits / int64(z.side)
}

func abs(v int64) int64 { return max(v, -v) }

// enter adds a shape to the leaves that it meets. Leaves without an edge between them are
// all inside or all outside, so a leaf copies the answer of its neighbor in the west or south.
// Only the first leaf of each such region is tested against the outline.
func (z *rasterizer) enter(mark, n int32, edges []edge4) {
	s := &z.x.shapes[n]
	clear(z.next[0][:])
	clear(z.next[1][:])
	for _, e := range edges {
		z.mark(mark, e)
	}
	side := z.side
	i0, i1 := 0, side-1
	if !s.spansSea() {
		i0, i1 = z.leafOf(int64(s.lo.x)-z.west), z.leafOf(int64(s.hi.x)-z.west)
	}
	j0, j1 := z.leafOf(int64(s.lo.y)-z.south), z.leafOf(int64(s.hi.y)-z.south)
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			at := j*side + i
			if z.marks[at] == mark {
				z.insides[at] = 0
				z.add(at, 1, around(n))
				continue
			}
			inside := int8(0)
			if i > i0 {
				inside = z.insides[at-1]
			}
			if inside == 0 && j > j0 {
				inside = z.insides[at-side]
			}
			if inside == 0 {
				inside = -1
				x, y := z.west+int64(i)*z.unit+z.unit/2, z.south+int64(j)*z.unit+z.unit/2
				if z.x.holds(s, probe{}.at(x*pointsPerUnit, y*pointsPerUnit)) {
					inside = 1
				}
			}
			if z.insides[at] = inside; inside > 0 {
				z.add(at, 0, around(^s.index))
			}
		}
	}
}

// leafOf returns the column or row of a coordinate, of the nearest leaf outside the cell.
func (z *rasterizer) leafOf(v int64) int {
	return int(max(0, min(floorDiv(v, z.unit), int64(z.side)-1)))
}

// mark marks the leaves that an edge may meet, row by row from the range of x of the edge in
// each row. The margin makes up for the rounding of that range, and for points being finer than
// units. A leaf marked without need costs a test of the outline, one not marked a wrong answer.
func (z *rasterizer) mark(mark int32, e edge4) {
	if e.ay > e.by {
		e = edge4{e.bx, e.by, e.ax, e.ay}
	}
	for j := z.leafOf(e.ay - rasterMargin); j <= z.leafOf(e.by+rasterMargin); j++ {
		x0, x1 := e.ax, e.bx
		if dy := e.by - e.ay; dy > 0 {
			low, high := max(e.ay, int64(j)*z.unit-rasterMargin), min(e.by, int64(j+1)*z.unit+rasterMargin)
			x0, x1 = e.ax+floorDiv((low-e.ay)*(e.bx-e.ax), dy), e.ax+floorDiv((high-e.ay)*(e.bx-e.ax), dy)
		}
		first, last := min(x0, x1)-rasterMargin, max(x0, x1)+rasterMargin
		if last < 0 || first > cellUnits {
			continue
		}
		for i := z.leafOf(first); i <= z.leafOf(last); i++ {
			z.marks[j*z.side+i] = mark
		}
	}
}

// add adds the last shape to the list of a leaf.
func (z *rasterizer) add(at, edge int, item around) {
	before := z.leaves[at]
	if before == mostLists {
		return
	}
	next := &z.next[edge][before]
	if *next == 0 {
		// Beyond mostLists the leaf is left to the grid: its number must fit a byte.
		if *next = mostLists; len(z.steps) < mostLists {
			*next = uint8(len(z.steps))
			z.steps = append(z.steps, listStep{before, item})
		}
	}
	z.leaves[at] = *next
}

// finish makes the raster.
func (z *rasterizer) finish() *raster {
	r := &raster{unit: int32(z.unit), side: int32(z.side)}
	if len(z.shapes) > mostShapes {
		r.side, r.unit, r.leaves = 1, cellUnits, []uint8{mostLists}
		return r
	}
	n := z.side * z.side
	r.leaves = make([]uint8, n)
	z.leaves, z.marks, z.insides = r.leaves, slices.Grow(z.marks[:0], n)[:n], slices.Grow(z.insides[:0], n)[:n]
	clear(z.marks)
	clear(z.insides)
	z.steps = append(z.steps[:0], listStep{})
	from := 0
	for i, n := range z.shapes {
		z.enter(int32(i+1), n, z.edges[from:z.ends[i]])
		from = z.ends[i]
	}
	r.starts = make([]uint16, 1, len(z.steps)+1)
	for n, step := range z.steps {
		if n > 0 {
			r.items = append(r.items, r.items[r.starts[step.before]:r.starts[step.before+1]]...)
			r.items = append(r.items, step.item)
		}
		r.starts = append(r.starts, uint16(len(r.items)))
	}
	return r
}
