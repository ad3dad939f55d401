package spatial

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// A regionEdge is an edge of a region in degrees. It runs from west to east,
// edges along a meridian run as their ring does.
type regionEdge struct {
	x1, y1, x2, y2 float64
	slope          float64
	slack          float64 // the most that a latitude on the edge is rounded, degrees
	sign           int     // the change of the winding number from above the edge to below it
}

// newRegionEdge returns an edge of a ring. The sign is -1 if the ring is to
// count as if it ran the other way.
func newRegionEdge(p, q orb.Point, sign int) regionEdge {
	e := regionEdge{p[0], p[1], q[0], q[1], 0, 0, -sign}
	if p[0] > q[0] {
		e = regionEdge{q[0], q[1], p[0], p[1], 0, 0, sign}
	}
	if e.x1 < e.x2 {
		e.slope = (e.y2 - e.y1) / (e.x2 - e.x1)
		e.slack = min(math.Abs(e.y2-e.y1), 1e-12+float64(1e-12*math.Abs(e.slope)))
	}
	return e
}

// at returns the latitude of the edge at a longitude. It is exact at both ends,
// so that edges of a ring agree at the vertex that they share.
func (e *regionEdge) at(x float64) float64 {
	switch {
	case x <= e.x1:
		return e.y1
	case x >= e.x2:
		return e.y2
	}
	return e.y1 + float64(e.slope*(x-e.x1))
}

// meets reports whether the edge may have a point in a box.
func (e *regionEdge) meets(b *plateBox) bool {
	if e.x1 > b.east || e.x2 < b.west {
		return false
	}
	y, z := e.y1, e.y2
	if e.x1 < b.west {
		y = e.at(b.west)
	}
	if e.x2 > b.east {
		z = e.at(b.east)
	}
	return min(y, z)-e.slack <= b.north && max(y, z)+e.slack >= b.south
}

// The winding number of a point is the sum of the signs of the edges above it
// with x1 <= x < x2. Only regionEdge.at decides at which point of a path the
// number changes. Each decision may be rounded, but their sum around the
// vertices of a ring is exact.

// along returns the change of the winding number along a parallel.
func (e *regionEdge) along(y, west, east float64) int {
	from, to := e.y1, e.y2
	if e.x1 == e.x2 {
		if !(west < e.x1 && e.x1 <= east) {
			return 0
		}
	} else {
		west, east = max(west, e.x1), min(east, e.x2)
		if !(west < east) {
			return 0
		}
		from, to = e.at(west), e.at(east)
	}
	switch {
	case from <= y && to > y:
		return e.sign
	case from > y && to <= y:
		return -e.sign
	}
	return 0
}

// down returns the change of the winding number along a meridian, southward.
func (e *regionEdge) down(x, north, south float64) int {
	if x < e.x1 || x >= e.x2 {
		return 0
	}
	if y := e.at(x); y <= north && y > south {
		return e.sign
	}
	return 0
}

// A regionItem is an area or a point that is compared with a region.
type regionItem struct {
	box plateBox
	id  int32
}

// A regionWalk divides the plane, the edges of a region and the items among
// them until few edges or items are left. Items that meet both halves are compared at once,
// with the edges of the undivided box. A box carries the winding number of its
// north-western corner, which changes by the edges on the way to the corner of a half. So an item
// costs the edges near it, wherever the rest of the polygon runs.
//
// Nothing is copied: edges and items are numbers in shared slices, items are reordered in place,
// and near is used as a stack.
type regionWalk struct {
	ctx   context.Context
	edges []regionEdge
	// leaf is called for each item. The edges near may have a point in the
	// item's box, and winding is the winding number of the box's north-western
	// corner.
	leaf  func(at *regionItem, near []int32, winding int)
	near  []int32 // lists of edges, one after the other
	spent int     // edges and items since the context was checked
	err   error   // of the context, or of a leaf; it ends the walk
}

const (
	walkDepth = 48 // halvings, 24 a direction: boxes of 2e-5 degree, where more edges meet in one place
	fewEdges  = 8  // edges that are compared with every item instead of divided
	// walkSpend is how many edges and items are compared between two checks of the
	// context, less than a millisecond's work.
	walkSpend = 1 << 14
)

