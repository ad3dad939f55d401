package spatial

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// An areaCut measures what areas of an index share with a region, one area at a time. It cuts
// the region's edges to the area's box and closes them along the upper side of the box by the
// winding number there. The region's part in the box is so known without the edges
// elsewhere. That part and the area's outline are then measured as two outlines are.
type areaCut struct {
	walk   regionWalk
	index  *PolygonIndex
	shared []float64 // square meters by shape
	meter  OverlapMeter
	steps  []levelStep // of the winding number along the upper side of the box
	own    Outline     // of the current area
	box    plateBox    // and its box, with a margin
	base   float64     // of the box in the plane
	height float64     // of the box in the plane
}

// newAreaCut returns a cut with the edges moved east.
func newAreaCut(ctx context.Context, x *PolygonIndex, edges []regionEdge, shift float64, shared []float64) *areaCut {
	if shift != 0 {
		edges = slices.Clone(edges)
		for i := range edges {
			edges[i].x1, edges[i].x2 = edges[i].x1+shift, edges[i].x2+shift
		}
	}
	c := &areaCut{walk: regionWalk{ctx: ctx, edges: edges}, index: x, shared: shared}
	c.walk.leaf = c.compare
	return c
}

// compare measures an area. If no edge is in its box the region holds all of
// it, as often as it winds around the box, or nothing.
func (c *areaCut) compare(at *regionItem, near []int32, winding int) {
	if len(near) == 0 {
		c.shared[at.id] += float64(winding) * c.index.extents[at.id].area
		return
	}
	c.box = at.box
	c.base = inPlane(orb.Point{0, at.box.south})[1]
	c.height = inPlane(orb.Point{0, at.box.north})[1] - c.base
	width := at.box.east - at.box.west
	c.meter.a, c.steps = c.meter.a[:0], append(c.steps[:0], levelStep{0, float64(winding)})
	for _, i := range near {
		c.edge(&c.walk.edges[i])
	}
	c.meter.a = appendLevels(c.meter.a, c.steps, width, c.height)
	if len(c.meter.a) == 0 {
		return
	}
	if err := c.index.layOut(&c.own, &c.index.extents[at.id]); err != nil {
		c.walk.err = fmt.Errorf("spatial: area %d: %w", c.index.shapes[at.id].index, err)
		return
	}
	frame := planeClip{west: at.box.west, south: c.base, w: width, h: c.height}
	c.meter.b = frame.edges(&c.own, c.meter.b[:0])
	d := divider{meter: &c.meter, walk: &c.walk}
	c.shared[at.id] += d.measure(c.meter.a, c.meter.b, 0, width, c.height, divideDepth) * squareMetersPerPlaneUnit
}

// edge appends the parts of an edge that lie in the box of the area. It also
// appends the step of the winding number at which the edge leaves the box in
// the north. The walk decides in the same way whether an edge leaves, so the
// steps of a ring add up.
func (c *areaCut) edge(e *regionEdge) {
	step := float64(e.along(c.box.north, c.box.west, c.box.east))
	if e.x1 == e.x2 {
		if step != 0 {
			c.steps = append(c.steps, levelStep{e.x1 - c.box.west, step})
		}
		return
	}
	west, east := max(e.x1, c.box.west), min(e.x2, c.box.east)
	above := e.at(west) > c.box.north
	if !(west < east) || above && step == 0 {
		return
	}
	leaves := east - c.box.west
	if above {
		leaves = west - c.box.west
	}
	p, q := orb.Point{e.x1, e.y1}, orb.Point{e.x2, e.y2}
	n := partsOf(p, q)
	first, last := e.partsWithin(&c.box, n)
	if !c.walk.spend(int(max(last-first, 1))) {
		return
	}
	part := func(k float64) orb.Point {
		switch k {
		case 0:
			return p
		case n:
			return q
		}
		return between(p, q, k, n)
	}
	u := part(first)
	z := inPlane(u)[1]
	for k := first + 1; k <= last; k++ {
		v := part(k)
		y := inPlane(v)[1]
		bent := bentEdgeOf(u, v)
		g := planeEdge{x1: u[0] - c.box.west, y1: z - c.base, x2: v[0] - c.box.west, y2: y - c.base, sign: float64(e.sign), bend: float64(bent.bend(z, y))}
		g.from, g.length = g.x1, g.x2-g.x1
		if g.length > 0 {
			g.slope = (g.y2 - g.y1) / g.length
			var over levelSpan
			c.meter.a, over = g.clip(c.meter.a, 0, c.box.east-c.box.west, 0, c.height)
			switch {
			case !(over.west < over.east):
			case above:
				leaves = max(leaves, over.east)
			default:
				leaves = min(leaves, over.west)
			}
		}
		u, z = v, y
	}
	if step != 0 {
		c.steps = append(c.steps, levelStep{leaves, step})
	}
}

// partsOf returns into how many parts an edge of a region is cut. Edges of the
// length that areas have are cut as those of an [Outline], so that equal edges
// cancel. A part of longer ones spans a fiftieth of a degree of latitude, and a
// parabola is within some micrometers of it.
func partsOf(p, q orb.Point) float64 {
	b := bentEdgeOf(p, q).bulge
	if b <= mostBulge {
		return 1
	}
	return min(math.Ceil(math.Sqrt(b/mostBulge)), max(64, math.Ceil(50*math.Abs(q[1]-p[1]))))
}

