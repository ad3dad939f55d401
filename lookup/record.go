package lookup

import (
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
)

// An Identity identifies the place of a code. Empty fields are unknown or do
// not apply.
type Identity struct {
	Country            string             `json:"country"`                      // US or CA
	Code               string             `json:"code"`                         // canonical, e.g. "K1A 0B1"
	CodeType           CodeType           `json:"code_type"`                    // kind of code
	ParentCode         string             `json:"parent_code,omitzero"`         // ZIP of a ZIP+4, FSA of a postal code
	City               string             `json:"city"`                         // city of the code, in proper case
	State              string             `json:"state"`                        // two letters of a state or province
	StateName          string             `json:"state_name"`                   // e.g. "California"
	StateFIPS          string             `json:"state_fips,omitzero"`          // two digits
	County             string             `json:"county,omitzero"`              // official name, e.g. "Los Angeles County"
	CountyFIPS         string             `json:"county_fips,omitzero"`         // five digits
	MultiCounty        Flag               `json:"multi_county,omitzero"`        // unknown without a county, a source and an outline
	Classification     Classification     `json:"classification,omitzero"`      // kind of ZIP
	ClassificationName ClassificationName `json:"classification_name,omitzero"` // the class as a word
	Municipality       string             `json:"municipality,omitzero"`        // municipality that holds the code's point, e.g. "Beverly Hills"
	Location           geo.LatLng         `json:"location,omitzero"`            // point of the code in degrees of WGS84; absent for most military ZIPs
}

// A QuickRecord is the contract's quick-zip item: one code's identity, the
// street-level detail of a ZIP+4, and its time zone on request. Its Item holds
// the notices of this code.
type QuickRecord struct {
	envelope.Item
	Identity
	Detail   *Detail   `json:"detail,omitzero"`
	Timezone *TimeZone `json:"timezone,omitzero"`
}

// A Record is the contract's zip item: the identity of a code and the requested
// enrichments that are available.
type Record struct {
	envelope.Item
	Identity
	AreaCodes   []string    `json:"area_codes,omitzero"` // three digits each, ascending
	Elevation   *Elevation  `json:"elevation,omitzero"`
	Metro       *Metro      `json:"metro,omitzero"`        // statistical regions and areas around the county; US
	ZIPInfo     *ZIPInfo    `json:"zip_info,omitzero"`     // data of the postal service and the Census Bureau about the ZIP; US
	PostalInfo  *PostalInfo `json:"postal_info,omitzero"`  // the FSA of the code, with its people and dwellings; Canada
	CityAliases []CityAlias `json:"city_aliases,omitzero"` // other names that mail may carry
	Detail      *Detail     `json:"detail,omitzero"`
	Timezone    *TimeZones  `json:"timezone,omitzero"`
	Families

	Demographics *Demographics `json:"demographics,omitzero"` // US
	Medicare     *Medicare     `json:"medicare,omitzero"`     // areas of Medicare and of the insurance marketplaces; US

	ACS acs.Years[acs.Block] `json:"acs,omitzero"` // US

	Quality *Quality `json:"quality,omitzero"` // sources and reliability of the record's data
}

// An Elevation is a height above sea level, rounded to whole units.
type Elevation struct {
	Feet   int `json:"ft"` // feet
	Meters int `json:"m"`  // meters
}

// A Metro names the statistical regions and areas around a ZIP's county.
type Metro struct {
	Region   string `json:"region,omitzero"`    // Census region, e.g. "West"
	Division string `json:"division,omitzero"`  // Census division, e.g. "Pacific"
	CSA      string `json:"csa,omitzero"`       // combined statistical area, three digits
	CSAName  string `json:"csa_name,omitzero"`  // its official title
	MSA      string `json:"msa,omitzero"`       // core based statistical area, five digits
	MSAName  string `json:"msa_name,omitzero"`  // its official title
	PMSA     string `json:"pmsa,omitzero"`      // metropolitan division, five digits
	PMSAName string `json:"pmsa_name,omitzero"` // its official title
}

