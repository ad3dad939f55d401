package radius

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// ErrInvalidGeometry is matched by every error that says that a geometry is
// not a polygon, or cannot be one.
var ErrInvalidGeometry = errors.New("radius: invalid geometry")

// MaxPolygonVertices is the most vertices that a searched polygon may have.
const MaxPolygonVertices = 100_000

// leastShared is the least extent that an area must share with a searched
// polygon: less is the rounding of stored vertices.
const leastShared = geo.SquareMeters(1)

// PolygonOptions say what a search inside a polygon shall find.
type PolygonOptions struct {
	Mode     Mode // Centroid: ZIPs and full postal codes by their points; Spatial: ZIPs and FSAs by their areas
	Timezone bool // the time zone of each
}

// A PolygonResult holds the codes inside a polygon. Distances are measured
// from Center, and matches are sorted by them and then by code. It is not part
// of the contract.
type PolygonResult struct {
	envelope.Item
	Center   geo.LatLng      `json:"center"` // the middle of the polygon's box
	AreaSqMi geo.SquareMiles `json:"area_sq_mi"`
	Mode     Mode            `json:"mode"`
	Matches  []Match         `json:"matches"`
	Summary  Summary         `json:"summary"`
}

// InPolygon finds the codes inside a polygon or multipolygon. In spatial mode
// PctInside is the share of the code's area that the polygon covers; codes
// without an area are found by their points, on the edge or inside.
// Coordinates are longitude and latitude in degrees, edges are straight in
// those, rings may run either way and cross the antimeridian.
//
// Errors match [ErrInvalidGeometry] or [ErrInvalidParam], or are the
// context's.
func (e *Engine) InPolygon(ctx context.Context, g orb.Geometry, opt PolygonOptions) (*PolygonResult, error) {
	if opt.Mode > Spatial {
		return nil, &ParamError{Param: "mode", Given: opt.Mode.String()}
	}
	q, err := newPolygonQuery(g)
	if err != nil {
		return nil, err
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	s.hits = s.hits[:0]
	set := &e.areas
	if opt.Mode == Centroid {
		set = &e.codes
	}
	if err := e.inside(ctx, s, set, q); err != nil {
		return nil, err
	}
	if opt.Mode == Spatial {
		if err := e.overlaps(ctx, s, set, q); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.at, b.at))
	})
	res := &PolygonResult{
		Item: envelope.Item{Success: true}, Center: q.middle.Rounded(), Mode: opt.Mode,
		AreaSqMi: geo.SquareMiles(geo.Round(float64(q.outline.Area().SquareMiles()), 2)),
		Matches:  e.matches(set, s.hits, opt.Timezone),
	}
	if opt.Mode == Spatial {
		e.measure(res.Matches, s.hits)
	}
	res.Summary = summarize(res.Matches, len(res.Matches))
	return res, nil
}

// A polygonQuery is a polygon made ready for questions.
type polygonQuery struct {
	box     geo.Box
	middle  geo.LatLng
	index   *geo.PolygonIndex // of the polygon alone
	outline *geo.Outline
}

func newPolygonQuery(g orb.Geometry) (*polygonQuery, error) {
	var m orb.MultiPolygon
	switch g := g.(type) {
	case orb.Polygon:
		m = orb.MultiPolygon{g}
	case orb.MultiPolygon:
		m = g
	default:
		return nil, fmt.Errorf("%w: %T; expected a polygon or multipolygon", ErrInvalidGeometry, g)
	}
	vertices := 0
	for _, p := range m {
		for _, r := range p {
			vertices += len(r)
		}
	}
	if vertices > MaxPolygonVertices {
		return nil, fmt.Errorf("%w: %d vertices; expected at most %d", ErrInvalidGeometry, vertices, MaxPolygonVertices)
	}
	invalid := func(err error) error { return fmt.Errorf("%w: %w", ErrInvalidGeometry, err) }
	q := &polygonQuery{}
	var err error
	if q.box, err = geo.BoundingBox(m); err != nil {
		return nil, invalid(err)
	}
	if q.outline, err = geo.NewOutline(m); err != nil {
		return nil, invalid(err)
	}
	if !(q.outline.Area() > 0) {
		return nil, fmt.Errorf("%w: it encloses nothing", ErrInvalidGeometry)
	}
	var b geo.PolygonIndexBuilder
	if err = b.Add(m); err != nil {
		return nil, invalid(err)
	}
	packed, err := b.AppendBinary(nil)
	if err != nil {
		return nil, invalid(err)
	}
	if q.index, err = geo.DecodePolygonIndex(packed); err != nil {
		return nil, invalid(err)
	}
	q.middle = q.box.Center()
	return q, nil
}

