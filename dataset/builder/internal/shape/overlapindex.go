package shape

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/spatial"
)

// An OverlapIndex finds among many outlines those that may share something with
// another: whose boxes meet. It is not changed after it was made, and may be
// used by several goroutines, each with its own [OverlapFinder].
//
// It is a grid in a map: every cell lists the outlines whose boxes reach into it. A
// search looks at the cells of a box, and takes each outline once. Outlines of more than
// 4,096 cells, such as Alaska, are listed under one extra cell instead, and compared with
// every box.
type OverlapIndex struct {
	boxes []orb.Bound // of the outlines, in their plane; empty ones meet nothing
	cells map[[2]int32][]int32
}

const (
	// overlapColumns and overlapRows cut the plane into cells of a quarter of a degree of
	// longitude and about as much of latitude at 40 degrees: y is the sine of the
	// latitude, and a degree at 40 degrees is 0.0134 of it, or four rows.
	overlapColumns = 4.0
	overlapRows    = 300.0
	// overlapCells is how many cells an outline may take; larger ones are held
	// against every other.
	overlapCells = 4096

	turn = 360.0 // degrees
)

// everywhere is the cell of the outlines that take too many.
var everywhere = [2]int32{math.MaxInt32, math.MaxInt32}

// NewOverlapIndex returns an index of outlines. Nil ones are allowed and meet nothing.
func NewOverlapIndex(outlines []*spatial.Outline) *OverlapIndex {
	x := &OverlapIndex{boxes: make([]orb.Bound, len(outlines)), cells: map[[2]int32][]int32{}}
	for i, o := range outlines {
		x.boxes[i] = o.Bound()
		if x.boxes[i].IsEmpty() {
			continue
		}
		if c := cellsOf(x.boxes[i], 0); c.count() > overlapCells {
			x.cells[everywhere] = append(x.cells[everywhere], int32(i))
		} else {
			c.each(func(cell [2]int32) { x.cells[cell] = append(x.cells[cell], int32(i)) })
		}
	}
	return x
}

// cellRange are the cells that a box takes.
type cellRange struct{ x0, y0, x1, y1 int32 }

// cellsOf returns the cells of a box, moved east by the shift.
func cellsOf(box orb.Bound, shift float64) cellRange {
	cell := func(v, perUnit float64) int32 { return int32(math.Floor(v * perUnit)) }
	return cellRange{
		cell(box.Min[0]+shift, overlapColumns), cell(box.Min[1], overlapRows),
		cell(box.Max[0]+shift, overlapColumns), cell(box.Max[1], overlapRows),
	}
}

func (c cellRange) count() int64 { return int64(c.x1-c.x0+1) * int64(c.y1-c.y0+1) }

func (c cellRange) each(visit func([2]int32)) {
	for y := c.y0; y <= c.y1; y++ {
		for x := c.x0; x <= c.x1; x++ {
			visit([2]int32{x, y})
		}
	}
}

// An OverlapFinder searches an [OverlapIndex]. It reuses memory and is not safe
// for concurrent use.
type OverlapFinder struct {
	index *OverlapIndex
	seen  []uint32 // by outline: the search that met it last; saves clearing it for each search
	query uint32   // number of the search; when it wraps around to 0, seen is cleared
}

// Finder returns a finder of the index.
func (x *OverlapIndex) Finder() *OverlapFinder {
	return &OverlapFinder{index: x, seen: make([]uint32, len(x.boxes))}
}

// AppendMeeting appends the numbers of the outlines whose box meets that of an
// outline, ascending. Boxes may reach beyond 180 degrees and meet a turn
// farther east or west.
func (f *OverlapFinder) AppendMeeting(dst []int32, o *spatial.Outline) []int32 {
	box := o.Bound()
	if box.IsEmpty() {
		return dst
	}
	if f.query++; f.query == 0 {
		clear(f.seen)
		f.query = 1
	}
	from := len(dst)
	take := func(list []int32) {
		for _, i := range list {
			if f.seen[i] != f.query && meet(box, f.index.boxes[i]) {
				f.seen[i] = f.query
				dst = append(dst, i)
			}
		}
	}
	take(f.index.cells[everywhere])
	for _, shift := range [...]float64{0, turn, -turn} {
		if c := cellsOf(box, shift); c.count() > overlapCells {
			for i := range f.index.boxes { // there are fewer boxes than cells
				take([]int32{int32(i)})
			}
		} else {
			c.each(func(cell [2]int32) { take(f.index.cells[cell]) })
		}
	}
	slices.SortFunc(dst[from:], cmp.Compare[int32])
	return dst
}

// meet reports whether the boxes of two outlines have an interior point in common, on some
// turn.
func meet(a, b orb.Bound) bool {
	if b.IsEmpty() || !(max(a.Min[1], b.Min[1]) < min(a.Max[1], b.Max[1])) {
		return false
	}
	for _, shift := range [...]float64{0, turn, -turn} {
		if max(a.Min[0], b.Min[0]+shift) < min(a.Max[0], b.Max[0]+shift) {
			return true
		}
	}
	return false
}
