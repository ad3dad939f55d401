package store

import (
	"cmp"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// mergedRoads joins the records of each street of an area. Streets come in the order of
// their names. A number keeps its most accurate point, and of equal ones that of
// the source that was given first.
func mergedRoads(list []Road) []Road {
	type named struct {
		roadID
		Road
	}
	all := make([]named, len(list))
	for i, r := range list {
		if all[i].Road = r; i > 0 && r.RoadName == list[i-1].RoadName {
			all[i].roadID = all[i-1].roadID
		} else {
			all[i].roadID = r.id()
		}
	}
	slices.SortStableFunc(all, func(x, y named) int { return x.compare(y.roadID) })
	out := make([]Road, 0, len(all)/4+1)
	for len(all) > 0 {
		n, r := 1, all[0].Road
		r.Points, r.Segments = slices.Clip(r.Points), slices.Clip(r.Segments)
		for ; n < len(all) && all[n].roadID == all[0].roadID; n++ {
			r.Points = append(r.Points, all[n].Points...)
			r.Segments = append(r.Segments, all[n].Segments...)
		}
		r.Points, r.Segments = mergedPoints(r.Points), mergedSegments(r.Segments)
		out, all = append(out, r), all[n:]
	}
	return out
}

// mergedPoints keeps one point of each number. Of equally accurate ones of one
// source it keeps the one in the middle.
func mergedPoints(list []AddressPoint) []AddressPoint {
	slices.SortStableFunc(list, func(x, y AddressPoint) int {
		return cmp.Or(x.Number.Compare(y.Number), cmp.Compare(x.Origin.Placement, y.Origin.Placement))
	})
	out := list[:0]
	for len(list) > 0 {
		n, same := 1, 1
		for n < len(list) && list[n].Number == list[0].Number {
			if n == same && list[n].Origin == list[0].Origin {
				same++
			}
			n++
		}
		best := list[middlePoint(list[:same])]
		best.Location = cellOf(best.Location).point()
		out, list = append(out, best), list[n:]
	}
	return out
}

// middlePoint returns the position of the point with the least sum of distances to
// the others.
func middlePoint(list []AddressPoint) int {
	const most = 200
	best, least := 0, 0.0
	for i := range list[:min(len(list), most)] {
		sum := 0.0
		for k := range list[:min(len(list), most)] {
			sum += cellOf(list[i].Location).away(cellOf(list[k].Location))
		}
		if i == 0 || sum < least {
			best, least = i, sum
		}
	}
	return best
}

// mergedSegments keeps one of the segments with the same numbers whose ends are
// near, and simplifies lines.
func mergedSegments(list []RoadSegment) []RoadSegment {
	const near = 40 // meters
	slices.SortStableFunc(list, func(x, y RoadSegment) int { return cmp.Compare(x.lowest(), y.lowest()) })
	out := list[:0]
	for _, s := range list {
		twin := false
		for k := len(out) - 1; k >= 0 && out[k].lowest() == s.lowest() && !twin; k-- {
			o := &out[k]
			a, b, c, d := cellOf(s.Line[0]), cellOf(s.Line[len(s.Line)-1]), cellOf(o.Line[0]), cellOf(o.Line[len(o.Line)-1])
			forward := s.Left == o.Left && s.Right == o.Right && a.away(c) < near && b.away(d) < near
			backward := s.Left == o.Right.reversed() && s.Right == o.Left.reversed() && a.away(d) < near && b.away(c) < near
			twin = forward || backward
		}
		if !twin {
			s.Line = slices.Clone(simplified(s.Line))
			for i, p := range s.Line {
				s.Line[i] = cellOf(p).point()
			}
			out = append(out, s)
		}
	}
	return out
}

func (r NumberRange) reversed() NumberRange {
	r.From, r.To = r.To, r.From
	return r
}

// lowest returns the lowest number of a segment.
func (s *RoadSegment) lowest() uint32 {
	low := uint32(maxNumber)
	for _, r := range [...]NumberRange{s.Left, s.Right} {
		if r.Parity != 0 {
			low = min(low, r.From, r.To)
		}
	}
	return low
}

// tolerance is the greatest distance of a simplified line from the original, in
// meters.
const lineTolerance = 1.5

// simplified leaves out the points of a line that are near the line without them
// (Douglas and Peucker 1973).
func simplified(line []geo.LatLng) []geo.LatLng {
	if len(line) <= 2 {
		return line
	}
	a, b := cellOf(line[0]), cellOf(line[len(line)-1])
	far, most := 0, float64(lineTolerance)
	for i := 1; i < len(line)-1; i++ {
		if d := cellOf(line[i]).fromLine(a, b); d > most {
			far, most = i, d
		}
	}
	if far == 0 {
		return []geo.LatLng{line[0], line[len(line)-1]}
	}
	first, rest := simplified(line[:far+1]), simplified(line[far:])
	return append(slices.Clip(first), rest[1:]...)
}

// fromLine returns the distance of a cell from the line between two others.
func (c cell) fromLine(a, b cell) float64 {
	ab := float64(b.Lat-a.Lat)*float64(b.Lat-a.Lat) + float64(b.Lng-a.Lng)*float64(b.Lng-a.Lng)
	if ab == 0 {
		return c.away(a)
	}
	t := (float64(c.Lat-a.Lat)*float64(b.Lat-a.Lat) + float64(c.Lng-a.Lng)*float64(b.Lng-a.Lng)) / ab
	t = min(max(t, 0), 1)
	return c.away(cell{a.Lat + int32(t*float64(b.Lat-a.Lat)), a.Lng + int32(t*float64(b.Lng-a.Lng))})
}
