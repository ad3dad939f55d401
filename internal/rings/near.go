package rings

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// extent is the range of an edge across the direction of most edges of a cell.
type extent struct {
	low, high float64
	edge      int32
}

// near calls f with the pairs of edges that may meet in a cell, until it returns false.
// Long edges side by side, as in a comb, share many cells. They are compared with those
// that overlap them across their direction. With all pairs of a cell, valid combs of 100,000 edges
// were refused.
func (g *grid) near(r orb.Ring, cell int, f func(i int32, others []int32) bool) {
	const many = 48 // fewer are faster in pairs
	edges := g.edges[g.starts[cell]:g.starts[cell+1]]
	if len(edges) < many {
		for k, i := range edges {
			if !f(i, edges[:k]) {
				return
			}
		}
		return
	}
	column, row := float64(cell%g.side), float64(cell/g.side)
	local := func(p orb.Point) orb.Point {
		return orb.Point{(p[0]-g.min[0])*g.scale[0] - column, (p[1]-g.min[1])*g.scale[1] - row}
	}
	var sine, cosine float64 // of twice the direction, which opposite edges share
	for _, i := range edges {
		a, b := local(r[i]), local(r[i+1])
		x, y := b[0]-a[0], b[1]-a[1]
		if length := math.Hypot(x, y); length > 0 {
			sine, cosine = sine+2*x*y/length, cosine+(x*x-y*y)/length
		}
	}
	south, east := math.Sincos(math.Atan2(sine, cosine) / 2)
	list := make([]extent, len(edges))
	for k, i := range edges {
		const slack = 1e-6 // in cells, for rounding
		a, b := clip(local(r[i]), local(r[i+1]))
		u, v := a[1]*east-a[0]*south, b[1]*east-b[0]*south
		list[k] = extent{min(u, v) - slack, max(u, v) + slack, i}
	}
	slices.SortFunc(list, func(a, b extent) int { return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.edge, b.edge)) })
	var open []extent
	var others []int32
	for _, e := range list {
		open = slices.DeleteFunc(open, func(o extent) bool { return o.high < e.low })
		others = others[:0]
		for _, o := range open {
			others = append(others, o.edge)
		}
		if !f(e.edge, others) {
			return
		}
		open = append(open, e)
	}
}

// clip returns the part of an edge within a unit cell and a margin, or the edge if
// rounding leaves nothing.
func clip(a, b orb.Point) (from, to orb.Point) {
	const margin = 1e-3
	first, last := 0.0, 1.0
	for axis := range 2 {
		d := b[axis] - a[axis]
		if d == 0 {
			continue
		}
		in, out := (-margin-a[axis])/d, (1+margin-a[axis])/d
		first, last = max(first, min(in, out)), min(last, max(in, out))
	}
	if first > last {
		return a, b
	}
	at := func(t float64) orb.Point { return orb.Point{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])} }
	return at(first), at(last)
}
