package lookup

import (
	"strconv"

	"github.com/postgeo/postgeo/internal/envelope"
)

// An object appends the members of a JSON object whose values are known.
type object struct {
	dst   []byte
	begun bool
}

// open begins an object inside.
func (o *object) open() {
	o.dst = append(o.dst, '{')
	o.begun = false
}

// close ends an object inside, which is a member of the one around it.
func (o *object) close() {
	o.dst = append(o.dst, '}')
	o.begun = true
}

// key appends the key, after a comma unless it is the first.
func (o *object) key(k string) {
	if o.begun {
		o.dst = append(o.dst, ',')
	}
	o.begun = true
	o.dst = append(o.dst, '"')
	o.dst = append(o.dst, k...)
	o.dst = append(o.dst, '"', ':')
}

func (o *object) text(k, v string) {
	o.key(k)
	o.dst = envelope.AppendString(o.dst, v)
}

// known appends a text that is left out when it is empty.
func (o *object) known(k, v string) {
	if v != "" {
		o.text(k, v)
	}
}

func (o *object) int(k string, v int) {
	o.key(k)
	o.dst = strconv.AppendInt(o.dst, int64(v), 10)
}

// figure appends a rounded number that is left out when it is nil.
func (o *object) figure(k string, v *float64) {
	if v != nil {
		o.key(k)
		o.dst = strconv.AppendFloat(o.dst, *v, 'f', -1, 64)
	}
}

func (o *object) landWater(v LandWater) {
	o.figure("land_area_sq_mi", v.LandAreaSqMi)
	o.figure("water_area_sq_mi", v.WaterAreaSqMi)
}

func (o *object) share(v Share) {
	o.figure("pct_of_zip", v.PctOfZIP)
	o.figure("pct_of_fsa", v.PctOfFSA)
	o.figure("pct_of_area", v.PctOfArea)
}

// nested appends an object, or null for false.
func (o *object) nested(k string, there bool, members func(*object)) {
	o.key(k)
	if !there {
		o.dst = append(o.dst, "null"...)
		return
	}
	o.open()
	members(o)
	o.close()
}

// list appends a list of objects; nil is left out.
func list[T any](o *object, k string, values []T, members func(*object, *T)) {
	if values != nil {
		o.key(k)
		appendList(o, values, members)
	}
}

// required appends a list that is never left out.
func required[T any](o *object, k string, values []T, members func(*object, *T)) {
	o.key(k)
	if values == nil {
		o.dst = append(o.dst, "null"...)
		return
	}
	appendList(o, values, members)
}

func appendList[T any](o *object, values []T, members func(*object, *T)) {
	o.dst = append(o.dst, '[')
	for i := range values {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.open()
		members(o, &values[i])
		o.close()
	}
	o.dst = append(o.dst, ']')
}

// period appends a family, whose only member is its current period.
func (o *object) period(k string, there bool, members func(*object)) {
	o.nested(k, true, func(o *object) { o.nested("current", there, members) })
}

// families appends the members of the families that are there.
func (o *object) families(f *Families) {
	if c := f.Census; c != nil {
		o.period("census", c.Current != nil, func(o *object) { c.Current.members(o) })
	}
	if c := f.CongressionalDistrict; c != nil {
		o.period("congressional_district", c.Current != nil, func(o *object) { c.Current.members(o) })
	}
	if c := f.FederalElectoralDistrict; c != nil {
		o.period("federal_electoral_district", c.Current != nil, func(o *object) { c.Current.members(o) })
	}
	if c := f.StateLegislative; c != nil {
		o.period("state_legislative", c.Current != nil, func(o *object) { c.Current.members(o) })
	}
	if c := f.SchoolDistrict; c != nil {
		o.period("school_district", c.Current != nil, func(o *object) { c.Current.members(o) })
	}
}

// AppendMembers appends the families that are there as members of a JSON
// object, each behind a comma. Results that embed Families use it.
func (f *Families) AppendMembers(dst []byte) []byte {
	o := object{dst: dst, begun: true}
	o.families(f)
	return o.dst
}

