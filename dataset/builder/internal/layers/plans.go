package layers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// setPlan completes the plan of a layer of districts after its areas were read.
func (l *draftLayer) setPlan(b *layers, s layerSpec) {
	if !store.HasPlans(l.info.ID) {
		return
	}
	p := s.plan
	switch year := cmp.Or(l.info.Period, strconv.Itoa(l.info.Year)); store.BaseLayer(l.info.ID) {
	case store.LayerCongressionalDistrict:
		if n, err := strconv.Atoi(l.info.Period); err == nil && p.ID == "" {
			p.ID, p.Name = "cd"+l.info.Period, strings.ToLower(pub28.FormatOrdinal(n))+" Congress"
			p.From, p.To = seated(n), seated(n+1)
		}
	case store.LayerStateUpper:
		p.ID, p.Name = cmp.Or(p.ID, "sldu"+year), cmp.Or(p.Name, "State legislative districts of "+year+", upper chambers")
	case store.LayerStateLower:
		p.ID, p.Name = cmp.Or(p.ID, "sldl"+year), cmp.Or(p.Name, "State legislative districts of "+year+", lower chambers")
	default:
	}
	for _, o := range s.overrides {
		p.Overrides = append(p.Overrides, store.PlanOverride{State: b.States.ByFIPS[o.fips], Plan: o.plan, Evidence: o.evidence})
	}
	if !l.info.FitForShares && l.info.ID != store.BaseLayer(l.info.ID) {
		l.rough(&p)
	}
	l.info.Plan = p
	l.info.People = l.info.ID.Country() == store.US && len(b.Residents.Of) > 0
}

// rough notes the states whose outlines are too coarse for shares: those with a
// district whose extent the file does not state. The others are exact.
func (l *draftLayer) rough(p *store.Plan) {
	for i := range l.areas {
		if a := &l.areas[i]; a.Land == store.UnknownArea && !slices.Contains(p.Rough, a.State) {
			p.Rough = append(p.Rough, a.State)
		}
	}
	slices.Sort(p.Rough)
	l.info.FitForShares = slices.ContainsFunc(l.areas, func(a store.LayerArea) bool { return !p.IsRough(a.State) })
}

// seated returns the first day of a Congress by the 20th Amendment.
func seated(congress int) string {
	return time.Date(1789+2*(congress-1), time.January, 3, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// A measure compares codes with the areas of one layer.
type measure struct {
	*draftLayer
	outlines []*spatial.Outline
	index    *spatial.PolygonIndex
	first    []store.LayerArea // of the first plan; nil for a layer with one plan
}

// fit restricts overlaps with coarse outlines to the states that a code meets by
// the first plan of the layer, whose outlines are exact. Within a state the parts
// keep their proportions and add up to the exact part.
func (m *measure) fit(list, exact []store.Overlap, at geo.LatLng) []store.Overlap {
	plan := &m.info.Plan
	if len(plan.Rough) == 0 {
		return list
	}
	inState, coarse := map[store.StateID]geo.SquareMeters{}, map[store.StateID]geo.SquareMeters{}
	for _, o := range exact {
		inState[m.first[o.Area].State] += o.Intersection
	}
	for _, o := range list {
		coarse[m.areas[o.Area].State] += o.Intersection
	}
	kept := list[:0]
	for _, o := range list {
		if state := m.areas[o.Area].State; plan.IsRough(state) {
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
		if i := m.nearest(at, state); i >= 0 {
			kept = append(kept, store.Overlap{Area: i, Intersection: inState[state]})
		}
	}
	return kept
}

// within returns the areas around a point. In a state with coarse outlines, it is
// the area of the state that contains the point or is nearest to it.
func (m *measure) within(p geo.LatLng, state store.StateID) []int {
	around, plan := m.index.AppendAround(nil, p), &m.info.Plan
	around = slices.DeleteFunc(around, func(i int) bool { return plan.IsRough(m.areas[i].State) && m.areas[i].State != state })
	if !plan.IsRough(state) || len(around) > 0 {
		return around
	}
	if i := m.nearest(p, state); i >= 0 {
		around = append(around, i)
	}
	return around
}

// nearest returns the area of a state with the nearest boundary, or -1.
func (m *measure) nearest(p geo.LatLng, state store.StateID) int {
	best, least := -1, geo.Meters(0)
	for i := range m.areas {
		if m.areas[i].State != state || !p.IsValid() {
			continue
		}
		if d, ok := m.index.DistanceToBoundary(i, p); ok && (best < 0 || d < least) {
			best, least = i, d
		}
	}
	return best
}

// inhabit adds the residents of a code to its overlaps: the centers of population
// in each area. Coarse outlines get none.
func (m *measure) inhabit(list []store.Overlap, centers []draft.Center) []store.Overlap {
	var around []int
	for _, c := range centers {
		around = m.index.AppendAround(around[:0], c.At)
		if c.People == 0 || len(around) == 0 || m.info.Plan.IsRough(m.areas[around[0]].State) {
			continue
		}
		at := slices.IndexFunc(list, func(o store.Overlap) bool { return o.Area == around[0] })
		if at < 0 {
			at = len(list)
			list = append(list, store.Overlap{Area: around[0]})
		}
		list[at].People += c.People
	}
	return list
}