// partsWithin returns the first and last end of the parts, of n, that may meet
// a box.
func (e *regionEdge) partsWithin(b *plateBox, n float64) (first, last float64) {
	width := e.x2 - e.x1
	from, to := (b.west-e.x1)/width, (b.east-e.x1)/width
	if height := e.y2 - e.y1; height != 0 {
		s, t := (b.south-e.y1)/height, (b.north-e.y1)/height
		from, to = max(from, min(s, t)), min(to, max(s, t))
	}
	first = max(0, math.Floor(float64(from*n))-1)
	last = min(n, math.Ceil(float64(to*n))+1)
	return min(first, n), max(last, 0)
}

// layOut fills an outline with a shape. Its rings have their direction.
func (x *PolygonIndex) layOut(o *Outline, e *extent) error {
	o.points, o.bends, o.pieces = o.points[:0], o.bends[:0], o.pieces[:0]
	o.box, o.area = emptyBound(), 0
	for ring := e.ring; ring < e.end(); ring++ {
		r := x.ringOf(ring)
		if err := o.run(r[:len(r)-1]); err != nil {
			return err
		}
	}
	return nil
}

// regionPoints is how many points are compared at once. Each round walks all edges, and holds
// the probes of its points.
const regionPoints = 1 << 13

// Covered calls found with the number of every point that lies in the region or
// on its edge. The decision is exact and that of [PolygonIndex.Covers]:
// vertices are rounded to 1e-6 and points to 1e-7 degree. Points that are not
// valid are outside. Errors come from the context.
func (g *Region) Covered(ctx context.Context, points int, at func(int) geo.LatLng, found func(int)) error {
	c := pointCut{walk: regionWalk{ctx: ctx, edges: g.stored}}
	c.walk.leaf = c.compare
	box := g.box.grown(regionMargin)
	for i := range points {
		if i%regionPoints == 0 {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("spatial: %w", err)
			}
		}
		p := at(i)
		if !p.IsValid() || p.Lat() < box.south || p.Lat() > box.north {
			continue
		}
		here := newProbe(p)
		for _, v := range [...]probe{here, here.east()} {
			if x := v.lng(); x >= box.west && x <= box.east {
				c.probes = append(c.probes, regionProbe{probe: v, number: i})
			}
		}
		if len(c.probes) >= regionPoints {
			if err := c.flush(found); err != nil {
				return err
			}
		}
	}
	return c.flush(found)
}

// A regionProbe is a point that is compared with a region. A point has two if
// the region may hold it on either turn.
type regionProbe struct {
	probe
	number       int
	odd, touches bool
}

// lng and lat return the point in degrees.
func (p probe) lng() float64 { return float64(p.x) / (unitsPerDegree * pointsPerUnit) }
func (p probe) lat() float64 { return float64(p.y) / (unitsPerDegree * pointsPerUnit) }

// A pointCut compares points with a region.
type pointCut struct {
	walk   regionWalk
	probes []regionProbe
	items  []regionItem
}

// flush compares the collected points and reports the covered ones.
func (c *pointCut) flush(found func(int)) error {
	c.items = c.items[:0]
	for i := range c.probes {
		p := &c.probes[i]
		box := plateBox{p.lng(), p.lat(), p.lng(), p.lat()}
		c.items = append(c.items, regionItem{box.grown(regionMargin), int32(i)})
	}
	if err := c.walk.walk(c.items); err != nil {
		return err
	}
	for i := 0; i < len(c.probes); i++ {
		p := c.probes[i]
		if i+1 < len(c.probes) && c.probes[i+1].number == p.number {
			i++
			p.odd = p.odd != c.probes[i].odd
			p.touches = p.touches || c.probes[i].touches
		}
		if p.odd || p.touches {
			found(p.number)
		}
	}
	c.probes = c.probes[:0]
	return nil
}

// compare decides about a point, exactly if edges are near.
func (c *pointCut) compare(at *regionItem, near []int32, winding int) {
	p := &c.probes[at.id]
	x := p.lng()
	for _, i := range near {
		e := &c.walk.edges[i]
		winding += e.along(at.box.north, at.box.west, x)
		side := e.side(p.probe)
		if side == 0 {
			p.touches = true
			return
		}
		if e.x1 <= x && x < e.x2 && side > 0 && e.at(x) <= at.box.north {
			winding += e.sign
		}
	}
	p.odd = winding%2 != 0
}

// side returns 1 if the line of the edge runs above the point and -1 if it runs
// below. It returns 0 if the edge contains the point, and 1 elsewhere on the
// line. The vertices have the stored precision.
func (e *regionEdge) side(p probe) int {
	ax, ay, bx, by := storedUnits(e.x1), storedUnits(e.y1), storedUnits(e.x2), storedUnits(e.y2)
	turn := (bx-ax)*(p.y-ay*pointsPerUnit) - (p.x-ax*pointsPerUnit)*(by-ay)
	switch {
	case turn < 0:
		return 1
	case turn > 0:
		return -1
	}
	if p.x < ax*pointsPerUnit || p.x > bx*pointsPerUnit || p.y < min(ay, by)*pointsPerUnit || p.y > max(ay, by)*pointsPerUnit {
		return 1
	}
	return 0
}

func storedUnits(degrees float64) int64 { return int64(math.Round(degrees * unitsPerDegree)) }