// every is how many codes are looked at between two looks at the context.
const every = 4096

// inside collects the codes without an area whose points lie in the polygon.
func (e *Engine) inside(ctx context.Context, s *scratch, set *pointSet, q *polygonQuery) error {
	for at := range int32(len(set.numbers)) {
		if at%every == 0 && ctx.Err() != nil {
			return fmt.Errorf("radius: %w", ctx.Err())
		}
		if set.hasArea(at) {
			continue
		}
		if p := e.pointOf(set, at); p.IsValid() && q.box.Contains(p) && q.index.Covers(0, p) {
			s.hits = append(s.hits, hit{distance: geo.Distance(q.middle, p), at: at})
		}
	}
	return nil
}

// overlaps collects the codes whose areas share anything with the polygon.
func (e *Engine) overlaps(ctx context.Context, s *scratch, set *pointSet, q *polygonQuery) error {
	var meter geo.OverlapMeter
	boxes := e.boxes()
	for at, area := range set.areaOf {
		if area == noArea || !boxes[at].overlaps(q.box) {
			continue
		}
		if err := ctx.Err(); err != nil { // an outline with many long edges takes its time
			return fmt.Errorf("radius: %w", err)
		}
		index := e.data.ZIPAreas().Index()
		if at >= set.zips {
			index = e.data.FSAAreas().Index()
		}
		outline, err := geo.NewOutline(index.Polygons(int(area)))
		if err != nil {
			return fmt.Errorf("radius: the area of %s: %w", set.appendText(nil, int32(at)), err)
		}
		shared, whole := meter.Area(q.outline, outline), index.Area(int(area))
		if p := e.pointOf(set, int32(at)); shared >= leastShared && p.IsValid() {
			s.hits = append(s.hits, hit{
				distance: geo.Distance(q.middle, p), at: int32(at), share: min(float64(100*shared/whole), 100),
			})
		}
	}
	return nil
}

// An areaBox is the box of an area, valid where there is one.
type areaBox geo.Box

// areaBoxes returns the boxes of the areas of a set by position.
func (e *Engine) areaBoxes() []areaBox {
	set := &e.areas
	out := make([]areaBox, len(set.numbers))
	for at, area := range set.areaOf {
		if area == noArea {
			continue
		}
		index := e.data.ZIPAreas().Index()
		if at >= set.zips {
			index = e.data.FSAAreas().Index()
		}
		out[at] = areaBox(index.Box(int(area)))
	}
	return out
}

// overlaps reports whether the boxes have a point in common.
func (b areaBox) overlaps(c geo.Box) bool {
	a := geo.Box(b)
	if a.IsEmpty() || c.IsEmpty() || a.SouthWest.Lat() > c.NorthEast.Lat() || a.NorthEast.Lat() < c.SouthWest.Lat() {
		return false
	}
	corner := func(p geo.LatLng, of geo.Box) geo.LatLng {
		lat := min(max(p.Lat(), of.SouthWest.Lat()), of.NorthEast.Lat())
		return geo.MustLatLng(lat, p.Lng())
	}
	// Ranges of longitude overlap when either begins in the other.
	return c.Contains(corner(a.SouthWest, c)) || a.Contains(corner(c.SouthWest, a))
}

// pointOf returns the point of the code at a position.
func (e *Engine) pointOf(set *pointSet, at int32) geo.LatLng {
	number := set.numbers[at]
	switch {
	case int(at) < set.zips:
		row, _ := e.data.ZIP(dataset.ZIP(number))
		return row.Location
	case set.kind == lookup.FSA:
		row, _ := e.data.FSA(dataset.FSA(number))
		return row.Location
	default:
		row, _ := e.data.PostalCode(dataset.PostalCode(number))
		return row.Location
	}
}
