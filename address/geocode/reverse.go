package geocode

import (
	"cmp"
	"context"
	"math"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// DefaultWithin is the default of [ReverseOptions].Within.
const DefaultWithin geo.Meters = 500

const maxWithin geo.Meters = 5_000

// Reverse returns the address nearest to a position: an address point, or the
// number that a segment has there. The error matches [envelope.ErrInvalidCode] for a point
// that is not valid, and [envelope.ErrInvalidParam] for an option out of range.
func (e *Engine) Reverse(ctx context.Context, at geo.LatLng, opt ReverseOptions) (*Nearest, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	if !at.IsValid() {
		return nil, &envelope.Failure{Op: "reverse", Kind: envelope.KindInvalidCode, Thing: envelope.ThingCoordinates, Detail: "the point is not valid; create it by geo.LatLngFromDegrees or geo.ParseLatLng"}
	}
	within := cmp.Or(opt.Within, DefaultWithin)
	search, err := e.data.SearchRoads(ctx, at, within)
	if err != nil {
		return nil, err
	}
	defer search.Close()
	if !e.data.HasRoads() {
		return nil, lacking(at, "")
	}
	m := planeAt(at)
	nearest, least, err := nearestRoad(ctx, search, at, m, float64(within))
	if err != nil {
		return nil, err
	}
	if nearest.RoadOutline == nil {
		return nil, e.nothingNear(at)
	}
	r, err := search.Road(ctx, nearest)
	if err != nil {
		return nil, err
	}
	best := Nearest{Item: envelope.Item{Success: true}}
	best.Place = least.place(&r)
	e.setPlace(&best.Place, nearest.Area)
	best.Street = streetOf(&r.RoadName, nearest.Area, best.State)
	best.DistanceM = round(span(m, at, best.Location))
	best.setFormatted()
	best.Areas, best.Notices, err = e.areasAt(ctx, at, opt.areas(), nil, &best.Place)
	return &best, err
}

// nothingNear returns the error of a position without an address. If the nearest code
// has no roads, they are unavailable, except far from all codes.
func (e *Engine) nothingNear(at geo.LatLng) error {
	const far = 40_000 // meters
	e.prepare()
	if near := e.points.AppendNearest(nil, at, 1); len(near) > 0 && near[0].Distance < far && e.data.RoadCoverage(e.areas[near[0].Index]).Roads == 0 {
		return lacking(at, " of "+e.areas[near[0].Index].String())
	}
	return &envelope.Failure{
		Op: "reverse", Kind: envelope.KindNotFound, Thing: envelope.ThingAddress, Input: at.String(), Detail: "no address near " + at.String() + " found",
	}
}

// lacking returns the error of a position where the dataset has no streets.
func lacking(at geo.LatLng, where string) error {
	const records = "streets and address points"
	return &envelope.Failure{
		Op: "reverse", Kind: envelope.KindUnavailable, Thing: envelope.ThingAddress, Input: at.String(), Lacks: records + where,
		Detail: "no address near " + at.String() + " is known: this dataset holds no " + records + where,
	}
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
// segment. Scores are distances in meters with weights. A point within nearPoint scores
// below zero, so that it precedes every line. A farther point scores farPoint times its
// distance, a line between points its distance and a part of its length, and a segment its
// distance less the offset of houses.
type hit struct {
	score     float64 // the least is the best; below 0 at a point
	away      float64 // meters
	low, high int     // points; equal at a point, and negative on a segment
	segment   int
	part      float64 // of the way between both, or along the segment
	step      uint32  // between numbers
	side      int     // of the segment
}

// reach is the distance of the farthest point that can be better. It is more than the
// score: a lone point counts for less than its distance, and one within nearPoint precedes
// all lines. Searches that ended at the distance of a line missed both.
func (h *hit) reach() float64 {
	if h.score < 0 || math.IsInf(h.score, 1) {
		return h.away
	}
	return max(h.score/lonePoint, nearPoint)
}

// nearestRoad returns the road of the nearest place of a search, without an outline if
// there is none. Roads come by the distance of their boxes, which is at most that of any
// place on them; the search ends when no place at such a distance can be better. Only roads
// with ranges are decoded here, and the winner once more by the caller.
func nearestRoad(ctx context.Context, search *store.RoadSearch, at geo.LatLng, m plane, within float64) (nearest store.NearRoad, least hit, err error) {
	least = hit{score: math.Inf(1), away: within}
	var segments []store.RoadSegment
	for {
		n, ok, err := search.Next(ctx)
		// The score of a segment is its distance less the offset of houses.
		if err != nil || !ok || float64(n.Away) > max(least.reach(), least.score+float64(DefaultOffset)) {
			return nearest, least, err
		}
		h := nearestPoint(n.RoadOutline, at, m, within, least)
		if n.Ranges {
			r, err := search.Road(ctx, n)
			if err != nil {
				return nearest, least, err
			}
			segments = r.Segments.Append(segments[:0])
			h = nearestSegment(segments, at, within, h)
		}
		if h.score < least.score {
			least, nearest = h, n
		}
	}
}

// nearestPoint returns the nearest place at a point or between two points of a road if it
// is nearer than least.
func nearestPoint(r *store.RoadOutline, at geo.LatLng, m plane, within float64, least hit) hit {
	best, most := least, within // most is the distance of the farthest point that can be better
	far := farPoint
	if len(r.Points) == 1 {
		far = lonePoint
	}
	const cells = store.CellsOfDegree
	lat, lng := at.Lat()*cells, at.Lng()*cells
	perLat, perLng := m.perLat/cells, m.perLng/cells
	xy := func(p *store.NearPoint) (x, y float64) {
		return (float64(p.Lng) - lng) * perLng, (float64(p.Lat) - lat) * perLat
	}
	i := 0
	for g := range r.Groups {
		group := &r.Groups[g]
		x := max(float64(group.Low[1])-lng, lng-float64(group.High[1]), 0) * perLng
		y := max(float64(group.Low[0])-lat, lat-float64(group.High[0]), 0) * perLat
		if reach := best.reach(); x*x+y*y > reach*reach {
			i = group.End
			continue
		}
		for ; i < group.End; i++ {
			p := &r.Points[i]
			x, y := xy(p)
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
			if best.score < 0 { // a point, which no line beats
				continue
			}
			for side, from := range [...]int32{p.LastSame, p.Last} {
				if from < 0 {
					continue
				}
				fromX, fromY := xy(&r.Points[from])
				u, v := x-fromX, y-fromY
				square, along := float64(u*u)+float64(v*v), -(float64(fromX*u) + float64(fromY*v))
				if !(along > 0 && along < square && square <= longestPair*longestPair) {
					continue
				}
				gap := math.Sqrt(square)
				d := math.Abs(fromX*v-fromY*u) / gap
				if score := d + longPair*gap; score < best.score && d <= within {
					best = hit{score: score, away: d, low: int(from), high: i, part: along / square, step: uint32(2 - side)}
				}
			}
		}
	}
	return best
}

// nearestSegment returns the nearest place on a segment of a road if it is nearer than
// best.
func nearestSegment(segments []store.RoadSegment, at geo.LatLng, within float64, best hit) hit {
	for i := range segments {
		s := &segments[i]
		if s.Left.Parity == 0 && s.Right.Parity == 0 { // without numbers, there is no address
			continue
		}
		d, part, side := project(s.Line, at)
		if d = max(d-float64(DefaultOffset), 0); d < best.score && d <= within {
			best = hit{score: d, away: d, low: -1, segment: i, part: part, side: side}
		}
	}
	return best
}

func (h *hit) place(r *store.RoadRow) Place {
	if h.low < 0 {
		s := r.Segments.At(h.segment)
		return alongside(&s, h.part, h.side)
	}
	low, high := r.Points.At(h.low), r.Points.At(h.high)
	n := low.Number
	if h.low != h.high {
		steps := float64(high.Number.Value-low.Number.Value) / float64(h.step)
		n = store.HouseNumber{Prefix: n.Prefix, Value: n.Value + h.step*uint32(math.Round(h.part*steps))}
	}
	switch n.Value {
	case low.Number.Value:
		return atPoint(low)
	case high.Number.Value:
		return atPoint(high)
	}
	m := planeAt(low.Location)
	x, y := m.xy(high.Location)
	return between(&low, &high, n, m.point(h.part*x, h.part*y), hypot(x, y))
}

// alongside returns the place of the number that a segment has at a part of its line.
func alongside(s *store.RoadSegment, part float64, side int) Place {
	sides := [...]store.NumberRange{s.Left, s.Right}
	if sides[side].Parity == 0 {
		side = 1 - side
	}
	of := sides[side]
	n := store.HouseNumber{Prefix: of.Prefix, Value: uint32(math.Round(float64(of.From) + part*(float64(of.To)-float64(of.From))))}
	if !of.Fits(n) {
		if n.Value++; n.Value > max(of.From, of.To) {
			n.Value -= 2
		}
	}
	return onSide(s, side, of, n, part, float64(DefaultOffset), 1)
}
