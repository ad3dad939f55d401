package draft

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// Overlaps of codes with areas are measured exactly, in an equal-area projection, and not
// by counting points. Answers show shares down to 1 %, and the parts of a code must add up
// to all of it. For each code the index yields areas whose boxes meet its box, and the
// meter measures each pair.
//
// A code without an outline, or with one that cannot be trusted (decision D69), has the
// areas around its point. Their intersections are 0. The two kinds are separated by
// CodeOverlaps.Outline, which is 0 for a code without an outline (decision D59).
//
// Later plans of districts may be coarse in some states. For these the first plan, which
// is exact, decides which states a code meets and with how much area; see [layer.fit].

// A codePlace is the outline of a code, or its point if it has none.
type codePlace[K cmp.Ordered] struct {
	key     K
	state   store.StateID // state or province
	outline *spatial.Outline
	point   geo.LatLng
	extent  geo.SquareMeters // of an outline that the file lacks; 0 without one
}

// zipPlaces returns the places of ZIPs. PO Box, unique and military ZIPs have
// the outline of the ZCTA of the same code (decision D59). Places of an extended file that
// cannot meet the box are empty.
func (d *Draft) zipPlaces(box geo.Box) (list []codePlace[postcode.ZIP]) {
	place := storedIn[postcode.ZIP](d, box, store.CodeOfZIP, (*store.Dataset).ZIPAreas)
	if d.base == nil {
		place = outlinesOf(d, d.ZIPOutlines, d.BoxOutlines)
	}
	for _, z := range d.ZIPs.List {
		list = append(list, place(z.Row.ZIP, z.Row.State, z.Row.Location))
	}
	return list
}

func (d *Draft) fsaPlaces(box geo.Box) (list []codePlace[postcode.FSA]) {
	place := storedIn[postcode.FSA](d, box, store.CodeOfFSA, (*store.Dataset).FSAAreas)
	if d.base == nil {
		place = outlinesOf(d, d.FSAOutlines)
	}
	for _, f := range d.FSAs.List {
		list = append(list, place(f.Row.FSA, f.Row.Province, f.Row.Location))
	}
	return list
}

// storedIn returns the function that takes the place of a code from the extended file. PO
// Box, unique and military ZIP Codes, whose outlines it lacks, belong to an area with their
// whole extent if their point does.
//
// Only codes that can meet the box around all added areas are read and laid out; most
// layers of users cover a city or a state. A code that the base did not compare with any
// layer is left out, as its extent is unknown.
func storedIn[K postcode.ZIP | postcode.FSA](
	d *Draft, box geo.Box, code func(K) store.Code, areas func(*store.Dataset) *store.Areas[K],
) func(key K, state store.StateID, point geo.LatLng) codePlace[K] {
	return func(key K, state store.StateID, point geo.LatLng) (none codePlace[K]) {
		set := areas(d.base)
		i, drawn := set.Find(key)
		if drawn && !box.Meets(set.Index().Box(i)) || !drawn && !box.Contains(point) {
			return none
		}
		of := must(d.base.Overlaps(d.ctx, code(key)))
		if !of.Known() {
			return none
		}
		p := codePlace[K]{key: key, state: state, point: point, extent: of.Outline}
		if drawn && of.Outline > 0 {
			o, err := spatial.NewOutline(set.Index().Polygons(i))
			if err != nil {
				check(fmt.Errorf("outline of %v: %w", key, err))
			}
			p.outline = o
		}
		return p
	}
}

// outlinesOf returns the function that makes the place of a code. A place has no outline
// that differs too much from the stated area (decision D69). Points are rounded as the
// file rounds them, so that a reader finds the same areas around the point.
func outlinesOf[K cmp.Ordered](d *Draft, sets ...*outlines[K]) func(key K, state store.StateID, point geo.LatLng) codePlace[K] {
	at, ratios := map[K]*spatial.Outline{}, map[K]float64{}
	for _, s := range sets {
		list := s.list()
		for i, k := range s.keys() {
			at[k], ratios[k] = list[i], s.ratio[k]
		}
	}
	return func(key K, state store.StateID, point geo.LatLng) codePlace[K] {
		p := codePlace[K]{key: key, state: state, outline: at[key], point: point.Rounded()}
		if q := (store.Quality{OutlineAreaRatio: ratios[key]}); p.outline != nil && p.point.IsValid() && q.OutlineMisleads() {
			d.applied("outline far larger or smaller than stated, the areas of the code are those of its point", fmt.Sprintf("%v: %.2f", key, q.OutlineAreaRatio))
			p.outline = nil
		}
		return p
	}
}

// codes are the places of ZIPs or FSAs and the overlaps found so far.
type codes[K cmp.Ordered] struct {
	places []codePlace[K] // ascending
	found  []store.CodeOverlaps
}

// newCodes takes the places, which ascend, but for those without outline and point.
func newCodes[K cmp.Ordered](places []codePlace[K]) *codes[K] {
	c := &codes[K]{places: slices.DeleteFunc(places, func(p codePlace[K]) bool { return p.outline == nil && !p.point.IsValid() })}
	c.found = make([]store.CodeOverlaps, len(c.places))
	for i, p := range c.places {
		if p.outline != nil {
			c.found[i].Outline = p.outline.Area()
		}
	}
	return c
}

