package geo

import "math"

// AreaOfThree returns the extent on WGS84 of what three areas share. The area
// under both of two edges is that under the lower one, so that the lower parts
// of all pairs of edges of a and b stand for what these share, and are held
// against c as [OverlapMeter.Area] holds edges.
func (m *OverlapMeter) AreaOfThree(a, b, c *Outline) SquareMeters {
	sum := 0.0
	for _, toB := range turns {
		for _, toC := range turns {
			sum += m.overlapOfThree(a, b, c, toB, toC)
		}
	}
	return SquareMeters(sum * squareMetersPerPlaneUnit)
}

// turns are the ways round the Earth by which outlines may have to be moved to
// meet.
var turns = [...]float64{0, degreesPerTurn, -degreesPerTurn}

// overlapOfThree measures with b and c moved east.
func (m *OverlapMeter) overlapOfThree(a, b, c *Outline, toB, toC float64) float64 {
	west, east := max(a.box.Min[0], b.box.Min[0]+toB, c.box.Min[0]+toC), min(a.box.Max[0], b.box.Max[0]+toB, c.box.Max[0]+toC)
	south, north := max(a.box.Min[1], b.box.Min[1], c.box.Min[1]), min(a.box.Max[1], b.box.Max[1], c.box.Max[1])
	if !(west < east && south < north) {
		return 0
	}
	clip := planeClip{west: west, south: south, w: east - west, h: north - south}
	m.a = clip.edges(a, m.a[:0])
	clip.west = west - toB
	m.b = clip.edges(b, m.b[:0])
	if len(m.a) == 0 || len(m.b) == 0 {
		return 0
	}
	m.orderB = appendByWest(m.orderB[:0], m.b)
	m.lower = m.lower[:0]
	for i := range m.a {
		e := &m.a[i]
		for _, w := range m.orderB {
			if w.x >= e.x2 {
				break
			}
			f := &m.b[w.edge]
			m.lower = appendLower(m.lower, e, f)
		}
	}
	m.a, m.lower = m.lower, m.a
	clip.west = west - toC
	m.b = clip.edges(c, m.b[:0])
	return m.sweep(m.a, m.b)
}

// appendLower appends the lower of two edges where they lie above the same x,
// in parts where they cross, as [underBoth] measures it.
func appendLower(out []planeEdge, e, f *planeEdge) []planeEdge {
	west, east := max(e.x1, f.x1), min(e.x2, f.x2)
	if east <= west {
		return out
	}
	part := func(g *planeEdge, x1, x2 float64) {
		if x1 < x2 {
			p := *g
			p.x1, p.y1, p.x2, p.y2 = x1, g.at(x1), x2, g.at(x2)
			p.sign = e.sign * f.sign
			out = append(out, p)
		}
	}
	reach := (math.Abs(e.bend) + math.Abs(f.bend)) / 4
	dw, de := e.at(west)-f.at(west), e.at(east)-f.at(east)
	switch {
	case dw <= -reach && de <= -reach:
		part(e, west, east)
		return out
	case dw >= reach && de >= reach:
		part(f, west, east)
		return out
	}
	c := crossings(e, f, west, east)
	for i := range c.n {
		if c.first[i] {
			part(e, c.at[i], c.at[i+1])
		} else {
			part(f, c.at[i], c.at[i+1])
		}
	}
	return out
}
