package spatial

import "github.com/postgeo/postgeo/geo"

const (
	// A cell is 0.05 degree wide; a block is a degree, 20 by 20 cells. Both have
	// quarterCount by quarterCount quarters.
	quarterUnits = unitsPerDegree / 20 / quarterCount
	quarterCount = 4
	blockCells   = 20
	blockSize    = blockCells * blockCells
	blocksWide   = 360
	blocksHigh   = 180
	turnQuarters = blocksWide * blockCells * quarterCount
	// fewCells is the most cells that a shape is entered into, about 10 blocks; larger ones
	// are entered into blocks. The box of Alaska touches almost half a million cells.
	fewCells = 4096
)

// A cellGrid lists, by cell and by block, the shapes whose box touches it, in
// order of size. Blocks without shapes have no cells: an array of all 26 million cells of the
// globe would take 104 MB, and most of them are sea or foreign.
//
// The grid only proposes shapes. A grid of the edges themselves, measured at full resolution,
// is two to four times as fast but takes 80 to 530 MB instead of 7 MB. A [raster] is such a
// grid of one cell, for cells that are searched a lot.
type cellGrid struct {
	blocks     []int32 // by block: the number of its cells' first list over blockSize, or -1
	cells      listing // of small shapes
	wideBlocks listing // of large ones, by block
}

// A listing holds many short lists end to end.
type listing struct {
	starts []uint32
	items  []entry
}

// An entry is the number of a shape. Its upper bits are the columns and rows of the
// quarters of the cell or block that the box of the shape touches, four bits each. A point in
// another quarter does not need the shape itself, which is seldom in the processor's cache.
type entry uint32

// entryBits are the bits of the number, which bound the areas of an index.
const entryBits = 24

func (e entry) shape() uint32 { return uint32(e) & (1<<entryBits - 1) }

func (l *listing) list(i int) []entry { return l.items[l.starts[i]:l.starts[i+1]] }

// count, allot, add and settle fill a listing in two rounds over the same entries. The first
// round counts, so that the lists lie end to end without gaps and without a slice header each.
func (l *listing) count(i int, _ entry) { l.starts[i]++ }

func (l *listing) allot() {
	sum := uint32(0)
	for i, n := range l.starts {
		l.starts[i] = sum
		sum += n
	}
	l.items = make([]entry, sum)
}

func (l *listing) add(i int, e entry) {
	l.items[l.starts[i]] = e
	l.starts[i]++ // until settle it is the place of the next entry
}

func (l *listing) settle() {
	copy(l.starts[1:], l.starts)
	l.starts[0] = 0
}

// makeGrid enters the shapes in the order given.
func makeGrid(shapes []shape, order []int32) cellGrid {
	g := cellGrid{blocks: make([]int32, blocksWide*blocksHigh)}
	for i := range g.blocks {
		g.blocks[i] = -1
	}
	used := int32(0)
	for i := range shapes {
		if s := spanOf(&shapes[i]); !s.wide() {
			s.ofBlocks().each(0, func(row, col int, _ entry) {
				if block := blockOf(row, col); g.blocks[block] < 0 {
					g.blocks[block] = used
					used++
				}
			})
		}
	}
	g.cells.starts = make([]uint32, int(used)*blockSize+1)
	g.wideBlocks.starts = make([]uint32, len(g.blocks)+1)
	g.enter(shapes, order, g.cells.count, g.wideBlocks.count)
	g.cells.allot()
	g.wideBlocks.allot()
	g.enter(shapes, order, g.cells.add, g.wideBlocks.add)
	g.cells.settle()
	g.wideBlocks.settle()
	return g
}

// enter calls small with every cell of the small shapes and large with every
// block of the large ones.
func (g *cellGrid) enter(shapes []shape, order []int32, small, large func(int, entry)) {
	for _, i := range order {
		if s := spanOf(&shapes[i]); s.wide() {
			s.ofBlocks().each(entry(i), func(row, col int, e entry) { large(blockOf(row, col), e) })
		} else {
			s.each(entry(i), func(row, col int, e entry) { small(g.cell(row, col), e) })
		}
	}
}

// cell returns the list of a cell whose block has cells.
func (g *cellGrid) cell(row, col int) int {
	block := g.blocks[blockOf(row/blockCells, col/blockCells)]
	return int(block)*blockSize + row%blockCells*blockCells + col%blockCells
}

func blockOf(row, col int) int { return row*blocksWide + col%blocksWide }

// quarterOf numbers the quarters of cells from the south pole and from longitude
// -180. Columns run on beyond a turn.
func quarterOf(x, y int32) (row, col int) {
	const north = blocksHigh*blockCells*quarterCount - 1 // also of the pole
	return min((int(y)+90*unitsPerDegree)/quarterUnits, north), (int(x) + 180*unitsPerDegree) / quarterUnits
}

// A cellSpan is a range of quarters.
type cellSpan struct{ row0, row1, col0, col1 int }

