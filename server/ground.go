package server

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/operation"
)

const (
	groundStep  = 0.01 // grid of the ground of maps, in degrees
	groundError = 5.0  // largest distance of an omitted vertex from its line, in steps
	groundIslet = 32   // size of the smallest islands, in steps
)

// A gridPoint is a vertex of the ground in steps.
type gridPoint [2]int

func compareGridPoints(a, b gridPoint) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

// groundRings simplifies outlines that share borders. Each piece of border between two
// points where three areas meet is simplified once, so that neighbors keep it in common.
// Small islands are omitted, except those of an area without a large part.
func groundRings(outlines []orb.MultiPolygon) []operation.Rings {
	gridded := make([][][]gridPoint, len(outlines))
	n := 0
	for i, m := range outlines {
		for _, least := range [...]float64{groundIslet * groundStep, 0} {
			for _, polygon := range m {
				for _, ring := range polygon {
					if b := ring.Bound(); max(b.Right()-b.Left(), b.Top()-b.Bottom()) < least {
						continue
					}
					if points := onGrid(ring); len(points) > 2 {
						gridded[i] = append(gridded[i], points)
						n += len(points)
					}
				}
			}
			if len(gridded[i]) > 0 {
				break
			}
		}
	}
	next := make(map[uint64]neighbors, n)
	for _, list := range gridded {
		for _, points := range list {
			join(next, points)
		}
	}
	out := make([]operation.Rings, len(outlines))
	for i, list := range gridded {
		for _, points := range list {
			if kept := simplifyRing(points, next); len(kept) > 2 {
				out[i] = append(out[i], flatRing(kept))
			}
		}
	}
	return out
}

// neighbors are the keys of the points that follow or precede a point in all rings.
type neighbors struct {
	a, b uint64
	n    int // 2 if there are no others
}

func (p gridPoint) key() uint64 { return uint64(uint32(p[0]))<<32 | uint64(uint32(p[1])) }

// onGrid rounds a ring, without the repeated first point.
func onGrid(ring orb.Ring) (points []gridPoint) {
	for _, p := range ring {
		q := gridPoint{int(math.Round(p[0] / groundStep)), int(math.Round(p[1] / groundStep))}
		if n := len(points); n == 0 || points[n-1] != q {
			points = append(points, q)
		}
	}
	if n := len(points); n > 1 && points[0] == points[n-1] {
		points = points[:n-1]
	}
	return points
}

// join notes which points follow each other.
func join(next map[uint64]neighbors, points []gridPoint) {
	last, p := points[len(points)-1].key(), points[0].key()
	for i := range points {
		following := points[(i+1)%len(points)].key()
		list := next[p]
		for _, q := range [...]uint64{last, following} {
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
		last, p = p, following
	}
}

// simplifyRing simplifies the pieces of a ring between its junctions.
func simplifyRing(points []gridPoint, next map[uint64]neighbors) (kept []gridPoint) {
	first := slices.IndexFunc(points, func(p gridPoint) bool { return next[p.key()].n != 2 })
	if first < 0 { // an island: from the same point for every area
		first = slices.Index(points, slices.MinFunc(points, compareGridPoints))
	}
	points = append(slices.Concat(points[first:], points[:first]), points[first])
	begin := 0
	for i := 1; i < len(points); i++ {
		if i == len(points)-1 || next[points[i].key()].n != 2 {
			piece := simplifyPiece(points[begin : i+1])
			kept = append(kept, piece[:len(piece)-1]...)
			begin = i
		}
	}
	return kept
}

// simplifyPiece returns the same vertices for both directions of a piece.
func simplifyPiece(piece []gridPoint) []gridPoint {
	n := len(piece)
	backward := cmp.Or(compareGridPoints(piece[0], piece[n-1]), compareGridPoints(piece[1], piece[n-2])) > 0
	piece = slices.Clone(piece)
	if backward {
		slices.Reverse(piece)
	}
	kept := append(peucker(piece, []gridPoint{piece[0]}), piece[n-1])
	if backward {
		slices.Reverse(kept)
	}
	return kept
}

// peucker appends the vertices that matter between the ends of a line, by the algorithm
// of Douglas and Peucker.
func peucker(line, kept []gridPoint) []gridPoint {
	a, b := line[0], line[len(line)-1]
	// Degrees of longitude are shorter; distances are in steps of latitude.
	narrow := math.Cos(float64(a[1]) * groundStep * math.Pi / 180)
	x, y := float64(b[0]-a[0])*narrow, float64(b[1]-a[1])
	length := x*x + y*y
	farthest, most := 0, groundError*groundError
	for i := 1; i < len(line)-1; i++ {
		u, v := float64(line[i][0]-a[0])*narrow, float64(line[i][1]-a[1])
		if length > 0 {
			along := max(0, min(1, (u*x+v*y)/length))
			u, v = u-along*x, v-along*y
		}
		if d := u*u + v*v; d > most {
			farthest, most = i, d
		}
	}
	if farthest == 0 {
		return kept
	}
	kept = append(peucker(line[:farthest+1], kept), line[farthest])
	return peucker(line[farthest:], kept)
}

func flatRing(points []gridPoint) []int {
	flat := make([]int, 0, 2*len(points))
	last := gridPoint{}
	for _, p := range points {
		flat = append(flat, p[0]-last[0], p[1]-last[1])
		last = p
	}
	return flat
}
