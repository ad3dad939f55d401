package svg

import (
	"math"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
)

const (
	// bend is how far, in pixels, an edge that is straight in degrees may be
	// from its drawing.
	bend = 0.25
	// maxSplits bounds into how many pieces an edge is cut: two to this power.
	maxSplits = 7
	// detail is the least distance between drawn vertices, in pixels.
	detail = 0.5
	// border is how far beyond the frame outlines are cut off, in pixels, so
	// that the cut is not seen.
	border = 8
)

// project returns a ring on the map, closed; nil for fewer than three
// vertices.
func (p *projection) project(r orb.Ring) orb.Ring {
	if n := len(r); n > 1 && r[0] == r[n-1] {
		r = r[:n-1]
	}
	if len(r) < 3 {
		return nil
	}
	out := make(orb.Ring, 0, len(r)+1)
	from := r[0]
	at := p.pixel(from[0], from[1])
	out = append(out, at)
	for i := range r {
		to := r[(i+1)%len(r)]
		to[0] += 360 * math.Round((from[0]-to[0])/360) // the short way round
		end := p.pixel(to[0], to[1])
		out = p.appendEdge(out, from, to, at, end, maxSplits)
		from, at = to, end
	}
	return out
}

// appendEdge appends the edge without its beginning. It is cut in two as long
// as its middle differs from that of the drawing.
func (p *projection) appendEdge(out orb.Ring, from, to, a, b orb.Point, splits int) orb.Ring {
	middle := orb.Point{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2}
	if splits > 0 && (math.Abs(from[0]-to[0]) > 0.01 || math.Abs(from[1]-to[1]) > 0.01) {
		m := p.pixel(middle[0], middle[1])
		if math.Hypot(m[0]-(a[0]+b[0])/2, m[1]-(a[1]+b[1])/2) > bend {
			out = p.appendEdge(out, from, middle, a, m, splits-1)
			return p.appendEdge(out, middle, to, m, b, splits-1)
		}
	}
	return append(out, b)
}

// A tenth is a length in tenths of a pixel, the precision of the drawing.
type tenth int

func tenths(v float64) tenth { return tenth(math.Round(v * 10)) }

// A corner is a vertex of the drawing.
type corner struct{ x, y tenth }

// draw returns the corners of a projected ring inside the frame, without
// repetitions and points on straight lines.
func draw(r orb.Ring, frame orb.Bound) []corner {
	r = clip.Ring(frame.Pad(border), r)
	out := make([]corner, 0, len(r))
	const near = detail * 10
	for i, v := range r {
		c := corner{tenths(v[0]), tenths(v[1])}
		if n := len(out); n > 0 {
			dx, dy := float64(c.x-out[n-1].x), float64(c.y-out[n-1].y)
			if dx == 0 && dy == 0 || i < len(r)-1 && dx*dx+dy*dy < near*near {
				continue
			}
		}
		out = appendCorner(out, c)
	}
	for len(out) > 1 && out[0] == out[len(out)-1] {
		out = out[:len(out)-1]
	}
	if len(out) < 3 {
		return nil
	}
	return out
}

// appendCorner appends a corner, in place of the last one if that is in the
// middle of a straight line.
func appendCorner(out []corner, c corner) []corner {
	if n := len(out); n > 1 {
		a, b := out[n-2], out[n-1]
		abx, aby, bcx, bcy := b.x-a.x, b.y-a.y, c.x-b.x, c.y-b.y
		if abx*bcy == aby*bcx && abx*bcx+aby*bcy > 0 {
			out[n-1] = c
			return out
		}
	}
	return append(out, c)
}

func appendPath(dst []byte, ring []corner) []byte {
	at := ring[0]
	dst = appendPair(append(dst, 'M'), at.x, at.y)
	for i, c := range ring[1:] {
		if i == 0 {
			dst = append(dst, 'l')
		} else if c.x >= at.x {
			dst = append(dst, ' ') // a minus sign divides numbers too
		}
		dst = appendPair(dst, c.x-at.x, c.y-at.y)
		at = c
	}
	return append(dst, 'z')
}

func appendPair(dst []byte, x, y tenth) []byte {
	dst = appendTenth(dst, x)
	if y >= 0 {
		dst = append(dst, ' ')
	}
	return appendTenth(dst, y)
}

// appendTenth appends a length in pixels without needless digits.
func appendTenth(dst []byte, v tenth) []byte {
	if v < 0 {
		dst = append(dst, '-')
		v = -v
	}
	if v >= 10 || v == 0 {
		dst = strconv.AppendInt(dst, int64(v/10), 10)
	}
	if v%10 != 0 {
		dst = append(dst, '.', byte('0'+v%10))
	}
	return dst
}
