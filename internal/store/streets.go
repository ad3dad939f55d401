package store

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/roads"
	"github.com/postgeo/postgeo/internal/store/internal/streets"
)

type (
	// StreetRecord is a range of numbers of a street, with or without an add-on.
	StreetRecord = streets.Record
	// ZIP4Record is one record of the ZIP+4 product.
	ZIP4Record = streets.ZIP4Record
	// StreetAlias is another name of a street.
	StreetAlias = streets.Alias
	// CityName is a name of a ZIP Code's place in the City State product.
	CityName = streets.CityName
	// Road is a street of an area with its points and segments.
	Road = roads.Road
	// RoadOutline is the part of a road that a search of near addresses needs.
	RoadOutline = roads.Outline
	// RoadSearch finds the roads around a point.
	RoadSearch = roads.RoadSearch
	// NearRoad is a road near a point.
	NearRoad = roads.NearRoad
	// NearPoint is an address point of a RoadOutline.
	NearPoint = roads.NearPoint
	// RoadName is the name of a street.
	RoadName = roads.RoadName
	// RoadArea is the ZIP Code or forward sortation area of a road.
	RoadArea = roads.Area
	// AddressPoint is an address of known position.
	AddressPoint = roads.AddressPoint
	// RoadSegment is a piece of a street with ranges of house numbers.
	RoadSegment = roads.RoadSegment
	// NumberRange is a range of house numbers along a segment.
	NumberRange = roads.NumberRange
	// HouseNumber is a house number divided at its last whole number.
	HouseNumber = roads.HouseNumber
	// RoadOrigin is the source of a point or segment.
	RoadOrigin = roads.Origin
	// CodeBasis is the reason for the area of a point or segment.
	CodeBasis = roads.CodeBasis
	// Placement is the accuracy of an address point.
	Placement = roads.Placement
)

// ParseRoadName divides the name of a street.
func ParseRoadName(full string) RoadName { return roads.ParseRoadName(full) }

// CanadianRoadName divides the name of a Canadian street in either language.
func CanadianRoadName(full string) RoadName { return roads.Canadian(full) }

// SameKind reports whether two suffixes mean the same in Canada's languages.
func SameKind(a, b string) bool { return roads.SameKind(a, b) }

// CellsOfDegree is the number of units of a degree in a NearPoint.
const CellsOfDegree = roads.CellsOfDegree

// The placements of address points, the most accurate first.
const (
	PlacementStructure = roads.Structure
	PlacementSite      = roads.Site
	PlacementEntry     = roads.Entry
	PlacementParcel    = roads.Parcel
	PlacementBlock     = roads.Block
)

// The bases of the codes of addresses.
const (
	CodeGiven     = roads.Given
	CodeOfOutline = roads.InOutline
	CodeOfNearest = roads.Nearest
)

// RoadAreaOfZIP returns the area of a ZIP Code.
func RoadAreaOfZIP(z dataset.ZIP) RoadArea { return roads.AreaOfZIP(z) }

// RoadAreaOfFSA returns the area of a forward sortation area.
func RoadAreaOfFSA(f dataset.FSA) RoadArea { return roads.AreaOfFSA(f) }

// ParseHouseNumber reads a house number.
func ParseHouseNumber(text string) (HouseNumber, bool) { return roads.ParseHouseNumber(text) }

// SectionRoads holds the areas of address points and segments.
const SectionRoads = roads.SectionRoads
