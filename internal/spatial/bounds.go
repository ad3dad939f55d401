package spatial

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// BoundingBox returns the smallest box that contains the polygons, or the zero
// Box if they have no vertices. Invalid rings give an error that matches
// [geo.ErrInvalidPolygon].
func BoundingBox(m orb.MultiPolygon) (geo.Box, error) {
	var spans []lngSpan
	south, north := math.Inf(1), math.Inf(-1)
	for _, p := range m {
		for _, r := range p {
			ring, err := unwrapRing(r)
			if err != nil {
				return geo.Box{}, err
			}
			if len(ring) == 0 {
				continue
			}
			s := lngSpan{math.Inf(1), math.Inf(-1)}
			for _, v := range ring {
				s = lngSpan{min(s.west, v[0]), max(s.east, v[0])}
				south, north = min(south, v[1]), max(north, v[1])
			}
			spans = append(spans, s)
		}
	}
	if len(spans) == 0 {
		return geo.Box{}, nil
	}
	s := joinSpans(spans)
	return geo.Box{SouthWest: geo.MustLatLng(south, s.west), NorthEast: geo.MustLatLng(north, s.east)}, nil
}

// A lngSpan is a range of longitudes; east may run on beyond 180.
type lngSpan struct{ west, east float64 }

// joinSpans returns the narrowest span that contains all, the complement of the
// widest gap between them. East is at most 180, and less than west if the span
// crosses the antimeridian. The lowest and highest longitudes are not enough: Alaska has
// islands on both sides of the antimeridian, and its box would go around the globe.
func joinSpans(spans []lngSpan) lngSpan {
	flat := make([]lngSpan, 0, 2*len(spans))
	for _, s := range spans {
		if s.east > 180 { // two pieces, one on either side
			flat = append(flat, lngSpan{-180, min(s.east-degreesPerTurn, 180)})
			s.east = 180
		}
		flat = append(flat, s)
	}
	slices.SortFunc(flat, func(a, b lngSpan) int { return cmp.Compare(a.west, b.west) })
	west, east := flat[0].west, flat[0].east
	var gap lngSpan
	for _, s := range flat[1:] {
		if s.west-east > gap.east-gap.west {
			gap = lngSpan{east, s.west}
		}
		east = max(east, s.east)
	}
	if seam := west + degreesPerTurn - east; gap.east-gap.west > seam {
		return lngSpan{gap.east, gap.west}
	}
	return lngSpan{west, east}
}

// Union returns the smallest box that holds both.
func Union(b, c geo.Box) geo.Box {
	if b.IsEmpty() {
		return c
	}
	if c.IsEmpty() {
		return b
	}
	s := joinSpans([]lngSpan{boxSpan(b), boxSpan(c)})
	return geo.Box{
		SouthWest: geo.MustLatLng(min(b.SouthWest.Lat(), c.SouthWest.Lat()), s.west),
		NorthEast: geo.MustLatLng(max(b.NorthEast.Lat(), c.NorthEast.Lat()), s.east),
	}
}

func boxSpan(b geo.Box) lngSpan {
	s := lngSpan{b.SouthWest.Lng(), b.NorthEast.Lng()}
	if b.CrossesAntimeridian() {
		s.east += degreesPerTurn
	}
	return s
}
