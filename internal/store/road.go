package store

import (
	"fmt"

	"github.com/postgeo/postgeo/geo"
)

// A Placement is the accuracy of an address point.
type Placement uint8

// The placements, the most accurate first.
const (
	PlacementStructure Placement = iota // a building or its entrance
	PlacementSite                       // the site, or not described
	PlacementEntry                      // the driveway or the access from the street
	PlacementParcel                     // the middle of a parcel
	PlacementBlock                      // the block face, or along a line
)

// A CodeBasis is the reason for the area of a point or segment.
type CodeBasis uint8

// The bases.
const (
	CodeGiven     CodeBasis = iota // the source has the code
	CodeOfOutline                  // the outline of the code contains the position
	CodeOfNearest                  // the point of the code is the nearest
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
