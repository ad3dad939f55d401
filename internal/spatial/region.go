package spatial

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// A Region is a polygon that many areas and points are compared with at once.
// It may have any shape. The cost of a comparison depends on the number of
// areas that its edges meet, and not on their length. A Region is immutable and
// safe for concurrent use.
//
// It is for polygons of users. They may be huge, random or crafted: laid out as an
// [Outline], 100 random vertices across the country are millions of parts, compared with each
// of 33,000 areas. A [regionWalk] divides the plane, the edges and the areas together
// instead. An area that no edge meets costs nothing; the winding number of the region at its
// corner decides.
//
// The rings of a region may cross themselves and each other. Outer rings are
// turned counterclockwise and holes clockwise. For areas, a part of the plane
// counts as often as the rings wind around it; clockwise turns count negative.
// A point is inside if the rings wind around it an odd number of times.
type Region struct {
	edges  []regionEdge
	stored []regionEdge // with vertices rounded to the precision of a PolygonIndex, for points; nil if nothing is left
	box    plateBox
	area   float64 // in units of the plane, see [squareMetersPerPlaneUnit]
}

// NewRegion prepares polygons in longitude and latitude, in degrees. In each
// the first ring is the outer one; rings may run either way and cross the
// antimeridian. Impossible coordinates are refused with an error that matches
// [geo.ErrInvalidPolygon].
func NewRegion(m orb.MultiPolygon) (*Region, error) {
	g := &Region{box: emptyPlateBox()}
	for _, p := range m {
		for _, r := range p {
			ring, err := unwrapRing(r)
			if err != nil {
				return nil, err
			}
			for _, v := range ring {
				g.box = g.box.with(v[0], v[1])
			}
		}
	}
	g.edges, g.area = regionEdges(m, func(ring []orb.Point) []orb.Point { return ring }, areaUnder)
	stored, extent := regionEdges(m, func(ring []orb.Point) []orb.Point { return degreesOf(quantizeRing(ring)) }, func(ring []orb.Point) float64 { return float64(planeArea(ring)) })
	if extent > 0 {
		g.stored = stored
	}
	return g, nil
}

// regionEdges returns the edges of the rings after a change of their vertices,
// and the sum of their areas.
func regionEdges(m orb.MultiPolygon, change func([]orb.Point) []orb.Point, areaOf func([]orb.Point) float64) (edges []regionEdge, area float64) {
	for _, p := range m {
		for i, r := range p {
			ring, _ := unwrapRing(r) // NewRegion checks the rings
			if ring = change(ring); len(ring) < 3 {
				if i == 0 {
					break // without its outer ring a polygon is nothing
				}
				continue
			}
			sign := 1
			if (planeArea(ring) < 0) != (i > 0) {
				sign = -1
			}
			area += float64(sign) * areaOf(ring)
			last := ring[len(ring)-1]
			for _, v := range ring {
				if last != v {
					edges = append(edges, newRegionEdge(last, v, sign))
				}
				last = v
			}
		}
	}
	return edges, area
}

// Area returns the extent of the region on WGS84. Parts that the rings wind
// around several times count as often.
func (g *Region) Area() geo.SquareMeters { return geo.SquareMeters(g.area * squareMetersPerPlaneUnit) }

// areaUnder returns the area of an open ring of longitudes and latitudes in the
// plane of an [Outline], positive when it runs counterclockwise.
func areaUnder(ring []orb.Point) float64 {
	base := inPlane(ring[0])[1]
	p := ring[len(ring)-1]
	y := inPlane(p)[1]
	sum := 0.0
	for _, q := range ring {
		z := inPlane(q)[1]
		if width := q[0] - p[0]; width != 0 {
			mean := (y+z)/2 - base
			if e := bentEdgeOf(p, q); e.bulge > mostBulge {
				mean = meanSine(p[1], q[1]) - base
			} else {
				mean += float64(e.bend(y, z)) / 6
			}
			sum -= float64(width * mean)
		}
		p, y = q, z
	}
	return sum
}

// A plateBox is a box of longitudes and latitudes in degrees; longitudes run
// on beyond 180.
type plateBox struct{ west, south, east, north float64 }

func emptyPlateBox() plateBox {
	return plateBox{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
}

func (b plateBox) with(x, y float64) plateBox {
	return plateBox{min(b.west, x), min(b.south, y), max(b.east, x), max(b.north, y)}
}

func (b plateBox) union(c plateBox) plateBox {
	return plateBox{min(b.west, c.west), min(b.south, c.south), max(b.east, c.east), max(b.north, c.north)}
}

func (b plateBox) meets(c plateBox) bool {
	return b.west <= c.east && c.west <= b.east && b.south <= c.north && c.south <= b.north
}

func (b plateBox) grown(margin float64) plateBox {
	return plateBox{b.west - margin, b.south - margin, b.east + margin, b.north + margin}
}

// regionMargin is the margin of boxes in degrees. It is wider than edges bend
// within a part and than coordinates are rounded.
const regionMargin = 1e-6

// Overlaps calls found with every area of an index that keep accepts and that
// overlaps the region, and with the extent of the overlap. The order of the
// areas has no meaning, and rounding can make the extent miss 0 to either side.
// Errors come from the context, which is checked every few milliseconds.
func (g *Region) Overlaps(ctx context.Context, x *PolygonIndex, keep func(area int) bool, found func(area int, shared geo.SquareMeters)) error {
	shared := make([]float64, len(x.shapes))
	var items []regionItem
	for _, shift := range turns {
		box := g.box
		box.west, box.east = box.west+shift, box.east+shift
		items = items[:0]
		for i := range x.shapes {
			s := &x.shapes[i]
			if b := s.plateBox(); b.meets(box) && keep(int(s.index)) {
				items = append(items, regionItem{b.grown(regionMargin), int32(i)})
			}
		}
		if len(items) == 0 {
			continue
		}
		c := newAreaCut(ctx, x, g.edges, shift, shared)
		if err := c.walk.walk(items); err != nil {
			return err
		}
	}
	for i, v := range shared {
		if v != 0 {
			found(int(x.shapes[i].index), geo.SquareMeters(v))
		}
	}
	return nil
}

func (s *shape) plateBox() plateBox {
	return plateBox{
		float64(s.lo.x) / unitsPerDegree, float64(s.lo.y) / unitsPerDegree,
		float64(s.hi.x) / unitsPerDegree, float64(s.hi.y) / unitsPerDegree,
	}
}
