package spatial

import "math"

// A walk adds up the part of a polygon's area inside a circle while it goes
// along the rings. Between points inside, it sums the areas of triangles with
// the center. Outside, it adds the sector between the points at which the ring
// leaves and enters the circle. The sector depends only on the directions and
// the turns around the center. Counterclockwise rings add, clockwise ones
// subtract. So holes, multipolygons, a circle inside a polygon and a polygon inside
// the circle need no cases of their own, and a long way outside costs one pair of arctangents.
type walk struct {
	circle *Circle
	sum    float64 // m²
	all    float64 // m²: of the whole polygon, measured the same way
	at     planePoint
	inside bool
	left   planePoint // the point at which the ring left the circle, while it is outside
	turns  int        // around the center since, clockwise
}

func (w *walk) start(p planePoint) {
	w.at, w.inside = p, w.circle.holds(p)
	w.left, w.turns = p, 0
}

// finish ends a ring, which has come back to its start.
func (w *walk) finish() {
	if !w.inside {
		w.enter(w.at)
	}
}

// enter adds the sector between the last exit of the ring and p.
func (w *walk) enter(p planePoint) {
	c := w.circle
	w.sum -= c.sectorTo(p) - c.sectorTo(w.left) + float64(c.full()*float64(w.turns))
}

// leave notes that the ring is outside from p on.
func (w *walk) leave(p planePoint) { w.left, w.turns = p, 0 }

// step goes to q along an edge that is almost a geodesic: lens is the signed
// area between the two. Whether q is inside decides everything, and the crossing of the outline
// is then found on the segment even if rounding puts it a hair beyond its end. A ring so
// leaves the circle as often as it enters.
func (w *walk) step(q planePoint, lens float64) {
	c, p := w.circle, w.at
	inside := c.holds(q)
	area := 0.5 * p.cross(q)
	// A geodesic bends towards the center from the straight line of the plane.
	const bend = 1.0 / 8 / (meanRadius * meanRadius)
	d := planePoint{q.x - p.x, q.y - p.y}
	lens += float64(area * d.square() * bend)
	area += lens
	w.all += area
	switch {
	case w.inside && inside:
		w.sum += area
	case w.inside:
		m, t := c.meet(p, q, true)
		w.sum += 0.5*p.cross(m) + float64(lens*lensPart(t))
		w.leave(m)
		w.turns = turnsBetween(m, q)
	case inside:
		m, t := c.meet(p, q, false)
		w.turns += turnsBetween(p, m)
		w.enter(m)
		w.sum += 0.5*m.cross(q) + float64(lens*lensPart(1-t))
	default:
		if m1, m2, ok := c.chord(p, q); ok {
			w.turns += turnsBetween(p, m1)
			w.enter(m1)
			w.sum += 0.5 * m1.cross(m2)
			w.leave(m2)
			w.turns = turnsBetween(m2, q)
		} else {
			w.turns += turnsBetween(p, q)
		}
	}
	w.at, w.inside = q, inside
}

// lensPart returns how much of a lens between a parabola and its chord lies
// before the fraction t of the chord.
func lensPart(t float64) float64 { return t * t * (3 - 2*t) }

// skip goes to q along a path that neither touches the circle nor goes around
// it. The path encloses the area with the center.
func (w *walk) skip(q planePoint, area float64) {
	if w.inside { // the start was rounded to the wrong side
		w.step(q, 0)
		return
	}
	w.turns += turnsBetween(w.at, q)
	w.all += area
	w.at = q
}

// cross goes to q along a path that is known to stay inside and to enclose
// the area with the center.
func (w *walk) cross(q planePoint, area float64) {
	if !w.inside {
		w.step(q, 0)
		return
	}
	w.sum += area
	w.all += area
	w.at = q
}

// turnsBetween returns the whole turns to add to the difference of the
// directions of q and p for the straight way from p to q. Directions are within
// half a turn of north. The result is not 0 if the way crosses the direction
// south.
func turnsBetween(p, q planePoint) int {
	if (p.x < 0) == (q.x < 0) {
		return 0
	}
	south := float64(p.y*q.x) - float64(q.y*p.x) // has the sign of y at x = 0 times that of q.x-p.x
	if q.x > p.x {
		if south < 0 {
			return -1
		}
	} else if south > 0 {
		return 1
	}
	return 0
}

// meet returns the point at which the segment crosses the outline, and the
// fraction of the segment before it. The end must be on the other side than the
// start.
func (c *Circle) meet(p, q planePoint, leaving bool) (m planePoint, t float64) {
	d := planePoint{q.x - p.x, q.y - p.y}
	t, _ = c.root(p, d, leaving)
	t = max(0, min(1, t))
	return p.along(d, t), t
}

// chord returns the part of a segment inside the circle when both ends are
// outside.
func (c *Circle) chord(p, q planePoint) (m1, m2 planePoint, ok bool) {
	d := planePoint{q.x - p.x, q.y - p.y}
	length2 := d.square()
	nearest := -(float64(p.x*d.x) + float64(p.y*d.y)) // over length2: the nearest point of the line
	if nearest <= 0 || nearest >= length2 {
		return m1, m2, false
	}
	if k := p.cross(q); float64(k*k) >= float64(c.far2*length2) {
		return m1, m2, false
	}
	t1, ok1 := c.root(p, d, false)
	t2, ok2 := c.root(p, d, true)
	if !ok1 || !ok2 || !(t1 > 0 && t1 < t2 && t2 < 1) {
		return m1, m2, false
	}
	return p.along(d, t1), p.along(d, t2), true
}

// root finds the later or the earlier crossing of the line p + t·d with the
// outline. It repeatedly intersects the line with a circle of the radius at the
// last estimate, which converges fast because the outline is almost round.
func (c *Circle) root(p, d planePoint, later bool) (t float64, ok bool) {
	a := d.square()
	b := float64(p.x*d.x) + float64(p.y*d.y)
	from := p.square()
	square := 2 * c.series[0]
	for range 6 {
		under := float64(b*b) - float64(a*(from-square))
		if under < 0 || a == 0 {
			return 0, false
		}
		s := math.Sqrt(under)
		if !later {
			s = -s
		}
		t = (s - b) / a
		m := p.along(d, t)
		next := 2 * c.halfSquare(m.y/math.Sqrt(m.square()))
		if math.Abs(next-square) < 1e-11*square {
			break
		}
		square = next
	}
	return t, true
}
