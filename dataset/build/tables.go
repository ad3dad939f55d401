package build

import (
	"path/filepath"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/geo"
)

// tables are what a build has derived so far.
type tables struct {
	states    []dataset.State
	stateIDs  map[stateKey]dataset.StateID
	provinces map[string]dataset.StateID // by Statistics Canada's number

	cbsas     []dataset.CBSA
	divisions []dataset.Division
	metroOf   map[string]metro // by county FIPS code

	counties  []dataset.County
	countyIDs map[string]dataset.CountyID // by FIPS code
	countyAt  map[string]geo.LatLng       // by FIPS code, as the Gazetteer has it

	zones   []dataset.Zone
	zoneIDs map[dataset.Zone]dataset.ZoneID // without rules
	clocks  map[string]string               // TZif files by zone

	spelling speller
	cities   cities
	places   []source.GazetteerRow // in the order of the file
	towns    []source.GazetteerRow // county subdivisions that are municipalities

	cityAreas map[[2]string][]geo.LatLng // points of ZCTAs by state and city

	zips   []*zipDraft // ascending
	zipAt  map[dataset.ZIP]*zipDraft
	zctas  map[string]source.GazetteerRow
	fsas   []*fsaDraft // ascending
	fsaAt  map[dataset.FSA]*fsaDraft
	postal []dataset.PostalRow // ascending

	survey survey
	people surveyCounts

	zoneAreas     *areas // nil without the time zone layer
	countyAreas   *areas // nil without the place layer, as the three below
	placeAreas    *areas
	cousubAreas   *areas
	fsaAreas      *areas
	csdAreas      *areas                           // nil also where the outlines are too coarse
	csdRough      *areas                           // the same, of whatever detail
	csdInside     map[string]geo.LatLng            // a point within each of those
	fsaInside     map[string]geo.LatLng            // a point within each FSA's outline
	placeOutlines map[string]orb.MultiPolygon      // by GEOID; nil as above
	areaNames     map[string]string                // names of places and subdivisions by GEOID
	areaRows      map[string][]source.LayerAreaRow // by source: rows of outlines that a later step goes by, too
	bounds        *boundaries                      // nil without the boundaries layer
	peopleAt      map[dataset.ZIP]geo.LatLng       // the point among those residents
	residentsOf   map[dataset.ZIP][]center         // centers of population within the outline of each ZIP, in the order of the file

	entities     []*entityDraft
	residents    map[dataset.ZIP]float64    // for telling which names are well known
	postalCities map[[2]string]*entityDraft // by state and key of the name
	countyCounts []headcount                // by county
	schoolAreas  *areas
	zipGrid      *nearest

	stateByFIPS   map[string]dataset.StateID
	countyExtents map[string]extent // by FIPS code, as the file of outlines states it
	layered       *layered          // nil without layers that codes are held against

	census       map[dataset.FSA]source.FSAPopulationRow
	fsaLand      map[dataset.FSA]int64 // square metres
	postalListed map[dataset.FSA]bool  // FSAs whose list of postal codes is complete
}

type stateKey struct {
	country dataset.Country
	abbr    string
}

// zipDraft is a ZIP Code in the making, with what the sources say of it.
type zipDraft struct {
	row    dataset.ZIPRow
	detail dataset.ZIPDetail
	state  string     // two letters
	post   geo.LatLng // of the post office, as the sources have it; not valid for military ZIPs

	offices []located // points of the post office, the best first
	middle  located   // of the area of the ZIP, or of the one that encloses it

	quality dataset.Quality

	geoNames  *source.GeoNamesRow
	supplied  *source.ZIPDatabaseRow
	uds       *udsDraft
	cityState []source.CityStateRow
	business  []source.ZIPBusinessRow // the newest first
	aliases   []dataset.StreetAlias
}

// udsDraft is a row of the UDS Mapper's crosswalk.
type udsDraft struct {
	source.UDSRow
	edition string // identifier of the source
}

// fsaDraft is a forward sortation area in the making.
type fsaDraft struct {
	row      dataset.FSARow
	detail   dataset.FSADetail
	province string // two letters
	geoNames source.GeoNamesRow
	quality  dataset.Quality
}

func (b *builder) state(country dataset.Country, abbr string) dataset.StateID {
	return b.tables.stateIDs[stateKey{country, abbr}]
}

// fileName returns the base name of a source's file.
func (b *builder) fileName(id string) string {
	if f := b.files[id]; f != nil {
		return filepath.Base(f.Path)
	}
	return id
}
