package lookup

import (
	"maps"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// Families holds the boundary families of a code or coordinate: its census
// areas, legislative districts and school districts. A family that was not
// requested or is unavailable is nil. A family without any area has no Current.
type Families struct {
	Census                   *Census                 `json:"census,omitzero"`
	CongressionalDistrict    *CongressionalDistricts `json:"congressional_district,omitzero"`     // districts of the House of Representatives; US
	FederalElectoralDistrict *FederalDistricts       `json:"federal_electoral_district,omitzero"` // federal electoral districts; Canada
	StateLegislative         *StateLegislature       `json:"state_legislative,omitzero"`          // districts of the state legislature; US
	SchoolDistrict           *SchoolDistricts        `json:"school_district,omitzero"`            // school districts; US
	Layers                   OwnLayers               `json:"layers,omitzero"`                     // layers of the user
	Likely                   *Likely                 `json:"likely,omitzero"`                     // probabilities of areas of these families
}

// delivered selects the families that f holds.
func (f *Families) delivered(opt *Options) {
	inc := &opt.Include
	inc.Census = f.Census != nil
	if c := f.CongressionalDistrict; c != nil {
		inc.CongressionalDistrict, inc.CongressNext = c.Current != nil || c.Next == nil, c.Next != nil
	}
	if c := f.FederalElectoralDistrict; c != nil {
		inc.CongressionalDistrict, inc.CongressNext = c.Current != nil || c.Next == nil, c.Next != nil
	}
	if c := f.StateLegislative; c != nil {
		inc.StateLegislative, inc.StateLegislativeNext = c.Current != nil || c.Next == nil, c.Next != nil
	}
	inc.SchoolDistrict = f.SchoolDistrict != nil
	inc.Layers = slices.Sorted(maps.Keys(f.Layers))
	opt.Likely = f.Likely != nil
}

// A LandWater is the extent of an area as its agency states it, in square
// miles with 2 decimals. Nil is unknown.
type LandWater struct {
	LandAreaSqMi  *float64 `json:"land_area_sq_mi,omitzero"`  // land of the area in square miles, as its publisher states it
	WaterAreaSqMi *float64 `json:"water_area_sq_mi,omitzero"` // water of the area in square miles, as its publisher states it
}

// A Share describes the overlap of a code and an area in percent, with 1
// decimal. It is empty for coordinates, codes without an outline and Canadian
// postal codes, and if the dataset's outlines are too coarse.
type Share struct {
	PctOfZIP  *float64 `json:"pct_of_zip,omitzero"`  // share of the ZIP that lies in the area, 0 to 100
	PctOfFSA  *float64 `json:"pct_of_fsa,omitzero"`  // share of the FSA that lies in the area, 0 to 100
	PctOfArea *float64 `json:"pct_of_area,omitzero"` // share of the area that lies in the code, 0 to 100
}

// A DistrictShare is the overlap of a code and a district of a legislature.
type DistrictShare struct {
	Share
	PctOfPeople *float64 `json:"pct_of_people,omitzero"` // share of the ZIP's residents who live in the district, 0 to 100
	Approximate Flag     `json:"approximate,omitzero"`   // true if the outline is too coarse for shares
}

// A DistrictPlan is the plan of a result's districts: a Congress,
// a Representation Order or a plan of the user. Days have the form YYYY-MM-DD.
type DistrictPlan struct {
	ID       string `json:"id"`                // e.g. "cd119"
	Name     string `json:"name"`              // e.g. "119th Congress"
	From     string `json:"from,omitzero"`     // first day in force
	To       string `json:"to,omitzero"`       // first day no longer in force, if a later plan is known
	Evidence string `json:"evidence,omitzero"` // why the state keeps the districts of an earlier plan, or the law of the plan
	InForce  string `json:"in_force,omitzero"` // plan in force whose outlines the dataset lacks
}

// A Census is the family of census geographies.
type Census struct {
	Current *CensusPeriod `json:"current"` // null if no area was found
}

// A CensusPeriod lists census areas by kind, the largest part of the code
// first. A kind that is missing from the dataset is nil; a kind without a
// matching area is empty.
type CensusPeriod struct {
	Source  string `json:"source"`           // publisher and file of the data
	Year    int    `json:"year"`             // of the census geography
	Vintage string `json:"vintage,omitzero"` // as the outlines really are; US
	Basis   Basis  `json:"basis,omitzero"`   // rule that selected the areas; absent for a postal code's assigned areas

	County                  []CensusArea   `json:"county,omitzero"`             // planning regions in Connecticut
	CountySubdivision       []CensusArea   `json:"county_subdivision,omitzero"` // US: towns, townships and their like
	Place                   []CensusArea   `json:"place,omitzero"`              // US: incorporated places and places that the census designated
	CensusDivision          []CensusArea   `json:"census_division,omitzero"`    // Canada
	CensusSubdivision       []CensusArea   `json:"census_subdivision,omitzero"` // Canada
	Tract                   []CensusArea   `json:"tract,omitzero"`              // of both countries
	BlockGroup              []CensusArea   `json:"block_group,omitzero"`        // US
	CBSA                    *CBSA          `json:"metro_micro_cbsa_statistical_area,omitzero"`
	MetropolitanDivision    *MetroDivision `json:"metropolitan_cbsa_division,omitzero"`
	MetroArea               []CensusArea   `json:"metro_area,omitzero"`               // Canada: census metropolitan area or agglomeration
	EconomicRegion          []CensusArea   `json:"economic_region,omitzero"`          // Canada
	PopulationCentre        []CensusArea   `json:"population_centre,omitzero"`        // Canada
	ConsolidatedSubdivision []CensusArea   `json:"consolidated_subdivision,omitzero"` // Canada
	DesignatedPlace         []CensusArea   `json:"designated_place,omitzero"`         // Canada
	DisseminationArea       []CensusArea   `json:"dissemination_area,omitzero"`       // Canada, full postal codes
	DisseminationBlock      []CensusArea   `json:"dissemination_block,omitzero"`      // Canada, full postal codes
}

// A CensusArea is one area of the census.
type CensusArea struct {
	FIPS          string `json:"fips,omitzero"`            // counties: five digits, in place of a geoid
	GEOID         string `json:"geoid,omitzero"`           // identifier of the area as its publisher writes it; counties have fips
	Name          string `json:"name,omitzero"`            // official name with its legal description; "" if no source has one
	NameFR        string `json:"name_fr,omitzero"`         // Canada: the French name if it differs
	IsUSPSPrimary Flag   `json:"is_usps_primary,omitzero"` // counties: the postal county of the ZIP, which its area need not lie in
	LandWater
	Share
}

// A CBSA names the metropolitan or micropolitan statistical area that holds
// the largest part of a code. It is absent if the largest part lies outside all
// of them.
type CBSA struct {
	Code string `json:"cbsa_code"` // five digits
	Name string `json:"name"`      // official title
}

// A MetroDivision names the metropolitan division that holds the largest part
// of a code, within its CBSA.
type MetroDivision struct {
	Code     string `json:"metdiv_code"` // five digits
	Name     string `json:"name"`        // official name
	CBSACode string `json:"cbsa_code"`   // five digits
}

// CongressionalDistricts are the family of districts of the House of
// Representatives.
type CongressionalDistricts struct {
	Current *CongressPeriod `json:"current"`       // null if no area was found, or only next was requested
	Next    *CongressPeriod `json:"next,omitzero"` // districts of the following plan
}

// A CongressPeriod lists the districts of a Congress, the largest part of the
// ZIP first.
type CongressPeriod struct {
	Source    string                  `json:"source"`           // publisher and file of the data
	Year      int                     `json:"year"`             // of the boundaries
	Vintage   string                  `json:"vintage,omitzero"` // release of the boundaries
	Congress  int                     `json:"congress"`         // e.g. 119
	Plan      DistrictPlan            `json:"plan,omitzero"`
	IsSplit   Flag                    `json:"is_split,omitzero"` // at least 1 % of the residents live in a second district; false if none has 1 % of residents or area; else absent
	Districts []CongressionalDistrict `json:"districts"`         // the districts that the code lies in, the largest share first
	Primary   PrimaryDistrict         `json:"primary"`
	// PrimaryByPeople is the district with most residents of a ZIP. It may differ from
	// Primary, which has the largest part of the area.
	PrimaryByPeople *PeoplesDistrict `json:"primary_by_people,omitzero"`
}

// A PeoplesDistrict is the district in which most residents of a ZIP live.
type PeoplesDistrict struct {
	GEOID       string  `json:"geoid"`         // the Census Bureau's code
	PctOfPeople float64 `json:"pct_of_people"` // share of the ZIP's residents who live in the district, 0 to 100
}

// A CongressionalDistrict is one district.
type CongressionalDistrict struct {
	GEOID          string `json:"geoid"`           // the Census Bureau's or Statistics Canada's code
	OCDID          string `json:"ocd_id,omitzero"` // Open Civic Data division
	State          string `json:"state"`           // two letters
	DistrictNumber int    `json:"district_number"` // 0 at large, 98 of a delegate or resident commissioner
	Name           string `json:"name"`            // official name
	LandWater
	DistrictShare
}

// A PrimaryDistrict is the district that counts as that of a ZIP or address.
type PrimaryDistrict struct {
	GEOID          string `json:"geoid"`           // the Census Bureau's or Statistics Canada's code
	State          string `json:"state"`           // two letters
	DistrictNumber int    `json:"district_number"` // 0 at large, 98 a delegate
	Basis          Basis  `json:"basis"`           // why this one
}

// A Basis is the rule that selected areas or the primary district.
type Basis string

// The rules (decisions D38 and D59).
const (
	LargestArea   Basis = "largest_area"   // shares of the code's outline, the largest first
	USPSRecord    Basis = "usps_record"    // the postal service's record of the address names it
	MostPeople    Basis = "most_people"    // residents of the code, for a plan without outlines
	ContainsPoint Basis = "contains_point" // it contains the coordinate, or the point of a code without an outline
)

// FederalDistricts are the family of federal electoral districts of Canada.
type FederalDistricts struct {
	Current *FederalPeriod `json:"current"`       // null if no area was found, or only next was requested
	Next    *FederalPeriod `json:"next,omitzero"` // districts of the following plan
}

// A FederalPeriod lists federal electoral districts, the largest part of the
// FSA first.
type FederalPeriod struct {
	Source    string            `json:"source"`         // publisher and file of the data
	Year      int               `json:"year"`           // of the boundaries
	Plan      DistrictPlan      `json:"plan,omitzero"`  // the Representation Order
	Basis     Basis             `json:"basis,omitzero"` // rule that selected the districts; absent for a postal code's assigned areas
	Districts []FederalDistrict `json:"districts"`      // the districts that the code lies in, the largest share first
}

// A FederalDistrict is one federal electoral district.
type FederalDistrict struct {
	GEOID    string   `json:"geoid"`               // the Census Bureau's or Statistics Canada's code
	OCDID    string   `json:"ocd_id,omitzero"`     // Open Civic Data division, with the year of the Representation Order
	Name     string   `json:"name"`                // official name
	NameFR   string   `json:"name_fr,omitzero"`    // French name, if different
	PctOfFSA *float64 `json:"pct_of_fsa,omitzero"` // share of the FSA that lies in the area, 0 to 100
}

// A StateLegislature is the family of state legislative districts.
type StateLegislature struct {
	Current *LegislativePeriod `json:"current"`       // null if no area was found, or only next was requested
	Next    *LegislativePeriod `json:"next,omitzero"` // districts of the following plan
}

// A LegislativePeriod lists the districts of the two chambers, the largest
// part of the ZIP first. Nebraska has an upper chamber only, and Lower is empty.
// A chamber that the dataset does not have is nil.
type LegislativePeriod struct {
	Source          string                `json:"source"`                    // publisher and file of the data
	Year            int                   `json:"year"`                      // of the boundaries
	Vintage         string                `json:"vintage,omitzero"`          // release of the boundaries
	LegislativeYear string                `json:"legislative_year,omitzero"` // e.g. "2024"
	Plan            DistrictPlan          `json:"plan,omitzero"`             // of the upper chamber, or of the only one
	LowerPlan       DistrictPlan          `json:"lower_plan,omitzero"`       // of the lower chamber
	Basis           Basis                 `json:"basis,omitzero"`            // rule that selected the districts
	Upper           []LegislativeDistrict `json:"upper,omitzero"`            // districts of the upper chamber
	Lower           []LegislativeDistrict `json:"lower,omitzero"`            // districts of the lower chamber
	IsSplit         Flag                  `json:"is_split,omitzero"`         // at least 1 % of the residents live in a second district of a chamber; false if none has 1 % of residents or area; else absent
}

// A LegislativeDistrict is a district of a state's chamber. At a coordinate it
// has no more than GEOID and name.
type LegislativeDistrict struct {
	GEOID        string `json:"geoid"`                  // the Census Bureau's or Statistics Canada's code
	OCDID        string `json:"ocd_id,omitzero"`        // Open Civic Data division; absent for districts without a number
	Name         string `json:"name"`                   // official name
	DistrictCode string `json:"district_code,omitzero"` // within the state, e.g. "024"
	State        string `json:"state,omitzero"`         // two letters
	StateFIPS    string `json:"state_fips,omitzero"`    // two digits
	LandWater
	DistrictShare
}

// SchoolDistricts are the family of school districts.
type SchoolDistricts struct {
	Current *SchoolPeriod `json:"current"` // null if no area was found
}

// A SchoolPeriod lists school districts, the largest part of the ZIP first.
type SchoolPeriod struct {
	Source     string           `json:"source"`               // publisher and file of the data
	SchoolYear string           `json:"school_year,omitzero"` // e.g. "2024-2025"
	Basis      Basis            `json:"basis,omitzero"`       // rule that selected the districts
	Districts  []SchoolDistrict `json:"districts"`            // the districts that the code lies in, the largest share first
}

// A SchoolDistrict is a school district. Elementary districts lie within
// secondary ones.
type SchoolDistrict struct {
	LEAID     string `json:"leaid"`               // of the National Center for Education Statistics, seven digits
	Name      string `json:"name"`                // official name
	Type      string `json:"type,omitzero"`       // unified, elementary, secondary, administrative or other; "" unknown
	GradeLow  string `json:"grade_low,omitzero"`  // PK, KG, 01 to 12, ...
	GradeHigh string `json:"grade_high,omitzero"` // highest grade
	StateFIPS string `json:"state_fips,omitzero"` // two digits
	LandWater
	Centroid  geo.LatLng    `json:"centroid,omitzero"` // in degrees of WGS84
	Office    *SchoolOffice `json:"office,omitzero"`
	Locale    *SchoolLocale `json:"locale,omitzero"`
	NCESCodes NCESCodes     `json:"nces_codes"`
	Share
}

// A SchoolOffice is the administrative office of a school district.
type SchoolOffice struct {
	Address string   `json:"address,omitzero"` // street of the office
	City    string   `json:"city,omitzero"`    // of the office
	State   string   `json:"state,omitzero"`   // two letters
	ZIP     string   `json:"zip,omitzero"`     // of the office
	County  string   `json:"county,omitzero"`  // of the office
	Lat     *float64 `json:"lat,omitzero"`     // degrees, 6 decimals
	Lon     *float64 `json:"lon,omitzero"`     // degrees
}

// A SchoolLocale is the kind of place that a school district lies in.
type SchoolLocale struct {
	Code        string `json:"code"`        // "11" to "43"
	Description string `json:"description"` // e.g. "City: Large"
}

// NCESCodes are the codes of a school district in the Common Core of Data.
type NCESCodes struct {
	LEAID      string `json:"leaid"`                // seven digits
	StateID    string `json:"state_id,omitzero"`    // the state's own code
	AgencyType string `json:"agency_type,omitzero"` // "1" to "9"
}
