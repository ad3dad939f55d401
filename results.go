package postgeo

import (
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/radius"
)

// Notice is a remark about a result, such as a correction of the input.
//
//	type Notice struct {
//		Code    Code   // one of the contract's notice codes
//		Message string // a message for people
//		Class   Class  // the subject of the notice
//		URL     string // page with details; with FREE_TIER_LIMIT_CAPPED only
//	}
type Notice = envelope.Notice

// Identity identifies the place of a code.
//
//	type Identity struct {
//		Country            string             // US or CA
//		Code               string             // canonical, e.g. "K1A 0B1"
//		CodeType           CodeType           // kind of code
//		ParentCode         string             // ZIP of a ZIP+4, FSA of a postal code
//		City               string             // city of the code, in proper case
//		State              string             // two letters of a state or province
//		StateName          string             // e.g. "California"
//		StateFIPS          string             // two digits
//		County             string             // official name, e.g. "Los Angeles County"
//		CountyFIPS         string             // five digits
//		MultiCounty        Flag               // unknown without a county, a source and an outline
//		Classification     Classification     // kind of ZIP
//		ClassificationName ClassificationName // the class as a word
//		Municipality       string             // municipality that holds the code's point, e.g. "Beverly Hills"
//		Location           geo.LatLng         // point of the code in degrees of WGS84; absent for most military ZIPs
//	}
type Identity = lookup.Identity

// Detail is the record of a ZIP+4.
//
//	type Detail struct {
//		ZIP4         string // the four digits of the add-on
//		Valid        Flag   // False when the parent ZIP exists and the add-on does not
//		RecordType   string // the product's letter, e.g. S for a street
//		CarrierRoute string // e.g. "C002"
//		Street       *Street
//	}
type Detail = lookup.Detail

// CityAlias is another name of a city.
//
//	type CityAlias struct {
//		City        string // the other name
//		MailingName string // Y: accepted on the last line of an address; N: not accepted
//		IntroDate   string // YYYY-MM-DD
//	}
type CityAlias = lookup.CityAlias

// Metro has the statistical areas of a code.
//
//	type Metro struct {
//		Region   string // Census region, e.g. "West"
//		Division string // Census division, e.g. "Pacific"
//		CSA      string // combined statistical area, three digits
//		CSAName  string // its official title
//		MSA      string // core based statistical area, five digits
//		MSAName  string // its official title
//		PMSA     string // metropolitan division, five digits
//		PMSAName string // its official title
//	}
type Metro = lookup.Metro

// ZIPInfo has data of the postal service and the Census Bureau about a ZIP.
//
//	type ZIPInfo struct {
//		Classification        Classification     // kind of ZIP
//		ClassificationName    ClassificationName // the class as a word
//		FacilityCode          string             // B C N P S or U
//		CityDeliveryIndicator string             // Y or N
//		IntroDate             string             // YYYY-MM-DD
//		LandAreaSqMi          *float64           // 2 decimals
//		WaterAreaSqMi         *float64           // 2 decimals
//		ZIP4Count             *int               // ZIP+4 codes in the dataset
//		DeliveryPoints        *DeliveryPoints
//	}
type ZIPInfo = lookup.ZIPInfo

// PostalInfo has the FSA of a Canadian code.
//
//	type PostalInfo struct {
//		RecordType           string // as the source names it
//		AddressType          string // as the source names it
//		FSA                  string // first three characters
//		DeliveryPostalCode   string // code that mail is delivered from
//		FSAPopulation        *int   // people, latest census
//		FSADwellings         *int   // private dwellings, latest census
//		FSADwellingsOccupied *int   // private dwellings with usual residents, latest census
//		FSAPostalCodeCount   *int   // full postal codes of the FSA in the dataset
//	}
type PostalInfo = lookup.PostalInfo

// TimeZone is a time zone at a time.
//
//	type TimeZone struct {
//		Source string // where the data come from
//		Zone
//	}
//	type Zone struct {
//		IANAName        string  // e.g. "America/Los_Angeles"
//		Name            string  // CLDR's English generic name, e.g. "Pacific Time"
//		Abbreviation    string  // e.g. "PST"
//		AbbreviationDST string  // e.g. "PDT"; the standard one without DST
//		UTCOffset       float64 // hours east of UTC, e.g. -8 or -3.5
//		UTCOffsetDST    float64 // the standard one without DST
//		ObservesDST     bool    // whether both times occur in the twelve months
//	}
type TimeZone = lookup.TimeZone