// meet measures the overlap of every code that has an outline with every area
// of a layer. For the other codes it finds the areas around their points. Overlaps have
// the people whose centers are given.
//
// Codes are divided among the processors. Each goroutine has its own finder and meter,
// which reuse memory, and writes only to c.found of its codes. An area of a code keeps
// the order of the layer, whatever goroutine measured it.
func (c *codes[K]) meet(d *Draft, l *layer, people map[K][]Center) {
	// The unit of stored overlaps is a square centimeter. Less is the rounding of an overlap
	// of nothing.
	const least = 1e-4
	index := shape.NewOverlapIndex(l.outlines)
	check(shape.ParallelWith(len(c.places), func() func(int) error {
		finder := index.Finder()
		var meter spatial.OverlapMeter
		var near []int32
		return func(i int) error {
			var list []store.Overlap
			code := &c.places[i]
			exact := c.found[i].Of(store.BaseLayer(l.Info.ID))
			if code.outline == nil {
				for _, k := range l.within(code.point, l.stateOf(exact)) {
					list = append(list, store.Overlap{Area: k})
				}
			} else {
				near = finder.AppendMeeting(near[:0], code.outline)
				for _, k := range near {
					v := meter.Area(code.outline, l.outlines[k])
					if math.Abs(float64(v)) >= least {
						list = append(list, store.Overlap{Area: int(k), Intersection: v})
					}
				}
				list = l.fit(list, exact, code.point)
				if l.Info.People {
					list = l.inhabit(list, people[code.key])
				}
			}
			if len(list) > 0 {
				c.found[i].Layers = append(c.found[i].Layers, store.LayerOverlaps{Layer: l.Info.ID, Overlaps: list})
			}
			return d.ctx.Err()
		}
	}))
}

// stateOf returns the state of the first of the overlaps with the first plan, 0 for a
// layer with one plan. A code without an outline has one point, and so one state.
func (l *layer) stateOf(exact []store.Overlap) store.StateID {
	if l.first == nil || len(exact) == 0 {
		return 0
	}
	return l.first[exact[0].Area].State
}

// fit restricts overlaps with coarse outlines to the states that a code meets by the
// first plan of the layer, whose outlines are exact. Within a state the parts keep their
// proportions and add up to the exact part. A simplified district would otherwise reach
// into codes of the next state, or leave codes of its own state without a district. If a
// code meets a state exactly but none of its coarse districts, the one with the nearest
// boundary has the whole part.
func (l *layer) fit(list, exact []store.Overlap, at geo.LatLng) []store.Overlap {
	plan := &l.Info.Plan
	if len(plan.Rough) == 0 {
		return list
	}
	inState, coarse := map[store.StateID]geo.SquareMeters{}, map[store.StateID]geo.SquareMeters{}
	for _, o := range exact {
		inState[l.first[o.Area].State] += o.Intersection
	}
	for _, o := range list {
		coarse[l.Areas[o.Area].State] += o.Intersection
	}
	kept := list[:0] // in place: each overlap is read before its element is written
	for _, o := range list {
		if state := l.Areas[o.Area].State; plan.IsRough(state) {
			if inState[state] <= 0 || coarse[state] <= 0 {
				continue
			}
			o.Intersection *= inState[state] / coarse[state]
		}
		kept = append(kept, o)
	}
	for _, state := range plan.Rough {
		if inState[state] <= 0 || coarse[state] > 0 {
			continue
		}
		if i := l.nearest(at, state); i >= 0 {
			kept = append(kept, store.Overlap{Area: i, Intersection: inState[state]})
		}
	}
	return kept
}

// within returns the areas around a point. In a state with coarse outlines, it is
// the area of the state that contains the point or is nearest to it.
func (l *layer) within(p geo.LatLng, state store.StateID) []int {
	around, plan := l.index.AppendAround(nil, p), &l.Info.Plan
	around = slices.DeleteFunc(around, func(i int) bool { return plan.IsRough(l.Areas[i].State) && l.Areas[i].State != state })
	if !plan.IsRough(state) || len(around) > 0 {
		return around
	}
	if i := l.nearest(p, state); i >= 0 {
		around = append(around, i)
	}
	return around
}

// nearest returns the area of a state with the nearest boundary, or -1. It measures every
// district of the state. Only codes beside the coarse outlines of a plan need it.
func (l *layer) nearest(p geo.LatLng, state store.StateID) int {
	best, least := -1, geo.Meters(0)
	for i := range l.Areas {
		if l.Areas[i].State != state || !p.IsValid() {
			continue
		}
		if d, ok := l.index.DistanceToBoundary(i, p); ok && (best < 0 || d < least) {
			best, least = i, d
		}
	}
	return best
}

// inhabit adds the residents of a code to its overlaps: the centers of population in each
// area. Coarse outlines get none. A center counts for one area, the smallest around it,
// so that the people of a code are counted once. Areas of a user may overlap on purpose: there
// it counts for each. An area may have people of a code without touching its outline: the code
// may share the block group of a neighbor.
func (l *layer) inhabit(list []store.Overlap, centers []Center) []store.Overlap {
	var around []int
	for _, c := range centers {
		around = l.index.AppendAround(around[:0], c.At)
		if c.People == 0 || len(around) == 0 || l.Info.Plan.IsRough(l.Areas[around[0]].State) {
			continue
		}
		if !store.IsOwnLayer(l.Info.ID) {
			around = around[:1]
		}
		for _, area := range around {
			at := slices.IndexFunc(list, func(o store.Overlap) bool { return o.Area == area })
			if at < 0 {
				at = len(list)
				list = append(list, store.Overlap{Area: area})
			}
			list[at].People += c.People
		}
	}
	return list
}
