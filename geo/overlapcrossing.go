package geo

import "math"

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
	// The zeros of dw + b·t - bend·t·t.
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
