package spatial

import (
	"math"
	"slices"
)

// A planeClip cuts outlines to a box of the plane. Parts below the box are
// dropped, and parts above it are moved to its upper side. The area under the
// edges within the box does not change.
//
// Overlaps are measured in the common box of both outlines. A county that meets a corner of
// a tract then has a few edges, and coordinates from the corner of a small box lose fewer
// digits to rounding.
type planeClip struct {
	west, south float64
	w, h        float64 // width and height
}

// edges appends the edges of an outline within the box, relative to its
// south-western corner.
func (c *planeClip) edges(o *Outline, out []planeEdge) []planeEdge {
	for i := range o.pieces {
		p := &o.pieces[i]
		switch {
		case p.box.Max[0]-c.west <= 0 || p.box.Min[0]-c.west >= c.w || p.box.Max[1]-c.south <= 0:
			continue
		case p.box.Min[1]-c.south >= c.h:
			// A run along the upper side comes to the way from its start to its end, because
			// ways back and forth cancel.
			out = c.level(o.points[p.from][0]-c.west, o.points[p.to][0]-c.west, out)
			continue
		}
		x1, y1 := o.points[p.from][0]-c.west, o.points[p.from][1]-c.south
		for i := p.from + 1; i <= p.to; i++ {
			x2, y2 := o.points[i][0]-c.west, o.points[i][1]-c.south
			out = c.edge(x1, y1, x2, y2, float64(o.bends[i]), out)
			x1, y1 = x2, y2
		}
	}
	return out
}

// level appends an edge on the upper side.
func (c *planeClip) level(x1, x2 float64, out []planeEdge) []planeEdge {
	x1, x2 = max(0, min(c.w, x1)), max(0, min(c.w, x2))
	switch {
	case x1 < x2:
		return append(out, planeEdge{x1: x1, y1: c.h, x2: x2, y2: c.h, sign: -1})
	case x1 > x2:
		return append(out, planeEdge{x1: x2, y1: c.h, x2: x1, y2: c.h, sign: 1})
	}
	return out
}

// edge appends the part within the box of the edge from one point to another.
func (c *planeClip) edge(x1, y1, x2, y2, bend float64, out []planeEdge) []planeEdge {
	sign := -1.0
	if x1 > x2 {
		x1, y1, x2, y2 = x2, y2, x1, y1
		sign = 1
	}
	if x1 == x2 || x2 <= 0 || x1 >= c.w || y1 <= 0 && y2 <= 0 {
		return out
	}
	slope := (y2 - y1) / (x2 - x1)
	from, length := x1, x2-x1
	if x1 < 0 {
		x1, y1 = 0, y1-float64(slope*x1)
	}
	if x2 > c.w {
		x2, y2 = c.w, y1+float64(slope*(c.w-x1))
	}
	put := func(x1, y1, x2, y2, slope, bend float64) {
		if x2 > x1 {
			out = append(out, planeEdge{x1, y1, x2, y2, slope, sign, bend, from, length})
		}
	}
	switch {
	case y1 <= 0 && y2 <= 0:
		return out
	case y1 >= c.h && y2 >= c.h:
		put(x1, c.h, x2, c.h, 0, 0)
		return out
	}
	if y1 < 0 {
		x1, y1 = min(x2, x1-y1/slope), 0
	} else if y1 > c.h {
		x := min(x2, x1+(c.h-y1)/slope)
		put(x1, c.h, x, c.h, 0, 0)
		x1, y1 = x, c.h
	}
	if y2 < 0 {
		x2, y2 = max(x1, x2-y2/slope), 0
	} else if y2 > c.h {
		x := max(x1, x2-(y2-c.h)/slope)
		put(x, c.h, x2, c.h, 0, 0)
		x2, y2 = x, c.h
	}
	put(x1, y1, x2, y2, slope, bend)
	return out
}

// lowerParts identifies the lower of two edges, part by part from west to east.
type lowerParts struct {
	n     int        // of the parts, 1 to 3
	at    [4]float64 // their beginnings, and the end of the last one
	first [3]bool    // the first edge is the lower one
}

// crossings divides the range of x of both edges, from west to east, at their
// crossings. Nearly coincident edges, such as borders drawn twice, may cross
// although their chords do not, or elsewhere. Each edge is therefore treated as
// a parabola.
func crossings(e, f *planeEdge, west, east float64) (c lowerParts) {
	// How far e lies above f, a part t of the way, is
	// dw·(1-t) + de·t + bend·t·(1-t).
	width := east - west
	dw := e.at(west) - f.at(west) + e.above(west) - f.above(west)
	de := e.at(east) - f.at(east) + e.above(east) - f.above(east)
	bend := e.bendOver(width) - f.bendOver(width)
	add := func(x float64) {
		if c.n++; x > c.at[c.n-1] && x < east {
			c.at[c.n] = x
		} else {
			c.n--
		}
	}
	c.at[0] = west
	// The zeros of dw + b·t - bend·t·t. Adding numbers of one sign keeps q exact (Numerical
	// Recipes, section 5.6); the usual formula subtracts, and almost straight edges have a tiny bend.
	b := de - dw + bend
	if d := float64(b*b) + 4*float64(bend*dw); d > 0 {
		q := -(b + math.Copysign(math.Sqrt(d), b)) / 2
		s, t := -q/bend, dw/q // a division by zero gives a value outside the edge
		if s > t {
			s, t = t, s
		}
		if s > 0 && s < 1 {
			add(west + float64(s*width))
		}
		if t > 0 && t < 1 {
			add(west + float64(t*width))
		}
	}
	c.n++
	c.at[c.n] = east
	for i := range c.n {
		t := ((c.at[i]+c.at[i+1])/2 - west) / width
		c.first[i] = float64(dw*(1-t))+float64(de*t)+float64(bend*float64(t*(1-t))) <= 0
	}
	return c
}

