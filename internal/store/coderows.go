package store

import (
	"math"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
)

// Country is the country of a code.
type Country uint8

// The countries that a dataset can hold. The zero Country is invalid.
const (
	US Country = iota + 1
	CA
)

// String returns the two letters of ISO 3166-1, or "" for the zero Country.
func (c Country) String() string {
	switch c {
	case US:
		return "US"
	case CA:
		return "CA"
	default:
		return ""
	}
}

// Class is the classification of a ZIP Code, a letter of the City State
// product with G for its blank.
type Class byte

// The classes of ZIP Codes. PO Box, unique and military ZIPs are points: they
// have no area.
const (
	General  Class = 'G'
	POBox    Class = 'P'
	Military Class = 'M'
	Unique   Class = 'U'
)

var classNames = [1 << 8]string{General: "General", POBox: "PO Box", Military: "Military", Unique: "Unique"}

// Letter returns the contract's letter of the class; "" for any other value.
func (c Class) Letter() string {
	const letters = "GPMU"
	if i := strings.IndexByte(letters, byte(c)); i >= 0 {
		return letters[i : i+1]
	}
	return ""
}

// Name returns the contract's name of the class: General, PO Box, Military or
// Unique; "" for any other value.
func (c Class) Name() string { return classNames[c] }

// The identifiers below are positions in the dataset's small tables, counted from 1 and
// valid only for the Dataset that gave them. Zero means none, so that the zero row refers
// to nothing. Zero and identifiers of no row have a zero row. Rows of a Dataset must not be
// changed.
type (
	// StateID is a position in the table of states and provinces.
	StateID uint8
	// CountyID is a position in the table of counties.
	CountyID uint16
	// CBSAID is a position in the table of core based statistical areas.
	CBSAID uint16
	// DivisionID is a position in the table of metropolitan divisions.
	DivisionID uint8
	// ZoneID is a position in the table of time zones.
	ZoneID uint8
)

// A State is a state of the United States, the District of Columbia, a
// territory or a military "state" (AA, AE, AP). In Canada it is a province or
// territory.
type State struct {
	Country  Country
	Abbr     string // two letters, e.g. "CA", "ON", "AE"
	Name     string // "California", "Ontario", "Armed Forces Europe"
	FIPS     string // two digits; "" for military states and for Canada
	Region   string // Census region, e.g. "West"; "" outside the states and D.C.
	Division string // Census division, e.g. "Pacific"; "" outside the states and D.C.
}

// A County is a county or county equivalent of the United States; in
// Connecticut a planning region.
type County struct {
	FIPS     string // five digits
	Name     string // official name with its legal description, e.g. "Los Angeles County"
	State    StateID
	CBSA     CBSAID     // 0 outside every core based statistical area
	Division DivisionID // 0 outside every metropolitan division
}

// A CBSA is a core based statistical area with the combined statistical area
// that it belongs to.
type CBSA struct {
	Code         string // five digits
	Title        string // e.g. "Los Angeles-Long Beach-Anaheim, CA"
	Metropolitan bool   // false: micropolitan
	CSA          string // three digits; "" outside every combined area
	CSATitle     string
}

// A Division is a metropolitan division: a part of a large metropolitan area.
type Division struct {
	Code  string // five digits
	Title string
	CBSA  CBSAID
}

// A Zone is an IANA time zone with its clock rules and its source. The same
// zone appears once for each source.
type Zone struct {
	Name   string // e.g. "America/Los_Angeles"
	Source string // of the area and of the rules, e.g. "timezone-boundary-builder 2025b, tz database 2026f"
	Rules  string // TZif file (RFC 9636) of the tz database
}

// A ZIPRow is the part of a ZIP Code's data that the dataset keeps in memory.
type ZIPRow struct {
	ZIP          postcode.ZIP
	City         string // preferred city name in proper case, e.g. "Beverly Hills"
	Municipality string // incorporated place or town around the ZIP's point; "" if none
	State        StateID
	County       CountyID // postal (base) county; 0 for military ZIPs
	Class        Class
	Zone         ZoneID     `sql:"omitzero"` // zone at Location; 0 without a location
	Location     geo.LatLng // not valid for most military ZIPs
	MultiCounty  Tri        // a second county holds at least 1 % of the area or the addresses
}

// A ZIPDetail is what only a full record shows of a ZIP Code.
type ZIPDetail struct {
	AreaCodes      []uint16 // three-digit telephone area codes, ascending
	Elevation      *float64 // meters above sea level; nil unknown
	LandArea       *int64   // square meters; nil unknown or point-only
	WaterArea      *int64   // square meters; nil unknown or point-only
	Population     *int32   // residents of the ZCTA of the same code; nil unknown
	Housing        *int32   // housing units of the ZCTA of the same code, occupied or not; nil unknown
	FacilityCode   string   // City State product: B C N P S U; "" unknown
	CityDelivery   string   // "Y" or "N"; "" unknown
	IntroDate      string   // YYYY-MM-DD; "" unknown
	ZIP4Count      *int32   // ZIP+4 codes of the ZIP; nil if the dataset has no ZIP+4 file
	DeliveryPoints *DeliveryPoints
	Aliases        []CityAlias `sql:"-"` // other names of the ZIP's place, in the source's order
	Medicare       *Medicare   // nil: not in the dataset, or nothing known
	Business       *Business   // nil: not in the dataset, or not published
	Quality        Quality
}

