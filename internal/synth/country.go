package synth

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A Country is an invented country. References between its tables are
// positions in its slices, or None. Callers must not change it.
type Country struct {
	// Label marks the origin in every file: "invented", or "sample" for a country
	// around real codes.
	Label string

	States       []State
	Counties     []County
	Subdivisions []Subdivision // county subdivisions
	Places       []Place
	CBSAs        []CBSA
	Divisions    []MetroDivision
	ZIPs         []ZIP // ascending by code

	CensusDivisions []CensusDivision
	Municipalities  []Municipality
	FSAs            []FSA        // ascending by code
	PostalCodes     []PostalCode // ascending by code

	Held []HeldLayer // further areas that overlap codes

	Zones []string // IANA names
	Cells []Cell

	seed uint64
	mesh *mesh
}

// None marks a missing reference.
const None = -1

// A State is a state, territory, military "state" or Canadian province.
type State struct {
	Country store.Country
	Abbr    string
	Name    string
	FIPS    string // "" for military states and provinces
	PRUID   string // Statistics Canada's two digits; "" in the United States
	NameFR  string // French name of a province; "" if it is the same
	Area    Area
}

// Area is land and water in square meters.
type Area struct {
	Land, Water int64
}

// Total returns land and water together, in square meters.
func (a Area) Total() int64 { return a.Land + a.Water }

// Plus returns the sum of two areas.
func (a Area) Plus(b Area) Area { return Area{a.Land + b.Land, a.Water + b.Water} }

// A County is a county or its equivalent.
type County struct {
	FIPS      string // five digits
	Base      string // name without its legal description, e.g. "Prince George's"
	Name      string // official name, e.g. "Prince George's County"
	LSAD      string // two characters, e.g. "06"
	State     int
	CBSA      int // None outside
	Division  int // None outside
	Central   bool
	Elevation float64 // meters, weighted by land area
	Point     geo.LatLng
	Area      Area

	Population int32
}

// A Subdivision is a county subdivision.
type Subdivision struct {
	GEOID  string // ten digits
	Base   string
	Name   string
	LSAD   string
	Active bool // a working government, not a statistical entity
	County int
	Point  geo.LatLng
	Area   Area

	Population int32
}

// A Place is an incorporated place or a census designated place.
type Place struct {
	GEOID  string // seven digits
	Base   string
	Name   string
	LSAD   string
	Active bool // incorporated
	State  int
	Point  geo.LatLng
	Area   Area

	Population int32
}

// A CBSA is a core based statistical area.
type CBSA struct {
	Code         string
	Title        string
	Metropolitan bool
	CSA          string // "" outside
	CSATitle     string
	Point        geo.LatLng
	Area         Area
}

// A MetroDivision is a metropolitan division.
type MetroDivision struct {
	Code  string
	Title string
	CBSA  int
}

// An Alias is another name of a ZIP's place.
type Alias struct {
	City       string
	Acceptable bool // may be used on the last line
}

// A ZIP is a ZIP Code.
type ZIP struct {
	Code           dataset.ZIP
	City           string
	State          int
	County         int // postal county; None for military ZIPs
	Class          store.Class
	Point          geo.LatLng // not valid for some military ZIPs
	Zone           int        // zone of the point; None without a point
	AreaCodes      []uint16   // ascending
	Aliases        []Alias
	HasArea        bool        // a ZCTA of the same code exists
	Enclosing      dataset.ZIP // the ZCTA around the point
	InBoth         bool        // a ZIP of two counties
	Elevation      float64     // meters; of the ZCTA
	Decommissioned bool
	Population     int32 // of the ZCTA; 0 without an area
	Area           Area
}

// A CensusDivision is a Canadian census division.
type CensusDivision struct {
	UID   string // four digits
	Name  string
	Type  string
	State int
	Area  Area
}

// A Municipality is a Canadian census subdivision.
type Municipality struct {
	UID        string // seven digits
	Name       string
	Type       string
	Division   int
	State      int
	Population int32
	Area       Area
}

// An FSA is a forward sortation area.
type FSA struct {
	Code         dataset.FSA
	City         string
	State        int
	Point        geo.LatLng
	Zone         int
	Municipality int
	Population   int32
	Dwellings    int32
	Occupied     int32
	HasArea      bool
	Area         Area
}

// A PostalCode is a full Canadian postal code.
type PostalCode struct {
	Code  dataset.PostalCode
	FSA   int
	City  string
	Point geo.LatLng
	// Register is set if the code is in the address register instead of the
	// GeoNames table (Ontario only).
	Register bool
	DA       int32 // dissemination area of a registered code, eight digits; else 0
}

// A Cell is a piece of land in one area of each kind. FSA and Municipality are
// None in the United States; ZIP, County, Subdivision and Place are None in
// Canada.
type Cell struct {
	Box                             Box
	ZIP, County, Subdivision, Place int32
	FSA, Municipality               int32
	State, Zone                     int32
	Area                            Area
}

// A Box is a rectangle in millionths of a degree, west and south sides first.
type Box struct {
	X0, Y0, X1, Y1 int32
}

// Center returns the middle of the box.
func (b Box) Center() geo.LatLng {
	return vertex{b.X0 + (b.X1-b.X0)/2, b.Y0 + (b.Y1-b.Y0)/2}.latLng()
}

// Contains reports whether the point lies in the box or on its border.
func (b Box) Contains(p geo.LatLng) bool {
	v := vertexAt(p)
	return v.X >= b.X0 && v.X <= b.X1 && v.Y >= b.Y0 && v.Y <= b.Y1
}
