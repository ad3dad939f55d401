package address

import (
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// A Match is the contract's item of a matched address. In a batch it also
// represents addresses without a match.
type Match struct {
	envelope.Item
	Matched lookup.Flag `json:"matched,omitzero"` // whether the address was matched; batches only
	Data    *Data       `json:"data,omitzero"`
}

// Data holds the fields of a matched address.
type Data struct {
	Confidence    Confidence `json:"confidence"`              // high, medium or low
	RecipientName string     `json:"recipient_name,omitzero"` // text before the delivery line
	AttentionLine string     `json:"attention_line,omitzero"` // what followed ATTN or C/O
	// FormattedAddress is the whole address on one line, in the capitals of
	// Publication 28.
	FormattedAddress string     `json:"formatted_address"`
	AddressLine1     string     `json:"address_line1"` // the delivery line
	AddressLine2     string     `json:"address_line2"` // the last line
	Components       Components `json:"address_components"`
	Details          Details    `json:"details"`
	// PBSA is true of a street address of a post office whose record is a PO
	// box, and left out otherwise.
	PBSA     bool      `json:"pbsa_indicator,omitzero"`
	Location *Location `json:"location,omitzero"` // in degrees of WGS84
	Areas
	DPV *DPVResult `json:"dpv_result,omitzero"` // declared by the contract, never filled

	point geo.LatLng // of the record; invalid if it has none
	cd    string     // of the record
}

// Areas holds the requested areas around a position.
type Areas struct {
	lookup.Families
	ACS *lookup.TractSurvey `json:"acs,omitzero"`

	// Delivered are the flags of these boundaries and tract profiles, each once. A
	// completed look-up that found nothing counts.
	Delivered []string `json:"-"`
	// Unavailable are the other requested flags.
	Unavailable []string `json:"-"`
}

// Confidence grades the corrections that a match needed.
type Confidence string

// The levels of confidence.
const (
	High   Confidence = "high"   // nothing, or only the city
	Medium Confidence = "medium" // one thing
	Low    Confidence = "low"    // more
)

// Components are the parts of the matched address.
type Components struct {
	Number          string `json:"number,omitzero"`           // house, box or route number
	PreDirectional  string `json:"pre_directional,omitzero"`  // direction before the street, e.g. "N"
	Street          string `json:"street,omitzero"`           // name, or number of a highway
	StreetPreType   string `json:"street_pre_type,omitzero"`  // e.g. "CALLE" or "US HIGHWAY"
	Suffix          string `json:"suffix,omitzero"`           // kind of street, e.g. "AVE"
	PostDirectional string `json:"post_directional,omitzero"` // direction behind the street, e.g. "NW"
	SecondaryType   string `json:"secondary_type,omitzero"`   // kind of unit, e.g. "APT"
	SecondaryNumber string `json:"secondary_number,omitzero"` // number of the unit, e.g. "4B"
	City            string `json:"city,omitzero"`             // of the last line
	State           string `json:"state,omitzero"`            // two letters
	ZIP             string `json:"zip,omitzero"`              // five digits
	Plus4           string `json:"plus4,omitzero"`            // four digits
	Country         string `json:"country,omitzero"`          // US
}

// A Coded is a code of the postal products with its meaning.
type Coded struct {
	Code        string `json:"code"`                 // the product's code
	Description string `json:"description,omitzero"` // meaning of the code
}

// A CountyName names a county.
type CountyName struct {
	FIPS string `json:"fips"`          // five digits
	Name string `json:"name,omitzero"` // official name
}

// Details are the fields of the matched record.
type Details struct {
	RecordType   Coded       `json:"record_type"`            // kind of the ZIP+4 record: S, H, P, F, G or R
	CarrierRoute *Coded      `json:"carrier_route,omitzero"` // route of the record, such as C002
	Facility     *Coded      `json:"facility,omitzero"`      // kind of the post office of the ZIP
	County       *CountyName `json:"county,omitzero"`        // official name
	// CongressionalDistrict is the record's own: two digits, AL at large.
	CongressionalDistrict string `json:"congressional_district,omitzero"`
	LocationBlockGroup    string `json:"location_block_group,omitzero"`    // GEOID of the block group around the record's point
	FinanceNumber         string `json:"finance_number,omitzero"`          // six digits of the post office
	BuildingName          string `json:"building_name,omitzero"`           // of a building or firm record
	GovernmentBuilding    bool   `json:"government_building"`              // whether the record is one of a government
	BaseAlternateCode     string `json:"base_alternate_code,omitzero"`     // B for a base record, A for an alternate
	LACSStatus            string `json:"lacs_status,omitzero"`             // L if the address was converted
	MunicipalityKey       string `json:"municipality_key,omitzero"`        // City State key of the municipality
	UrbanizationKey       string `json:"urbanization_key,omitzero"`        // City State key of the urbanization, Puerto Rico
	PreferredLastLineKey  string `json:"preferred_last_line_key,omitzero"` // City State key of the preferred city
}

// A Location is the point of the matched ZIP+4, to six decimals. If the ZIP+4 has
// none, it is the position of the address.
type Location struct {
	Latitude  geo.Degrees `json:"latitude"`       // in degrees
	Longitude geo.Degrees `json:"longitude"`      // in degrees
	Basis     string      `json:"basis,omitzero"` // point or interpolated; absent for the point of the ZIP+4
}

// DPVResult is declared by the contract. Certified delivery points are not a
// part of this project, so that no result has one.
type DPVResult struct {
	Checked                bool   `json:"checked"`                           // whether the address was validated to the delivery point
	Status                 string `json:"dpv_status,omitzero"`               // result of the validation
	Confirmation           string `json:"dpv_confirmation,omitzero"`         // Y for a valid delivery point, S or D if the unit was wrong or missing, N for none
	Source                 string `json:"source,omitzero"`                   // what validated it
	StreetLine             string `json:"street_line,omitzero"`              // the requested street line
	Secondary              string `json:"secondary,omitzero"`                // the requested unit
	RequestPrimary         string `json:"request_primary,omitzero"`          // the requested house number
	RequestSecondaryNumber string `json:"request_secondary_number,omitzero"` // number of the requested unit
	ZIP                    string `json:"zip,omitzero"`                      // five digits
	RequestZIP9            string `json:"request_zip9,omitzero"`             // the requested ZIP and add-on, nine digits
	RequestZIP4            string `json:"request_zip4,omitzero"`             // the requested add-on, four digits
	RDI                    string `json:"rdi,omitzero"`                      // residential delivery indicator: Y for a residence
	DPB                    string `json:"dpb,omitzero"`                      // delivery point of the barcode, two digits
	DPBC                   string `json:"dpbc,omitzero"`                     // check digit of the barcode
	EMPD                   string `json:"empd,omitzero"`                     // as the validating product states it
	EMPDZIP4               string `json:"empd_zip4,omitzero"`                // add-on that belongs to empd, four digits
	EffectiveZIP9          string `json:"effective_zip9,omitzero"`           // ZIP and add-on that the validation went by, nine digits
	EffectiveZIP4          string `json:"effective_zip4,omitzero"`           // add-on that the validation went by, four digits
	CMRA                   string `json:"cmra,omitzero"`                     // Y for a commercial mail receiving agency
	Vacant                 string `json:"vacant,omitzero"`                   // Y for a vacant delivery point
	Drop                   string `json:"drop,omitzero"`                     // Y where mail for several is left at one place
	NoStat                 string `json:"no_stat,omitzero"`                  // Y for a delivery point that is not counted, as it gets no mail yet or any more
	NoStatReason           int32  `json:"no_stat_reason,omitzero"`           // number of the reason for no_stat
	NoStatReasonText       string `json:"no_stat_reason_text,omitzero"`      // the same in words
	LocalReason            string `json:"local_reason,omitzero"`             // the reason as the validating service states it
	RawResponse            string `json:"raw_response,omitzero"`             // response of the validating product
}
