package draft

import (
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// States are the states and provinces.
type States struct {
	List      []dataset.State
	Provinces map[string]dataset.StateID // by Statistics Canada's number
	ByFIPS    map[string]dataset.StateID
	ids       map[stateKey]dataset.StateID
}

type stateKey struct {
	country dataset.Country
	abbr    string
}

// Add appends a state.
func (s *States) Add(st dataset.State) dataset.StateID {
	if s.ids == nil {
		s.ids, s.ByFIPS, s.Provinces = map[stateKey]dataset.StateID{}, map[string]dataset.StateID{}, map[string]dataset.StateID{}
	}
	s.List = append(s.List, st)
	id := dataset.StateID(len(s.List))
	s.ids[stateKey{st.Country, st.Abbr}] = id
	if st.FIPS != "" {
		s.ByFIPS[st.FIPS] = id
	}
	return id
}

// ID returns the state of a country with the abbreviation, 0 if there is none.
func (s *States) ID(country dataset.Country, abbr string) dataset.StateID {
	return s.ids[stateKey{country, abbr}]
}

// Abbr returns the abbreviation of a state, "" for 0.
func (s *States) Abbr(id dataset.StateID) string {
	if id == 0 {
		return ""
	}
	return s.List[id-1].Abbr
}

// FIPS returns the FIPS code of a state.
func (s *States) FIPS(id dataset.StateID) string { return s.List[id-1].FIPS }

// Metros are the metropolitan areas and divisions.
type Metros struct {
	CBSAs     []dataset.CBSA
	Divisions []dataset.Division
	Of        map[string]Metro // by county FIPS code
}

// A Metro is the row of the delineation for a county.
type Metro struct {
	CBSA     dataset.CBSAID
	Division dataset.DivisionID
	Line     int // of the delineation
}

// Counties are the counties in the order of their FIPS codes.
type Counties struct {
	List []dataset.County
	IDs  map[string]dataset.CountyID // by FIPS code
	At   map[string]geo.LatLng       // points of the Gazetteer by FIPS code
}

// FIPS returns the FIPS code of a county, "" for 0.
func (c *Counties) FIPS(id dataset.CountyID) string {
	if id == 0 {
		return ""
	}
	return c.List[id-1].FIPS
}

// ZCTAs are the rows of the Gazetteer by code.
type ZCTAs struct {
	ByCode map[string]source.GazetteerRow
}

// Output is the dataset that is written. The steps that write it amend it.
type Output struct{ *dataset.Writer }
