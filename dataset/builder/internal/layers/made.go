package layers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// madeLayer returns a layer without a file of outlines, made of smaller areas
// or of codes and names alone. These are layers of Canada and the metropolitan
// divisions of the United States. It returns nil without sources.
func (b *layers) madeLayer(ctx context.Context, id store.LayerID) (*draftLayer, error) {
	if !b.Includes(catalog.Census) {
		return nil, nil
	}
	switch id {
	case store.LayerMetropolitanDivision:
		return b.metropolitanDivisions(), nil
	case store.LayerMetroArea:
		return b.metroAreas(ctx)
	case store.LayerEconomicRegion:
		return b.economicRegions(ctx)
	case store.LayerCensusTract, store.LayerPopulationCentre, store.LayerConsolidatedSubdivision, store.LayerDesignatedPlace:
		return newLayerDraft(id), nil // completed by addNamed
	default:
		return nil, nil
	}
}

// madeOf starts a layer that is made of the areas of another, and is as fit for
// shares as that is.
func (b *layers) madeOf(id store.LayerID, base *draftLayer, ids ...string) *draftLayer {
	l := newLayerDraft(id)
	l.info = base.info
	l.info.ID = id
	for _, source := range ids {
		name, _, _ := strings.Cut(b.FileName(source), ".")
		l.info.Source += ", " + name
	}
	return l
}

// join makes one area of the outlines of several.
func (l *draftLayer) join() {
	for i, m := range l.polygons {
		if len(m) > 1 {
			l.polygons[i] = shape.Dissolve(m)
		}
	}
}

// metropolitanDivisions joins the counties of each division.
func (b *layers) metropolitanDivisions() *draftLayer {
	counties := b.kept[store.LayerCounty]
	if counties == nil || len(b.Metros.Divisions) == 0 {
		return nil
	}
	l := b.madeOf(store.LayerMetropolitanDivision, counties, catalog.Delineation)
	for i := range counties.areas {
		a := &counties.areas[i]
		if m := b.Metros.Of[a.GEOID]; m.Division != 0 {
			d := b.Metros.Divisions[m.Division-1]
			l.add(store.LayerArea{GEOID: d.Code, Name: d.Title, Land: a.Land, Water: a.Water}, clone(counties.polygons[i]))
		}
	}
	l.join()
	return l
}

// clone returns a copy of the list of polygons, whose rings stay shared.
func clone(m orb.MultiPolygon) orb.MultiPolygon { return append(orb.MultiPolygon(nil), m...) }

// metroAreas joins the census subdivisions of each census metropolitan area
// and census agglomeration.
func (b *layers) metroAreas(ctx context.Context) (*draftLayer, error) {
	base := b.kept[store.LayerCensusSubdivision]
	if base == nil || !b.Has(catalog.Subdivisions) {
		return nil, nil
	}
	type name struct{ kind, name string }
	names := map[string]name{}
	err := plan.Read(ctx, b.Env, catalog.MetroNames, source.MetroAreas, func(r source.MetroAreaRow) error {
		if _, have := names[r.Code]; !have || !r.Part {
			names[r.Code] = name{r.Kind, r.Name}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l := b.madeOf(store.LayerMetroArea, base, catalog.Subdivisions)
	err = plan.Read(ctx, b.Env, catalog.Subdivisions, source.Subdivisions, func(r source.SubdivisionRow) error {
		i, ok := base.find(r.CSD)
		switch {
		case r.Metro == "":
			return nil
		case !ok:
			return plan.Refused("census subdivision without an outline", r.Line, r.CSD)
		}
		a := &base.areas[i]
		n := names[r.Metro]
		l.add(store.LayerArea{GEOID: r.Metro, Name: n.name, Type: n.kind, Land: a.Land, Water: a.Water}, clone(base.polygons[i]))
		return nil
	})
	l.join()
	return l, err
}

// economicRegions joins the census divisions of each economic region. A
// division that several regions share is left to the file of its parts.
func (b *layers) economicRegions(ctx context.Context) (*draftLayer, error) {
	base := b.kept[store.LayerCensusDivision]
	if base == nil || !b.Has(catalog.EconomicRegions) {
		return nil, nil
	}
	l := b.madeOf(store.LayerEconomicRegion, base, catalog.EconomicRegions)
	l.info.Period = b.File(catalog.EconomicRegions).Source.Vintage
	whole := map[string]bool{} // divisions that one region has
	region := func(r source.EconomicRegionRow, land int64) store.LayerArea {
		return store.LayerArea{
			GEOID: r.Region, Name: r.Name, NameFR: r.French, Land: land, Water: store.UnknownArea,
			State: b.layerState(store.LayerEconomicRegion, r.Region),
		}
	}
	err := plan.Read(ctx, b.Env, catalog.EconomicRegions, source.EconomicRegions, func(r source.EconomicRegionRow) error {
		i, ok := base.find(r.CD)
		if !ok {
			return plan.Refused("census division without an outline", r.Line, r.CD)
		}
		whole[r.CD] = true
		l.add(region(r, base.areas[i].Land), clone(base.polygons[i]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = plan.Read(ctx, b.Env, catalog.RegionParts, source.EconomicRegionParts, func(r source.EconomicRegionPart) error {
		if whole[r.CD] {
			return plan.Refused("part of a census division that one economic region has whole", r.Area.Record, r.CD)
		}
		l.add(region(r.EconomicRegionRow, store.UnknownArea), l.repairs.Repair(r.Area.Polygon))
		return nil
	})
	l.join()
	return l, err
}

// find returns the number of the area with the GEOID, of a settled layer.
func (l *draftLayer) find(geoid string) (int, bool) {
	return slices.BinarySearchFunc(l.areas, geoid, func(a store.LayerArea, g string) int { return strings.Compare(a.GEOID, g) })
}

// addNamed adds the areas of a layer without outline, and names those without a
// name, from the rows of blocks and tracts.
func (l *draftLayer) addNamed(b *layers, named map[string]string, source string) {
	if len(named) == 0 {
		return
	}
	if l.info.Source == "" {
		l.from(b.File(source), b.FileName(source), canadianYear)
	}
	for geoid, name := range named {
		if i, have := l.at[geoid]; have {
			l.areas[i].Name = cmp.Or(l.areas[i].Name, name)
			continue
		}
		l.add(store.LayerArea{
			GEOID: geoid, Name: name, Land: store.UnknownArea, Water: store.UnknownArea, State: b.layerState(l.info.ID, geoid),
		}, nil)
	}
}