func spanOf(s *shape) (c cellSpan) {
	c.row0, c.col0 = quarterOf(s.lo.x, s.lo.y)
	c.row1, c.col1 = quarterOf(s.hi.x, s.hi.y)
	c.col1 = min(c.col1, c.col0+turnQuarters-1) // a shape around the globe is in each list once
	return c
}

// ofBlocks turns a span of cells into one of blocks.
func (c cellSpan) ofBlocks() cellSpan {
	return cellSpan{c.row0 / blockCells, c.row1 / blockCells, c.col0 / blockCells, c.col1 / blockCells}
}

// lists returns the number of cells, or of blocks.
func (c cellSpan) lists() int {
	return (c.row1/quarterCount - c.row0/quarterCount + 1) * (c.col1/quarterCount - c.col0/quarterCount + 1)
}

func (c cellSpan) wide() bool { return c.lists() > fewCells }

// entries returns the number of lists that contain a shape with this span.
func (c cellSpan) entries() int {
	if c.wide() {
		c = c.ofBlocks()
	}
	return c.lists()
}

// each calls f with every cell or block, and with the entry of a shape in its list.
func (c cellSpan) each(shape entry, f func(row, col int, e entry)) {
	for row := c.row0 / quarterCount; row <= c.row1/quarterCount; row++ {
		rows := bitsOf(c.row0-row*quarterCount, c.row1-row*quarterCount) << quarterCount
		for col := c.col0 / quarterCount; col <= c.col1/quarterCount; col++ {
			f(row, col, shape|(rows|bitsOf(c.col0-col*quarterCount, c.col1-col*quarterCount))<<entryBits)
		}
	}
}

// bitsOf returns a bit for each quarter of a cell that a range touches.
func bitsOf(from, to int) entry {
	return 2<<min(to, quarterCount-1) - 1<<max(from, 0)
}

// Candidates are the shapes whose box may hold a point, the small and the large ones.
type candidates struct {
	shapes           []shape
	small, large     []entry
	inSmall, inLarge entry // the quarters with the point
}

func (x *PolygonIndex) candidates(p probe) candidates {
	row, col := quarterOf(int32(p.floorX), int32(p.floorY))
	block := blockOf(row/(blockCells*quarterCount), col/(blockCells*quarterCount))
	c := candidates{shapes: x.shapes, large: x.grid.wideBlocks.list(block)}
	if x.grid.blocks[block] >= 0 {
		c.small, c.inSmall = x.grid.cells.list(x.grid.cell(row/quarterCount, col/quarterCount)), inQuarter(row, col)
	}
	if len(c.large) > 0 {
		c.inLarge = inQuarter(row/blockCells, col/blockCells)
	}
	return c
}

// inQuarter returns the bits of a quarter.
func inQuarter(row, col int) entry {
	return (1<<(col%quarterCount) | 1<<quarterCount<<(row%quarterCount)) << entryBits
}

// next returns the number of the smallest of the shapes and removes it, or returns -1. Both
// lists are in order of size, so it merges them: a search ends at the first area that holds the
// point, which is then the smallest.
func (c *candidates) next() int32 {
	for len(c.small) > 0 && c.small[0]&c.inSmall != c.inSmall {
		c.small = c.small[1:]
	}
	for len(c.large) > 0 && c.large[0]&c.inLarge != c.inLarge {
		c.large = c.large[1:]
	}
	list := &c.small
	switch {
	case len(c.large) == 0 && len(c.small) == 0:
		return -1
	case len(c.small) == 0, len(c.large) > 0 && c.shapes[c.large[0].shape()].rank < c.shapes[c.small[0].shape()].rank:
		list = &c.large
	}
	n := int32((*list)[0].shape())
	*list = (*list)[1:]
	return n
}

func (g *cellGrid) memoryBytes() int {
	return sliceBytes(g.blocks) + sliceBytes(g.cells.starts) + sliceBytes(g.cells.items) +
		sliceBytes(g.wideBlocks.starts) + sliceBytes(g.wideBlocks.items)
}

// hilbertKey returns how far along a Hilbert curve over the world a point
// lies, so that points with near keys are near each other. Longitude and
// latitude are in degrees.
func hilbertKey(lng, lat float64) uint32 {
	const side = 1<<16 - 1
	x := uint32(max(0, min(side, (lng+180)*(side/degreesPerTurn))))
	y := uint32(max(0, min(side, (lat+90)*(side/180.0))))
	var key uint32
	for s := uint32(1 << 15); s > 0; s >>= 1 {
		var right, upper uint32
		if x&s != 0 {
			right = 1
		}
		if y&s != 0 {
			upper = 1
		}
		key += s * s * (3*right ^ upper)
		if upper == 0 {
			if right == 1 {
				x, y = side-x, side-y
			}
			x, y = y, x
		}
	}
	return key
}

// CurveKey returns how far along a Hilbert curve over the world the point
// lies. Points with near keys are near each other; most near points have near
// keys.
func CurveKey(p geo.LatLng) uint32 { return hilbertKey(p.Lng(), p.Lat()) }
