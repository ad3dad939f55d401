package rings

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// A graph has the points and the edges of a path that crosses itself only at its
// points. Each edge has two halves, 2e and 2e+1, in opposite directions, so that h^1 is the
// other half of h. A face is walked around by its halves, the face on their left (a doubly
// connected edge list; de Berg et al., "Computational Geometry", chapter 2).
type graph struct {
	points []orb.Point
	from   []int32 // point of each half
	turns  []int32 // how often the path runs along the half, less how often against it
	out    [][]int32
	place  []int32 // of the half in the list of its point
	face   []int32 // to the left of the half
	faces  [][]int32
}

func newGraph(path []orb.Point) *graph {
	g := &graph{}
	spots := make(map[[2]int64]int32, len(path))
	numbers := make([]int32, len(path))
	for i, p := range path {
		numbers[i] = g.number(spots, p)
	}
	g.out = make([][]int32, len(g.points))
	edges := make(map[[2]int32]int32, len(path))
	for i, a := range numbers {
		b := numbers[(i+1)%len(numbers)]
		if a == b {
			continue
		}
		key := [2]int32{min(a, b), max(a, b)}
		h, ok := edges[key]
		if !ok {
			h = int32(len(g.from))
			edges[key] = h
			g.from, g.turns = append(g.from, key[0], key[1]), append(g.turns, 0, 0)
			g.out[key[0]], g.out[key[1]] = append(g.out[key[0]], h), append(g.out[key[1]], h+1)
		}
		if a > b {
			h ^= 1
		}
		g.turns[h]++
		g.turns[h^1]--
	}
	g.place = make([]int32, len(g.from))
	for _, list := range g.out {
		slices.SortFunc(list, g.compareAngles)
		for i, h := range list {
			g.place[h] = int32(i)
		}
	}
	return g
}

// number returns the number of a point. Points closer than rounding moves crossings are
// one point, within 2e-10 degree or 20 µm. Three edges through one place have three crossings
// there, and faces between these would be noise.
func (g *graph) number(spots map[[2]int64]int32, p orb.Point) int32 {
	const perDegree = 1e10
	x, y := int64(math.Round(p[0]*perDegree)), int64(math.Round(p[1]*perDegree))
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			if n, ok := spots[[2]int64{x + dx, y + dy}]; ok {
				return n
			}
		}
	}
	n := int32(len(g.points))
	spots[[2]int64{x, y}] = n
	g.points = append(g.points, p)
	return n
}

// compareAngles orders halves that leave a point counterclockwise.
func (g *graph) compareAngles(a, b int32) int {
	p, q, r := g.points[g.from[a]], g.points[g.from[a^1]], g.points[g.from[b^1]]
	upper := func(v orb.Point) int {
		if v[1] > p[1] || v[1] == p[1] && v[0] > p[0] {
			return 0
		}
		return 1
	}
	if c := cmp.Compare(upper(q), upper(r)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(0, side(p, q, r)), cmp.Compare(a, b))
}

// next returns the next half clockwise around the end of a half, of those that keep
// accepts. It bounds the same face if all are kept.
func (g *graph) next(h int32, keep func(h int32) bool) int32 {
	list := g.out[g.from[h^1]]
	for i := int(g.place[h^1]); ; {
		if i--; i < 0 {
			i = len(list) - 1
		}
		if o := list[i]; o == h^1 || keep(o) {
			return o
		}
	}
}

// trace returns the closed walks along the halves that keep accepts.
func (g *graph) trace(keep func(h int32) bool) [][]int32 {
	seen := make([]bool, len(g.from))
	var walks [][]int32
	for h := range int32(len(g.from)) {
		if seen[h] || !keep(h) {
			continue
		}
		var walk []int32
		for o := h; !seen[o]; o = g.next(o, keep) {
			seen[o] = true
			walk = append(walk, o)
		}
		walks = append(walks, walk)
	}
	return walks
}

// ring returns the points of a walk as a closed ring.
func (g *graph) ring(walk []int32) orb.Ring {
	r := make(orb.Ring, 0, len(walk)+1)
	for _, h := range walk {
		r = append(r, g.points[g.from[h]])
	}
	return append(r, r[0])
}

// windings returns how often the path winds around each face; nil if rounding makes
// the edges contradict each other.
func (g *graph) windings() []int32 {
	g.faces = g.trace(func(int32) bool { return true })
	g.face = make([]int32, len(g.from))
	// The path does not wind around the outer face. Its border runs clockwise around everything,
	// so no other walk has less area.
	outer, least := 0, math.Inf(1)
	for f, walk := range g.faces {
		for _, h := range walk {
			g.face[h] = int32(f)
		}
		if a := Area(g.ring(walk)); a < least {
			outer, least = f, a
		}
	}
	around, known := make([]int32, len(g.faces)), make([]bool, len(g.faces))
	known[outer] = true
	queue := []int32{int32(outer)}
	for len(queue) > 0 {
		f := queue[0]
		queue = queue[1:]
		for _, h := range g.faces[f] {
			other, n := g.face[h^1], around[f]-g.turns[h] // from the left of h to its right
			switch {
			case !known[other]:
				known[other], around[other] = true, n
				queue = append(queue, other)
			case around[other] != n:
				return nil
			}
		}
	}
	return around
}

// covered returns the rings around the faces that a path winds around: outer rings
// counterclockwise, holes clockwise. It returns false if rounding prevents it.
func covered(path []orb.Point) (loops []orb.Ring, ok bool) {
	g := newGraph(path)
	around := g.windings()
	if around == nil {
		return nil, false
	}
	// Halves with a covered face on their left and none on their right.
	walks := g.trace(func(h int32) bool { return around[g.face[h]] != 0 && around[g.face[h^1]] == 0 })
	for i, walk := range walks {
		first := 0 // the point that the path has first
		for k, h := range walk {
			if g.from[h] < g.from[walk[first]] {
				first = k
			}
		}
		walks[i] = slices.Concat(walk[first:], walk[:first])
	}
	slices.SortFunc(walks, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(g.from[b[0]], g.from[a[0]]), cmp.Compare(a[0], b[0]))
	})
	for _, walk := range walks {
		r := g.ring(walk)
		loops = append(loops, Loops(r[:len(r)-1])...)
	}
	return loops, true
}
