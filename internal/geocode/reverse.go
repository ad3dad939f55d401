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
	within := float64(cmp.Or(opt.Within, DefaultWithin))
	best := Nearest{Item: envelope.Item{Success: true}}
	least := hit{score: math.Inf(1), away: within}
	found := false
	m := planeAt(at)
	for r, err := range e.data.RoadsNear(ctx, at, geo.Meters(within)) {
		if err != nil {
			return nil, err
		}
		if float64(r.Away) > least.reach() {
			break
		}
		h := nearestOn(&r.Road, at, m, within)
		if h.score >= least.score {
			continue
		}
		least, found = h, true
		best.Place = h.place(&r.Road)
		best.Street = r.String()
		e.setPlace(&best.Place, r.Area)
	}
	if !found {
		return nil, e.nothingNear(at)
	}
	best.DistanceM = round(span(m, at, best.Location))
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

// A position up to nearPoint from a point has its address. Longer pairs of points give
// no numbers between them. Both are in meters. The weights of distances find most
// streets of hidden address points of Vermont (TestVermont). A point is less certain
// than a line between points, unless it is the only one of its road. A long line is less
// certain than a short one.
const (
	nearPoint   = 20.0
	longestPair = 1_500.0
	farPoint    = 1.1
	lonePoint   = 0.9
	longPair    = 0.05
)

// A hit is the nearest place on a road: a point, a place between two points or on a
// segment.
type hit struct {
	score     float64 // the least is the best; below 0 at a point
	away      float64 // meters
	low, high int     // points; equal at a point, and negative on a segment
	segment   int
	part      float64 // of the way between both, or along the segment
	step      uint32  // between numbers
	side      int     // of the segment
}

// reach is the distance of the farthest road that can be better.
func (h *hit) reach() float64 {
	if h.score < 0 || math.IsInf(h.score, 1) {
		return h.away
	}
	return h.score
}

// nearestOn returns the nearest place on a road within a distance.
func nearestOn(r *dataset.Road, at geo.LatLng, m plane, within float64) hit {
	best, most := hit{score: math.Inf(1)}, within // most is the distance of the farthest point that can be better
	type known struct {
		i    int
		x, y float64
	}
	far := farPoint
	if len(r.Points) == 1 {
		far = lonePoint
	}
	last := [3]known{{i: -1}, {i: -1}, {i: -1}} // even numbers, odd ones, all
	for i := range r.Points {
		p := &r.Points[i]
		x, y := m.xy(p.Location)
		if square := float64(x*x) + float64(y*y); square <= most*most {
			d := math.Sqrt(square)
			score := far * d
			if d <= nearPoint {
				score = d - 2*nearPoint
			}
			if score < best.score {
				best = hit{score: score, away: d, low: i, high: i}
				most = min(most, max(d, nearPoint))
			}
		}
		for side := range last {
			if side < 2 && int(p.Number.Value%2) != side {
				continue
			}
			from := last[side]
			last[side] = known{i, x, y}
			if best.score < 0 || from.i < 0 || r.Points[from.i].Number.Prefix != p.Number.Prefix {
				continue
			}
			u, v := x-from.x, y-from.y
			square, along := float64(u*u)+float64(v*v), -(float64(from.x*u) + float64(from.y*v))
			if !(along > 0 && along < square && square <= longestPair*longestPair) {
				continue
			}
			gap := math.Sqrt(square)
			d := math.Abs(from.x*v-from.y*u) / gap
			if score := d + longPair*gap; score < best.score && d <= within {
				step := uint32(1)
				if side < 2 {
					step = 2
				}
				best = hit{score: score, away: d, low: from.i, high: i, part: along / square, step: step}
			}
		}
	}
	for i := range r.Segments {
		s := &r.Segments[i]
		if s.Left.Parity == 0 && s.Right.Parity == 0 {
			continue
		}
		d, part, side := project(s.Line, at)
		if d = max(d-float64(DefaultOffset), 0); d < best.score && d <= within {
			best = hit{score: d, away: d, low: -1, segment: i, part: part, side: side}
		}
	}
	return best
}

// place returns the place of a hit on a road.
func (h *hit) place(r *dataset.Road) Place {
	if h.low < 0 {
		return alongside(&r.Segments[h.segment], h.part, h.side)
	}
	low, high := &r.Points[h.low], &r.Points[h.high]
	n := low.Number
	if h.low != h.high {
		steps := float64(high.Number.Value-low.Number.Value) / float64(h.step)
		n = dataset.HouseNumber{Prefix: n.Prefix, Value: n.Value + h.step*uint32(math.Round(h.part*steps))}
	}
	switch n.Value {
	case low.Number.Value:
		return atPoint(low)
	case high.Number.Value:
		return atPoint(high)
	}
	m := planeAt(low.Location)
	x, y := m.xy(high.Location)
	return between(low, high, n, m.point(h.part*x, h.part*y), hypot(x, y))
}

// alongside returns the place of the number that a segment has at a part of its line.
func alongside(s *dataset.RoadSegment, part float64, side int) Place {
	sides := [...]dataset.NumberRange{s.Left, s.Right}
	if sides[side].Parity == 0 {
		side = 1 - side
	}
	of := sides[side]
	n := dataset.HouseNumber{Prefix: of.Prefix, Value: uint32(math.Round(float64(of.From) + part*(float64(of.To)-float64(of.From))))}
	if !of.Fits(n) {
		if n.Value++; n.Value > max(of.From, of.To) {
			n.Value -= 2
		}
	}
	return onSide(s, side, of, n, part, float64(DefaultOffset), 1)
}
