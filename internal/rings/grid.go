package rings

import (
	"math"

	"github.com/paulmach/orb"
)

// A grid lists the edges of a ring by the cells that they meet.
type grid struct {
	side   int // cells along each axis
	min    orb.Point
	scale  orb.Point // cells per degree
	starts []int32   // of each cell in edges, and the end
	edges  []int32   // ascending in a cell
}

// newGrid makes as many cells as the ring has edges, or fewer if the edges meet too many: each
// of 100,000 edges across the whole box would be in hundreds of cells. So its memory is bounded by
// 32 entries an edge.
func newGrid(r orb.Ring) *grid {
	const most, each, few = 1024, 32, 1 << 10
	n := len(r) - 1
	box := r.Bound()
	g := &grid{side: min(max(int(math.Sqrt(float64(n))), 1), most), min: box.Min}
	for ; ; g.side = max(g.side/2, 1) {
		for axis := range 2 {
			g.scale[axis] = 0
			if width := box.Max[axis] - box.Min[axis]; width > 0 {
				g.scale[axis] = float64(g.side) / width
			}
		}
		g.starts = make([]int32, g.side*g.side+1)
		total, enough := 0, each*n+few
		for i := 0; i < n && total <= enough; i++ {
			g.visit(r[i], r[i+1], func(cell int) {
				g.starts[cell+1]++
				total++
			})
		}
		if g.side == 1 || total <= enough {
			g.edges = make([]int32, total)
			break
		}
	}
	for i := 1; i < len(g.starts); i++ {
		g.starts[i] += g.starts[i-1]
	}
	at := make([]int32, g.side*g.side)
	copy(at, g.starts)
	for i := range n {
		g.visit(r[i], r[i+1], func(cell int) {
			g.edges[at[cell]] = int32(i)
			at[cell]++
		})
	}
	return g
}

// place returns the row or column of a coordinate.
func (g *grid) place(axis int, v float64) int {
	return min(max(int((v-g.min[axis])*g.scale[axis]), 0), g.side-1)
}

func (g *grid) cellOf(p orb.Point) int { return g.place(1, p[1])*g.side + g.place(0, p[0]) }

// visit calls f with each cell that an edge meets, and sometimes with a neighbor,
// because coordinates are rounded.
func (g *grid) visit(a, b orb.Point, f func(cell int)) {
	const margin = 1e-6 // in cells
	if a[1] > b[1] {
		a, b = b, a
	}
	west, east := min(a[0], b[0]), max(a[0], b[0])
	first, last := g.place(1, a[1]), g.place(1, b[1])
	slope := 0.0 // degrees of longitude per degree of latitude
	if first < last {
		slope = (b[0] - a[0]) / (b[1] - a[1])
	}
	for row := first; row <= last; row++ {
		from, to := west, east
		if first < last {
			low := g.min[1] + (float64(row)-margin)/g.scale[1]
			high := g.min[1] + (float64(row)+1+margin)/g.scale[1]
			x, y := a[0]+slope*(low-a[1]), a[0]+slope*(high-a[1])
			slack := margin
			if g.scale[0] > 0 {
				slack /= g.scale[0]
			}
			from, to = max(west, min(x, y)-slack), min(east, max(x, y)+slack)
		}
		for column := g.place(0, from); column <= g.place(0, to); column++ {
			f(row*g.side + column)
		}
	}
}
