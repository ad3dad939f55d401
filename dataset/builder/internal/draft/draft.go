// Package draft has the tables of a dataset in the making, and the parts of a build that
// fill and write them.
package draft

import (
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// A Draft holds what has been read and derived for a file. Those that nothing needs any
// more may be set to nil.
type Draft struct {
	*plan.Env // of the part that runs

	States   States
	Metros   Metros
	Counties Counties
	ZIPs     ZIPs
	FSAs     FSAs
	Postal   Postal
	Zones    Zones

	Gazetteer    Gazetteer
	ZCTAs        map[string]source.GazetteerRow // by code
	FSACensus    map[postcode.FSA]source.FSAPopulationRow
	People       People
	Residents    Residents
	Municipal    Municipal
	Subdivisions Subdivisions
	CountyAreas  *shape.Areas // nil without the outlines, as the other areas are
	FSAAreas     FSAAreas
	ZoneAreas    *shape.Areas
	ZoneShares   ZoneShares

	// Outlines. The sets are nil without the boundaries layer.
	ZIPOutlines    ZIPOutlines
	FSAOutlines    *shape.OutlineSet[postcode.FSA]
	StateOutlines  StateOutlines
	CountyOutlines *shape.OutlineSet[store.CountyID]
	PlaceOutlines  map[string]orb.MultiPolygon // by GEOID
	ZoneOutlines   *shape.OutlineSet[string]   // by name
	CountyExtents  map[string]shape.Extent     // published areas by FIPS code

	Output *store.Writer // the file

	clocks   clocks
	survey   []table
	entities []*Entity // names for suggestions
}

// States are the states and provinces.
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

// Add appends a state.
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

// FIPS returns the FIPS code of a state.
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

// Counties are the counties in the order of their FIPS codes.
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

// People are the counts of people by area.
type People struct{ Counts SurveyCounts }

// Of returns the people of an area.
func (p *People) Of(level source.SummaryLevel, geoid string) (int32, bool) {
	c, ok := p.Counts[SurveyArea{level, geoid}]
	return c.N, ok
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

// Put sets the count of an area unless it has a newer one.
func (s SurveyCounts) Put(area SurveyArea, c SurveyCount) {
	if s[area].Year <= c.Year {
		s[area] = c
	}
}

// Zones are the time zones of the dataset, ascending by name.
type Zones struct {
	List          []store.Zone
	IDs           map[store.Zone]store.ZoneID // without rules
	OutlineSource string                      // releases of the outlines and of the clock rules
}

// Of returns the zone of a part of an area.
func (z *Zones) Of(p ZonePart) store.ZoneID {
	return z.IDs[store.Zone{Name: p.Zone, Source: z.OutlineSource}]
}

// ZoneShares are the shares of time zones, by the keys of the outlines.
type ZoneShares struct {
	ZIPs, FSAs []ZoneParts
}

// Zones returns the zones that hold a share of any area.
func (s *ZoneShares) Zones(source string) []store.Zone {
	var zones []store.Zone
	for _, shares := range slices.Concat(s.ZIPs, s.FSAs) {
		for _, p := range shares {
			zones = append(zones, store.Zone{Name: p.Zone, Source: source})
		}
	}
	return zones
}

// ZoneParts are the parts of a code's area in each time zone, in tenths of a
// percent of the area that time zones cover. They add up to 1000; nil if no zone
// covers any.
type ZoneParts []ZonePart

// A ZonePart is a part of an area in tenths of a percent.
type ZonePart struct {
	Zone   string
	Tenths int
}
