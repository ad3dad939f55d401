package geo

import (
	"cmp"
	"slices"
)

// A levelStep is a change of the winding number on the upper side of a box.
type levelStep struct{ x, step float64 }

// A levelSpan is a range of x with an edge above a box.
type levelSpan struct{ west, east float64 }

// appendLevels appends edges along the upper side of a box up to x = east, for
// parts above it. It sorts the steps.
func appendLevels(dst []planeEdge, steps []levelStep, east, height float64) []planeEdge {
	slices.SortFunc(steps, func(a, b levelStep) int { return cmp.Compare(a.x, b.x) })
	winding := 0.0
	for i, s := range steps {
		winding += s.step
		to := east
		if i+1 < len(steps) {
			to = steps[i+1].x
		}
		if winding != 0 && s.x < to {
			dst = append(dst, planeEdge{x1: s.x, y1: height, x2: to, y2: height, sign: winding})
		}
	}
	return dst
}

// clip appends the part of an edge in a box, relative to the lower side of the
// box. It returns the ranges with the edge above the box.
func (e planeEdge) clip(dst []planeEdge, west, east, south, north float64) ([]planeEdge, levelSpan) {
	var over levelSpan
	if e.x2 <= west || e.x1 >= east {
		return dst, over
	}
	if e.x2 > east {
		e.x2, e.y2 = east, e.at(east)
	}
	if e.x1 < west {
		e.x1, e.y1 = west, e.at(west)
	}
	switch {
	case e.y1 <= south && e.y2 <= south:
		return dst, over
	case e.y1 >= north && e.y2 >= north:
		return dst, levelSpan{e.x1, e.x2}
	}
	if e.y1 < south {
		e.x1, e.y1 = min(e.x2, e.x1+(south-e.y1)/e.slope), south
	} else if e.y1 > north {
		x := min(e.x2, e.x1+(north-e.y1)/e.slope)
		over = levelSpan{e.x1, x}
		e.x1, e.y1 = x, north
	}
	if e.y2 < south {
		e.x2, e.y2 = max(e.x1, e.x2+(south-e.y2)/e.slope), south
	} else if e.y2 > north {
		x := max(e.x1, e.x2+(north-e.y2)/e.slope)
		over = levelSpan{x, e.x2}
		e.x2, e.y2 = x, north
	}
	if e.x1 < e.x2 {
		e.y1, e.y2 = e.y1-south, e.y2-south
		dst = append(dst, e)
	}
	return dst, over
}

const (
	divideDepth = 12
	// A box with few edges or pairs of edges is measured without dividing it.
	dividePairs = 1 << 13
	divideEdges = 16
)

// A divider measures what two sets of edges share. It divides the box around
// them, so that few edges far above others are compared with them.
type divider struct {
	meter *OverlapMeter
	walk  *regionWalk
	parts []planeEdge // lists of edges, one after the other
	steps []levelStep
}

// measure returns the common area of the edges between two x and below the
// height. It reorders the edges.
func (d *divider) measure(a, b []planeEdge, west, east, height float64, depth int) float64 {
	if len(a) == 0 || len(b) == 0 || !d.walk.spend(8*(len(a)+len(b))) {
		return 0
	}
	if min(len(a), len(b)) <= divideEdges || len(a)*len(b) <= dividePairs || depth == 0 {
		return d.meter.sweep(a, b)
	}
	sum := 0.0
	x, y := (west+east)/2, height/2
	for _, half := range [...]levelSpan{{west, x}, {x, east}} {
		for _, low := range [...]float64{0, y} {
			high := y
			if low > 0 {
				high = height
			}
			from := len(d.parts)
			d.clip(a, half, low, high)
			middle := len(d.parts)
			d.clip(b, half, low, high)
			sum += d.measure(d.parts[from:middle], d.parts[middle:], half.west, half.east, high-low, depth-1)
			d.parts = d.parts[:from]
		}
	}
	return sum
}

// clip appends the parts of some edges in a box to d.parts.
func (d *divider) clip(edges []planeEdge, x levelSpan, south, north float64) {
	d.steps = d.steps[:0]
	for i := range edges {
		var over levelSpan
		d.parts, over = edges[i].clip(d.parts, x.west, x.east, south, north)
		if over.west < over.east {
			d.steps = append(d.steps, levelStep{over.west, edges[i].sign}, levelStep{over.east, -edges[i].sign})
		}
	}
	d.parts = appendLevels(d.parts, d.steps, x.east, north-south)
}
