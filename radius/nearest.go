package radius

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// NearestOptions configures a search for the nearest codes. The zero value
// returns one.
type NearestOptions struct {
	Count    int       // 1 to 10,000; zero is 1
	Max      geo.Miles // the farthest they may be; zero is anywhere
	Mode     Mode      // Centroid: ZIPs and full postal codes; Spatial: ZIPs and FSAs, by their points too
	Timezone bool      // the time zone of each
	At       time.Time // start of the twelve months of time zone rules; zero means now
}

// A NearestResult holds the codes nearest to a center, sorted by distance and
// then by code. It is not part of the contract.
type NearestResult struct {
	envelope.Item
	Center  Center  `json:"center"`
	Matches []Match `json:"matches"`
}

// Nearest finds the codes whose points are nearest to a code or coordinate, the
// code itself included. It always finds a code, even outside of all areas.
//
// It returns the errors of [Engine.Search].
func (e *Engine) Nearest(ctx context.Context, center string, opt NearestOptions) (*NearestResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("radius: %w", err)
	}
	switch {
	case opt.Count < 0 || opt.Count > MaxMatches:
		return nil, invalid("nearest", "count", strconv.Itoa(opt.Count), fmt.Sprintf("a whole number from 1 to %d", MaxMatches))
	case !(opt.Max >= 0):
		return nil, invalid("nearest", "max", number(float64(opt.Max)), "at least 0 miles")
	}
	if err := checkMode("nearest", opt.Mode); err != nil {
		return nil, err
	}
	p, err := e.center(ctx, center)
	if err != nil {
		return nil, err
	}
	set := &e.areas
	if opt.Mode != Spatial {
		set = &e.codes
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	if count := max(opt.Count, 1); opt.Max > 0 {
		s.near, _ = set.index.AppendNearestWithin(s.near[:0], p.Location, 0, opt.Max.Meters(), count)
	} else {
		s.near = set.index.AppendNearest(s.near[:0], p.Location, count)
	}
	s.take()
	matches, err := e.matches(ctx, set, s.hits, opt.Timezone, opt.At)
	if err != nil {
		return nil, err
	}
	return &NearestResult{Item: envelope.Item{Success: true, Notices: p.Notices}, Center: newCenter(&p), Matches: matches}, nil
}

func (s *scratch) take() {
	s.hits = s.hits[:0]
	for _, n := range s.near {
		s.hits = append(s.hits, hit{distance: n.Distance, at: int32(n.Index)})
	}
}

// A BoundaryResult is the position of a point relative to the area of a code.
// It is not part of the contract.
type BoundaryResult struct {
	envelope.Item
	Center   Center          `json:"center"`
	Code     string          `json:"code"`      // canonical form
	CodeType lookup.CodeType `json:"code_type"` // what kind of code it is
	Inside   bool            `json:"inside"`    // or on the boundary
	Distance Length          `json:"distance"`  // to the nearest point of the boundary, holes included
}

// Boundary measures from a code's point or a coordinate to the boundary of the
// area of a ZIP or FSA. For a ZIP+4 or full postal code it uses the area of its
// ZIP or FSA. The error matches [envelope.ErrUnavailable] if the code exists and
// has no area, and [envelope.ErrNotFound] if it does not exist. Others are the
// errors of [Engine.Search].
func (e *Engine) Boundary(ctx context.Context, from, code string) (*BoundaryResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("radius: %w", err)
	}
	p, err := e.center(ctx, from)
	if err != nil {
		return nil, err
	}
	c, err := lookup.ParseCode(code)
	if err != nil {
		return nil, envelope.In("boundary", "code", err)
	}
	if c.Type() == lookup.Coordinates {
		return nil, &envelope.Failure{
			Op: "boundary", Kind: envelope.KindInvalidCode, Param: "code", Input: code, Range: "a ZIP Code, FSA or postal code, which have areas",
		}
	}
	index, area, found := e.areaOf(c)
	if !found {
		return nil, e.noArea(ctx, c)
	}
	d, _ := index.DistanceToBoundary(area, p.Location)
	res := &BoundaryResult{
		Item: envelope.Item{Success: true, Notices: p.Notices}, Center: newCenter(&p),
		Code: c.String(), CodeType: c.Type(), Inside: index.Covers(area, p.Location), Distance: newLength(d),
	}
	if parent := c.Parent(); parent.IsValid() {
		res.Code, res.CodeType = parent.String(), parent.Type()
	}
	return res, nil
}

// noArea returns the error for a code without an area: its outline is unavailable if the
// code or its parent exists; else the error is that of a lookup.
func (e *Engine) noArea(ctx context.Context, c lookup.Code) error {
	of := c
	if parent := c.Parent(); parent.IsValid() {
		of = parent
	}
	if _, err := e.reader.Quick(ctx, of.String(), lookup.QuickOptions{}); err != nil {
		return envelope.In("boundary", "", err)
	}
	return &envelope.Failure{
		Op: "boundary", Kind: envelope.KindUnavailable, Thing: envelope.ThingOutline, Input: c.String(),
		Detail: fmt.Sprintf("%v %q has no outline", c.Thing(), c),
	}
}

// areaOf returns the area of a code or of its parent. PO Box, unique and military ZIPs have none,
// although there may be an outline of the same code (decision D34).
func (e *Engine) areaOf(c lookup.Code) (index *spatial.PolygonIndex, area int, ok bool) {
	switch c.Type() {
	case lookup.ZIP, lookup.ZIP4:
		row, _ := e.data.ZIP(postcode.ZIPOf(c.String()))
		if area, ok = e.data.ZIPAreas().Find(postcode.ZIPOf(c.String())); ok && row.Class == store.General {
			return e.data.ZIPAreas().Index(), area, true
		}
	case lookup.FSA, lookup.Postal:
		if area, ok = e.data.FSAAreas().Find(postcode.FSAOf(c.String())); ok {
			return e.data.FSAAreas().Index(), area, true
		}
	default:
	}
	return nil, 0, false
}
