package draft

import (
	"cmp"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// madeLayer returns a layer without a file of outlines, made of smaller areas
// or of codes and names alone. These are layers of Canada and the metropolitan
// divisions of the United States. It returns nil without sources.
func (d *Draft) madeLayer(id store.LayerID) *layer {
	switch id {
	case store.LayerMetropolitanDivision:
		return d.metropolitanDivisions()
	case store.LayerMetroArea:
		return d.metroAreas()
	case store.LayerEconomicRegion:
		return d.economicRegions()
	case store.LayerCensusTract, store.LayerPopulationCentre, store.LayerConsolidatedSubdivision, store.LayerDesignatedPlace:
		return newLayer(id) // completed by addNamed
	default:
		return nil
	}
}

// madeOf starts a layer that is made of the areas of another, and is as fit for
// shares as that is.
func (d *Draft) madeOf(id store.LayerID, base *layer, ids ...string) *layer {
	l := newLayer(id)
	l.Info = base.Info
	l.Info.ID = id
	for _, source := range ids {
		name, _, _ := strings.Cut(d.fileName(source), ".")
		l.Info.Source += ", " + name
	}
	return l
}

// join makes one area of the outlines of several.
func (l *layer) join() {
	for i, m := range l.polygons {
		if len(m) > 1 {
			l.polygons[i] = shape.Dissolve(m)
		}
	}
}

// metropolitanDivisions joins the counties of each division.
func (d *Draft) metropolitanDivisions() *layer {
	counties := d.compared.find(store.LayerCounty)
	if counties == nil || len(d.Metros.Divisions) == 0 {
		return nil
	}
	l := d.madeOf(store.LayerMetropolitanDivision, counties, catalog.Delineation)
	for i := range counties.Areas {
		a := &counties.Areas[i]
		if m := d.Metros.Of[a.GEOID]; m.Division != 0 {
			d := d.Metros.Divisions[m.Division-1]
			l.add(store.LayerArea{GEOID: d.Code, Name: d.Title, Land: a.Land, Water: a.Water}, clone(counties.polygons[i]))
		}
	}
	l.join()
	return l
}

// clone returns a copy of the list of polygons, whose rings stay shared. The layer that
// takes it appends further polygons, which must not land in spare room behind those of
// the base.
func clone(m orb.MultiPolygon) orb.MultiPolygon { return append(orb.MultiPolygon(nil), m...) }

// metroAreas joins the census subdivisions of each census metropolitan area
// and census agglomeration.
func (d *Draft) metroAreas() *layer {
	base := d.compared.find(store.LayerCensusSubdivision)
	if base == nil || !d.has(catalog.Subdivisions) {
		return nil
	}
	type name struct{ kind, name string }
	names := map[string]name{}
	read(d, catalog.MetroNames, source.MetroAreas, func(r source.MetroAreaRow) error {
		if _, have := names[r.Code]; !have || !r.Part { // the whole names itself, its parts only until then
			names[r.Code] = name{r.Kind, r.Name}
		}
		return nil
	})
	l := d.madeOf(store.LayerMetroArea, base, catalog.Subdivisions)
	read(d, catalog.Subdivisions, source.Subdivisions, func(r source.SubdivisionRow) error {
		i, ok := base.find(r.CSD)
		switch {
		case r.Metro == "":
			return nil
		case !ok:
			return refused("census subdivision without an outline", r.Line, r.CSD)
		}
		a := &base.Areas[i]
		n := names[r.Metro]
		l.add(store.LayerArea{GEOID: r.Metro, Name: n.name, Type: n.kind, Land: a.Land, Water: a.Water}, clone(base.polygons[i]))
		return nil
	})
	l.join()
	return l
}

// economicRegions joins the census divisions of each economic region. A division that
// several regions share is left to the file of its parts. In that file, Kind is the
// division that a part belongs to.
func (d *Draft) economicRegions() *layer {
	base := d.compared.find(store.LayerCensusDivision)
	if base == nil || !d.has(catalog.EconomicRegions) {
		return nil
	}
	l := d.madeOf(store.LayerEconomicRegion, base, catalog.EconomicRegions)
	l.Info.Period = d.source(catalog.EconomicRegions).Source.Vintage
	whole := map[string]bool{} // divisions that one region has
	region := func(r source.EconomicRegionRow, land int64) store.LayerArea {
		return store.LayerArea{
			GEOID: r.Region, Name: r.Name, NameFR: r.French, Land: land, Water: store.UnknownArea,
			State: d.layerState(store.LayerEconomicRegion, r.Region),
		}
	}
	read(d, catalog.EconomicRegions, source.EconomicRegions, func(r source.EconomicRegionRow) error {
		i, ok := base.find(r.CD)
		if !ok {
			return refused("census division without an outline", r.Line, r.CD)
		}
		whole[r.CD] = true
		l.add(region(r, base.Areas[i].Land), clone(base.polygons[i]))
		return nil
	})
	d.readAreas(catalog.RegionParts, func(r source.AreaRow) error {
		if whole[r.Kind] {
			return refused("part of a census division that one economic region has whole", r.Record, r.Kind)
		}
		l.add(region(source.EconomicRegionRow{Region: r.ID, Name: r.Name, French: r.French}, store.UnknownArea), l.repairs.Repair(r.Polygon))
		return nil
	})
	l.join()
	return l
}

// addNamed adds the areas of a layer without outline, and names those without a name,
// from the rows of blocks and tracts. Postal codes are assigned to such areas by their
// census blocks, and need their names although no point can be found in them.
func (d *Draft) addNamed(l *layer, named map[string]string, source string) {
	if len(named) == 0 {
		return
	}
	if l.Info.Source == "" {
		l.from(d.source(source), d.fileName(source), canadianYear)
	}
	for geoid, name := range named {
		if i, have := l.at[geoid]; have {
			l.Areas[i].Name = cmp.Or(l.Areas[i].Name, name)
			continue
		}
		l.add(store.LayerArea{
			GEOID: geoid, Name: name, Land: store.UnknownArea, Water: store.UnknownArea, State: d.layerState(l.Info.ID, geoid),
		}, nil)
	}
}
