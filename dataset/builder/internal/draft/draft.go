// Package draft has the tables of a dataset in the making, and the parts of a build that
// fill and write them.
//
// A [Draft] is one struct that all parts share. A part is a method of it that reads
// sources, derives tables from those of earlier parts, or writes tables. recipe.go lists
// the parts in their order, which is the only schedule: parts run one after the other.
// Within a part, rows are parsed ahead in a second goroutine, and areas are measured on
// all processors. Two strands of parts ran side by side once. They needed locks, and
// findings that were merged afterwards.
//
// Rules of the package:
//
//   - Equal sources give equal bytes. A map is never iterated where the order shows: its
//     keys are sorted first, or the result does not depend on the order.
//   - A part ends the build by panicking with a [failure]; see [check].
//   - A row that cannot be used is refused, and a value that a rule changes is counted,
//     each under a constant name with an example.
//   - Identifiers of states, counties, areas and zones are positions in their lists, from
//     1. 0 is none. Lists are in their final order before the first identifier is handed
//     out.
//
// Files: recipe (order), read (sources and findings), states, zips, zip_*, fsas, fsa_*,
// postal_codes (codes and their facts), outlines and areas (polygons), layer, layers,
// layer_* (areas that codes are compared with), centers (people), zones, area_codes,
// survey, roads, names and name_* (suggestions), reviewed (facts that no source has).
package draft