// at returns how high the chord of an edge is.
func (e *planeEdge) at(x float64) float64 { return e.y1 + float64(e.slope*(x-e.x1)) }

// above returns how high the edge lies above its chord.
func (e *planeEdge) above(x float64) float64 {
	if e.bend == 0 {
		return 0
	}
	t := (x - e.from) / e.length
	return e.bend * float64(t*(1-t))
}

// bendOver returns the bend of a part of the edge from its own chord.
func (e *planeEdge) bendOver(width float64) float64 {
	if e.bend == 0 {
		return 0
	}
	part := width / e.length
	return e.bend * float64(part*part)
}

// turns are the rotations in degrees that can be needed for outlines to meet.
var turns = [...]float64{0, degreesPerTurn, -degreesPerTurn}

// A levelStep is a change of the winding number on the upper side of a box.
type levelStep struct{ x, step float64 }

// A levelSpan is a range of x with an edge above a box.
type levelSpan struct{ west, east float64 }

// appendLevels appends edges along the upper side of a box up to x = east, for
// parts above it. It sorts the steps.
func appendLevels(dst []planeEdge, steps []levelStep, east, height float64) []planeEdge {
	slices.SortFunc(steps, func(a, b levelStep) int { return compareX(a.x, b.x) })
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
	divideDepth = 24
	// A box with few edges or pairs of edges is measured without dividing it, and so is
	// one in which edges have few others above or below them.
	dividePairs = 1 << 13
	divideEdges = 16
	fewAbove    = 16
)

// A divider measures what two sets of edges share. It divides the box around
// them, so that few edges far above others are compared with them. A sweep alone compares all
// edges with a common x. A crafted polygon, such as a comb of 5,500 teeth over the nation, has
// its time grow with the square of its edges.
type divider struct {
	meter *OverlapMeter
	walk  *regionWalk
	parts []planeEdge // lists of edges, one after the other
	steps []levelStep
}

// measure returns the common area of the edges between two x and below the
// height. It reorders the edges. It halves the box across the direction in which fewer
// edges would be cut, so that its work grows with the edges that lie above each other.
func (d *divider) measure(a, b []planeEdge, west, east, height float64, depth int) float64 {
	n := len(a) + len(b)
	if len(a) == 0 || len(b) == 0 || !d.walk.spend(4*n) {
		return 0
	}
	if min(len(a), len(b)) <= divideEdges || len(a)*len(b) <= dividePairs || depth == 0 {
		return d.meter.sweep(a, b)
	}
	x, y := (west+east)/2, height/2
	ofA, ofB := spreadOf(a, x, y), spreadOf(b, x, y)
	pairs := (float64(len(b))*ofA.width + float64(len(a))*ofB.width) / (east - west)
	if pairs <= float64(fewAbove*n) {
		d.walk.spend(int(pairs))
		return d.meter.sweep(a, b)
	}
	halves := [...]planeBox{{west, x, 0, height}, {x, east, 0, height}}
	if ofA.acrossY+ofB.acrossY < ofA.acrossX+ofB.acrossX {
		halves = [...]planeBox{{west, east, 0, y}, {west, east, y, height}}
	}
	sum := 0.0
	for _, half := range halves {
		from := len(d.parts)
		d.clip(a, half)
		middle := len(d.parts)
		d.clip(b, half)
		sum += d.measure(d.parts[from:middle], d.parts[middle:], half.west, half.east, half.north-half.south, depth-1)
		d.parts = d.parts[:from]
	}
	return sum
}

// A planeBox is a box of the plane.
type planeBox struct{ west, east, south, north float64 }

// A spread describes edges in a box: the sum of their widths, and how many cross lines
// through its middle.
type spread struct {
	width            float64
	acrossX, acrossY int
}

func spreadOf(edges []planeEdge, x, y float64) (s spread) {
	for i := range edges {
		e := &edges[i]
		s.width += e.x2 - e.x1
		if e.x1 < x && e.x2 > x {
			s.acrossX++
		}
		if min(e.y1, e.y2) < y && max(e.y1, e.y2) > y {
			s.acrossY++
		}
	}
	return s
}

// clip appends the parts of some edges in a box to d.parts.
func (d *divider) clip(edges []planeEdge, box planeBox) {
	d.steps = d.steps[:0]
	for i := range edges {
		var over levelSpan
		d.parts, over = edges[i].clip(d.parts, box.west, box.east, box.south, box.north)
		if over.west < over.east {
			d.steps = append(d.steps, levelStep{over.west, edges[i].sign}, levelStep{over.east, -edges[i].sign})
		}
	}
	d.parts = appendLevels(d.parts, d.steps, box.east, box.north-box.south)
}
