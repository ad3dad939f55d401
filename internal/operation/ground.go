package operation

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/simplify"
)

// NewGround returns the rings of outlines that share borders, such as those of states,
// on a grid with steps of a tolerance in degrees. A border between two points where three
// areas meet is simplified once, so that neighbors keep it in common. Omitted vertices
// are less than flat steps from their line. Rings that are smaller than islet steps are
// omitted, except those of an area without a larger one.
func NewGround(outlines []orb.MultiPolygon, tolerance, flat, islet float64) []Rings {
	gridded := make([][][]gridPoint, len(outlines))
	next := map[gridPoint]neighbors{}
	for i, m := range outlines {
		for _, least := range [...]float64{islet * tolerance, 0} {
			for _, polygon := range m {
				for _, ring := range polygon {
					if b := ring.Bound(); max(b.Right()-b.Left(), b.Top()-b.Bottom()) < least {
						continue
					}
					if points := onGrid(ring, tolerance); len(points) > 3 {
						gridded[i] = append(gridded[i], points)
						join(next, points)
					}
				}
			}
			if len(gridded[i]) > 0 {
				break
			}
		}
	}
	out := make([]Rings, len(outlines))
	for i, list := range gridded {
		for _, points := range list {
			if ring := flatRing(simplifyRing(points, next, tolerance, flat)); ring != nil {
				out[i] = append(out[i], ring)
			}
		}
	}
	return out
}

// neighbors are the points that follow or precede a point in all rings.
type neighbors struct {
	a, b gridPoint
	n    int // 2 if there are no others
}

// join notes which points of a ring follow each other.
func join(next map[gridPoint]neighbors, ring []gridPoint) {
	last := ring[len(ring)-2]
	for i, p := range ring[:len(ring)-1] {
		list := next[p]
		for _, q := range [...]gridPoint{last, ring[i+1]} {
			switch {
			case list.n == 0:
				list.a, list.n = q, 1
			case q == list.a || list.n > 1 && q == list.b:
			case list.n == 1:
				list.b, list.n = q, 2
			default:
				list.n = 3
			}
		}
		next[p] = list
		last = p
	}
}

// simplifyRing simplifies the pieces of a ring between its junctions.
func simplifyRing(ring []gridPoint, next map[gridPoint]neighbors, tolerance, flat float64) []gridPoint {
	open := ring[:len(ring)-1]
	first := slices.IndexFunc(open, func(p gridPoint) bool { return next[p].n != 2 })
	if first < 0 { // an island: from the same point for every area
		first = slices.Index(open, slices.MinFunc(open, gridPoint.compare))
	}
	ring = append(slices.Concat(open[first:], open[:first]), open[first])
	kept := ring[:1:1]
	begin := 0
	for i := 1; i < len(ring); i++ {
		if i == len(ring)-1 || next[ring[i]].n != 2 {
			kept = append(kept, simplifyPiece(ring[begin:i+1], tolerance, flat)[1:]...)
			begin = i
		}
	}
	return kept
}

// simplifyPiece returns the same vertices for both directions of a piece.
func simplifyPiece(piece []gridPoint, tolerance, flat float64) []gridPoint {
	n := len(piece)
	backward := cmp.Or(piece[0].compare(piece[n-1]), piece[1].compare(piece[n-2])) > 0
	piece = slices.Clone(piece)
	if backward {
		slices.Reverse(piece)
	}
	// Degrees of longitude are shorter; distances are in steps of latitude.
	narrow := math.Cos(float64(piece[0][1]) * tolerance * math.Pi / 180)
	line := make(orb.LineString, n)
	for i, p := range piece {
		line[i] = orb.Point{float64(p[0]) * narrow, float64(p[1])}
	}
	line = simplify.DouglasPeucker(flat).LineString(line)
	piece = piece[:0]
	for _, p := range line {
		piece = append(piece, gridPoint{int(math.Round(p[0] / narrow)), int(p[1])})
	}
	if backward {
		slices.Reverse(piece)
	}
	return piece
}
