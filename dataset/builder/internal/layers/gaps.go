package layers

import (
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/store"
)

// tiling are the layers whose areas cover every inhabited place of a country.
var tiling = []store.LayerID{
	store.LayerCounty, store.LayerTract, store.LayerCongressionalDistrict, store.LayerStateUpper, store.LayerStateLower, store.LayerSchoolDistrict,
	store.LayerCensusDivision, store.LayerCensusSubdivision, store.LayerCensusTract, store.LayerFederalDistrict,
}

// Gaps counts the codes that have an outline or a point and no area of a layer
// that covers the country.
func (s *CodeLayers) Gaps(e *plan.Env) {
	for i := range s.List {
		l := &s.List[i]
		switch {
		case !slices.Contains(tiling, l.Info.ID):
		case l.Info.ID.Country() == store.US:
			s.ZIPs.gaps(e, l, "ZIPs")
		default:
			s.FSAs.gaps(e, l, "FSAs")
		}
	}
}

// gaps separates two causes: the layer's file lacks the area, or the point lies
// outside every area, as in water. A code within a county or census division is
// on land, and so is one in a state or province that the layer lacks.
func (c *CodeOutlines[K]) gaps(e *plan.Env, l *store.LayerData, noun string) {
	land := store.LayerCounty
	if l.Info.ID.Country() == store.CA {
		land = store.LayerCensusDivision
	}
	covered := map[store.StateID]bool{}
	for i := range l.Areas {
		covered[l.Areas[i].State] = true
	}
	lacking, outside := int64(0), int64(0)
	for i, code := range c.codes {
		switch {
		case c.placed(i, l.Info.ID):
		case !covered[code.state] && !covered[0], c.placed(i, land):
			lacking++
		default:
			outside++
		}
	}
	e.Gap(noun+" whose area is not in the file of the layer "+l.Info.ID.String(), lacking)
	e.Gap(noun+" outside every area of the layer "+l.Info.ID.String(), outside)
}

// placed reports whether an area of the layer contains the code's point or
// shares at least 1 % of its outline.
func (c *CodeOutlines[K]) placed(i int, id store.LayerID) bool {
	const least = 0.01
	of := &c.found[i]
	return slices.ContainsFunc(of.Of(id), func(o store.Overlap) bool {
		return of.Outline == 0 || float64(o.Intersection) >= least*float64(of.Outline)
	})
}
