package lookup

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

// A Shape is a circle, a ring or a polygon that tables are apportioned to.
type Shape struct {
	Center geo.LatLng
	// Min and Max are the radii of a ring or, without Min, a circle.
	Min, Max geo.Meters
	// Region is a polygon; nil takes the circle.
	Region *geo.Region
}

// TablesIn returns the values of tables inside a shape. It leaves out those that the
// dataset lacks, and those without a row there.
func (r *Reader) TablesIn(ctx context.Context, names []string, s Shape) (OwnTables, error) {
	all := OwnTables{}
	for _, name := range names {
		t, ok, err := r.tableIn(ctx, name, s)
		if err := onlyLacks(err); err != nil {
			return nil, err
		}
		if ok {
			all[name] = t
		}
	}
	return all, nil
}

func (r *Reader) tableIn(ctx context.Context, name string, s Shape) (t OwnTable, ok bool, err error) {
	years, err := r.years(ctx, name)
	if err != nil {
		return t, false, err
	}
	key, err := r.keyOf(ctx, years[0].Info())
	if err != nil {
		return t, false, err
	}
	var place *tablePlace
	if key.weight == WeightArea {
		place, err = r.areaInShape(ctx, &key.geography, s)
	} else {
		place, err = r.peopleInShape(ctx, &key.geography, s)
	}
	if err != nil {
		return t, false, err
	}
	if place.whole == 0 { // too small for the center of a block group
		if place, err = r.pointPlace(ctx, years[0].Info(), s.Center); err != nil || place == nil || s.Min > 0 {
			return t, false, err
		}
	}
	t, ok = place.values(r, years)
	return t, ok, nil
}

// peopleInShape returns the block groups whose centers lie inside.
func (r *Reader) peopleInShape(ctx context.Context, g *geography, s Shape) (*tablePlace, error) {
	key, err := r.placement(ctx, g)
	if err != nil {
		return nil, err
	}
	list := r.placed.residents
	var inside []int32
	if s.Region != nil {
		err := s.Region.Covered(ctx, len(list), func(i int) geo.LatLng { return list[i].at }, func(i int) { inside = append(inside, int32(i)) })
		if err != nil {
			return nil, fmt.Errorf("lookup: people of the polygon: %w", err)
		}
		return r.peopled(key, slices.Values(inside)), nil
	}
	const metersPerDegree = 110_000 // of latitude, at least
	reach := float64(s.Max)/metersPerDegree + 0.01
	for i := range list {
		if d := list[i].at.Lat() - s.Center.Lat(); d > reach || d < -reach {
			continue
		}
		if d := geo.Distance(s.Center, list[i].at); d >= s.Min && d <= s.Max {
			inside = append(inside, int32(i))
		}
	}
	return r.peopled(key, slices.Values(inside)), nil
}

// areaInShape returns the shares of area inside.
func (r *Reader) areaInShape(ctx context.Context, g *geography, s Shape) (*tablePlace, error) {
	index, id, err := r.outlines(ctx, g)
	if err != nil {
		return nil, err
	}
	if index == nil {
		return nil, noPeople(g.name, "the dataset has no outlines of "+strconv.Quote(g.name))
	}
	place := &tablePlace{weight: WeightArea, basis: string(LargestArea), rows: findRow}
	add := func(area int, shared geo.SquareMeters) {
		if whole := index.Area(area); shared > 0 && whole > 0 {
			place.parts = append(place.parts, tablePart{id: id(area), share: min(float64(shared/whole), 1), weight: float64(shared.SquareMiles())})
		}
	}
	if s.Region != nil {
		place.whole = float64(s.Region.Area().SquareMiles())
		if err := s.Region.Overlaps(ctx, index, func(int) bool { return true }, add); err != nil {
			return nil, fmt.Errorf("lookup: areas of the polygon: %w", err)
		}
		return place, nil
	}
	outer, err := geo.NewCircle(s.Center, s.Max)
	if err != nil {
		return nil, err
	}
	place.whole = float64(outer.Area().SquareMiles())
	var shares []geo.Share
	if s.Min > 0 {
		inner, err := geo.NewCircle(s.Center, s.Min)
		if err != nil {
			return nil, err
		}
		place.whole -= float64(inner.Area().SquareMiles())
		shares = index.AppendRingShares(nil, inner, outer)
	} else {
		shares = index.AppendShares(nil, outer)
	}
	for _, found := range shares {
		add(found.Index, geo.SquareMeters(found.Percent/100)*index.Area(found.Index))
	}
	return place, nil
}

// outlines returns the outlines of a geography and the IDs of its areas.
func (r *Reader) outlines(ctx context.Context, g *geography) (*geo.PolygonIndex, func(int) string, error) {
	if err := r.data.Load(ctx, dataset.SectionZIPAreas|dataset.SectionFSAAreas|dataset.SectionStateAreas); err != nil {
		return nil, nil, fmt.Errorf("lookup: outlines of %s: %w", g.name, err)
	}
	switch g.kind {
	case ofZIPs:
		keys := r.data.ZIPAreas().Keys()
		return r.data.ZIPAreas().Index(), func(i int) string { return keys[i].String() }, nil
	case ofFSAs:
		keys := r.data.FSAAreas().Keys()
		return r.data.FSAAreas().Index(), func(i int) string { return keys[i].String() }, nil
	case ofStates:
		keys := r.data.StateAreas().Keys()
		return r.data.StateAreas().Index(), func(i int) string { return r.data.State(keys[i]).FIPS }, nil
	case ofLayer:
		l := g.plans[0]
		if !l.HasOutlines() {
			return nil, nil, noPeople(g.name, "the layer has no outlines")
		}
		index, err := l.Outlines(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("lookup: outlines of %s: %w", g.name, err)
		}
		return index, l.GEOID, nil
	default:
		return nil, nil, noPeople(g.name, "areas of "+strconv.Quote(g.name)+" have no separate outlines")
	}
}
