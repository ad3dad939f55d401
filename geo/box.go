package geo

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// A Box is a range of latitudes and longitudes. If the western longitude is
// greater than the eastern one, it crosses the antimeridian. The zero Box is
// empty.
type Box struct {
	SouthWest LatLng
	NorthEast LatLng
}

// BoundingBox returns the smallest box that contains the polygons, or the zero
// Box if they have no vertices. Invalid rings give an error that matches
// [ErrInvalidPolygon].
func BoundingBox(m orb.MultiPolygon) (Box, error) {
	var spans []lngSpan
	south, north := math.Inf(1), math.Inf(-1)
	for _, p := range m {
		for _, r := range p {
			ring, err := unwrapRing(r)
			if err != nil {
				return Box{}, err
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
		return Box{}, nil
	}
	s := joinSpans(spans)
	return Box{MustLatLng(south, s.west), MustLatLng(north, s.east)}, nil
}

// A lngSpan is a range of longitudes; east may run on beyond 180.
type lngSpan struct{ west, east float64 }

// joinSpans returns the narrowest span that contains all, the complement of the
// widest gap between them. East is at most 180, and less than west if the span
// crosses the antimeridian.
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

// IsEmpty reports whether the box holds nothing.
func (b Box) IsEmpty() bool { return !b.SouthWest.IsValid() || !b.NorthEast.IsValid() }

// CrossesAntimeridian reports whether the box holds points on both sides of
// longitude 180.
func (b Box) CrossesAntimeridian() bool { return b.SouthWest.lng > b.NorthEast.lng }

// Contains reports whether the point lies in the box or on its edge.
func (b Box) Contains(p LatLng) bool {
	if b.IsEmpty() || !p.IsValid() || p.Lat() < b.SouthWest.Lat() || p.Lat() > b.NorthEast.Lat() {
		return false
	}
	inside := func(lng float64) bool {
		if b.CrossesAntimeridian() {
			return lng >= b.SouthWest.lng || lng <= b.NorthEast.lng
		}
		return lng >= b.SouthWest.lng && lng <= b.NorthEast.lng
	}
	return inside(p.lng) || math.Abs(p.lng) == 180 && inside(-p.lng)
}

// Meets reports whether two boxes have a point in common, those of their edges
// included.
func (b Box) Meets(o Box) bool {
	if b.IsEmpty() || o.IsEmpty() || b.SouthWest.Lat() > o.NorthEast.Lat() || o.SouthWest.Lat() > b.NorthEast.Lat() {
		return false
	}
	east := func(b Box) float64 {
		if b.CrossesAntimeridian() {
			return b.NorthEast.lng + degreesPerTurn
		}
		return b.NorthEast.lng
	}
	for _, turn := range [...]float64{-degreesPerTurn, 0, degreesPerTurn} {
		if b.SouthWest.lng <= east(o)+turn && o.SouthWest.lng+turn <= east(b) {
			return true
		}
	}
	return false
}

// Center returns the middle of the box; it is not valid for an empty one.
func (b Box) Center() LatLng {
	if b.IsEmpty() {
		return LatLng{}
	}
	lng := (b.SouthWest.lng + b.NorthEast.lng) / 2
	if b.CrossesAntimeridian() {
		lng += math.Copysign(180, -lng)
	}
	return latLng((b.SouthWest.Lat()+b.NorthEast.Lat())/2, lng)
}

// Union returns the smallest box that holds both.
func (b Box) Union(c Box) Box {
	if b.IsEmpty() {
		return c
	}
	if c.IsEmpty() {
		return b
	}
	s := joinSpans([]lngSpan{b.span(), c.span()})
	return Box{
		latLng(min(b.SouthWest.Lat(), c.SouthWest.Lat()), s.west),
		latLng(max(b.NorthEast.Lat(), c.NorthEast.Lat()), s.east),
	}
}

func (b Box) span() lngSpan {
	s := lngSpan{b.SouthWest.lng, b.NorthEast.lng}
	if b.CrossesAntimeridian() {
		s.east += degreesPerTurn
	}
	return s
}
