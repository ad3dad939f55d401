package layers

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/shape"
)

// A codePlace is the outline of a code, or its point if it has none.
type codePlace[K cmp.Ordered] struct {
	key     K
	state   dataset.StateID // state or province
	outline *geo.Outline
	point   geo.LatLng
}

// CodeOutlines are the places of ZIPs or FSAs and the overlaps found so far.
type CodeOutlines[K cmp.Ordered] struct {
	codes []codePlace[K] // ascending
	found []dataset.CodeOverlaps
}

// newCodeOutlines takes the codes, which ascend, but for those without outline
// and point.
func newCodeOutlines[K cmp.Ordered](codes []codePlace[K]) *CodeOutlines[K] {
	c := &CodeOutlines[K]{codes: slices.DeleteFunc(codes, func(p codePlace[K]) bool { return p.outline == nil && !p.point.IsValid() })}
	c.found = make([]dataset.CodeOverlaps, len(c.codes))
	for i, p := range c.codes {
		if p.outline != nil {
			c.found[i].Outline = p.outline.Area()
		}
	}
	return c
}

// release drops the outlines, which no later step reads.
func (c *CodeOutlines[K]) release() {
	for i := range c.codes {
		c.codes[i].outline = nil
	}
}

// leastOverlap is the unit of stored overlaps, a square centimeter. Less is the
// rounding of an overlap of nothing.
const leastOverlap = 1e-4

// meet measures the overlap of every code that has an outline with every area
// of a layer. For the other codes it finds the areas around their points.
func (c *CodeOutlines[K]) meet(ctx context.Context, id dataset.LayerID, areas []*geo.Outline, around *geo.PolygonIndex) error {
	index := geo.NewOverlapIndex(areas)
	return shape.ParallelWith(len(c.codes), func() func(int) error {
		finder := index.Finder()
		var meter geo.OverlapMeter
		var near []int32
		return func(i int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var list []dataset.Overlap
			if c.codes[i].outline == nil {
				for _, k := range around.AppendAround(nil, c.codes[i].point) {
					list = append(list, dataset.Overlap{Area: k})
				}
				c.found[i].Layers = appendOverlaps(c.found[i].Layers, id, list)
				return nil
			}
			near = finder.AppendMeeting(near[:0], c.codes[i].outline)
			for _, k := range near {
				v := meter.Area(c.codes[i].outline, areas[k])
				if math.Abs(float64(v)) >= leastOverlap {
					list = append(list, dataset.Overlap{Area: int(k), Intersection: v})
				}
			}
			c.found[i].Layers = appendOverlaps(c.found[i].Layers, id, list)
			return nil
		}
	})
}

func appendOverlaps(layers []dataset.LayerOverlaps, id dataset.LayerID, list []dataset.Overlap) []dataset.LayerOverlaps {
	if len(list) == 0 {
		return layers
	}
	return append(layers, dataset.LayerOverlaps{Layer: id, Overlaps: list})
}
