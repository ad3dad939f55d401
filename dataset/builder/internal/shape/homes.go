package shape

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/rings"
	"github.com/postgeo/postgeo/internal/spatial"
)

// Homes resolves points to areas as readers of the dataset do: of overlapping
// areas, the smallest holds a point. The nil Homes has no areas.
type Homes[K cmp.Ordered] struct {
	keys     []K
	numbers  map[K]int
	polygons map[K]orb.MultiPolygon
	index    *spatial.PolygonIndex
}

// Homes returns the areas of the set with the keys that are known, or all; nil for a
// nil set. The set must not change afterwards.
func (s *OutlineSet[K]) Homes(known func(K) bool) (*Homes[K], error) {
	switch {
	case s == nil:
		return nil, nil
	case known == nil && s.homes != nil:
		return s.homes, nil
	}
	h := &Homes[K]{numbers: map[K]int{}, polygons: s.Polygons}
	var p spatial.PolygonIndexBuilder
	for _, k := range s.Keys() {
		if known != nil && !known(k) {
			continue
		}
		h.numbers[k], h.keys = len(h.keys), append(h.keys, k)
		if err := p.Add(s.Polygons[k]); err != nil {
			return nil, fmt.Errorf("outline of %s %s: %w", s.Kind, s.Label(k), err)
		}
	}
	packed, err := p.AppendBinary(nil)
	if err == nil {
		h.index, err = spatial.DecodePolygonIndex(packed)
	}
	if known == nil && err == nil {
		s.homes = h
	}
	return h, err
}

// Has reports whether the key has an area.
func (h *Homes[K]) Has(key K) bool {
	if h == nil {
		return false
	}
	i, ok := h.numbers[key]
	return ok && h.index.HasPolygon(i)
}

// Holds reports whether the point resolves to the area of the key.
func (h *Homes[K]) Holds(key K, p geo.LatLng) bool {
	if !h.Has(key) || !p.IsValid() {
		return false
	}
	i, ok := h.index.Containing(p)
	return ok && i == h.numbers[key]
}

// MilesTo returns the distance from the point to the area of the key, 0 within it
// and without an area.
func (h *Homes[K]) MilesTo(key K, p geo.LatLng) float64 {
	if !h.Has(key) || h.Holds(key, p) {
		return 0
	}
	i := h.numbers[key]
	if slices.Contains(h.index.AppendAround(nil, p), i) {
		return 0
	}
	d, _ := h.index.DistanceToBoundary(i, p)
	return float64(d.Miles())
}

// Within returns a point that resolves to the area of the key, or the zero LatLng
// if smaller areas cover all points that were tried: [PointWithin] and the middles
// of the longest stretches of parallels through the polygons.
func (h *Homes[K]) Within(key K) geo.LatLng {
	if !h.Has(key) {
		return geo.LatLng{}
	}
	if p := PointWithin(h.polygons[key]); h.Holds(key, p) {
		return p
	}
	const parallels = 32
	for _, polygon := range h.polygons[key] {
		box := polygon.Bound()
		for n := range parallels {
			y := box.Min[1] + (box.Max[1]-box.Min[1])*(float64(n)+0.5)/parallels
			x, _ := rings.Widest(crossings(polygon, y))
			if p, err := geo.LatLngFromDegrees(y, x); err == nil && h.Holds(key, p.Rounded()) {
				return p.Rounded()
			}
		}
	}
	return geo.LatLng{}
}

// Around returns the keys of the areas that a point belongs to.
func (h *Homes[K]) Around(p geo.LatLng) []K {
	found := h.index.AppendAround(nil, p)
	keys := make([]K, len(found))
	for i, at := range found {
		keys[i] = h.keys[at]
	}
	return keys
}
