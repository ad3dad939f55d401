package synth

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// Facts are the codes and names that [FromFacts] grows a country around.
type Facts struct {
	Label           string // see Country.Label
	CBSAs           []CBSA // without points and areas
	Divisions       []DivisionFact
	Counties        []CountyFact
	CensusDivisions []CensusDivision // without provinces and areas
	Regions         []RegionFact
	Military        []MilitaryFact
	PostalCodes     []PostalCodeFact // full codes that must be there
	PostalPerFSA    int              // further full codes of each FSA, invented
	Seed            uint64
	Detail          int // see Options.Detail
}

// A DivisionFact is a metropolitan division.
type DivisionFact struct {
	Code, Title string
	CBSA        string // code
}

// A CountyFact is a county.
type CountyFact struct {
	FIPS     string // five digits
	Name     string // official name
	CBSA     string // code; "" outside
	Division string // code; "" outside
	Zone     string // IANA time zone
}

// A RegionFact is a stretch of land, such as a metropolitan area on both sides
// of a border. Within the reach of its points it has no gaps.
type RegionFact struct {
	Name string
	Box  Box // the zero Box: around the points, with a margin of 0.05 degrees
	// Reach is the maximum distance of an area from its point, in millionths of a
	// degree of latitude. If zero, areas fill the box.
	Reach     int32
	Border    BorderFact // of the United States; the zero BorderFact without one
	Elevation float64
	ZIPs      []ZIPFact
	FSAs      []FSAFact
}

// A ZIPFact is a ZIP Code with a point.
type ZIPFact struct {
	Code         dataset.ZIP
	City         string
	County       string // FIPS
	SecondCounty string // FIPS of a county that has a quarter of the area; "" none
	Place        string // incorporated place; "" none
	Point        geo.LatLng
	Class        store.Class
	HasArea      bool
	AreaCodes    []uint16
	Aliases      []Alias
	More         []Box // further pieces of its area
}

// A MilitaryFact is a ZIP of the armed forces, without a point.
type MilitaryFact struct {
	Code  dataset.ZIP
	City  string // APO, FPO or DPO
	State string // AA, AE or AP
}

// An FSAFact is a forward sortation area.
type FSAFact struct {
	Code         dataset.FSA
	City         string
	Municipality string // census subdivision around its point
	Division     string // UID of its census division
	Point        geo.LatLng
	HasArea      bool
}

// A PostalCodeFact is a full postal code of one of the FSAs.
type PostalCodeFact struct {
	Code  dataset.PostalCode
	City  string
	Point geo.LatLng
}