import (
	"context"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// A Draft holds what has been read and derived for a file. The caller sets the fields
// down to Output.
type Draft struct {
	Layers    []string
	Sources   []*Source
	Requests  []Request         // layers and plans of the user, in the order of the files of [catalog.OwnAreas]
	Provinces map[string]bool   // letters of those whose street segments are taken; nil takes all
	SourceIDs map[string]string // identifiers of sources in the file; nil if they are the same
	// Note takes the findings of the parts.
	Note func(k Kind, name string, n int64, example string)
	// Filter, if not nil, returns the row that takes the place of a row of a source, of
	// the same type, or false to leave it out.
	Filter func(id string, row any) (any, bool)
	// Simplify, if not nil, returns the outline of a kind of area that is stored in place
	// of one. All else is derived from the outlines as they are.
	Simplify func(kind string, outline orb.MultiPolygon) orb.MultiPolygon
	Output   *storewrite.Writer // the file

	ctx context.Context // of the build; set by run, so that parts need no parameter

	States   States
	Metros   Metros
	Counties Counties
	ZIPs     ZIPs
	FSAs     FSAs
	Postal   Postal
	Zones    Zones

	Gazetteer Gazetteer
	ZCTAs     map[string]source.GazetteerRow // by code
	FSACensus map[postcode.FSA]source.FSAPopulationRow
	People    SurveyCounts
	Residents Residents
	Municipal Municipal

	// Outlines. Those of PO Box, unique and military ZIP Codes are compared with layers
	// and not stored.
	ZIPOutlines, BoxOutlines *outlines[postcode.ZIP]
	FSAOutlines              *outlines[postcode.FSA]
	StateOutlines            *outlines[store.StateID]
	CountyOutlines           *outlines[store.CountyID]
	ZoneOutlines             *outlines[string] // by name
	uncovered                float64           // square meters of states that no outline of a ZIP Code covers

	base     *store.Dataset // of an extended file; nil for a new one
	compared compared       // the areas that codes are compared with
	roads    addressCodes   // codes that addresses may have
	clocks   clocks
	survey   []table
	entities []*Entity // names for suggestions
}

// States are the states and provinces. A state is identified by its position in List,
// from 1.
type States struct {
	List      []store.State
	Provinces map[string]store.StateID // by Statistics Canada's number
	ByFIPS    map[string]store.StateID
	ids       map[stateKey]store.StateID
}

type stateKey struct {
	country store.Country
	abbr    string
}

// Add appends a state and returns its identifier. Letters alone do not name a state: they
// are unique within a country only.
func (s *States) Add(st store.State) store.StateID {
	if s.ids == nil {
		s.ids, s.ByFIPS, s.Provinces = map[stateKey]store.StateID{}, map[string]store.StateID{}, map[string]store.StateID{}
	}
	s.List = append(s.List, st)
	id := store.StateID(len(s.List))
	s.ids[stateKey{st.Country, st.Abbr}] = id
	if st.FIPS != "" {
		s.ByFIPS[st.FIPS] = id
	}
	return id
}

// ID returns the state of a country with the abbreviation, 0 if there is none.
func (s *States) ID(country store.Country, abbr string) store.StateID {
	return s.ids[stateKey{country, abbr}]
}

// Abbr returns the abbreviation of a state, "" for 0.
func (s *States) Abbr(id store.StateID) string {
	if id == 0 {
		return ""
	}
	return s.List[id-1].Abbr
}

// FIPS returns the FIPS code of a state, "" for provinces and military "states". Unlike
// in Abbr, 0 is not allowed: every ZIP has a state, or it would not be listed.
func (s *States) FIPS(id store.StateID) string { return s.List[id-1].FIPS }

// Metros are the metropolitan areas and divisions.
type Metros struct {
	CBSAs     []store.CBSA
	Divisions []store.Division
	Of        map[string]Metro // by county FIPS code
}

// A Metro is the row of the delineation for a county.
type Metro struct {
	CBSA     store.CBSAID
	Division store.DivisionID
	Line     int // of the delineation
}

// Counties are the counties in the order of their FIPS codes. Connecticut has its
// planning regions, as the Census Bureau has used them since 2022.
type Counties struct {
	List []store.County
	IDs  map[string]store.CountyID // by FIPS code
	At   map[string]geo.LatLng     // points of the Gazetteer by FIPS code
}

// FIPS returns the FIPS code of a county, "" for 0.
func (c *Counties) FIPS(id store.CountyID) string {
	if id == 0 {
		return ""
	}
	return c.List[id-1].FIPS
}

// A SurveyCount is a number of people or homes from the American Community
// Survey of the five years that end with Year.
type SurveyCount struct {
	N      int32
	Year   int
	Source string // identifier
}

// SurveyCounts holds counts by area.
type SurveyCounts map[SurveyArea]SurveyCount

// A SurveyArea is an area of the American Community Survey.
type SurveyArea struct {
	Level source.SummaryLevel
	GEOID string
}

// Zones are the time zones of the dataset, ascending by name.
type Zones struct {
	List          []store.Zone
	IDs           map[store.Zone]store.ZoneID // without rules
	OutlineSource string                      // releases of the outlines and of the clock rules
	ZIPs, FSAs    [][]ZonePart                // shares by the keys of the outlines; they add up to 1000
}

// A ZonePart is the part of an area in a time zone, in tenths of a percent of what time
// zones cover.
type ZonePart struct {
	Zone   string
	Tenths int
}

// ZIPs are the ZIP Codes.
type ZIPs struct {
	List []*ZIP // ascending
	At   map[postcode.ZIP]*ZIP
}

// A ZIP is a ZIP Code and the rows of its sources. Row and Detail are the rows that are
// written. The rows of sources are kept until then, because classes, names, counties and
// points are decided by several parts that weigh them anew.
type ZIP struct {
	Row    store.ZIPRow
	Detail store.ZIPDetail
	State  string     // two letters
	Post   geo.LatLng // of the post office, as the sources have it; not valid for military ZIPs

	Offices []Located // points of the post office, the best first
	Middle  Located   // of the area of the ZIP, or of the one that encloses it

	GeoNames  *source.GeoNamesRow
	Supplied  *source.ZIPDatabaseRow
	UDS       *UDSRow
	CityState []source.CityStateRow
	Business  []source.ZIPBusinessRow // the newest first
	Aliases   []store.StreetAlias
}

// UDSRow is a row of the UDS Mapper's crosswalk.
type UDSRow struct {
	source.UDSRow
	Edition string // identifier of the source
}

// A Located is a point with its source.
type Located struct {
	At     geo.LatLng
	Source string
}

// Spot returns the point of the post office, else the middle of the ZIP's area.
func (z *ZIP) Spot() geo.LatLng {
	if z.Post.IsValid() {
		return z.Post
	}
	return z.Middle.At
}

// Preferred returns the City State record of the ZIP's preferred name, or nil. If no
// record is marked as preferred, the first one stands in, so that its class and county
// still count.
func (z *ZIP) Preferred() *source.CityStateRow {
	for i := range z.CityState {
		if z.CityState[i].Preferred {
			return &z.CityState[i]
		}
	}
	if len(z.CityState) > 0 {
		return &z.CityState[0]
	}
	return nil
}

// FSAs are the forward sortation areas.
type FSAs struct {
	List []*FSA // ascending
	At   map[postcode.FSA]*FSA

	// Homes are the outlines of FSAs in GeoNames' list. Outlines of other FSAs would take
	// points from their neighbors, and are removed later by checkOutlines.
	Homes *areas[postcode.FSA]
	Unfit []postcode.FSA // whose outlines are not used to find people, see [tooLarge]
}

// An FSA is a forward sortation area and the row of its source.
type FSA struct {
	Row      store.FSARow
	Detail   store.FSADetail
	Province string // two letters
	GeoNames source.GeoNamesRow
}

// Postal are the full postal codes of Canada.
type Postal struct {
	Rows   []store.PostalRow     // ascending
	Listed map[postcode.FSA]bool // FSAs whose list of postal codes is complete
}

// Residents are the centers of population within the outlines of ZIP Codes.
type Residents struct {
	Of map[postcode.ZIP][]Center   // in the order of their GEOIDs
	At map[postcode.ZIP]geo.LatLng // the point among them

	Centers []store.Center // all, ascending
}

// A Center is the center of population of a block group.
type Center struct {
	At     geo.LatLng
	People int
	GEOID  string         // twelve digits, of the census of 2020
	County store.CountyID // the present one; 0 unknown
}
