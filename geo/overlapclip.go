package geo

// A planeClip cuts outlines to a box of the plane. Parts below the box are
// dropped, and parts above it are moved to its upper side. The area under the
// edges within the box does not change.
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
		case p.box.Min[1]-c.south >= c.h: // a run along the upper side comes to the way from its start to its end
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
