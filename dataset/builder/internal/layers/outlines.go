package layers

import (
	"context"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// ReadOutlines reads the outlines that codes are found by.
func (b *Build) ReadOutlines(ctx context.Context) error {
	b.Municipal.Names = map[string]string{}
	b.PlaceOutlines = map[string]orb.MultiPolygon{}
	b.CountyExtents = map[string]shape.Extent{}
	b.FSAAreas.Fit, b.FSAAreas.Land = map[string]bool{}, map[postcode.FSA]int64{}
	stored := b.Includes(catalog.Boundaries)
	if stored {
		b.ZoneOutlines = shape.NewOutlineSet[string]("time zones")
		b.CountyOutlines = shape.NewOutlineSet[store.CountyID]("counties")
		b.ZoneOutlines.From(b.Env, catalog.ZoneOutlines)
		b.CountyOutlines.From(b.Env, catalog.CountyAreas)
	}
	for _, read := range []func(context.Context, bool) error{b.readZones, b.readFSAs, b.readCounties, b.readPlaces} {
		if err := read(ctx, stored); err != nil {
			return err
		}
	}
	if stored {
		b.ZoneOutlines.Repair()
		b.CountyOutlines.Repair()
	}
	return b.readCensusSubdivisions(ctx)
}

func (b *Build) readZones(ctx context.Context, stored bool) error {
	if !b.Has(catalog.ZoneOutlines) {
		return nil
	}
	b.ZoneAreas = shape.NewAreas()
	return plan.Read(ctx, b.Env, catalog.ZoneOutlines, source.ZoneColumns.Areas, func(r source.AreaRow) error {
		b.ZoneAreas.Add(r.ID, r.Polygon)
		if stored {
			b.ZoneOutlines.Add(r.ID, r)
		}
		return nil
	})
}

func (b *Build) readFSAs(ctx context.Context, stored bool) error {
	outlines := shape.NewOutlineSet[postcode.FSA]("FSAs")
	outlines.From(b.Env, catalog.FSAAreas)
	if stored {
		b.FSAOutlines = outlines
	}
	if !b.Has(catalog.FSAAreas) {
		return nil
	}
	b.FSAAreas.Areas = shape.NewAreas()
	err := plan.Read(ctx, b.Env, catalog.FSAAreas, source.FSALand, func(r source.FSALandRow) error {
		b.FSAAreas.Areas.Add(r.ID, r.Polygon)
		if urban := r.ID[1] != '0'; urban && tooLarge(r) {
			b.Applied("outline of an urban FSA of more than 1.5 times the land area, not used to find people", r.ID)
		} else {
			b.FSAAreas.Fit[r.ID] = true
		}
		b.FSAAreas.Land[r.FSA] = *r.Land
		outlines.Add(r.FSA, r.AreaRow)
		return nil
	})
	if err != nil {
		return err
	}
	outlines.Repair()
	b.FSAAreas.Set = outlines
	return nil
}

func (b *Build) readCounties(ctx context.Context, stored bool) error {
	if !b.Has(catalog.CountyAreas) {
		return nil
	}
	b.CountyAreas = shape.NewAreas()
	return plan.Read(ctx, b.Env, catalog.CountyAreas, source.CensusColumns.Areas, func(r source.AreaRow) error {
		b.CountyAreas.Add(r.ID, r.Polygon)
		if id := b.Counties.IDs[r.ID]; stored && id != 0 {
			b.CountyOutlines.Add(id, r)
			b.CountyExtents[r.ID] = shape.Extent{Land: shape.Known(r.Land), Water: shape.Known(r.Water)}
		}
		return nil
	})
}

// readPlaces reads the outlines of places and towns, which the census layer
// reads again.
func (b *Build) readPlaces(ctx context.Context, _ bool) error {
	for _, layer := range []struct {
		id   string
		into **shape.Areas
		want func(source.AreaRow) bool
	}{{catalog.PlaceAreas, &b.Municipal.Places, incorporated}, {catalog.CousubAreas, &b.Municipal.Cousubs, town}} {
		if !b.Has(layer.id) {
			continue
		}
		*layer.into = shape.NewAreas()
		err := plan.Read(ctx, b.Env, layer.id, source.CensusColumns.Areas, func(r source.AreaRow) error {
			if layer.want(r) {
				(*layer.into).Add(r.ID, r.Polygon)
				b.Municipal.Names[r.ID] = r.Name
			}
			if layer.id == catalog.PlaceAreas {
				b.PlaceOutlines[r.ID] = r.Polygon
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tooLarge reports whether the outline cannot belong to the FSA: many were
// drawn for 2016 and have shrunk since, by the land area of 2021. Rural FSAs
// lose towns by it and stay in place.
func tooLarge(r source.FSALandRow) bool {
	const most = 1.5 // times the land area; outlines hold some water
	o, err := spatial.NewOutline(r.Polygon)
	return err != nil || float64(o.Area()) > most*float64(*r.Land)
}

// readCensusSubdivisions reads the municipalities of Canada. Those of a coarse
// file, which cannot separate the two sides of an edge, only serve to find the
// people of an FSA.
func (b *Build) readCensusSubdivisions(ctx context.Context) error {
	if !b.Has(catalog.CSDAreas) {
		return nil
	}
	b.Subdivisions.Areas, b.Subdivisions.Inside = shape.NewAreas(), map[string]geo.LatLng{}
	fit := b.File(catalog.CSDAreas).FitForShares
	err := plan.Read(ctx, b.Env, catalog.CSDAreas, source.SubdivisionColumns.Areas, func(r source.AreaRow) error {
		b.Subdivisions.Areas.Add(r.ID, r.Polygon)
		b.Subdivisions.Inside[r.ID] = shape.PointWithin(r.Polygon)
		if fit {
			b.Municipal.Names[r.ID] = r.Name
		}
		return nil
	})
	if fit {
		b.Municipal.CSDs = b.Subdivisions.Areas
	} else {
		b.Applied("outlines too coarse for municipalities", catalog.CSDAreas)
	}
	return err
}

// incorporated reports whether a place has a government. Census designated
// places (LSAD 57), communities and urban zones of Puerto Rico (55, 62) have
// none.
func incorporated(r source.AreaRow) bool {
	return r.Kind != "57" && r.Kind != "55" && r.Kind != "62"
}

// townStates are the FIPS codes of the states whose county subdivisions are
// governments with the powers of a municipality: New England, New York, New
// Jersey, Pennsylvania, Michigan, Wisconsin and Minnesota.
var townStates = []string{"09", "23", "25", "26", "27", "33", "34", "36", "42", "44", "50", "55"}

// town reports whether a county subdivision is a town or township of a town
// state. Unorganized territory (46) and areas that the census drew (22, 00) are
// not.
func town(r source.AreaRow) bool {
	return len(r.ID) > 2 && slices.Contains(townStates, r.ID[:2]) && r.Kind != "46" && r.Kind != "22" && r.Kind != "00"
}
