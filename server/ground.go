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
func groundRings(outlines []orb.MultiPolygon) []operation.Rings {
	gridded := make([][][]gridPoint, len(outlines))
	next := map[gridPoint][]gridPoint{}
	for i, m := range outlines {
		for _, polygon := range m {
			for _, ring := range polygon {
				if points := onGrid(ring); len(points) > 2 {
					gridded[i] = append(gridded[i], points)
					join(next, points)
				}
			}
		}
	}
	out := make([]operation.Rings, len(outlines))
	for i, list := range gridded {
		for _, points := range list {
			if kept := simplifyRing(points, next); len(kept) > 2 {
				out[i] = append(out[i], flatRing(kept))
			}
		}
		if large := out[i].Without(groundIslet); len(large) > 0 {
			out[i] = large
		}
	}
	return out
}

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
func join(next map[gridPoint][]gridPoint, points []gridPoint) {
	add := func(a, b gridPoint) {
		if !slices.Contains(next[a], b) {
			next[a] = append(next[a], b)
		}
	}
	for i, p := range points {
		q := points[(i+1)%len(points)]
		add(p, q)
		add(q, p)
	}
}

// simplifyRing simplifies the pieces of a ring between its junctions.
func simplifyRing(points []gridPoint, next map[gridPoint][]gridPoint) (kept []gridPoint) {
	first := slices.IndexFunc(points, func(p gridPoint) bool { return len(next[p]) != 2 })
	if first < 0 { // an island: from its lowest point, whichever area it belongs to
		first = slices.Index(points, slices.MinFunc(points, compareGridPoints))
	}
	points = append(slices.Concat(points[first:], points[:first]), points[first])
	begin := 0
	for i := 1; i < len(points); i++ {
		if i == len(points)-1 || len(next[points[i]]) != 2 {
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
	farthest, most := 0, groundError
	for i := 1; i < len(line)-1; i++ {
		if d := offLine(line[i], a, b); d > most {
			farthest, most = i, d
		}
	}
	if farthest == 0 {
		return kept
	}
	kept = append(peucker(line[:farthest+1], kept), line[farthest])
	return peucker(line[farthest:], kept)
}

// offLine returns the distance of a point from a line in steps of latitude. Degrees of
// longitude are shorter.
func offLine(p, a, b gridPoint) float64 {
	narrow := math.Cos(float64(a[1]) * groundStep * math.Pi / 180)
	x, y := float64(b[0]-a[0])*narrow, float64(b[1]-a[1])
	u, v := float64(p[0]-a[0])*narrow, float64(p[1]-a[1])
	if length := math.Hypot(x, y); length > 0 {
		along := max(0, min(1, (u*x+v*y)/(length*length)))
		return math.Hypot(u-along*x, v-along*y)
	}
	return math.Hypot(u, v)
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
