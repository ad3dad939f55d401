package lookup

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

// cutTracts measures the part of a tract that lies in an area and in a code, for
// layers whose borders cut tracts.
type cutTracts struct {
	r      *Reader
	tracts *dataset.Layer
	areas  []*geo.Outline // of the layer
	meets  [][]tractPart  // by tract, of those that have people
	near   map[int]*geo.Outline
	meter  geo.OverlapMeter

	code    Code // code of the loaded outline
	outline *geo.Outline
}

// A tractPart is what a tract and an area share.
type tractPart struct {
	area   int32
	shared geo.SquareMeters
}

const (
	// leastPart is the overlap in square meters below which a tract and an area
	// share only the rounding of their border.
	leastPart = 1
	// wholePart is the part of a tract from which on it counts as whole.
	wholePart = 1 - 1e-9
	// nearTracts is how many outlines of tracts are kept. Codes come in the order
	// of their numbers, and so near each other.
	nearTracts = 4096
)

// cutTracts measures what all tracts that have people share with the areas of
// a layer, and adds up the people of the areas.
func (p *residents) cutTracts(ctx context.Context, layer *dataset.Layer) (*cutTracts, error) {
	c := &cutTracts{
		r: p.r, tracts: p.tracts, near: map[int]*geo.Outline{},
		areas: make([]*geo.Outline, layer.Len()), meets: make([][]tractPart, p.tracts.Len()),
	}
	for i := range c.areas {
		m, err := layer.Polygons(ctx, i)
		if err != nil {
			return nil, fmt.Errorf("lookup: outline of %s %s: %w", layer.ID(), layer.GEOID(i), err)
		}
		if c.areas[i], err = layOut(m); err != nil {
			return nil, fmt.Errorf("lookup: outline of %s %s: %w", layer.ID(), layer.GEOID(i), err)
		}
	}
	finder := geo.NewOverlapIndex(c.areas).Finder()
	var near []int32
	for i := range c.meets {
		people, err := p.of(ctx, i)
		if err != nil {
			return nil, err
		}
		if people == 0 {
			continue
		}
		tract, err := c.tract(ctx, i)
		if err != nil {
			return nil, err
		}
		if tract == nil {
			continue
		}
		near = finder.AppendMeeting(near[:0], tract)
		for _, k := range near {
			if v := c.meter.Area(tract, c.areas[k]); v >= leastPart {
				c.meets[i] = append(c.meets[i], tractPart{k, v})
				p.inArea[layer.GEOID(int(k))] += people * min(1, float64(v/tract.Area()))
			}
		}
	}
	return c, nil
}

// layOut returns the outline of polygons, nil for none.
func layOut(m orb.MultiPolygon) (*geo.Outline, error) {
	if len(m) == 0 {
		return nil, nil
	}
	o, err := geo.NewOutline(m)
	if err != nil || !(o.Area() > 0) {
		return nil, err
	}
	return o, nil
}

// tract returns the outline of a tract, nil for none.
func (c *cutTracts) tract(ctx context.Context, i int) (*geo.Outline, error) {
	if o, ok := c.near[i]; ok {
		return o, nil
	}
	m, err := c.tracts.Polygons(ctx, i)
	if err != nil {
		return nil, fmt.Errorf("lookup: outline of tract %s: %w", c.tracts.GEOID(i), err)
	}
	o, err := layOut(m)
	if err != nil {
		return nil, fmt.Errorf("lookup: outline of tract %s: %w", c.tracts.GEOID(i), err)
	}
	if len(c.near) >= nearTracts {
		clear(c.near)
	}
	c.near[i] = o
	return o, nil
}

// parts returns which part of a tract lies in a ZIP, and which in both the ZIP
// and an area, from 0 to 1.
func (c *cutTracts) parts(ctx context.Context, code Code, tract, area int) (inCode, inBoth float64, err error) {
	of, err := c.tract(ctx, tract)
	if err != nil || of == nil {
		return 0, 0, err
	}
	if c.code != code {
		areas := c.r.data.ZIPAreas()
		i, ok := areas.Find(code.ZIP())
		if !ok {
			return 0, 0, nil
		}
		if c.outline, err = layOut(areas.Index().Polygons(i)); err != nil {
			return 0, 0, fmt.Errorf("lookup: outline of %s: %w", code, err)
		}
		c.code = code
	}
	if c.outline == nil {
		return 0, 0, nil
	}
	whole := float64(of.Area())
	part := func(v geo.SquareMeters) float64 { return math.Max(0, math.Min(1, float64(v)/whole)) }
	inCode = part(c.meter.Area(c.outline, of))
	for _, m := range c.meets[tract] {
		if int(m.area) != area {
			continue
		}
		switch inArea := part(m.shared); {
		case inArea >= wholePart:
			inBoth = inCode
		case inCode >= wholePart:
			inBoth = inArea
		default:
			inBoth = part(c.meter.AreaOfThree(c.outline, of, c.areas[area]))
		}
		break
	}
	return inCode, inBoth, nil
}
