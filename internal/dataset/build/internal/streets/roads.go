package streets

import (
	"context"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// roadSources are the sources of segments and address points.
var roadSources = []string{catalog.RoadSegments, catalog.AddressPoints, catalog.AddressDatabase}

// Roads returns the step that writes address points and segments.
func Roads() plan.Step { return plan.Step{Name: "write: roads", Sources: roadSources, Do: &roads{}} }

// Places returns the step that collects the codes of addresses.
func Places() plan.Step { return plan.Step{Name: "roads: codes", Do: &places{}} }

// A RoadTarget is the file that roads are written to.
type RoadTarget struct {
	Add   func(dataset.Road) error
	Names map[string]string // identifiers in the file of the build's sources; nil if they are the same
}

// AddressCodes are the codes that addresses may have, with their points.
type AddressCodes struct {
	known  map[dataset.RoadArea]bool
	areas  []dataset.RoadArea // of the points
	points []geo.LatLng
	index  *geo.PointIndex
}

// AddZIP adds a ZIP Code. Only those with an area locate addresses without a code.
func (c *AddressCodes) AddZIP(r *dataset.ZIPRow) {
	c.add(dataset.RoadAreaOfZIP(r.ZIP), r.Location, r.Class == dataset.General)
}

// AddFSA adds a forward sortation area.
func (c *AddressCodes) AddFSA(r *dataset.FSARow) {
	c.add(dataset.RoadAreaOfFSA(r.FSA), r.Location, true)
}

func (c *AddressCodes) add(a dataset.RoadArea, p geo.LatLng, locates bool) {
	if c.known == nil {
		c.known = map[dataset.RoadArea]bool{}
	}
	c.known[a] = true
	if locates && p.IsValid() {
		c.areas, c.points = append(c.areas, a), append(c.points, p)
	}
}

// nearest returns the code whose point is nearest to an address.
func (c *AddressCodes) nearest(p geo.LatLng) (dataset.RoadArea, bool) {
	if c.index == nil {
		c.index = geo.NewPointIndex(c.points)
	}
	const most = 100_000 // meters
	found := c.index.AppendNearest(nil, p, 1)
	if len(found) == 0 || found[0].Distance > most {
		return 0, false
	}
	return c.areas[found[0].Index], true
}

// areaOf returns the code of an address: its own, else the nearest.
func (c *AddressCodes) areaOf(p *source.AddressPoint) (a dataset.RoadArea, own, ok bool) {
	if p.HasZIP {
		if a = dataset.RoadAreaOfZIP(p.ZIP); c.known[a] {
			return a, true, true
		}
	}
	if len(p.Postal) >= 3 {
		if f, ok := dataset.ParseFSA(p.Postal[:3]); ok && c.known[dataset.RoadAreaOfFSA(f)] {
			return dataset.RoadAreaOfFSA(f), true, true
		}
	}
	a, ok = c.nearest(p.Location)
	return a, false, ok
}

type places struct {
	ZIPs  *draft.ZIPs   `reads:"rows point class"`
	FSAs  *draft.FSAs   `reads:"rows"`
	Codes *AddressCodes `writes:"rows"`
}

func (b *places) Run(context.Context) error {
	for _, z := range b.ZIPs.List {
		b.Codes.AddZIP(&z.Row)
	}
	for _, f := range b.FSAs.List {
		b.Codes.AddFSA(&f.Row)
	}
	return nil
}

// roads writes the segments of TIGER/Line files and address points.
type roads struct {
	*plan.Env
	Codes  *AddressCodes
	Target *RoadTarget
}

func (b *roads) Run(ctx context.Context) error {
	points, ranges := 0, 0
	for _, id := range append(b.Files(catalog.AddressPoints), b.Files(catalog.AddressDatabase)...) {
		err := plan.ReadPath(ctx, b.Env, id, source.ReadAddressPoints, func(p source.AddressPoint) error {
			points += len(p.Numbers)
			return b.addPoint(id, &p)
		})
		if err != nil {
			return err
		}
	}
	for _, id := range b.Files(catalog.RoadSegments) {
		err := plan.ReadPath(ctx, b.Env, id, source.RoadPieces, func(p source.RoadPiece) error {
			n, err := b.addPiece(id, &p)
			ranges += n
			return err
		})
		if err != nil {
			return err
		}
	}
	b.Table("address points", points)
	b.Table("ranges of segments", ranges)
	return nil
}

func (b *roads) origin(id string, p dataset.Placement) dataset.RoadOrigin {
	if name := b.Target.Names[id]; name != "" {
		id = name
	}
	return dataset.RoadOrigin{Source: id, Placement: p}
}

func (b *roads) addPoint(id string, p *source.AddressPoint) error {
	area, own, ok := b.Codes.areaOf(p)
	if !ok {
		return plan.Refused("no code is near", p.Line, p.Location.String())
	}
	if !own {
		b.Applied("addresses without a known code have the nearest one", area.String())
	}
	r := dataset.Road{Area: area, RoadName: p.Name}
	for _, n := range p.Numbers {
		r.Points = append(r.Points, dataset.AddressPoint{Number: n, Location: p.Location, Origin: b.origin(id, p.Placement)})
	}
	return b.Target.Add(r)
}

// addPiece adds a segment to the areas of its sides and returns the number of
// ranges.
func (b *roads) addPiece(id string, p *source.RoadPiece) (ranges int, err error) {
	p.Segment.Origin = b.origin(id, dataset.PlacementBlock)
	left, right := dataset.RoadAreaOfZIP(p.Left), dataset.RoadAreaOfZIP(p.Right)
	hasLeft, hasRight := p.HasLeft && b.Codes.known[left], p.HasRight && b.Codes.known[right]
	add := func(a dataset.RoadArea, l, r bool) error {
		s := p.Segment
		if !l {
			s.Left = dataset.NumberRange{}
		}
		if !r {
			s.Right = dataset.NumberRange{}
		}
		return b.Target.Add(dataset.Road{Area: a, RoadName: p.Name, Segments: []dataset.RoadSegment{s}})
	}
	switch {
	case hasLeft && hasRight && left == right:
		return 2, add(left, true, true)
	case !hasLeft && !hasRight:
		return 0, plan.Refused("unknown ZIP Code", p.Record, left.String()+" "+right.String())
	}
	if hasLeft {
		ranges, err = 1, add(left, true, false)
	}
	if hasRight && err == nil {
		ranges, err = ranges+1, add(right, false, true)
	}
	return ranges, err
}