func (c *CensusPeriod) members(o *object) {
	o.text("source", c.Source)
	o.int("year", c.Year)
	o.known("vintage", c.Vintage)
	o.known("basis", string(c.Basis))
	list(o, "county", c.County, censusArea)
	list(o, "county_subdivision", c.CountySubdivision, censusArea)
	list(o, "place", c.Place, censusArea)
	list(o, "census_division", c.CensusDivision, censusArea)
	list(o, "census_subdivision", c.CensusSubdivision, censusArea)
	list(o, "tract", c.Tract, censusArea)
	list(o, "block_group", c.BlockGroup, censusArea)
	if v := c.CBSA; v != nil {
		o.nested("metro_micro_cbsa_statistical_area", true, func(o *object) {
			o.text("cbsa_code", v.Code)
			o.text("name", v.Name)
		})
	}
	if v := c.MetropolitanDivision; v != nil {
		o.nested("metropolitan_cbsa_division", true, func(o *object) {
			o.text("metdiv_code", v.Code)
			o.text("name", v.Name)
			o.text("cbsa_code", v.CBSACode)
		})
	}
	list(o, "metro_area", c.MetroArea, censusArea)
	list(o, "economic_region", c.EconomicRegion, censusArea)
	list(o, "population_centre", c.PopulationCentre, censusArea)
	list(o, "consolidated_subdivision", c.ConsolidatedSubdivision, censusArea)
	list(o, "designated_place", c.DesignatedPlace, censusArea)
	list(o, "dissemination_area", c.DisseminationArea, censusArea)
	list(o, "dissemination_block", c.DisseminationBlock, censusArea)
}

func censusArea(o *object, a *CensusArea) {
	o.known("fips", a.FIPS)
	o.known("geoid", a.GEOID)
	o.known("name", a.Name)
	o.known("name_fr", a.NameFR)
	if a.IsUSPSPrimary.Known() {
		o.key("is_usps_primary")
		o.dst = append(o.dst, a.IsUSPSPrimary.String()...)
	}
	o.landWater(a.LandWater)
	o.share(a.Share)
}

func (c *CongressPeriod) members(o *object) {
	o.text("source", c.Source)
	o.int("year", c.Year)
	o.known("vintage", c.Vintage)
	o.int("congress", c.Congress)
	required(o, "districts", c.Districts, func(o *object, d *CongressionalDistrict) {
		o.text("geoid", d.GEOID)
		o.text("state", d.State)
		o.int("district_number", d.DistrictNumber)
		o.text("name", d.Name)
		o.landWater(d.LandWater)
		o.share(d.Share)
	})
	o.nested("primary", true, func(o *object) {
		o.text("geoid", c.Primary.GEOID)
		o.text("state", c.Primary.State)
		o.int("district_number", c.Primary.DistrictNumber)
		o.text("basis", string(c.Primary.Basis))
	})
}

func (c *FederalPeriod) members(o *object) {
	o.text("source", c.Source)
	o.int("year", c.Year)
	o.known("basis", string(c.Basis))
	required(o, "districts", c.Districts, func(o *object, d *FederalDistrict) {
		o.text("geoid", d.GEOID)
		o.text("name", d.Name)
		o.known("name_fr", d.NameFR)
		o.figure("pct_of_fsa", d.PctOfFSA)
	})
}

func (c *LegislativePeriod) members(o *object) {
	o.text("source", c.Source)
	o.int("year", c.Year)
	o.known("vintage", c.Vintage)
	o.known("legislative_year", c.LegislativeYear)
	o.known("basis", string(c.Basis))
	list(o, "upper", c.Upper, legislativeDistrict)
	list(o, "lower", c.Lower, legislativeDistrict)
}

func legislativeDistrict(o *object, d *LegislativeDistrict) {
	o.text("geoid", d.GEOID)
	o.text("name", d.Name)
	o.known("district_code", d.DistrictCode)
	o.known("state", d.State)
	o.known("state_fips", d.StateFIPS)
	o.landWater(d.LandWater)
	o.share(d.Share)
}

func (c *SchoolPeriod) members(o *object) {
	o.text("source", c.Source)
	o.known("school_year", c.SchoolYear)
	o.known("basis", string(c.Basis))
	required(o, "districts", c.Districts, schoolDistrict)
}

func schoolDistrict(o *object, d *SchoolDistrict) {
	o.text("leaid", d.LEAID)
	o.text("name", d.Name)
	o.known("type", d.Type)
	o.known("grade_low", d.GradeLow)
	o.known("grade_high", d.GradeHigh)
	o.known("state_fips", d.StateFIPS)
	o.landWater(d.LandWater)
	if d.Centroid.IsValid() {
		o.key("centroid")
		o.dst = d.Centroid.AppendJSON(o.dst)
	}
	if v := d.Office; v != nil {
		o.nested("office", true, func(o *object) {
			o.known("address", v.Address)
			o.known("city", v.City)
			o.known("state", v.State)
			o.known("zip", v.ZIP)
			o.known("county", v.County)
			o.figure("lat", v.Lat)
			o.figure("lon", v.Lon)
		})
	}
	if v := d.Locale; v != nil {
		o.nested("locale", true, func(o *object) {
			o.text("code", v.Code)
			o.text("description", v.Description)
		})
	}
	o.nested("nces_codes", true, func(o *object) {
		o.text("leaid", d.NCESCodes.LEAID)
		o.known("state_id", d.NCESCodes.StateID)
		o.known("agency_type", d.NCESCodes.AgencyType)
	})
	o.share(d.Share)
}
