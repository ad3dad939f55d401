package store

import (
	"cmp"
	"fmt"
	"math"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/pub28"
)

// A roadID is equal for all spellings of the name of a street.
type roadID struct{ key, pre, suffix, post string }

func (n RoadName) id() roadID { return roadID{pub28.Key(n.Name), n.PreDir, n.Suffix, n.PostDir} }

func (x roadID) compare(y roadID) int {
	return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.pre, y.pre), cmp.Compare(x.suffix, y.suffix), cmp.Compare(x.post, y.post))
}

// A Placement is the accuracy of an address point.
type Placement uint8

// The placements, the most accurate first.
const (
	PlacementStructure Placement = iota // a building or its entrance
	PlacementSite                       // the site, or not described
	PlacementEntry                      // the driveway or the access from the street
	PlacementParcel                     // the middle of a parcel
	PlacementBlock                      // the block face, or along a line
	numPlacements
)

// A CodeBasis is the reason for the area of a point or segment.
type CodeBasis uint8

// The bases.
const (
	CodeGiven     CodeBasis = iota // the source has the code
	CodeOfOutline                  // the outline of the code contains the position
	CodeOfNearest                  // the point of the code is the nearest
	numBases
)

// String returns the name, such as "outline".
func (b CodeBasis) String() string {
	switch b {
	case CodeGiven:
		return "given"
	case CodeOfOutline:
		return "outline"
	case CodeOfNearest:
		return "nearest"
	default:
		return fmt.Sprintf("CodeBasis(%d)", b)
	}
}

// A RoadOrigin is a source of a street with the accuracy of its points.
type RoadOrigin struct {
	Source    string // identifier in the manifest
	Placement Placement
	Code      CodeBasis
}

// An AddressPoint is an address of known position. Coordinates are rounded to
// 1e-5 degree.
type AddressPoint struct {
	Number   HouseNumber
	Location geo.LatLng
	Origin   RoadOrigin
}

// A RoadSegment is a piece of a street with the numbers along its sides, as seen
// from the first point of the line. Coordinates are rounded to 1e-5 degree.
type RoadSegment struct {
	Line        []geo.LatLng
	Left, Right NumberRange
	Origin      RoadOrigin
}

// A NumberRange has the numbers at the beginning and the end of a line, which may
// fall. The zero value has no numbers.
type NumberRange struct {
	Prefix   string // of both ends, as in 61-15
	From, To uint32
	Parity   byte // O odd, E even, B both; 0 without numbers
}

// Has reports whether the range may contain a number.
func (r NumberRange) Has(n HouseNumber) bool {
	return n.Value >= min(r.From, r.To) && n.Value <= max(r.From, r.To) && r.Fits(n)
}

// Fits reports whether the range has the prefix and the parity of a number.
func (r NumberRange) Fits(n HouseNumber) bool {
	switch r.Parity {
	case 'O', 'E':
		return n.Prefix == r.Prefix && (r.Parity == 'O') == (n.Value%2 == 1)
	default:
		return n.Prefix == r.Prefix && r.Parity == 'B'
	}
}

// A Road is a street of an area with its points by number and its segments.
type Road struct {
	Area Code
	RoadName
	Points   []AddressPoint
	Segments []RoadSegment
}

// A cell is a position in units of 1e-5 degree.
type cell struct{ Lat, Lng int32 }

const cellsOfDegree = 100_000

// The limits of a road.
const (
	maxVertices = 1 << 16 // of a line
	maxNumber   = 1<<31 - 1
	maxRoadName = 100 // bytes
)

func cellOf(p geo.LatLng) cell {
	return cell{int32(math.Round(p.Lat() * cellsOfDegree)), int32(math.Round(p.Lng() * cellsOfDegree))}
}

func (c cell) valid() bool {
	return c.Lat >= -90*cellsOfDegree && c.Lat <= 90*cellsOfDegree && c.Lng >= -180*cellsOfDegree && c.Lng <= 180*cellsOfDegree
}

func (c cell) point() geo.LatLng { return geo.LatLngFromMicrodegrees(c.Lat*10, c.Lng*10) }

// metersOfCell is the length of a cell along a meridian.
const metersOfCell = 1.1132

// away returns the distance between two cells in meters, on a plane.
func (c cell) away(o cell) float64 {
	dx := float64(c.Lng-o.Lng) * math.Cos(float64(c.Lat)*math.Pi/180/cellsOfDegree)
	return metersOfCell * math.Hypot(dx, float64(c.Lat-o.Lat))
}

// A cellBox is the bounding box of cells.
type cellBox struct{ Low, High cell }

var emptyBox = cellBox{cell{math.MaxInt32, math.MaxInt32}, cell{math.MinInt32, math.MinInt32}}

func (b *cellBox) add(c cell) {
	b.Low = cell{min(b.Low.Lat, c.Lat), min(b.Low.Lng, c.Lng)}
	b.High = cell{max(b.High.Lat, c.Lat), max(b.High.Lng, c.Lng)}
}

// away returns the distance of the box from a cell in meters; 0 inside.
func (b cellBox) away(c cell) float64 {
	return c.away(cell{min(max(c.Lat, b.Low.Lat), b.High.Lat), min(max(c.Lng, b.Low.Lng), b.High.Lng)})
}

// around returns the box around a cell that holds all cells up to a distance.
func (c cell) around(meters float64) cellBox {
	lat := meters/metersOfCell + 1
	lng := lat / max(math.Cos(float64(c.Lat)*math.Pi/180/cellsOfDegree), 0.01)
	return cellBox{cell{c.Lat - int32(lat), c.Lng - int32(lng)}, cell{c.Lat + int32(lat), c.Lng + int32(lng)}}
}

// meets reports whether two boxes have a cell in common.
func (b *cellBox) meets(o cellBox) bool {
	// A side beyond the other box makes a difference negative. One branch for the four of them
	// is what a processor predicts.
	return (o.High.Lat-b.Low.Lat)|(o.High.Lng-b.Low.Lng)|(b.High.Lat-o.Low.Lat)|(b.High.Lng-o.Low.Lng) >= 0
}

func (r *Road) box() cellBox {
	b := emptyBox
	for i := range r.Points {
		b.add(cellOf(r.Points[i].Location))
	}
	for i := range r.Segments {
		for _, p := range r.Segments[i].Line {
			b.add(cellOf(p))
		}
	}
	return b
}
