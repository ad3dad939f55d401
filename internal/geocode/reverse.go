package geocode

import (
	"cmp"
	"context"
	"math"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/fault"
)

// The default and the greatest distance of an address. DefaultWithin is the default
// of ReverseOptions.Within.
const (
	DefaultWithin geo.Meters = 500
	maxWithin     geo.Meters = 5_000
)

// Reverse returns the address nearest to a position: an address point, or the
// number that a segment has there.
func (e *Engine) Reverse(ctx context.Context, at geo.LatLng, opt ReverseOptions) (*Nearest, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	if !at.IsValid() {
		return nil, &fault.Error{Op: "reverse", Kind: fault.InvalidCode, Thing: fault.Coordinates, Input: at.String()}
	}
	if err := e.data.Load(ctx, dataset.SectionRoads); err != nil {
		return nil, err
	}
	if !e.data.HasRoads() {
		return nil, &fault.Error{Op: "reverse", Kind: fault.Unavailable, Thing: fault.Address, Input: at.String(), Lacks: "streets and address points"}
	}
	best := Nearest{Item: envelope.Item{Success: true}}
	least := float64(cmp.Or(opt.Within, DefaultWithin))
	found := false
	for r, err := range e.data.RoadsNear(ctx, at, geo.Meters(least)) {
		if err != nil {
			return nil, err
		}
		if float64(r.Away) > least {
			break
		}
		if p, away, ok := nearestOn(&r.Road, at, least); ok {
			least, found = away, true
			best.Place, best.DistanceM = p, round(away)
			best.Street = r.String()
			e.setPlace(&best.Place, r.Area)
		}
	}
	if !found {
		return nil, e.nothingNear(at)
	}
	best.setFormatted()
	var err error
	best.Areas, best.Notices, err = e.areasAt(ctx, at, opt.Include, nil)
	return &best, err
}

// nothingNear returns the error of a position without an address. If the nearest code
// has no roads, they are unavailable, except far from all codes.
func (e *Engine) nothingNear(at geo.LatLng) error {
	const far = 40_000 // meters
	e.prepare()
	err := &fault.Error{Op: "reverse", Kind: fault.NotFound, Thing: fault.Address, Input: at.String()}
	if near := e.points.AppendNearest(nil, at, 1); len(near) > 0 && near[0].Distance < far && e.data.RoadCoverage(e.areas[near[0].Index]).Roads == 0 {
		err.Kind, err.Lacks = fault.Unavailable, "streets and address points of "+e.areas[near[0].Index].String()
	}
	return err
}

// A position is at a point up to a distance from it. Pairs of points with a greater
// distance give no numbers between them. Both are in meters.
const (
	atPoint     = 10.0
	longestPair = 1_000.0
)

// nearestOn returns the address of a road that is nearest to a position, if it is
// nearer than the limit.
func nearestOn(r *dataset.Road, at geo.LatLng, limit float64) (best Place, away float64, ok bool) {
	m := planeAt(at)
	away = limit
	for i := range r.Points {
		p := &r.Points[i]
		x, y := m.xy(p.Location)
		if d := math.Hypot(x, y); d < away {
			away, ok = d, true
			best = Place{
				Precision: Point, Location: p.Location, RadiusM: round(pointRadius(p.Origin.Placement)), Number: p.Number.String(),
				Record: &Record{Source: p.Origin.Source, Kind: "point"},
			}
		}
		if i == 0 || p.Number.Prefix != r.Points[i-1].Number.Prefix || away <= atPoint {
			continue
		}
		last := &r.Points[i-1]
		line := []geo.LatLng{last.Location, p.Location}
		gap := span(m, line[0], line[1])
		d, part, _ := project(line, at)
		if gap > longestPair || part <= 0 || part >= 1 || d >= away {
			continue
		}
		away, ok = max(d, atPoint), true
		place, _ := along(line, part, 0)
		n := dataset.HouseNumber{Prefix: p.Number.Prefix, Value: last.Number.Value + uint32(math.Round(part*float64(p.Number.Value-last.Number.Value)))}
		best = Place{
			Precision: Interpolated, Location: place, RadiusM: round(gapRadius(gap)), Number: n.String(),
			Record: &Record{Source: p.Origin.Source, Kind: "points", From: last.Number.String(), To: p.Number.String(), Length: round(gap)},
		}
	}
	for i := range r.Segments {
		s := &r.Segments[i]
		d, part, left := project(s.Line, at)
		if d = max(d-float64(DefaultOffset), 0); d >= away {
			continue
		}
		of, side, offset := s.Right, "right", -float64(DefaultOffset)
		if left && s.Left.Parity != 0 || s.Right.Parity == 0 {
			of, side, offset = s.Left, "left", float64(DefaultOffset)
		}
		if of.Parity == 0 {
			continue
		}
		v := math.Round(float64(of.From) + part*(float64(of.To)-float64(of.From)))
		n := uint32(v)
		if of.Parity != 'B' && (n%2 == 1) != (of.Parity == 'O') {
			if n++; n > max(of.From, of.To) {
				n -= 2
			}
		}
		place, length := along(s.Line, part, offset)
		away, ok = d, true
		best = Place{
			Precision: Interpolated, Location: place, RadiusM: round(max(leastRadius, radiusOfSegment*length)), Number: rangeEnd(of, n), Side: side,
			Record: &Record{Source: s.Origin.Source, Kind: "segment", From: rangeEnd(of, of.From), To: rangeEnd(of, of.To), Length: round(length)},
		}
	}
	return best, away, ok
}
