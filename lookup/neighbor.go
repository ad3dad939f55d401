package lookup

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// DefaultTolerance is the default maximum distance between the outlines of
// neighbors.
const DefaultTolerance geo.Meters = 50

// MaxTolerance is the largest tolerance.
const MaxTolerance geo.Meters = 1000

// NeighborOptions defines which codes touch.
type NeighborOptions struct {
	// Tolerance is the maximum distance between outlines that touch, at most
	// [MaxTolerance]. Zero means [DefaultTolerance]. Outlines of ZIPs come from
	// sources of different detail and seldom meet exactly.
	Tolerance geo.Meters
	// Layer makes the input the GEOID of an area, whose neighbors in the layer are
	// found. Empty means codes.
	Layer Layer
}

// Neighbors are the codes whose areas touch that of a code, or areas of one layer.
type Neighbors struct {
	Layer      Layer      `json:"layer,omitzero"`     // of areas
	Code       string     `json:"code"`               // or GEOID
	CodeType   CodeType   `json:"code_type,omitzero"` // of codes
	BorderMi   float64    `json:"border_mi"`          // length of its boundary and of lakes; 2 decimals
	ToleranceM geo.Meters `json:"tolerance_m"`
	Codes      []Neighbor `json:"neighbors"` // the longest common border first
}

// A Neighbor is a code or an area that touches another.
type Neighbor struct {
	Code        string     `json:"code"`               // or GEOID
	CodeType    CodeType   `json:"code_type,omitzero"` // of codes
	Layer       Layer      `json:"layer,omitzero"`     // of an area
	Name        string     `json:"name,omitzero"`      // of an area
	City        string     `json:"city,omitzero"`      // in proper case
	State       string     `json:"state"`              // two letters
	Location    geo.LatLng `json:"location,omitzero"`  // in degrees of WGS84
	SharedMi    float64    `json:"shared_mi"`          // common border; 2 decimals
	PctOfBorder float64    `json:"pct_of_border"`      // of the first code's; 1 decimal
	Corner      bool       `json:"corner"`             // they meet in a point only
}

// cornerLengths is the maximum length, in tolerances, of the common border of
// two areas that meet in a corner. It is the tolerance on either side, doubled
// for areas that meet at a flat angle.
const cornerLengths = 4

// Neighbors returns the ZIPs and FSAs whose areas touch that of a ZIP or FSA. A
// ZIP+4, postal code or coordinate is resolved to the one around it. There are
// none for a code without an area.
//
// It returns the errors of [Reader.Quick], or one that matches
// [envelope.ErrInvalidParam].
func (r *Reader) Neighbors(ctx context.Context, input string, opt NeighborOptions) (*Neighbors, error) {
	opt.Tolerance = cmp.Or(opt.Tolerance, DefaultTolerance)
	if !(opt.Tolerance > 0 && opt.Tolerance <= MaxTolerance) {
		return nil, &envelope.Failure{
			Op: "neighbors", Kind: envelope.KindInvalidParam, Param: "tolerance",
			Input: strconv.FormatFloat(float64(opt.Tolerance), 'g', -1, 64), Range: fmt.Sprintf("above 0 and at most %v meters", float64(MaxTolerance)),
		}
	}
	if opt.Layer != "" {
		return r.areaNeighbors(ctx, input, opt)
	}
	rec, err := r.Quick(ctx, input, QuickOptions{})
	if err != nil {
		return nil, err
	}
	code := rec.Code
	if rec.ParentCode != "" {
		code = rec.ParentCode
	}
	c, err := ParseCode(code)
	if err != nil {
		return nil, err
	}
	if err := r.data.Load(ctx, store.SectionZIPAreas|store.SectionFSAAreas); err != nil {
		return nil, fmt.Errorf("lookup: neighbors of %s: %w", code, err)
	}
	own, box := r.outlineOf(c)
	border, out, err := newNeighbors(code, own, opt.Tolerance)
	if err != nil || len(own) == 0 {
		return out, err
	}
	out.CodeType = c.Type()
	near := widen(box, opt.Tolerance)
	visit := func(other Code, m orb.MultiPolygon) error {
		if other == c {
			return nil
		}
		shared, err := border.Shared(m)
		if err != nil {
			return fmt.Errorf("lookup: border of %s: %w", other, err)
		}
		if shared > 0 {
			n := border.neighbor(shared, opt.Tolerance)
			r.describeCode(&n, other)
			out.Codes = append(out.Codes, n)
		}
		return ctx.Err()
	}
	if err := eachNear(r.data.ZIPAreas(), near, func(z postcode.ZIP, m orb.MultiPolygon) error {
		if row, _ := r.data.ZIP(z); row.Class != store.General {
			return nil
		}
		return visit(zipCode(z), m)
	}); err != nil {
		return nil, err
	}
	if err := eachNear(r.data.FSAAreas(), near, func(f postcode.FSA, m orb.MultiPolygon) error { return visit(fsaCode(f), m) }); err != nil {
		return nil, err
	}
	out.sort()
	return out, nil
}

