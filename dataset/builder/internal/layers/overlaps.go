package layers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// A codePlace is the outline of a code, or its point if it has none.
type codePlace[K cmp.Ordered] struct {
	key     K
	state   store.StateID // state or province
	outline *spatial.Outline
	point   geo.LatLng
	extent  geo.SquareMeters // of an outline that the file lacks; 0 without one
}

// trusted returns the place without an outline that differs too much from the stated
// area (decision D69).
func (p codePlace[K]) trusted(e *plan.Env, ratios map[K]float64) codePlace[K] {
	if q := (store.Quality{OutlineAreaRatio: ratios[p.key]}); p.outline != nil && p.point.IsValid() && q.OutlineMisleads() {
		e.Applied("outline far larger or smaller than stated, the areas of the code are those of its point", fmt.Sprintf("%v: %.2f", p.key, q.OutlineAreaRatio))
		p.outline = nil
	}
	return p
}

// CodeOutlines are the places of ZIPs or FSAs and the overlaps found so far.
type CodeOutlines[K cmp.Ordered] struct {
	codes []codePlace[K] // ascending
	found []store.CodeOverlaps

	people map[K][]draft.Center // centers of population; nil for layers without residents
}

// newCodeOutlines takes the codes, which ascend, but for those without outline
// and point.
func newCodeOutlines[K cmp.Ordered](codes []codePlace[K]) *CodeOutlines[K] {
	c := &CodeOutlines[K]{codes: slices.DeleteFunc(codes, func(p codePlace[K]) bool { return p.outline == nil && !p.point.IsValid() })}
	c.found = make([]store.CodeOverlaps, len(c.codes))
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
	index := spatial.NewOverlapIndex(m.outlines)
	return shape.ParallelWith(len(c.codes), func() func(int) error {
		finder := index.Finder()
		var meter spatial.OverlapMeter
		var near []int32
		return func(i int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var list []store.Overlap
			code := &c.codes[i]
			exact := c.found[i].Of(store.BaseLayer(m.info.ID))
			if code.outline == nil {
				for _, k := range m.within(code.point, m.stateOf(exact)) {
					list = append(list, store.Overlap{Area: k})
				}
				c.found[i].Layers = appendOverlaps(c.found[i].Layers, m.info.ID, list)
				return nil
			}
			near = finder.AppendMeeting(near[:0], code.outline)
			for _, k := range near {
				v := meter.Area(code.outline, m.outlines[k])
				if math.Abs(float64(v)) >= leastOverlap {
					list = append(list, store.Overlap{Area: int(k), Intersection: v})
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
func (m *measure) stateOf(exact []store.Overlap) store.StateID {
	if m.first == nil || len(exact) == 0 {
		return 0
	}
	return m.first[exact[0].Area].State
}

func appendOverlaps(layers []store.LayerOverlaps, id store.LayerID, list []store.Overlap) []store.LayerOverlaps {
	if len(list) == 0 {
		return layers
	}
	return append(layers, store.LayerOverlaps{Layer: id, Overlaps: list})
}
