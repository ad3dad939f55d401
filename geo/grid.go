package geo

const (
	// A cell is 0.05 degree wide; a block is a degree, 20 by 20 cells.
	cellUnits  = unitsPerDegree / 20
	blockCells = 20
	blockSize  = blockCells * blockCells
	columns    = 360 * blockCells
	blocksWide = 360
	blocksHigh = 180
	// fewCells is the most cells that a shape is entered into; larger ones
	// are entered into blocks.
	fewCells = 4096
)

// A cellGrid lists, by cell and by block, the shapes whose box touches it, in
// insertion order. Blocks without shapes have no cells.
type cellGrid struct {
	blocks     []int32 // by block: the number of its cells' first list over blockSize, or -1
	cells      listing // of small shapes
	wideBlocks listing // of large ones, by block
}

// A listing holds many short lists end to end.
type listing struct {
	starts []uint32
	items  []int32
}

func (l *listing) list(i int) []int32 { return l.items[l.starts[i]:l.starts[i+1]] }

// count and place fill a listing in two rounds over the same entries.
func (l *listing) count(i int) { l.starts[i+1]++ }

func (l *listing) allot() {
	for i := 1; i < len(l.starts); i++ {
		l.starts[i] += l.starts[i-1]
	}
	l.items = make([]int32, l.starts[len(l.starts)-1])
}

// makeGrid enters the shapes in the order given.
func makeGrid(shapes []shape, order []int32) cellGrid {
	g := cellGrid{blocks: make([]int32, blocksWide*blocksHigh)}
	for i := range g.blocks {
		g.blocks[i] = -1
	}
	used := int32(0)
	for i := range shapes {
		s := spanOf(&shapes[i])
		if s.wide() {
			continue
		}
		s.eachBlock(func(block int) {
			if g.blocks[block] < 0 {
				g.blocks[block] = used
				used++
			}
		})
	}
	g.cells.starts = make([]uint32, int(used)*blockSize+1)
	g.wideBlocks.starts = make([]uint32, len(g.blocks)+1)
	g.enter(shapes, order, g.cells.count, g.wideBlocks.count)
	g.cells.allot()
	g.wideBlocks.allot()
	at := append([]uint32(nil), g.cells.starts...)
	wideAt := append([]uint32(nil), g.wideBlocks.starts...)
	for _, i := range order {
		one := []int32{i}
		g.enter(shapes, one,
			func(k int) { g.cells.items[at[k]] = i; at[k]++ },
			func(k int) { g.wideBlocks.items[wideAt[k]] = i; wideAt[k]++ })
	}
	return g
}

// enter calls small with every cell of the small shapes and large with every
// block of the large ones.
func (g *cellGrid) enter(shapes []shape, order []int32, small, large func(int)) {
	for _, i := range order {
		s := spanOf(&shapes[i])
		if s.wide() {
			s.eachBlock(large)
			continue
		}
		for row := s.row0; row <= s.row1; row++ {
			for col := s.col0; col <= s.col1; col++ {
				small(g.cell(row, col%columns))
			}
		}
	}
}

// cell returns the list of a cell whose block has cells.
func (g *cellGrid) cell(row, col int) int {
	block := g.blocks[blockOf(row, col)]
	return int(block)*blockSize + row%blockCells*blockCells + col%blockCells
}

func blockOf(row, col int) int { return row/blockCells*blocksWide + col/blockCells }

// rowOf and columnOf number the cells from the south pole and from longitude
// -180; columns run on beyond a turn.
func rowOf(y int32) int    { return min((int(y)+90*unitsPerDegree)/cellUnits, 180*blockCells-1) }
func columnOf(x int32) int { return (int(x) + 180*unitsPerDegree) / cellUnits }

// A cellSpan is a range of cells.
type cellSpan struct{ row0, row1, col0, col1 int }

func spanOf(s *shape) cellSpan {
	c := cellSpan{rowOf(s.lo.y), rowOf(s.hi.y), columnOf(s.lo.x), columnOf(s.hi.x)}
	c.col1 = min(c.col1, c.col0+columns-1)
	return c
}

func (c cellSpan) cells() int { return (c.row1 - c.row0 + 1) * (c.col1 - c.col0 + 1) }

func (c cellSpan) wide() bool { return c.cells() > fewCells }

// entries returns the number of lists that contain a shape with this span.
func (c cellSpan) entries() int {
	if c.wide() {
		return (c.row1/blockCells - c.row0/blockCells + 1) * (c.col1/blockCells - c.col0/blockCells + 1)
	}
	return c.cells()
}

// eachBlock calls f once with every block that the span touches.
func (c cellSpan) eachBlock(f func(block int)) {
	first, last := c.col0/blockCells, c.col1/blockCells
	last = min(last, first+blocksWide-1)
	for row := c.row0 / blockCells; row <= c.row1/blockCells; row++ {
		for col := first; col <= last; col++ {
			f(row*blocksWide + col%blocksWide)
		}
	}
}

// candidates returns the shapes whose box may hold a point, the small and the
// large ones.
func (g *cellGrid) candidates(x, y int32) (small, large []int32) {
	row, col := rowOf(y), columnOf(x)%columns
	block := blockOf(row, col)
	if g.blocks[block] >= 0 {
		small = g.cells.list(g.cell(row, col))
	}
	return small, g.wideBlocks.list(block)
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
func (p LatLng) CurveKey() uint32 { return hilbertKey(p.Lng(), p.Lat()) }
