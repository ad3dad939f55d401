package layers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/shape"
)

// A codePlace is the outline of a code, or its point if it has none.
type codePlace[K cmp.Ordered] struct {
	key     K
	state   dataset.StateID // state or province
	outline *geo.Outline
	point   geo.LatLng
	extent  geo.SquareMeters // of an outline that the file lacks; 0 without one
}

// trusted returns the place without an outline that differs too much from the stated
// area (decision D69).
func (p codePlace[K]) trusted(e *plan.Env, ratios map[K]float64) codePlace[K] {
	if q := (dataset.Quality{OutlineAreaRatio: ratios[p.key]}); p.outline != nil && p.point.IsValid() && q.OutlineMisleads() {
		e.Applied("outline far larger or smaller than stated, the areas of the code are those of its point", fmt.Sprintf("%v: %.2f", p.key, q.OutlineAreaRatio))
		p.outline = nil
	}
	return p
}

// CodeOutlines are the places of ZIPs or FSAs and the overlaps found so far.
type CodeOutlines[K cmp.Ordered] struct {
	codes []codePlace[K] // ascending
	found []dataset.CodeOverlaps

	people map[K][]draft.Center // centers of population; nil for layers without residents
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
func (c *CodeOutlines[K]) meet(ctx context.Context, m *measure) error {
	index := geo.NewOverlapIndex(m.outlines)
	return shape.ParallelWith(len(c.codes), func() func(int) error {
		finder := index.Finder()
		var meter geo.OverlapMeter
		var near []int32
		return func(i int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var list []dataset.Overlap
			code := &c.codes[i]
			exact := c.found[i].Of(dataset.BaseLayer(m.info.ID))
			if code.outline == nil {
				for _, k := range m.within(code.point, m.stateOf(exact)) {
					list = append(list, dataset.Overlap{Area: k})
				}
				c.found[i].Layers = appendOverlaps(c.found[i].Layers, m.info.ID, list)
				return nil
			}
			near = finder.AppendMeeting(near[:0], code.outline)
			for _, k := range near {
				v := meter.Area(code.outline, m.outlines[k])
				if math.Abs(float64(v)) >= leastOverlap {
					list = append(list, dataset.Overlap{Area: int(k), Intersection: v})
				}
			}
			list = m.fit(list, exact, code.point)
			if m.info.People {
				list = m.inhabit(list, c.people[code.key])
			}
			c.found[i].Layers = appendOverlaps(c.found[i].Layers, m.info.ID, list)
			return nil
		}
	})
}

// stateOf returns the state of the first of the overlaps with the first plan, 0
// for a layer with one plan.
func (m *measure) stateOf(exact []dataset.Overlap) dataset.StateID {
	if m.first == nil || len(exact) == 0 {
		return 0
	}
	return m.first[exact[0].Area].State
}

func appendOverlaps(layers []dataset.LayerOverlaps, id dataset.LayerID, list []dataset.Overlap) []dataset.LayerOverlaps {
	if len(list) == 0 {
		return layers
	}
	return append(layers, dataset.LayerOverlaps{Layer: id, Overlaps: list})
}
