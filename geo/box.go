package geo

import "math"

const fullTurn = 360 // degrees

// A Box is a range of latitudes and longitudes. If the western longitude is
// greater than the eastern one, it crosses the antimeridian. The zero Box is
// empty.
type Box struct {
	SouthWest LatLng
	NorthEast LatLng
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
	return inside(p.lng) || math.Abs(p.lng) == 180 && inside(-p.lng) // 180 and -180 are one meridian
}

// Meets reports whether two boxes have a point in common, those of their edges
// included.
func (b Box) Meets(o Box) bool {
	if b.IsEmpty() || o.IsEmpty() || b.SouthWest.Lat() > o.NorthEast.Lat() || o.SouthWest.Lat() > b.NorthEast.Lat() {
		return false
	}
	east := func(b Box) float64 {
		if b.CrossesAntimeridian() {
			return b.NorthEast.lng + fullTurn
		}
		return b.NorthEast.lng
	}
	for _, turn := range [...]float64{-fullTurn, 0, fullTurn} {
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
