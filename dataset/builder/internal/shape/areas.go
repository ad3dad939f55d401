package shape

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// Areas finds the named areas that contain a point. The nil Areas is empty.
type Areas struct {
	ids     []string // of the areas in the index; some repeat
	builder spatial.PolygonIndexBuilder
	index   *spatial.PolygonIndex // nil after Add
}

// NewAreas returns an empty set.
func NewAreas() *Areas { return &Areas{} }

// Add takes polygons of the area with the given identifier. Polygons that are no
// outline contain nothing.
func (s *Areas) Add(id string, polygons orb.MultiPolygon) {
	for _, p := range polygons {
		if s.builder.Add(orb.MultiPolygon{p}) == nil {
			s.ids = append(s.ids, id)
		}
	}
	s.index = nil
}

// packed returns the index of the polygons that were added.
func (s *Areas) packed() *spatial.PolygonIndex {
	if s.index == nil {
		b, err := s.builder.AppendBinary(nil)
		if err == nil {
			s.index, err = spatial.DecodePolygonIndex(b)
		}
		if err != nil {
			panic(err) // the builder has checked the polygons
		}
	}
	return s.index
}

// At returns the areas that contain the point, in the order they were added
// and each once. A point on an edge is in one of the areas that share it.
func (s *Areas) At(point geo.LatLng) []string {
	if s == nil || !point.IsValid() {
		return nil
	}
	found := s.packed().AppendAround(nil, point)
	slices.Sort(found)
	var ids []string
	for _, i := range found {
		if !slices.Contains(ids, s.ids[i]) {
			ids = append(ids, s.ids[i])
		}
	}
	return ids
}

// First returns the first area that contains the point, or "".
func (s *Areas) First(point geo.LatLng) string {
	if ids := s.At(point); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// Contains reports whether the area contains the point.
func (s *Areas) Contains(id string, point geo.LatLng) bool { return slices.Contains(s.At(point), id) }

// Ids returns the identifiers of the areas.
func (s *Areas) Ids() map[string]bool {
	ids := map[string]bool{}
	if s != nil {
		for _, id := range s.ids {
			ids[id] = true
		}
	}
	return ids
}

// Near returns the area whose outline is nearest to the point within the limit, or "".
// The first added wins a tie.
func (s *Areas) Near(point geo.LatLng, limit geo.Meters) (id string) {
	if !point.IsValid() {
		return ""
	}
	const corners = 16
	around, err := spatial.NewCircle(point, limit)
	if err != nil {
		return ""
	}
	ring, err := around.Ring(corners)
	if err != nil {
		return ""
	}
	box := BoxAround(orb.MultiPolygon{{ring}})
	for i, of := range s.ids {
		if !box.Meets(s.packed().Box(i)) {
			continue
		}
		if d, ok := s.index.DistanceToBoundary(i, point); ok && d < limit {
			limit, id = d, of
		}
	}
	return id
}

// Radius returns the radius in miles of a circle with an area in square meters.
func Radius(area int64) float64 {
	return float64(geo.Meters(math.Sqrt(float64(area) / math.Pi)).Miles())
}

// Miles returns the geodesic distance between two valid points.
func Miles(a, b geo.LatLng) float64 { return float64(geo.Distance(a, b).Miles()) }
