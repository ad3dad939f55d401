package geo

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"
)

// An Adjacent is an area that touches another.
type Adjacent struct {
	Index int // of the area

	// Shared is the length of the border common to both outlines, edge by edge.
	// It is 0 if they meet only in points, or overlap instead because they are
	// drawn differently.
	Shared Meters
}

// AppendAdjacent appends the areas that touch or overlap an area, the longest
// common border first. Such an area contains one of its vertices or has it on
// an edge. Neighbors from one source share vertices; for outlines of different
// sources, touching is enough. It appends nothing for an area without a
// polygon.
func (x *PolygonIndex) AppendAdjacent(dst []Adjacent, area int) []Adjacent {
	type edge struct{ p, q orb.Point }
	var around []int
	edges := map[edge]struct{}{}
	met := map[int]bool{}
	for _, polygon := range x.Polygons(area) {
		for _, ring := range polygon {
			for i := 1; i < len(ring); i++ {
				p, q := inTurn(ring[i-1]), inTurn(ring[i])
				edges[edge{p, q}] = struct{}{}
				at, err := LatLngFromDegrees(p[1], p[0])
				if err != nil {
					continue
				}
				around = x.AppendContaining(around[:0], at)
				for _, k := range around {
					met[k] = true
				}
			}
		}
	}
	from := len(dst)
	for k := range met {
		if k == area {
			continue
		}
		a := Adjacent{Index: k}
		for _, polygon := range x.Polygons(k) {
			for _, ring := range polygon {
				for i := 1; i < len(ring); i++ {
					p, q := inTurn(ring[i-1]), inTurn(ring[i])
					if _, shared := edges[edge{q, p}]; shared {
						a.Shared += edgeLength(p, q)
					}
				}
			}
		}
		dst = append(dst, a)
	}
	slices.SortFunc(dst[from:], func(a, b Adjacent) int {
		return cmp.Or(cmp.Compare(b.Shared, a.Shared), cmp.Compare(a.Index, b.Index))
	})
	return dst
}

// inTurn returns a vertex with its longitude from -180 to less than 180.
func inTurn(p orb.Point) orb.Point {
	if p[0] >= degreesPerTurn/2 {
		p[0] -= degreesPerTurn
	}
	return p
}

// edgeLength returns the distance between the ends of an edge.
func edgeLength(p, q orb.Point) Meters {
	a, errA := LatLngFromDegrees(p[1], p[0])
	b, errB := LatLngFromDegrees(q[1], q[0])
	if errA != nil || errB != nil {
		return 0
	}
	return Distance(a, b)
}
