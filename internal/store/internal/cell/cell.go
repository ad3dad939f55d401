// Package cell defines positions in units of 1e-5 degree, about a meter, and boxes around them.
// Address points and streets are stored in it. Distances are in a plane about the cell, which is
// enough to compare places on one street and takes no geodesic. Boxes do not go around the
// antimeridian.
package cell

import (
	"math"

	"github.com/postgeo/postgeo/geo"
)

// A Cell is a position in units of 1e-5 degree.
type Cell struct{ Lat, Lng int32 }

// OfDegree is the number of units of a degree.
const OfDegree = 100_000

// Of returns the cell of a point.
func Of(p geo.LatLng) Cell {
	return Cell{int32(math.Round(p.Lat() * OfDegree)), int32(math.Round(p.Lng() * OfDegree))}
}

// Valid reports whether the cell is on the Earth.
func (c Cell) Valid() bool {
	return c.Lat >= -90*OfDegree && c.Lat <= 90*OfDegree && c.Lng >= -180*OfDegree && c.Lng <= 180*OfDegree
}

// Point returns the point of the cell.
func (c Cell) Point() geo.LatLng { return geo.LatLngFromMicrodegrees(c.Lat*10, c.Lng*10) }

// metersOfCell is the length of a cell along a meridian.
const metersOfCell = 1.1132

// Away returns the distance between two cells in meters, on a plane.
func (c Cell) Away(o Cell) float64 {
	dx := float64(c.Lng-o.Lng) * math.Cos(float64(c.Lat)*math.Pi/180/OfDegree)
	return metersOfCell * math.Hypot(dx, float64(c.Lat-o.Lat))
}

// A Box is the bounding box of cells.
type Box struct{ Low, High Cell }

// Empty is a box without cells.
var Empty = Box{Cell{math.MaxInt32, math.MaxInt32}, Cell{math.MinInt32, math.MinInt32}}

// Add extends the box to contain a cell.
func (b *Box) Add(c Cell) {
	b.Low = Cell{min(b.Low.Lat, c.Lat), min(b.Low.Lng, c.Lng)}
	b.High = Cell{max(b.High.Lat, c.Lat), max(b.High.Lng, c.Lng)}
}

// Away returns the distance of the box from a cell in meters; 0 inside.
func (b Box) Away(c Cell) float64 {
	return c.Away(Cell{min(max(c.Lat, b.Low.Lat), b.High.Lat), min(max(c.Lng, b.Low.Lng), b.High.Lng)})
}

// Around returns the box around a cell that holds all cells up to a distance.
func (c Cell) Around(meters float64) Box {
	lat := meters/metersOfCell + 1
	lng := lat / max(math.Cos(float64(c.Lat)*math.Pi/180/OfDegree), 0.01)
	return Box{Cell{c.Lat - int32(lat), c.Lng - int32(lng)}, Cell{c.Lat + int32(lat), c.Lng + int32(lng)}}
}

// Meets reports whether two boxes have a cell in common.
func (b *Box) Meets(o Box) bool {
	// A side beyond the other box makes a difference negative. One branch for the four of them
	// is what a processor predicts.
	return (o.High.Lat-b.Low.Lat)|(o.High.Lng-b.Low.Lng)|(b.High.Lat-o.Low.Lat)|(b.High.Lng-o.Low.Lng) >= 0
}