// spend counts work and reports whether to continue.
func (w *regionWalk) spend(n int) bool {
	if w.spent += n; w.spent > walkSpend && w.err == nil {
		w.spent = 0
		if err := w.ctx.Err(); err != nil {
			w.err = fmt.Errorf("spatial: %w", err)
		}
	}
	return w.err == nil
}

// walk compares items, which it reorders.
func (w *regionWalk) walk(items []regionItem) error {
	box := emptyPlateBox()
	w.near = w.near[:0]
	for i := range items {
		box = box.union(items[i].box)
	}
	for i := range w.edges {
		e := &w.edges[i]
		box = box.with(e.x1, e.y1).with(e.x2, e.y2)
		w.near = append(w.near, int32(i))
	}
	if w.spent = walkSpend; w.spend(1) && len(items) > 0 {
		w.divide(box.grown(regionMargin), w.near, 0, items, walkDepth)
	}
	return w.err
}

// divide compares items inside a box, whose north-western corner has the
// winding number. The edges are all that meet the box.
func (w *regionWalk) divide(box plateBox, edges []int32, winding int, items []regionItem, depth int) {
	if len(items) <= 1 || len(edges) <= fewEdges || depth == 0 {
		for i := range items {
			w.compare(&box, edges, winding, &items[i])
		}
		return
	}
	if !w.spend(2*len(edges) + len(items)) {
		return
	}
	first, second := box, box // west and east, or north and south
	at := winding
	var side func(*plateBox) int
	if box.east-box.west > box.north-box.south {
		x := (box.west + box.east) / 2
		first.east, second.west = x, x
		for _, i := range edges {
			at += w.edges[i].along(box.north, box.west, x)
		}
		side = func(b *plateBox) int { return sideOf(b.west, b.east, x) }
	} else {
		y := (box.south + box.north) / 2
		first.south, second.north = y, y
		for _, i := range edges {
			at += w.edges[i].down(box.west, box.north, y)
		}
		side = func(b *plateBox) int { return -sideOf(b.south, b.north, y) }
	}
	// Items before begin belong to the first half, those from end on to the
	// second; those between meet both.
	begin, end := 0, len(items)
	for i := 0; i < end; {
		switch s := side(&items[i].box); {
		case s < 0:
			items[begin], items[i] = items[i], items[begin]
			begin++
			i++
		case s > 0:
			end--
			items[end], items[i] = items[i], items[end]
		default:
			i++
		}
	}
	for i := begin; i < end && w.err == nil; i++ {
		w.compare(&box, edges, winding, &items[i])
	}
	w.within(first, edges, winding, items[:begin], depth-1)
	w.within(second, edges, at, items[end:], depth-1)
}

// sideOf compares a range with a value: -1 below, 1 above, 0 around it.
func sideOf(low, high, at float64) int {
	switch {
	case high <= at:
		return -1
	case low >= at:
		return 1
	}
	return 0
}

func (w *regionWalk) within(box plateBox, edges []int32, winding int, items []regionItem, depth int) {
	if len(items) == 0 || w.err != nil {
		return
	}
	from := len(w.near)
	w.divide(box, w.collect(&box, edges)[from:], winding, items, depth)
	w.near = w.near[:from]
}

// collect appends the edges that meet a box to w.near and returns it.
func (w *regionWalk) collect(box *plateBox, edges []int32) []int32 {
	for _, i := range edges {
		if w.edges[i].meets(box) {
			w.near = append(w.near, i)
		}
	}
	return w.near
}

func (w *regionWalk) compare(box *plateBox, edges []int32, winding int, at *regionItem) {
	if !w.spend(2*len(edges) + 1) {
		return
	}
	for _, i := range edges {
		e := &w.edges[i]
		winding += e.along(box.north, box.west, at.box.west) + e.down(at.box.west, box.north, at.box.north)
	}
	from := len(w.near)
	near := w.collect(&at.box, edges)[from:]
	w.leaf(at, near, winding)
	w.near = w.near[:from]
}
