package draft

import (
	"context"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// RoadSources are those of segments and address points.
var RoadSources = []string{catalog.RoadSegments, catalog.AddrFeat, catalog.RoadNetwork, catalog.AddressPoints, catalog.AddressDatabase}

// A RoadTarget is the file that roads are written to.
type RoadTarget struct {
	Codes *AddressCodes
	Add   func(store.Road) error
	Names map[string]string // identifiers in the file of the build's sources; nil if they are the same
	// Provinces are the letters of those whose segments are taken; nil takes all.
	Provinces map[string]bool
}

// AddressCodes returns the codes of a new file.
func (d *Draft) AddressCodes() *AddressCodes {
	c := &AddressCodes{Around: outlinesOf(d.ZIPOutlines.Areas, d.FSAOutlines)}
	for _, z := range d.ZIPs.List {
		c.AddZIP(&z.Row)
	}
	for _, f := range d.FSAs.List {
		c.AddFSA(&f.Row)
	}
	return c
}

// roads writes the segments of TIGER/Line files and address points.
type roads struct {
	*Draft
	*RoadTarget

	canadian map[store.RoadName]store.RoadName // divided before
}

// nameIn returns the name of a street in an area.
func (b *roads) nameIn(a store.RoadArea, n store.RoadName) store.RoadName {
	const most = 1 << 14
	if _, ok := a.FSA(); !ok {
		return n
	}
	name, ok := b.canadian[n]
	if !ok {
		if b.canadian == nil || len(b.canadian) == most {
			b.canadian = map[store.RoadName]store.RoadName{}
		}
		name = store.CanadianRoadName(n.String())
		b.canadian[n] = name
	}
	return name
}

// WriteRoads writes segments and address points.
func (d *Draft) WriteRoads(ctx context.Context, t *RoadTarget) error {
	b := &roads{Draft: d, RoadTarget: t}
	points, ranges := 0, 0
	for _, id := range append(b.Files(catalog.AddressPoints), b.Files(catalog.AddressDatabase)...) {
		err := plan.Read(ctx, b.Env, id, source.ReadAddressPoints, func(p source.AddressPoint) error {
			points += len(p.Numbers)
			return b.addPoint(id, &p)
		})
		if err != nil {
			return err
		}
	}
	for _, of := range [...]string{catalog.RoadSegments, catalog.AddrFeat, catalog.RoadNetwork} {
		for _, id := range b.Files(of) {
			err := plan.Read(ctx, b.Env, id, source.RoadPieces, func(p source.RoadPiece) error {
				n, err := b.addPiece(id, &p)
				ranges += n
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	b.Table("address points", points)
	b.Table("ranges of segments", ranges)
	return nil
}

func (b *roads) origin(id string, p store.Placement, c store.CodeBasis) store.RoadOrigin {
	if name := b.Names[id]; name != "" {
		id = name
	}
	return store.RoadOrigin{Source: id, Placement: p, Code: c}
}

func (b *roads) addPoint(id string, p *source.AddressPoint) error {
	area, basis, ok := b.Codes.areaOf(p)
	if !ok {
		return plan.Refused("no code is near", p.Line, p.Location.String())
	}
	if basis != store.CodeGiven {
		b.Applied(codeRules[basis], area.String())
	}
	r := store.Road{Area: area, RoadName: b.nameIn(area, p.Name)}
	for _, n := range p.Numbers {
		r.Points = append(r.Points, store.AddressPoint{Number: n, Location: p.Location, Origin: b.origin(id, p.Placement, basis)})
	}
	return b.Add(r)
}

// addPiece adds a segment to the areas of its sides and returns the number of
// ranges.
func (b *roads) addPiece(id string, p *source.RoadPiece) (ranges int, err error) {
	left, leftBasis, hasLeft := b.areaOfSide(p.Left, p.Segment.Line)
	right, rightBasis, hasRight := b.areaOfSide(p.Right, p.Segment.Line)
	add := func(a store.RoadArea, basis store.CodeBasis, l, r bool) error {
		s := p.Segment
		s.Origin = b.origin(id, store.PlacementBlock, basis)
		if !l {
			s.Left = store.NumberRange{}
		}
		if !r {
			s.Right = store.NumberRange{}
		}
		return b.Add(store.Road{Area: a, RoadName: b.nameIn(a, p.Name), Segments: []store.RoadSegment{s}})
	}
	switch {
	case hasLeft && hasRight && left == right:
		return 2, add(left, leftBasis, true, true)
	case !hasLeft && !hasRight && b.elsewhere(p.Left) && b.elsewhere(p.Right):
		return 0, nil
	case !hasLeft && !hasRight:
		return 0, plan.Refused("unknown ZIP Code", p.Record, left.String()+" "+right.String())
	}
	if hasLeft {
		ranges, err = 1, add(left, leftBasis, true, false)
	}
	if hasRight && err == nil {
		ranges, err = ranges+1, add(right, rightBasis, false, true)
	}
	return ranges, err
}

// elsewhere reports whether a side has no numbers or is in a province that is not
// taken.
func (b *roads) elsewhere(s source.PieceSide) bool {
	return !s.Has() || s.Province != "" && b.Provinces != nil && !b.Provinces[source.Provinces[s.Province]]
}

// areaOfSide returns the code of a side: its ZIP Code, or the forward sortation area
// around the middle of a segment in Canada.
func (b *roads) areaOfSide(s source.PieceSide, line []geo.LatLng) (a store.RoadArea, basis store.CodeBasis, ok bool) {
	if a = store.RoadAreaOfZIP(s.ZIP); s.Province == "" {
		return a, store.CodeGiven, s.Has() && b.Codes.known[a]
	}
	if b.elsewhere(s) {
		return 0, 0, false
	}
	return b.Codes.locate(line[len(line)/2], false, true)
}
