package lookup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
)

// A Shape is a circle, a ring or a polygon that tables are apportioned to.
type Shape struct {
	// Center, Min and Max are the center and radii of a ring or, without Min, a circle.
	Center   geo.LatLng
	Min, Max geo.Meters
	// Region is a polygon; nil takes the circle.
	Region *geo.Region
	// Inside is a point in the shape. A shape without people has the values of the
	// area around it. An invalid point means none.
	Inside geo.LatLng
}

// Ring returns the ring between two radii, or the circle if the first is 0.
func Ring(center geo.LatLng, least, most geo.Meters) Shape {
	s := Shape{Center: center, Min: least, Max: most}
	if least == 0 {
		s.Inside = center
	}
	return s
}

// TablesIn returns the values of tables inside a shape. It leaves out those that the
// dataset lacks, and those without a row there. If a table is weighted by housing and
// people of the shape live in blocks with unknown housing, people are the weight of its
// values.
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
		place, err = r.peopleInShape(ctx, key, s)
		if key.weight == WeightHousing && errors.Is(err, fault.ErrUnavailable) {
			place, err = r.peopleInShape(ctx, &tableKey{key.geography, WeightPeople}, s)
		}
	}
	if err != nil {
		return t, false, err
	}
	if place.whole == 0 { // too small for the center of a block group
		if place, err = r.pointPlace(ctx, years[0].Info(), s.Inside); err != nil || place == nil {
			return t, false, err
		}
	}
	t, ok = place.values(r, years)
	return t, ok, nil
}

// peopleInShape returns the block groups whose centers lie inside.
func (r *Reader) peopleInShape(ctx context.Context, of *tableKey, s Shape) (*tablePlace, error) {
	key, err := r.placement(ctx, &of.geography, of.weight)
	if err != nil {
		return nil, err
	}
	list := key.residents
	var inside []int32
	if s.Region != nil {
		err := s.Region.Covered(ctx, len(list), func(i int) geo.LatLng { return list[i].at }, func(i int) { inside = append(inside, int32(i)) })
		if err != nil {
			return nil, fmt.Errorf("lookup: people of the polygon: %w", err)
		}
		return key.peopled(slices.Values(inside))
	}
	const metersPerDegree = 110_000 // of latitude, at least
	reach := float64(s.Max)/metersPerDegree + 0.01
	for i := range list {
		if i%contextRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if d := list[i].at.Lat() - s.Center.Lat(); d > reach || d < -reach {
			continue
		}
		if d := geo.Distance(s.Center, list[i].at); d >= s.Min && d <= s.Max {
			inside = append(inside, int32(i))
		}
	}
	return key.peopled(slices.Values(inside))
}

// areaInShape returns the shares of area inside.
func (r *Reader) areaInShape(ctx context.Context, g *geography, s Shape) (*tablePlace, error) {
	list, err := r.outlines(ctx, g)
	if err != nil {
		return nil, err
	}
	place := &tablePlace{weight: WeightArea, basis: string(LargestArea), rows: findRow}
	for _, o := range list {
		place.whole, err = s.overlaps(ctx, o.index, o.keep, func(area int, shared geo.SquareMeters) {
			if whole := o.index.Area(area); shared > 0 && whole > 0 {
				place.parts = append(place.parts, tablePart{id: o.id(area), share: min(float64(shared/whole), 1), weight: float64(shared.SquareMiles())})
			}
		})
		if err != nil {
			return nil, fmt.Errorf("lookup: areas in the shape: %w", err)
		}
	}
	return place, nil
}

// overlaps calls found with the areas that overlap the shape and returns its extent in
// square miles.
func (s *Shape) overlaps(ctx context.Context, x *geo.PolygonIndex, keep func(area int) bool, found func(area int, shared geo.SquareMeters)) (float64, error) {
	if s.Region != nil {
		return float64(s.Region.Area().SquareMiles()), s.Region.Overlaps(ctx, x, keep, found)
	}
	outer, err := geo.NewCircle(s.Center, s.Max)
	if err != nil {
		return 0, err
	}
	whole := outer.Area()
	var shares []geo.Share
	if s.Min > 0 {
		inner, err := geo.NewCircle(s.Center, s.Min)
		if err != nil {
			return 0, err
		}
		whole -= inner.Area()
		shares = x.AppendRingShares(nil, inner, outer)
	} else {
		shares = x.AppendShares(nil, outer)
	}
	for _, in := range shares {
		if keep(in.Index) {
			found(in.Index, geo.SquareMeters(in.Percent/100)*x.Area(in.Index))
		}
	}
	return float64(whole.SquareMiles()), ctx.Err()
}

// outlines are the outlines of areas.
type outlines struct {
	index *geo.PolygonIndex
	keep  func(area int) bool // those in force
	id    func(area int) string
}

// outlines returns the outlines of a geography, of each of its plans.
func (r *Reader) outlines(ctx context.Context, g *geography) (list []outlines, err error) {
	if err := r.data.Load(ctx, dataset.SectionZIPAreas|dataset.SectionFSAAreas|dataset.SectionStateAreas); err != nil {
		return nil, fmt.Errorf("lookup: outlines of %s: %w", g.name, err)
	}
	all := func(int) bool { return true }
	switch g.kind {
	case ofZIPs:
		keys := r.data.ZIPAreas().Keys()
		list = []outlines{{r.data.ZIPAreas().Index(), all, func(i int) string { return keys[i].String() }}}
	case ofFSAs:
		keys := r.data.FSAAreas().Keys()
		list = []outlines{{r.data.FSAAreas().Index(), all, func(i int) string { return keys[i].String() }}}
	case ofStates:
		keys := r.data.StateAreas().Keys()
		list = []outlines{{r.data.StateAreas().Index(), all, func(i int) string { return r.data.State(keys[i]).FIPS }}}
	case ofLayer:
		choice := presentPlans()
		for _, l := range g.plans {
			if !l.HasOutlines() {
				continue
			}
			index, err := l.Outlines(ctx)
			if err != nil {
				return nil, fmt.Errorf("lookup: outlines of %s: %w", g.name, err)
			}
			list = append(list, outlines{index, func(i int) bool { return r.inForce(g.layer, choice, l, l.StateOf(i)) }, l.GEOID})
		}
	default:
		return nil, noPeople(g.name, "areas of "+strconv.Quote(g.name)+" have no separate outlines")
	}
	list = slices.DeleteFunc(list, func(o outlines) bool { return o.index == nil })
	if len(list) == 0 {
		return nil, noPeople(g.name, "the dataset has no outlines of "+strconv.Quote(g.name))
	}
	return list, nil
}
