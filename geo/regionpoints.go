package geo

import (
	"context"
	"fmt"
	"math"
)

// regionPoints is how many points are compared at once.
const regionPoints = 1 << 13

// Covered calls found with the number of every point that lies in the region or
// on its edge. The decision is exact and that of [PolygonIndex.Covers]:
// vertices are rounded to 1e-6 and points to 1e-7 degree. Points that are not
// valid are outside. Errors come from the context.
func (g *Region) Covered(ctx context.Context, points int, at func(int) LatLng, found func(int)) error {
	c := pointCut{walk: regionWalk{ctx: ctx, edges: g.stored}}
	c.walk.leaf = c.compare
	box := g.box.grown(regionMargin)
	for i := range points {
		if i%regionPoints == 0 && ctx.Err() != nil {
			return fmt.Errorf("geo: %w", ctx.Err())
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

// side returns 1 if the edge runs above the point and -1 if it runs below,
// extended beyond its ends, and 0 if the point lies on it. The vertices have
// the stored precision. Elsewhere on the line of the edge it returns 1.
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
