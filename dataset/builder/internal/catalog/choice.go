package catalog

import "github.com/postgeo/postgeo/internal/source/fetch"

// The layers that a dataset can have. [All] describes them.
const (
	Identity    fetch.Layer = "identity"
	TimeZones   fetch.Layer = "timezones"
	Places      fetch.Layer = "places"
	Boundaries  fetch.Layer = "boundaries"
	Census      fetch.Layer = "census"
	Districts   fetch.Layer = "districts"
	Schools     fetch.Layer = "schools"
	PUMA        fetch.Layer = "puma"
	Urban       fetch.Layer = "urban"
	Tribal      fetch.Layer = "tribal"
	VTD         fetch.Layer = "vtd"
	PostalCodes fetch.Layer = "postal-codes"
	Medicare    fetch.Layer = "medicare"
	Business    fetch.Layer = "business"
	Streets     fetch.Layer = "streets"
	Points      fetch.Layer = "points"
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