// TimeZones has the time zones of a code.
//
//	type TimeZones struct {
//		Source string      // where the data come from
//		Zones  []ZoneShare // the zones that the code reaches into, the largest share first
//	}
type TimeZones = lookup.TimeZones

// Census has the census areas of a code.
//
//	type Census struct {
//		Current *CensusPeriod // null if no area was found
//	}
type Census = lookup.Census

// CensusArea is one area of the census.
//
//	type CensusArea struct {
//		FIPS          string // counties: five digits, in place of a geoid
//		GEOID         string // identifier of the area as its publisher writes it; counties have fips
//		Name          string // official name with its legal description; "" if no source has one
//		NameFR        string // Canada: the French name if it differs
//		IsUSPSPrimary Flag   // counties: the postal county of the ZIP, which its area need not lie in
//		LandWater
//		Share
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type CensusArea = lookup.CensusArea

// CongressionalDistricts has the districts of the House of Representatives.
//
//	type CongressionalDistricts struct {
//		Current *CongressPeriod // null if no area was found
//	}
type CongressionalDistricts = lookup.CongressionalDistricts

// CongressionalDistrict is one of them.
//
//	type CongressionalDistrict struct {
//		GEOID          string // the Census Bureau's or Statistics Canada's code
//		State          string // two letters
//		DistrictNumber int    // 0 at large, 98 of a delegate or resident commissioner
//		Name           string // official name
//		LandWater
//		Share
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type CongressionalDistrict = lookup.CongressionalDistrict

// FederalDistricts has the federal electoral districts of Canada.
//
//	type FederalDistricts struct {
//		Current *FederalPeriod // null if no area was found
//	}
type FederalDistricts = lookup.FederalDistricts

// StateLegislature has the districts of the state legislature.
//
//	type StateLegislature struct {
//		Current *LegislativePeriod // null if no area was found
//	}
type StateLegislature = lookup.StateLegislature

// SchoolDistricts has the school districts of a code.
//
//	type SchoolDistricts struct {
//		Current *SchoolPeriod // null if no area was found
//	}
type SchoolDistricts = lookup.SchoolDistricts

// SchoolDistrict is one of them.
//
//	type SchoolDistrict struct {
//		LEAID     string // of the National Center for Education Statistics, seven digits
//		Name      string // official name
//		Type      string // unified, elementary, secondary, administrative or other; "" unknown
//		GradeLow  string // PK, KG, 01 to 12, ...
//		GradeHigh string // highest grade
//		StateFIPS string // two digits
//		LandWater
//		Centroid  geo.LatLng // in degrees of WGS84
//		Office    *SchoolOffice
//		Locale    *SchoolLocale
//		NCESCodes NCESCodes
//		Share
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type SchoolDistrict = lookup.SchoolDistrict

// Demographics has the people and households of a ZIP.
//
//	type Demographics struct {
//		Population *Population
//		Age        *Age
//		Households *Households
//		Business   *Business
//	}
type Demographics = lookup.Demographics

// Medicare has areas of Medicare and of the insurance marketplaces.
//
//	type Medicare struct {
//		CBSACode           string // core based statistical area, five digits
//		CBSAName           string // its official title
//		CBSAType           string // Metropolitan or Micropolitan Statistical Area
//		RatingAreaID       string // geographic rating area within the state, e.g. "Rating Area 16"
//		SSAStateCountyCode string // of the Social Security Administration, five digits
//		MultiCountyNotice  string // text about the ZIP's other counties
//	}
type Medicare = lookup.Medicare

// Quality has sources and reliability of a record.
//
//	type Quality struct {
//		PointSource         string         // source of the code's point; absent for postal codes
//		OutlineSource       string         // source of the outline
//		OutlineAreaRatio    *float64       // drawn area divided by the stated one; 1 if it lies between the stated land and the whole
//		PopulationYear      *int           // last year of the survey, or the census year
//		PopulationSource    string         // source of the population
//		HousingUnits        *int           // homes, occupied or vacant; US
//		HousingSource       string         // source of the housing units; US
//		CountySources       []CountySource // county that each source names, if they differ; US
//		ClassificationBasis string         // what decided the classification; US
//		Notes               []string       // anything else to keep in mind, in English
//	}
type Quality = lookup.Quality

