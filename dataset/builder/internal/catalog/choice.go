package catalog

import "github.com/postgeo/postgeo/internal/source/fetch"

// The layers that a dataset can have.
const (
	// Identity is what identifies a place: ZIP Codes and FSAs with city,
	// state, county, metro and point.
	Identity fetch.Layer = "identity"
	// TimeZones gives codes the time zone whose outline contains their point.
	TimeZones fetch.Layer = "timezones"
	// Places lets outlines decide municipality and doubtful counties, and
	// checks the points of FSAs.
	Places fetch.Layer = "places"
	// Boundaries stores the outlines of ZIP Codes, FSAs, states, counties and
	// time zones, for searches by area and by coordinate. It also stores the
	// share of each code in each time zone.
	Boundaries fetch.Layer = "boundaries"
	// Census stores the areas of the census and what each code shares with
	// them. In Canada it adds the areas that full postal codes were assigned
	// to. It includes Boundaries.
	Census fetch.Layer = "census"
	// Districts does so for congressional, state legislative and federal
	// electoral districts.
	Districts fetch.Layer = "districts"
	// Schools does so for school districts.
	Schools fetch.Layer = "schools"
	// PUMA does so for Public Use Microdata Areas.
	PUMA fetch.Layer = "puma"
	// Urban does so for urban areas.
	Urban fetch.Layer = "urban"
	// Tribal does so for American Indian, Alaska Native and Native Hawaiian areas.
	Tribal fetch.Layer = "tribal"
	// VTD does so for voting districts.
	VTD fetch.Layer = "vtd"
	// PostalCodes adds full Canadian postal codes.
	PostalCodes fetch.Layer = "postal-codes"
	// Medicare adds the SSA code and the rating area of ZIP Codes.
	Medicare fetch.Layer = "medicare"
	// Business adds establishments, employees and payrolls of ZIP Codes.
	Business fetch.Layer = "business"
	// Streets adds street segments with ranges of house numbers.
	Streets fetch.Layer = "streets"
	// Points adds address points.
	Points fetch.Layer = "points"
)

// Compared are the layers of areas that codes are compared with.
var Compared = [...]fetch.Layer{Census, Districts, Schools, PUMA, Urban, Tribal, VTD}

// Choice describes a layer.
type Choice struct {
	Name  fetch.Layer
	About string // one line
	Named bool   // it is built only by its name, not with all layers
}

// All lists the layers that can be built.
var All = []Choice{
	{Name: Identity, About: "ZIP Codes and FSAs with city, state, county, metro, point and population"},
	{Name: TimeZones, About: "time zones of ZIP Codes and FSAs"},
	{Name: Places, About: "municipalities, doubtful counties and misplaced FSA points by outline"},
	{Name: Boundaries, About: "outlines of ZIP Codes, FSAs, states, provinces, counties and time zones"},
	{Name: Census, About: "counties, places, tracts and the other areas of both censuses, with what each code shares with them"},
	{Name: Districts, About: "congressional, state legislative and federal electoral districts, with what each code shares with them"},
	{Name: Schools, About: "school districts, with what each ZIP Code shares with them"},
	{Name: PUMA, About: "Public Use Microdata Areas, for crosswalks; not part of all", Named: true},
	{Name: Urban, About: "urban areas, for crosswalks; not part of all", Named: true},
	{Name: Tribal, About: "American Indian, Alaska Native and Native Hawaiian areas, for crosswalks; not part of all", Named: true},
	{Name: VTD, About: "voting districts of 2020, for crosswalks; not part of all", Named: true},
	{Name: PostalCodes, About: "full Canadian postal codes, as far as open sources list them"},
	{Name: Medicare, About: "SSA codes and rating areas of ZIP Codes, for the enrichment medicare"},
	{Name: Business, About: "establishments, employees and payrolls of ZIP Codes, for the enrichment demographics"},
	{Name: Streets, About: "street segments with house numbers of every US county, for geocoding (about 4 GB); not part of all", Named: true},
	{Name: Points, About: "US address points of the National Address Database, for geocoding; not part of all", Named: true},
}
