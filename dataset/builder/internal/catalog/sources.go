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

	// Sources of areas that codes are held against.
	SchoolOffices        = "nces-offices"
	SchoolAgencies       = "nces-agencies"
	SchoolIDs            = "school-state-ids"
	GeographicAttributes = "statcan-gaf"
	Subdivisions         = "statcan-csd-attributes"
	MetroNames           = "statcan-cma-names"
	EconomicRegions      = "statcan-cd-regions"
	RegionParts          = "statcan-region-parts"
	DACorrespondence     = "opcc-da-correspondence"
	CodeBlocks           = "opcc-code-blocks"
	PUMAAreas            = "tiger-puma" // of a state: "tiger-puma-55"
)

// Repeated returns the identifier of the file at a position of those that the user
// names for a source.
func Repeated(id string, i int) string {
	if i == 0 {
		return id
	}
	return id + "-" + strconv.Itoa(i+1)
}

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