// Center is the center of a search.
//
//	type Center struct {
//		Country   string          // US or CA
//		Code      string          // canonical; of a ZIP+4 its ZIP
//		CodeType  lookup.CodeType // what kind of code it is
//		City      string          // city of the code, in proper case
//		State     string          // two letters
//		Location  geo.LatLng      // in degrees of WGS84
//		InputType InputType       // whether it was given as a code or as coordinates
//	}
type Center = radius.Center

// RadiusMatch is a code that a search found.
//
//	type Match struct {
//		Country            string                    // US or CA
//		Code               string                    // canonical form
//		CodeType           lookup.CodeType           // what kind of code it is
//		City               string                    // city of the code, in proper case
//		State              string                    // two letters
//		County             string                    // official name
//		CountyFIPS         string                    // five digits
//		Classification     lookup.Classification     // what kind of ZIP it is
//		ClassificationName lookup.ClassificationName // the class as a word
//		Location           geo.LatLng                // in degrees of WGS84
//		DistanceMiles      geo.Miles                 // from the center to Location, 2 decimals
//		PctInside          *float64                  // 0 to 100, 1 decimal; nil for a point and in centroid mode
//		AreaSqMi           *geo.SquareMiles          // 2 decimals; nil for a point and in centroid mode
//		Timezone           *lookup.TimeZone          // on request
//	}
type RadiusMatch = radius.Match

// RadiusSummary counts the matches of a search.
//
//	type Summary struct {
//		TotalCount    int  // matches that are listed
//		USZIPCount    int  // ZIPs among the matches
//		CAFSACount    int  // Canadian FSAs among the matches
//		CAPostalCount int  // Canadian postal codes among the matches
//		Available     *int // all there are, when not all are listed
//	}
type RadiusSummary = radius.Summary

// DistanceEnd is one of the two places of a distance.
//
//	type End struct {
//		Country   string          // US or CA
//		Code      string          // canonical form
//		CodeType  lookup.CodeType // what kind of code it is
//		City      string          // city of the code, in proper case
//		State     string          // two letters
//		County    string          // official name
//		Location  geo.LatLng      // in degrees of WGS84
//		Timezone  *lookup.TimeZone
//		InputType InputType // whether it was given as a code or as coordinates
//	}
type DistanceEnd = radius.End

// Length is a length in several units.
//
//	type Length struct {
//		Miles geo.Miles      // rounded to 2 decimals
//		Km    geo.Kilometers // kilometers, rounded to 2 decimals
//	}
type Length = radius.Length

// AddressData has the fields of a matched address.
//
//	type Data struct {
//		Confidence    Confidence // high, medium or low
//		RecipientName string     // text before the delivery line
//		AttentionLine string     // what followed ATTN or C/O
//		// FormattedAddress is the whole address on one line, in the capitals of
//		// Publication 28.
//		FormattedAddress string
//		AddressLine1     string // the delivery line
//		AddressLine2     string // the last line
//		Components       Components
//		Details          Details
//		// PBSA is true of a street address of a post office whose record is a PO
//		// box, and left out otherwise.
//		PBSA     bool
//		Location *Location // in degrees of WGS84
//		lookup.Families
//		ACS *lookup.TractSurvey
//		DPV *DPVResult // declared by the contract, never filled
//	}
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//	}
type AddressData = address.Data

// AddressComponents are the parts of an address.
//
//	type Components struct {
//		Number          string // house, box or route number
//		PreDirectional  string // direction before the street, e.g. "N"
//		Street          string // name, or number of a highway
//		StreetPreType   string // e.g. "CALLE" or "US HIGHWAY"
//		Suffix          string // kind of street, e.g. "AVE"
//		PostDirectional string // direction behind the street, e.g. "NW"
//		SecondaryType   string // kind of unit, e.g. "APT"
//		SecondaryNumber string // number of the unit, e.g. "4B"
//		City            string // of the last line
//		State           string // two letters
//		ZIP             string // five digits
//		Plus4           string // four digits
//		Country         string // US
//	}
type AddressComponents = address.Components

// Verification is the progress of [DB.VerifyNext].
//
//	type Verification struct {
//		// Done and Total are the bytes that were read in this pass and that the
//		// file has.
//		Done, Total int64
//		// Passes is how many times the whole file has been read.
//		Passes int
//		// Urgent is set if the file was changed since it was opened or damage was
//		// found, until a whole pass has found none.
//		Urgent bool
//	}
type Verification = dataset.Verification
