package storewrite

import (
	"cmp"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/cell"
)

// mergedRoads joins the records of each street of an area. Streets come in the order of
// their names. A number keeps its most accurate point, and of equal ones that of
// the source that was given first. Roads are joined when they are spooled, to take less room,
// and again with those of other flushes and of the base.
func mergedRoads(list []store.Road) []store.Road {
	type named struct {
		spelled store.RoadName // equal for all spellings of the name
		store.Road
	}
	all := make([]named, len(list))
	for i, r := range list {
		if all[i].Road = r; i > 0 && r.RoadName == list[i-1].RoadName {
			all[i].spelled = all[i-1].spelled
		} else {
			all[i].spelled = r.RoadName
			all[i].spelled.Name = pub28.Key(r.Name)
		}
	}
	slices.SortStableFunc(all, func(x, y named) int {
		n, o := &x.spelled, &y.spelled
		return cmp.Or(cmp.Compare(n.Name, o.Name), cmp.Compare(n.PreDir, o.PreDir), cmp.Compare(n.Suffix, o.Suffix), cmp.Compare(n.PostDir, o.PostDir))
	})
	out := make([]store.Road, 0, len(all)/4+1)
	for len(all) > 0 {
		n, r := 1, all[0].Road
		r.Points, r.Segments = slices.Clip(r.Points), slices.Clip(r.Segments)
		for ; n < len(all) && all[n].spelled == all[0].spelled; n++ {
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
func mergedPoints(list []store.AddressPoint) []store.AddressPoint {
	slices.SortStableFunc(list, func(x, y store.AddressPoint) int {
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
		best.Location = cell.Of(best.Location).Point()
		out, list = append(out, best), list[n:]
	}
	return out
}

// middlePoint returns the position of the point with the least sum of distances to
// the others, of the first 200. It is one of the points, as a mean could lie between two buildings.
func middlePoint(list []store.AddressPoint) int {
	const most = 200
	best, least := 0, 0.0
	for i := range list[:min(len(list), most)] {
		sum := 0.0
		for k := range list[:min(len(list), most)] {
			sum += cell.Of(list[i].Location).Away(cell.Of(list[k].Location))
		}
		if i == 0 || sum < least {
			best, least = i, sum
		}
	}
	return best
}

// mergedSegments keeps one of the segments with the same numbers whose ends are
// near, and simplifies lines.
func mergedSegments(list []store.RoadSegment) []store.RoadSegment {
	const near = 40 // meters
	slices.SortStableFunc(list, func(x, y store.RoadSegment) int { return cmp.Compare(lowest(&x), lowest(&y)) })
	out := list[:0]
	for _, s := range list {
		twin := false
		for k := len(out) - 1; k >= 0 && lowest(&out[k]) == lowest(&s) && !twin; k-- {
			o := &out[k]
			a, b, c, d := cell.Of(s.Line[0]), cell.Of(s.Line[len(s.Line)-1]), cell.Of(o.Line[0]), cell.Of(o.Line[len(o.Line)-1])
			forward := s.Left == o.Left && s.Right == o.Right && a.Away(c) < near && b.Away(d) < near
			backward := s.Left == reversed(o.Right) && s.Right == reversed(o.Left) && a.Away(d) < near && b.Away(c) < near
			twin = forward || backward
		}
		if !twin {
			s.Line = slices.Clone(simplified(s.Line))
			for i, p := range s.Line {
				s.Line[i] = cell.Of(p).Point()
			}
			out = append(out, s)
		}
	}
	return out
}

func reversed(r store.NumberRange) store.NumberRange {
	r.From, r.To = r.To, r.From
	return r
}

// lowest returns the lowest number of a segment.
func lowest(s *store.RoadSegment) uint32 {
	low := uint32(math.MaxInt32)
	for _, r := range [...]store.NumberRange{s.Left, s.Right} {
		if r.Parity != 0 {
			low = min(low, r.From, r.To)
		}
	}
	return low
}

// lineTolerance is the greatest distance of a simplified line from the original, in
// meters.
const lineTolerance = 1.5

// simplified leaves out the points of a line that are near the line without them
// (Douglas and Peucker 1973).
func simplified(line []geo.LatLng) []geo.LatLng {
	if len(line) <= 2 {
		return line
	}
	a, b := cell.Of(line[0]), cell.Of(line[len(line)-1])
	far, most := 0, float64(lineTolerance)
	for i := 1; i < len(line)-1; i++ {
		if d := fromLine(cell.Of(line[i]), a, b); d > most {
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
func fromLine(c, a, b cell.Cell) float64 {
	ab := float64(b.Lat-a.Lat)*float64(b.Lat-a.Lat) + float64(b.Lng-a.Lng)*float64(b.Lng-a.Lng)
	if ab == 0 {
		return c.Away(a)
	}
	t := (float64(c.Lat-a.Lat)*float64(b.Lat-a.Lat) + float64(c.Lng-a.Lng)*float64(b.Lng-a.Lng)) / ab
	t = min(max(t, 0), 1)
	return c.Away(cell.Cell{Lat: a.Lat + int32(t*float64(b.Lat-a.Lat)), Lng: a.Lng + int32(t*float64(b.Lng-a.Lng))})
}
