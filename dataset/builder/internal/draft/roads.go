package draft

import (
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// Segments and address points are stored by ZIP Code or FSA, because an address has one
// and a search reads only its pages. A row without a known code takes that of the outline
// around its point, else the nearest one. The file keeps which of the three it was. Rows
// stream to the writer, which spools them: the National Address Database has 80 million.

// RoadSources are those of segments and address points.
var RoadSources = []string{catalog.RoadSegments, catalog.AddrFeat, catalog.RoadNetwork, catalog.AddressPoints, catalog.AddressDatabase}

// addressCodes are the codes that addresses may have, with their outlines and points.
type addressCodes struct {
	around func(geo.LatLng) (store.Code, bool) // the code whose outline contains a point
	known  map[store.Code]bool
	points [2]nearest[store.Code] // of codes with an area, of the United States and of Canada

	canadian map[store.RoadName]store.RoadName // names that were divided before, see nameIn
}

// setAddressCodes takes the codes of the file. Only ZIP Codes with an area locate addresses
// without a code.
func (d *Draft) setAddressCodes() {
	c := &d.roads
	*c = addressCodes{around: d.codeAround, known: map[store.Code]bool{}}
	for _, z := range d.ZIPs.List {
		code := store.CodeOfZIP(z.Row.ZIP)
		if c.known[code] = true; z.Row.Class == store.General {
			c.points[0].add(z.Row.Location, code)
		}
	}
	for _, f := range d.FSAs.List {
		code := store.CodeOfFSA(f.Row.FSA)
		c.known[code] = true
		c.points[1].add(f.Row.Location, code)
	}
}

// codeAround returns the code whose outline contains a point. A0A is the zero FSA.
func (d *Draft) codeAround(p geo.LatLng) (store.Code, bool) {
	if d.base != nil {
		if z, ok := d.base.ZIPAreas().Containing(p); ok {
			return store.CodeOfZIP(z), true
		}
		f, ok := d.base.FSAAreas().Containing(p)
		return store.CodeOfFSA(f), ok
	}
	if z := d.ZIPOutlines.index().at(p); len(z) > 0 {
		return store.CodeOfZIP(z[0]), true
	}
	f := d.FSAOutlines.index().at(p)
	if len(f) == 0 {
		return 0, false
	}
	return store.CodeOfFSA(f[0]), true
}

// locate returns the code of a position: that of the outline that contains it, else
// the nearest one of the country. It reports false if no code is near.
func (c *addressCodes) locate(p geo.LatLng, inUS, inCanada bool) (a store.Code, basis store.CodeBasis, ok bool) {
	if a, ok := c.around(p); ok && c.known[a] {
		// Outlines reach over the border a little; the country of the address decides.
		if _, canadian := a.FSA(); canadian && inCanada || !canadian && inUS {
			return a, store.CodeOfOutline, true
		}
	}
	// Farther away there is no code in the dataset, as with a sample, or the point is
	// wrong.
	best := float64(geo.Meters(100_000).Miles())
	for i, in := range [...]bool{inUS, inCanada} {
		if near, away := c.points[i].find(p, nil); in && away < best {
			a, best, ok = near, away, true
		}
	}
	return a, store.CodeOfNearest, ok
}

// codeRules describe the bases of codes other than an address's own.
var codeRules = map[store.CodeBasis]string{
	store.CodeOfOutline: "addresses without a known code have the one whose outline contains them",
	store.CodeOfNearest: "addresses without a known code and outline have the nearest one",
}

// areaOf returns the code of an address: its own, else that of its position.
func (c *addressCodes) areaOf(p *source.AddressPoint) (a store.Code, basis store.CodeBasis, ok bool) {
	if p.HasZIP {
		if a = store.CodeOfZIP(p.ZIP); c.known[a] {
			return a, store.CodeGiven, true
		}
	}
	if len(p.Postal) >= 3 {
		if f, ok := postcode.ParseFSA(p.Postal[:3]); ok && c.known[store.CodeOfFSA(f)] {
			return store.CodeOfFSA(f), store.CodeGiven, true
		}
	}
	// Without a state either country will do.
	canadian := source.IsProvince(p.State)
	return c.locate(p.Location, p.State == "" || !canadian, p.State == "" || canadian)
}

// nameIn returns the name of a street in an area. Readers of files divide all names as in
// the United States. French names have the kind of street in front ("rue Saint-Denis"),
// so that names in FSAs are divided again. Results are kept, because rows of a street
// follow each other, up to 16,384 of them.
func (c *addressCodes) nameIn(a store.Code, n store.RoadName) store.RoadName {
	const most = 1 << 14
	if _, ok := a.FSA(); !ok {
		return n
	}
	name, ok := c.canadian[n]
	if !ok {
		if c.canadian == nil || len(c.canadian) == most {
			c.canadian = map[store.RoadName]store.RoadName{}
		}
		name = store.CanadianRoadName(n.String())
		c.canadian[n] = name
	}
	return name
}

// writeRoads writes segments and address points. Points of the user come before those of
// the National Address Database, because the writer keeps the source that came first.
func (d *Draft) writeRoads() {
	d.setAddressCodes()
	points, ranges := 0, 0
	for _, id := range append(d.files(catalog.AddressPoints), d.files(catalog.AddressDatabase)...) {
		read(d, id, source.ReadAddressPoints, func(p source.AddressPoint) error {
			points += len(p.Numbers)
			return d.addPoint(id, &p)
		})
	}
	for _, of := range [...]string{catalog.RoadSegments, catalog.AddrFeat, catalog.RoadNetwork} {
		for _, id := range d.files(of) {
			read(d, id, source.RoadPieces, func(p source.RoadPiece) error {
				n, err := d.addPiece(id, &p)
				ranges += n
				return err
			})
		}
	}
	d.written("address points", points)
	d.written("ranges of segments", ranges)
}

// origin returns the origin of a point or segment, with the identifier that its source
// has in the file.
func (d *Draft) origin(id string, p store.Placement, c store.CodeBasis) store.RoadOrigin {
	if name := d.SourceIDs[id]; name != "" {
		id = name
	}
	return store.RoadOrigin{Source: id, Placement: p, Code: c}
}

func (d *Draft) addPoint(id string, p *source.AddressPoint) error {
	area, basis, ok := d.roads.areaOf(p)
	if !ok {
		return refused("no code is near", p.Line, p.Location.String())
	}
	if basis != store.CodeGiven {
		d.applied(codeRules[basis], area.String())
	}
	r := store.Road{Area: area, RoadName: d.roads.nameIn(area, p.Name)}
	for _, n := range p.Numbers {
		r.Points = append(r.Points, store.AddressPoint{Number: n, Location: p.Location, Origin: d.origin(id, p.Placement, basis)})
	}
	return d.Output.AddRoad(r)
}

// addPiece adds a segment to the areas of its sides and returns the number of ranges. A
// street along a border has a side in each of two ZIP Codes. The segment is then added to
// both, each time without the numbers of the other side.
func (d *Draft) addPiece(id string, p *source.RoadPiece) (ranges int, err error) {
	left, leftBasis, hasLeft := d.areaOfSide(p.Left, p.Segment.Line)
	right, rightBasis, hasRight := d.areaOfSide(p.Right, p.Segment.Line)
	add := func(a store.Code, basis store.CodeBasis, l, r bool) error {
		s := p.Segment
		s.Origin = d.origin(id, store.PlacementBlock, basis)
		if !l {
			s.Left = store.NumberRange{}
		}
		if !r {
			s.Right = store.NumberRange{}
		}
		return d.Output.AddRoad(store.Road{Area: a, RoadName: d.roads.nameIn(a, p.Name), Segments: []store.RoadSegment{s}})
	}
	switch {
	case hasLeft && hasRight && left == right:
		return 2, add(left, leftBasis, true, true)
	case !hasLeft && !hasRight && d.elsewhere(p.Left) && d.elsewhere(p.Right):
		return 0, nil
	case !hasLeft && !hasRight:
		return 0, refused("unknown ZIP Code", p.Record, left.String()+" "+right.String())
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
func (d *Draft) elsewhere(s source.PieceSide) bool {
	return !s.Has() || s.Province != "" && d.Provinces != nil && !d.Provinces[source.Provinces[s.Province]]
}

// areaOfSide returns the code of a side: its ZIP Code, or the forward sortation area
// around the middle of a segment in Canada.
func (d *Draft) areaOfSide(s source.PieceSide, line []geo.LatLng) (a store.Code, basis store.CodeBasis, ok bool) {
	if a = store.CodeOfZIP(s.ZIP); s.Province == "" {
		return a, store.CodeGiven, s.Has() && d.roads.known[a]
	}
	if d.elsewhere(s) {
		return 0, 0, false
	}
	return d.roads.locate(line[len(line)/2], false, true)
}