// A ZIPInfo holds data of the postal service and the Census Bureau about a ZIP.
type ZIPInfo struct {
	Classification        Classification     `json:"classification,omitzero"`          // kind of ZIP
	ClassificationName    ClassificationName `json:"classification_name,omitzero"`     // the class as a word
	FacilityCode          string             `json:"facility_code,omitzero"`           // B C N P S or U
	CityDeliveryIndicator string             `json:"city_delivery_indicator,omitzero"` // Y or N
	IntroDate             string             `json:"intro_date,omitzero"`              // YYYY-MM-DD
	LandAreaSqMi          *float64           `json:"land_area_sq_mi,omitzero"`         // 2 decimals
	WaterAreaSqMi         *float64           `json:"water_area_sq_mi,omitzero"`        // 2 decimals
	ZIP4Count             *int               `json:"zip4_count,omitzero"`              // ZIP+4 codes in the dataset
	DeliveryPoints        *DeliveryPoints    `json:"delivery_points,omitzero"`
}

// DeliveryPoints counts the addresses that receive mail. Unknown counts are nil.
type DeliveryPoints struct {
	TotalActive  *int `json:"total_active,omitzero"`  // all of them
	Business     *int `json:"business,omitzero"`      // addresses of businesses
	Residential  *int `json:"residential,omitzero"`   // addresses of homes
	POBox        *int `json:"po_box,omitzero"`        // boxes
	SingleFamily *int `json:"single_family,omitzero"` // homes by themselves
	MultiFamily  *int `json:"multi_family,omitzero"`  // homes in buildings with several
}

// A PostalInfo holds data of Canada Post and Statistics Canada about a code.
// Counts are from the 2021 census and describe the whole FSA, also for full
// postal codes.
type PostalInfo struct {
	RecordType           string `json:"record_type,omitzero"`            // as the source names it
	AddressType          string `json:"address_type,omitzero"`           // as the source names it
	FSA                  string `json:"fsa,omitzero"`                    // first three characters
	DeliveryPostalCode   string `json:"delivery_postal_code,omitzero"`   // code that mail is delivered from
	FSAPopulation        *int   `json:"fsa_population,omitzero"`         // people, latest census
	FSADwellings         *int   `json:"fsa_dwellings,omitzero"`          // private dwellings, latest census
	FSADwellingsOccupied *int   `json:"fsa_dwellings_occupied,omitzero"` // private dwellings with usual residents, latest census
	FSAPostalCodeCount   *int   `json:"fsa_postal_code_count,omitzero"`  // full postal codes of the FSA in the dataset
}

// A CityAlias is another name of a ZIP's place.
type CityAlias struct {
	City        string `json:"city"`                  // the other name
	MailingName string `json:"mailing_name,omitzero"` // Y: accepted on the last line of an address; N: not accepted
	IntroDate   string `json:"intro_date,omitzero"`   // YYYY-MM-DD
}

// A Detail is the street-level record of a ZIP+4.
type Detail struct {
	ZIP4         string  `json:"zip4"`                   // the four digits of the add-on
	Valid        Flag    `json:"valid,omitzero"`         // False when the parent ZIP exists and the add-on does not
	RecordType   string  `json:"record_type,omitzero"`   // the product's letter, e.g. S for a street
	CarrierRoute string  `json:"carrier_route,omitzero"` // e.g. "C002"
	Street       *Street `json:"street,omitzero"`
}

// A Street is the range of addresses of a ZIP+4 in the product's capitals.
// Numbers have no leading zeros.
type Street struct {
	AddrLow        string `json:"addr_low,omitzero"`          // first house number
	AddrHigh       string `json:"addr_high,omitzero"`         // last house number
	Prefix         string `json:"prefix,omitzero"`            // directional before the name
	Name           string `json:"name,omitzero"`              // street name
	Suffix         string `json:"suffix,omitzero"`            // kind of street, e.g. "AVE"
	Postfix        string `json:"postfix,omitzero"`           // directional after the suffix
	OddEven        string `json:"odd_even,omitzero"`          // whether house numbers are odd, even or both: O, E or B
	SecAddrAbbr    string `json:"sec_addr_abbr,omitzero"`     // kind of unit, e.g. "APT"
	SecAddrLow     string `json:"sec_addr_low,omitzero"`      // first unit
	SecAddrHigh    string `json:"sec_addr_high,omitzero"`     // last unit
	SecAddrOddEven string `json:"sec_addr_odd_even,omitzero"` // whether units are odd, even or both: O, E or B
	BuildingName   string `json:"building_name,omitzero"`     // of a building or firm
	Address        string `json:"address,omitzero"`           // one line; with a number if the record covers a single one
}