// areaNeighbors returns the areas of a layer that touch one of them.
func (r *Reader) areaNeighbors(ctx context.Context, geoid string, opt NeighborOptions) (*Neighbors, error) {
	l, at, err := r.areaOn(ctx, opt.Layer, geoid, time.Time{}, time.Time{}, "")
	if err != nil {
		return nil, err
	}
	failed := func(err error) error { return fmt.Errorf("lookup: neighbors of %s %s: %w", opt.Layer, geoid, err) }
	own, err := l.Polygons(ctx, at)
	if err != nil {
		return nil, failed(err)
	}
	border, out, err := newNeighbors(l.GEOID(at), own, opt.Tolerance)
	if err != nil || len(own) == 0 {
		return out, err
	}
	out.Layer = layerOf(opt.Layer.id())
	box, err := l.Box(ctx, at)
	if err != nil {
		return nil, failed(err)
	}
	near := widen(box, opt.Tolerance)
	for i := range l.Len() {
		around, err := l.Box(ctx, i)
		if err != nil {
			return nil, failed(err)
		}
		if i == at || !near.Meets(around) {
			continue
		}
		m, err := l.Polygons(ctx, i)
		if err != nil {
			return nil, failed(err)
		}
		shared, err := border.Shared(m)
		if err != nil {
			return nil, failed(err)
		}
		if shared > 0 {
			n, a := border.neighbor(shared, opt.Tolerance), l.Area(i)
			n.Layer, n.Code, n.Name, n.State, n.Location = out.Layer, a.GEOID, a.Name, r.data.State(a.State).Abbr, a.Point
			out.Codes = append(out.Codes, n)
		}
		if err := ctx.Err(); err != nil {
			return nil, failed(err)
		}
	}
	out.sort()
	return out, nil
}

// newNeighbors returns the border of an area, and its neighbors, none yet.
func newNeighbors(code string, own orb.MultiPolygon, tolerance geo.Meters) (sharedBorder, *Neighbors, error) {
	border, err := spatial.NewBorder(own, tolerance)
	if err != nil {
		return sharedBorder{}, nil, fmt.Errorf("lookup: border of %s: %w", code, err)
	}
	return sharedBorder{border}, &Neighbors{
		Code: code, BorderMi: geo.Round(float64(border.Length().Miles()), 2), ToleranceM: tolerance, Codes: []Neighbor{},
	}, nil
}

func (n *Neighbors) sort() {
	slices.SortFunc(n.Codes, func(a, b Neighbor) int {
		return cmp.Or(cmp.Compare(b.SharedMi, a.SharedMi), cmp.Compare(b.CodeType, a.CodeType), cmp.Compare(a.Code, b.Code))
	})
}

// describeCode sets the code of a neighbor and its place.
func (r *Reader) describeCode(n *Neighbor, c Code) {
	var of CodeShare
	if c.typ == zipKind {
		of = r.zipShare(c.zip())
	} else {
		of = r.fsaShare(c.fsa())
	}
	n.Code, n.CodeType, n.City, n.State, n.Location = of.Code, of.CodeType, of.City, of.State, of.Location
}

// A sharedBorder is the border of the area whose neighbors are found. Two areas are
// neighbors if parts of their borders come within the tolerance of each other.
type sharedBorder struct{ *spatial.Border }

// neighbor returns a neighbor with a common border of a length.
func (b sharedBorder) neighbor(shared, tolerance geo.Meters) Neighbor {
	return Neighbor{
		SharedMi:    geo.Round(float64(shared.Miles()), 2),
		PctOfBorder: geo.Round(100*float64(shared)/float64(b.Length()), 1),
		Corner:      shared <= cornerLengths*tolerance,
	}
}

// outlineOf returns the outline of a ZIP or FSA and its box; nil without one.
func (r *Reader) outlineOf(c Code) (orb.MultiPolygon, geo.Box) {
	if c.typ == fsaKind {
		return outlineIn(r.data.FSAAreas(), c.fsa())
	}
	if row, _ := r.data.ZIP(c.zip()); row.Class != store.General {
		return nil, geo.Box{}
	}
	return outlineIn(r.data.ZIPAreas(), c.zip())
}

func outlineIn[K store.AreaKey](a *store.Areas[K], key K) (orb.MultiPolygon, geo.Box) {
	i, ok := a.Find(key)
	if !ok {
		return nil, geo.Box{}
	}
	return a.Index().Polygons(i), a.Index().Box(i)
}

// eachNear visits the areas whose boxes meet one. It compares all boxes, some 30,000, which
// are in memory; the borders of the few that meet cost far more.
func eachNear[K store.AreaKey](a *store.Areas[K], box geo.Box, visit func(K, orb.MultiPolygon) error) error {
	for i, key := range a.Keys() {
		if !a.Index().HasPolygon(i) || !box.Meets(a.Index().Box(i)) {
			continue
		}
		if err := visit(key, a.Index().Polygons(i)); err != nil {
			return err
		}
	}
	return nil
}

// widen returns a box that reaches further by a length on all sides.
func widen(b geo.Box, by geo.Meters) geo.Box {
	const degree = 110_000 // meters, a little less than a degree of latitude
	lat := float64(by) / degree
	// Towards the poles a degree of longitude shrinks; beyond 89 degrees
	// everything counts as near.
	lng := 180.0
	south, north := b.SouthWest.Lat(), b.NorthEast.Lat()
	if most := max(-south, north); most < 89 {
		lng = lat / cosDegrees(most)
	}
	span := b.NorthEast.Lng() - b.SouthWest.Lng()
	if span < 0 {
		span += 360
	}
	west, east := -180.0, 180.0
	if span+2*lng < 360 {
		west, east = wrap(b.SouthWest.Lng()-lng), wrap(b.NorthEast.Lng()+lng)
	}
	return geo.Box{
		SouthWest: geo.MustLatLng(max(-90, south-lat), west),
		NorthEast: geo.MustLatLng(min(90, north+lat), east),
	}
}

func cosDegrees(d float64) float64 { return math.Cos(d * math.Pi / 180) }

// wrap returns a longitude between -180 and 180.
func wrap(lng float64) float64 {
	switch {
	case lng < -180:
		return lng + 360
	case lng > 180:
		return lng - 360
	default:
		return lng
	}
}
