package rings

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// A LimitError indicates a polygon that takes too much work.
type LimitError struct{ reason string }

// Error returns the limit and its remedy.
func (e *LimitError) Error() string { return "rings: " + e.reason }

// Reason returns the text of the error without the name of the package.
func (e *LimitError) Reason() string { return e.reason }

// work counts comparisons and crossings, and compares them with the limits.
type work struct {
	limits       Limits
	steps, meets int
	spent        int   // since the last pause, in comparisons
	stopped      error // of Limits.Pause
}

// pauseAfter is the number of comparisons between two pauses, about a millisecond's work.
const pauseAfter = 1 << 16

// spend counts work as long as so many comparisons and reports whether to continue.
func (w *work) spend(n int) bool {
	if w.spent += n; w.spent > pauseAfter && w.limits.Pause != nil && w.stopped == nil {
		w.spent = 0
		w.stopped = w.limits.Pause()
	}
	return w.stopped == nil
}

// step counts comparisons and reports whether the limit allows them. Comparisons are counted
// and not timed, so that a polygon is refused or not on any machine alike.
func (w *work) step(n int) bool {
	w.steps += n
	return w.spend(n) && (w.limits.Steps == 0 || w.steps <= w.limits.Steps)
}

func (w *work) err() error {
	switch l := w.limits; {
	case w.stopped != nil:
		return w.stopped
	case l.Crossings > 0 && w.meets > l.Crossings:
		return &LimitError{fmt.Sprintf("its rings cross or touch themselves more than %d times", l.Crossings)}
	case l.Steps > 0 && w.steps > l.Steps:
		return &LimitError{"too many of its edges are long and close to each other; simplify it or divide it"}
	default:
		return nil
	}
}

// crossing is where two edges of a ring cross.
type crossing struct {
	edge int     // the edge's first vertex
	at   float64 // how far along the edge, 0 to 1
	p    orb.Point
}

func compareCrossings(a, b crossing) int {
	return cmp.Or(cmp.Compare(a.edge, b.edge), cmp.Compare(a.at, b.at), cmp.Compare(a.p[0], b.p[0]), cmp.Compare(a.p[1], b.p[1]))
}

// crossings finds the pairs of edges that cross at a point within both, and the
// vertices that lie within an edge. It compares the edges in each cell of a grid.
func (w *work) crossings(r orb.Ring) ([]crossing, []touch, error) {
	g := newGrid(r)
	var cuts []crossing
	var touches []touch
	most := w.limits.Crossings
	for cell := range len(g.starts) - 1 {
		const perEdge = 16 // comparisons that take as long as to sort an edge
		if !w.spend(perEdge * int(g.starts[cell+1]-g.starts[cell])) {
			return nil, nil, w.err()
		}
		stopped := false
		g.near(r, cell, func(i int32, others []int32) bool {
			if stopped = !w.step(len(others)); stopped {
				return false
			}
			for _, j := range others {
				s, o := later(r, int(i), int(j)) // so that the crossing is rounded alike in any order of edges
				if apart(r, s, o) {
					continue
				}
				if t, u, ok := cross(r[s], r[s+1], r[o], r[o+1]); ok {
					p := orb.Point{r[s][0] + float64(t*(r[s+1][0]-r[s][0])), r[s][1] + float64(t*(r[s+1][1]-r[s][1]))}
					if g.cellOf(p) == cell { // edges that share several cells cross in one
						cuts = append(cuts, crossing{s, t, p}, crossing{o, u, p})
					}
				}
				touches = appendTouch(appendTouch(touches, r, s, o), r, o, s)
			}
			w.meets = len(cuts)/2 + len(touches)
			stopped = most > 0 && w.meets > 4*most // touches repeat in at most four cells
			return !stopped
		})
		if stopped {
			return nil, nil, w.err()
		}
	}
	slices.SortFunc(touches, func(a, b touch) int {
		return cmp.Or(compareCrossings(a.crossing, b.crossing), cmp.Compare(a.vertex, b.vertex))
	})
	touches = slices.Compact(touches) // a touch near a border of cells is found in each
	w.meets = len(cuts)/2 + len(touches)
	return cuts, touches, w.err()
}

// later returns two edges, first the one that begins farther east.
func later(r orb.Ring, i, j int) (s, o int) {
	x, y := min(r[i][0], r[i+1][0]), min(r[j][0], r[j+1][0])
	if x < y || x == y && i < j {
		return j, i
	}
	return i, j
}

// apart reports whether the boxes of two edges do not meet.
func apart(r orb.Ring, s, o int) bool {
	for axis := range 2 {
		if min(r[s][axis], r[s+1][axis]) > max(r[o][axis], r[o+1][axis]) || min(r[o][axis], r[o+1][axis]) > max(r[s][axis], r[s+1][axis]) {
			return true
		}
	}
	return false
}

// side is positive where r lies to the left of the way from p to q, negative
// to the right, and 0 on the line.
func side(p, q, r orb.Point) float64 {
	return float64((q[0]-p[0])*(r[1]-p[1])) - float64((q[1]-p[1])*(r[0]-p[0]))
}

// cross returns how far along each the edges ab and cd cross.
func cross(a, b, c, d orb.Point) (t, u float64, ok bool) {
	c1, d1 := side(a, b, c), side(a, b, d)
	a1, b1 := side(c, d, a), side(c, d, b)
	if c1 == 0 || d1 == 0 || a1 == 0 || b1 == 0 || (c1 > 0) == (d1 > 0) || (a1 > 0) == (b1 > 0) {
		return 0, 0, false
	}
	return a1 / (a1 - b1), c1 / (c1 - d1), true
}

// touch is a vertex within an edge.
type touch struct {
	crossing
	vertex int
}

// appendTouch appends a vertex of the ring if it lies within an edge.
func appendTouch(touches []touch, r orb.Ring, vertex, edge int) []touch {
	v, a, b := r[vertex], r[edge], r[edge+1]
	if side(a, b, v) != 0 || v == a || v == b {
		return touches
	}
	axis := 0 // along which the edge is longer
	if math.Abs(b[1]-a[1]) > math.Abs(b[0]-a[0]) {
		axis = 1
	}
	at := (v[axis] - a[axis]) / (b[axis] - a[axis])
	if !(at > 0 && at < 1) {
		return touches
	}
	return append(touches, touch{crossing{edge, at, v}, vertex})
}

// crosses reports whether the ring comes to the edge from one side and leaves
// it to the other. It follows the ring, which is closed, as long as it stays on
// the edge's line.
func (t touch) crosses(r orb.Ring, w *work) bool {
	a, b := r[t.edge], r[t.edge+1]
	n := len(r) - 1
	off := func(step int) float64 {
		for k := 1; k < n && w.step(1); k++ {
			if s := side(a, b, r[((t.vertex+k*step)%n+n)%n]); s != 0 {
				return s
			}
		}
		return 0
	}
	return off(-1)*off(1) < 0
}
