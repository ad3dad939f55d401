package catalog

import (
	"strconv"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

// Identifiers of the sources.
const (
	GeoNamesUS        = "geonames-us"
	GeoNamesPR        = "geonames-pr"
	GeoNamesGU        = "geonames-gu"
	GeoNamesVI        = "geonames-vi"
	GeoNamesAS        = "geonames-as"
	GeoNamesMP        = "geonames-mp"
	GeoNamesCA        = "geonames-ca"
	GeoNamesCAFull    = "geonames-ca-full"
	GazetteerZCTA     = "gazetteer-zcta"
	GazetteerCounties = "gazetteer-counties"
	GazetteerPlaces   = "gazetteer-places"
	GazetteerCousubs  = "gazetteer-cousubs"
	Delineation       = "delineation"
	UDS               = "uds-zcta"
	UDS2021           = "uds-zcta-2021"
	UDSText           = "uds-zcta-2015"
	ZCTAElevation     = "elevation-zcta"
	CountyElevation   = "elevation-county"
	SSACounties       = "ssa-counties"
	RatingAreas       = "rating-areas"
	People            = "acs-b01003"
	OlderPeople       = "acs-b01003-older"
	Housing           = "acs-b25001"
	OlderHousing      = "acs-b25001-older"
	ZIPBusiness       = "zbp"
	ZIPFlags          = "zbp-flags"
	FSAPopulation     = "statcan-98100019"
	ZoneOutlines      = "timezones"
	Centers           = "cenpop-block-groups"
	Clocks            = "tz-database"
	CountyAreas       = "cb-counties"
	PlaceAreas        = "cb-places"
	CousubAreas       = "cb-cousubs"
	ZCTAAreas         = "cb-zctas"
	StateAreas        = "cb-states"
	FSAAreas          = "statcan-lfsa"
	CDAreas           = "statcan-lcd"
	CSDAreas          = "statcan-lcsd"
	Correspondence    = "opcc-correspondence"
	DAPoints          = "statcan-da-points"
	DALinks           = "statcan-da-2021-2016"
	ZIPDatabase       = "zip-database"
	USPSCityState     = "usps-city-state"
	USPSDeliveryStats = "usps-delivery-stats"
	USPSZIP4          = "usps-zip4"
	ZIP4Points        = "zip4-points"
	OwnAreas          = "own-areas"  // further files: "own-areas-2"
	Blocks            = "own-blocks" // further files: "own-blocks-2"
	AddrFeat          = "tiger-addrfeat"
	RoadSegments      = "tiger-streets" // of a county: "tiger-streets-55059"
	RoadNetwork       = "statcan-streets"
	AddressPoints     = "address-points" // further files: "address-points-2"
	AddressDatabase   = "nad"
	ZIPPolygons       = "zip-polygons"
	ACS               = "acs" // further tables: "acs-2" and so on
)

// Repeated returns the identifier of the file at a position of those that the user
// names for a source.
func Repeated(id string, i int) string {
	if i == 0 {
		return id
	}
	return id + "-" + strconv.Itoa(i+1)
}

// Identifiers of the sources of areas that codes are held against.
const (
	TractAreas            = "cb-tracts"
	BlockGroupAreas       = "cb-block-groups"
	CBSAAreas             = "cb-cbsas"
	GazetteerCBSAs        = "gazetteer-cbsas"
	CongressAreas         = "cb-congress"
	UpperAreas            = "cb-state-upper"
	LowerAreas            = "cb-state-lower"
	UnifiedAreas          = "cb-school-unified"
	ElementaryAreas       = "cb-school-elementary"
	SecondaryAreas        = "cb-school-secondary"
	AdministrativeAreas   = "tiger-school-administrative"
	SchoolOffices         = "nces-offices"
	SchoolAgencies        = "nces-agencies"
	SchoolIDs             = "school-state-ids"
	CTAreas               = "statcan-lct"
	CMAAreas              = "statcan-lcma"
	ERAreas               = "statcan-ler"
	PopulationCentreAreas = "statcan-lpc"
	CCSAreas              = "statcan-lccs"
	DesignatedPlaceAreas  = "statcan-ldpl"
	FederalAreas          = "statcan-lfed"
	FederalAreas2023      = "elections-canada-2023"
	FederalNames2023      = "elections-canada-2023-names"
	CongressAreas120      = "plan-cd120"
	GeographicAttributes  = "statcan-gaf"
	Subdivisions          = "statcan-csd-attributes"
	MetroNames            = "statcan-cma-names"
	EconomicRegions       = "statcan-cd-regions"
	RegionParts           = "statcan-region-parts"
	DACorrespondence      = "opcc-da-correspondence"
	CodeBlocks            = "opcc-code-blocks"
	PUMAAreas             = "tiger-puma" // of a state: "tiger-puma-55"
	UrbanAreas            = "tiger-urban"
	TribalAreas           = "tiger-tribal"
	VotingAreas           = "tiger-vtd" // of a state: "tiger-vtd-55"
)

// Divided are the sources with a file for each county or state.
var Divided = [...]string{RoadSegments, PUMAAreas, VotingAreas}

// SchoolDistricts are the files of school districts.
var SchoolDistricts = []string{UnifiedAreas, ElementaryAreas, SecondaryAreas, AdministrativeAreas}

// SchoolTypes are the files that a build needs to name the type of a school
// district: a mirror may hold all types in the first.
var SchoolTypes = []string{UnifiedAreas, ElementaryAreas, SecondaryAreas}

// The layers that a dataset can have.
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