// DeliveryPoints are the counts of the Delivery Statistics product, summed over
// the carrier routes of a ZIP. SingleFamily and MultiFamily are not part of that
// product and stay nil unless another source has them.
type DeliveryPoints struct {
	TotalActive  int32 // active business + residential + general delivery
	Business     int32
	Residential  int32
	POBox        int32 // facility, contract, detached, caller service, remittance, contest and other boxes
	SingleFamily *int32
	MultiFamily  *int32
}

// A Medicare has the areas of Medicare and of the health insurance marketplaces
// of a ZIP Code. At least one of the two is known.
type Medicare struct {
	SSA        string // state and county code of the Social Security Administration, five digits; "" unknown
	RatingArea uint8  `sql:"omitzero"` // number of the geographic rating area within the state, from 1; 0 unknown
}

// A Business sums up the establishments of a ZIP Code with paid employees.
type Business struct {
	Year           uint16 // of the table
	Establishments int32
	Employees      *int32 // in mid-March; nil withheld
	PayrollQ1      *int64 // US dollars of the first quarter; nil withheld
	PayrollAnnual  *int64 // US dollars; nil withheld
	EmploymentFlag string // size class of withheld employment, a letter from A to M; "" none
}

// A CityAlias is another name of a ZIP's place.
type CityAlias struct {
	City        string // proper case
	MailingName string // "Y" may be used on the last line, "N" not; "" unknown
	IntroDate   string // YYYY-MM-DD; "" unknown
}

// A ZoneShare is how much of an area lies in a time zone.
type ZoneShare struct {
	Zone    ZoneID
	Percent float32 // of the area, above 0, at most 100
}

// An FSARow is the part of a forward sortation area's data that the dataset
// keeps in memory.
type FSARow struct {
	FSA          postcode.FSA
	City         string // e.g. "Ottawa"
	Municipality string // census subdivision around the point; "" if none
	Province     StateID
	Zone         ZoneID `sql:"omitzero"`
	Location     geo.LatLng
}

// An FSADetail is what only a full record shows of a forward sortation area.
// Counts are of the 2021 census.
type FSADetail struct {
	AreaCodes         []uint16
	Population        *int32
	Dwellings         *int32
	DwellingsOccupied *int32
	PostalCodes       *int32 // full postal codes of the FSA; nil if the dataset's list is incomplete
	LandArea          *int64 // square meters
	Quality           Quality
}

// A PostalRow is the part of a full postal code's data that the dataset keeps
// in memory.
type PostalRow struct {
	Code         postcode.PostalCode
	City         string
	Municipality string
	Province     StateID
	Zone         ZoneID `sql:"omitzero"`
	Location     geo.LatLng
}

// A Quality records the sources of the data of one code, and by how much
// sources disagree. The builder fills it in.
type Quality struct {
	PointSource      string         // source of the code's point, e.g. "block-group centers 2020"; "" without a point
	OutlineSource    string         // identifier of the source of the outline, e.g. "cb-zctas"; "" without an outline
	OutlineAreaRatio float64        `sql:"omitzero"` // drawn area divided by the area that the source states, to 1e-4 and at most 1e6; 0 unknown
	PopulationYear   int            `sql:"omitzero"` // last year of the survey, or the census year, of the population; 0 without one
	PopulationSource string         // identifier of the source of the population, e.g. "acs-b01003"; "" without one
	HousingSource    string         // identifier of the source of the housing units; "" without any
	ClassBasis       string         // what decided the classification, e.g. "zip-database", "uds-zcta", "inferred"
	Notes            []string       // sentences in English about anything else that a reader should know
	Counties         []CountySource `sql:"-"` // the county that each source names; empty if all agree or none names one
}

// ClassInferred is the ClassBasis of codes whose class no source states.
const ClassInferred = "inferred"

// A CountySource is the county that one source names for a ZIP Code.
type CountySource struct {
	Source string // e.g. "geonames-us", "zip-database", "residents"
	FIPS   string // five digits
	Chosen bool   // whether this is the county of record
}

// OutlineDiffers reports whether the area of the code's outline differs by more
// than a tenth from the stated area.
func (q *Quality) OutlineDiffers() bool {
	const most = 0.1
	return q.OutlineAreaRatio != 0 && math.Abs(q.OutlineAreaRatio-1) > most
}

// OutlineMisleads reports whether the outline differs too much from the stated area to be
// compared with areas (decision D69).
func (q *Quality) OutlineMisleads() bool {
	const least, most = 0.67, 1.5
	return q.OutlineAreaRatio != 0 && (q.OutlineAreaRatio < least || q.OutlineAreaRatio > most)
}

// A Tri is a truth value that can be unknown.
type Tri uint8

// The values of a Tri. Unknown differs from No: the sources do not contain the
// fact.
const (
	Unknown Tri = iota
	No
	Yes
)

// Known reports whether the value is Yes or No.
func (t Tri) Known() bool { return t == No || t == Yes }

// String returns "unknown", "no" or "yes"; "" for any other value.
func (t Tri) String() string {
	switch t {
	case Unknown:
		return "unknown"
	case No:
		return "no"
	case Yes:
		return "yes"
	default:
		return ""
	}
}
