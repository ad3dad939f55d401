package catalog

import (
	"fmt"

	"github.com/postgeo/postgeo/internal/dataset/build/fetch"
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
	People            = "acs-b01003-2024"
	People2023        = "acs-b01003-2023"
	Housing           = "acs-b25001-2024"
	Housing2023       = "acs-b25001-2023"
	ZIPBusiness       = "zbp-2020"
	ZIPBusiness2016   = "zbp-2016"
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
	AddressRanges     = "address-ranges" // further files: "address-ranges-2" and so on
	AddrFeat          = "tiger-addrfeat"
	RoadSegments      = "tiger-streets"  // of a county: "tiger-streets-55059"
	AddressPoints     = "address-points" // further files: "address-points-2"
	AddressDatabase   = "nad"
	ZIPPolygons       = "zip-polygons"
	ACS               = "acs" // further tables: "acs-2" and so on
)

const (
	publicDomain  = "public domain"
	ccBy          = "CC BY 4.0"
	statCan       = "Statistics Canada Open Licence"
	byGeoNames    = "Contains data of GeoNames (geonames.org), CC BY 4.0"
	byCensus      = "U.S. Census Bureau"
	byStatCan     = "Adapted from Statistics Canada, 2021 Census; this does not constitute an endorsement by Statistics Canada"
	geoNamesHost  = "https://download.geonames.org/export/zip/"
	gazetteerHost = "https://www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/"
	cartographic  = "https://www2.census.gov/geo/tiger/GENZ2024/shp/"
	statCanBounds = "https://www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
)

// The newest and the oldest edition of segments.
const (
	NewestYear = 2025
	OldestYear = 2011
)

// Segments returns the source of the street segments of a county, as five digits,
// in the edition of a year.
func Segments(county string, year int) fetch.Source {
	const size = 1_200_000
	url := fmt.Sprintf("https://www2.census.gov/geo/tiger/TIGER%d/ADDRFEAT/tl_%d_%s_addrfeat.zip", year, year, county)
	s := census(RoadSegments+"-"+county, "TIGER/Line, street segments of county "+county, url, fmt.Sprint(year), fetch.Shapefile, size, 0, Streets)
	return optional(s)
}

// Sources returns the sources that a build can read, in the order of manifests.
// Sizes are approximate.
func Sources() []fetch.Source {
	var all []fetch.Source
	for _, group := range [][]fetch.Source{geoNamesSources, censusSources, layerSources, canadianSources, otherSources, suppliedSources} {
		all = append(all, group...)
	}
	return all
}

func geoNames(id, file, member, title string, size, rows int64, optional bool, layer fetch.Layer) fetch.Source {
	return fetch.Source{
		ID: id, Title: "GeoNames postal codes, " + title, URL: geoNamesHost + file, Member: member,
		Format: fetch.Text, License: ccBy, Attribution: byGeoNames, Refresh: "daily",
		Layers: []fetch.Layer{layer}, Optional: optional, Size: size, Rows: rows,
	}
}

var geoNamesSources = []fetch.Source{
	geoNames(GeoNamesUS, "US.zip", "US.txt", "United States", 640_000, 41_490, false, Identity),
	geoNames(GeoNamesPR, "PR.zip", "PR.txt", "Puerto Rico", 5_000, 177, true, Identity),
	geoNames(GeoNamesGU, "GU.zip", "GU.txt", "Guam", 2_000, 21, true, Identity),
	geoNames(GeoNamesVI, "VI.zip", "VI.txt", "U.S. Virgin Islands", 2_000, 16, true, Identity),
	geoNames(GeoNamesAS, "AS.zip", "AS.txt", "American Samoa", 2_000, 1, true, Identity),
	geoNames(GeoNamesMP, "MP.zip", "MP.txt", "Northern Mariana Islands", 2_000, 3, true, Identity),
	geoNames(GeoNamesCA, "CA.zip", "CA.txt", "Canada, forward sortation areas", 34_000, 1_655, false, Identity),
	geoNames(GeoNamesCAFull, "CA_full.csv.zip", "CA_full.txt", "Canada, full codes", 9_000_000, 900_000, false, PostalCodes),
}

func census(id, title, url, vintage string, f fetch.Format, size, rows int64, layers ...fetch.Layer) fetch.Source {
	return fetch.Source{
		ID: id, Title: title, URL: url, Format: f, Vintage: vintage, License: publicDomain, Attribution: byCensus,
		Refresh: "yearly", Layers: layers, Size: size, Rows: rows,
	}
}

var censusSources = []fetch.Source{
	census(GazetteerZCTA, "Gazetteer, ZIP Code Tabulation Areas", gazetteerHost+"2025_Gaz_zcta_national.zip", "2025", fetch.Text, 1_050_000, 33_791, Identity),
	census(GazetteerCounties, "Gazetteer, counties", gazetteerHost+"2025_Gaz_counties_national.zip", "2025", fetch.Text, 130_000, 3_222, Identity),
	census(GazetteerPlaces, "Gazetteer, places", gazetteerHost+"2025_Gaz_place_national.zip", "2025", fetch.Text, 1_100_000, 32_350, Identity),
	census(GazetteerCousubs, "Gazetteer, county subdivisions", gazetteerHost+"2025_Gaz_cousubs_national.zip", "2025", fetch.Text, 1_330_000, 36_427, Identity),
	{
		ID: Delineation, Title: "Core based statistical areas, metropolitan divisions and combined statistical areas (list 1)",
		URL:    "https://www2.census.gov/programs-surveys/metro-micro/geographies/reference-files/2023/delineation-files/list1_2023.xlsx",
		Format: fetch.Sheet, Vintage: "2023-07", License: publicDomain, Attribution: "Office of Management and Budget, U.S. Census Bureau",
		Refresh: "every few years", Layers: []fetch.Layer{Identity}, Size: 120_000, Rows: 1_915,
	},
	summaryFile(People, 2024, "b01003", "total population"),
	olderSummaryFile(People2023, 2023, "b01003", "total population"),
	summaryFile(Housing, 2024, "b25001", "housing units"),
	olderSummaryFile(Housing2023, 2023, "b25001", "housing units"),
	zipBusiness(ZIPBusiness, "20", "zbp20totals.txt", 640_000, 35_053),
	zipBusiness(ZIPBusiness2016, "16", "zbp16totals.txt", 740_000, 38_722),
	census(CountyAreas, "Cartographic boundaries, counties", cartographic+"cb_2024_us_county_500k.zip", "2024", fetch.Shapefile, 12_000_000, 3_235, Places, Boundaries),
	census(StateAreas, "Cartographic boundaries, states", cartographic+"cb_2024_us_state_500k.zip", "2024", fetch.Shapefile, 3_300_000, 56, Boundaries),
	census(ZCTAAreas, "Cartographic boundaries, ZIP Code Tabulation Areas", "https://www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip", "2020", fetch.Shapefile, 62_000_000, 33_791, Boundaries),
	{
		ID: Centers, Title: "Centers of population, block groups",
		URL:    "https://www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt",
		Format: fetch.Text, Vintage: "2020", License: publicDomain, Attribution: byCensus, Refresh: "every ten years",
		Layers: []fetch.Layer{Boundaries}, Optional: true, Size: 10_600_000, Rows: 242_335,
	},
	cartographicLayer(PlaceAreas, "places", "cb_2024_us_place_500k.zip", 60_000_000, 32_612, Places, Census),
	cartographicLayer(CousubAreas, "county subdivisions", "cb_2024_us_cousub_500k.zip", 48_000_000, 36_400, Places, Census),
}

// summaryFile is a table of the American Community Survey's table-based
// summary file, of the five years that end with the year.
func summaryFile(id string, year int, table, title string) fetch.Source {
	const size, rows = 18_000_000, 430_000 // at least: block groups, tracts and the levels that are read
	url := fmt.Sprintf("https://www2.census.gov/programs-surveys/acs/summary_file/%d/table-based-SF/data/5YRData/acsdt5y%d-%s.dat", year, year, table)
	s := census(id, "American Community Survey, summary file, "+title, url, fmt.Sprintf("%d-%d", year-4, year), fetch.Text, size, rows, Identity)
	s.Optional = true
	return s
}

// olderSummaryFile is an edition that is read for areas that the newest one
// lacks.
func olderSummaryFile(id string, year int, table, title string) fetch.Source {
	s := summaryFile(id, year, table, title)
	s.MirrorOnly, s.Refresh = true, "superseded"
	s.Note = "read for areas that the newer file lacks; taken from a mirror, not downloaded, because the official newer file has all areas"
	return s
}

func zipBusiness(id, year, member string, size, rows int64) fetch.Source {
	s := census(id, "ZIP Code Business Patterns 20"+year+", totals", "https://www2.census.gov/programs-surveys/cbp/datasets/20"+year+"/zbp"+year+"totals.zip",
		"20"+year, fetch.Text, size, rows, Identity, Business, Medicare)
	s.Member, s.Refresh, s.Optional = member, "no longer", true
	return s
}

var canadianSources = []fetch.Source{
	{
		ID: FSAPopulation, Title: "Population and dwelling counts, forward sortation areas (98-10-0019)",
		URL:    "https://www150.statcan.gc.ca/n1/tbl/csv/98100019-eng.zip",
		Member: "98100019.csv", Format: fetch.Text, Vintage: "2021", License: statCan, Attribution: byStatCan, Refresh: "every five years",
		Layers: []fetch.Layer{Identity}, Size: 27_000, Rows: 1_647,
	},
	{
		ID: FSAAreas, Title: "Boundaries, forward sortation areas", URL: statCanBounds + "lfsa000b21a_e.zip", Format: fetch.Shapefile,
		Vintage: "2021", License: statCan, Attribution: byStatCan, Refresh: "every five years", Layers: []fetch.Layer{Places, Boundaries}, Size: 120_000_000, Rows: 1_643,
	},
	{
		ID: CDAreas, Title: "Boundaries, census divisions", URL: statCanBounds + "lcd_000b21a_e.zip", Format: fetch.Shapefile,
		Vintage: "2021", License: statCan, Attribution: byStatCan, Refresh: "every five years", Layers: []fetch.Layer{Boundaries}, Size: 120_000_000, Rows: 293,
	},
	{
		ID: CSDAreas, Title: "Boundaries, census subdivisions", URL: statCanBounds + "lcsd000b21a_e.zip", Format: fetch.Shapefile,
		Vintage: "2021", License: statCan, Attribution: byStatCan, Refresh: "every five years", Layers: []fetch.Layer{Places, Census}, Optional: true, Size: 120_000_000, Rows: 5_161,
	},
	{
		ID: Correspondence, Title: "Postal codes by dissemination area, from the National Address Register",
		URL: "https://statcan.local/opcc/opcc_m2_correspondence.csv.gz", Format: fetch.Text, Vintage: "2026-06-26",
		License: statCan + "; Open Government Licence – Ontario", Attribution: byStatCan + ". Contains information licensed under the Open Government Licence – Ontario",
		Refresh: "half-yearly", Layers: []fetch.Layer{PostalCodes}, MirrorOnly: true, Optional: true, Rows: 414_207,
		Note: "Ontario; made from the National Address Register of Statistics Canada (catalogue 46-26-0002), which has no single official file of this form; only a mirror holds it",
	},
	{
		ID: DAPoints, Title: "Population-weighted points of dissemination areas, 2016", URL: "https://statcan.local/da/da2016_popw_centroids.csv.gz",
		Format: fetch.Text, Vintage: "2016", License: statCan, Attribution: byStatCan, Refresh: "every five years", Layers: []fetch.Layer{Places, Boundaries, PostalCodes},
		MirrorOnly: true, Optional: true, Rows: 56_590,
		Note: "from the Geographic Attribute File of Statistics Canada (catalogue 92-151-X); only a mirror holds this form",
	},
	{
		ID: DALinks, Title: "Dissemination areas of 2021 and those of 2016 that they touch", URL: "https://statcan.local/da/da2021_to_da2016.csv.gz",
		Format: fetch.Text, Vintage: "2021", License: statCan, Attribution: byStatCan, Refresh: "every five years", Layers: []fetch.Layer{PostalCodes},
		MirrorOnly: true, Optional: true, Rows: 57_932,
		Note: "made from the boundary files of Statistics Canada (catalogue 92-169-X); only a mirror holds this form",
	},
}

var otherSources = []fetch.Source{
	{
		ID: UDS, Title: "UDS Mapper, ZIP Code to ZCTA crosswalk", URL: "https://data.hrsa.gov/DataDownload/GeoCareNavigator/ZIP%20Code%20to%20ZCTA%20Crosswalk.xlsx",
		Format: fetch.Sheet, License: publicDomain, Attribution: "Health Resources and Services Administration, UDS Mapper", Refresh: "yearly",
		Layers: []fetch.Layer{Identity}, Optional: true, Size: 1_900_000, Rows: 41_000,
	},
	{
		ID: UDS2021, Title: "UDS Mapper, ZIP Code to ZCTA crosswalk, edition of 2021", URL: "https://udsmapper.org/wp-content/uploads/2022/10/ZIPCodetoZCTACrosswalk2021UDS.xlsx",
		Format: fetch.Sheet, Vintage: "2021", License: publicDomain, Attribution: "Health Resources and Services Administration, UDS Mapper", Refresh: "superseded",
		Layers: []fetch.Layer{Identity}, MirrorOnly: true, Optional: true, Rows: 41_091,
		Note: "an older edition, read with the others for the types of ZIP Codes; it has the ZCTAs of 2010",
	},
	{
		ID: UDSText, Title: "UDS Mapper, ZIP Code to ZCTA crosswalk, edition of 2015", URL: "https://aux.local/uds/zip_to_zcta_2015.csv.gz",
		Format: fetch.Text, Vintage: "2015", License: publicDomain, Attribution: "Health Resources and Services Administration, UDS Mapper", Refresh: "superseded",
		Layers: []fetch.Layer{Identity}, MirrorOnly: true, Optional: true, Rows: 41_250,
		Note: "an older edition as text, read with the others for the types of ZIP Codes; only a mirror holds it",
	},
	{
		ID: ZCTAElevation, Title: "Mean elevation by ZCTA", URL: "https://aux.local/elevation/zip_code_elevations.csv", Format: fetch.Text,
		Vintage: "2024", License: publicDomain, Attribution: "U.S. Geological Survey, 3D Elevation Program", Refresh: "irregular",
		Layers: []fetch.Layer{Identity}, MirrorOnly: true, Optional: true, Rows: 33_791,
		Note: "means over areas computed from the 3D Elevation Program (https://www.usgs.gov/3d-elevation-program); only a mirror holds this form",
	},
	{
		ID: CountyElevation, Title: "Mean elevation by county", URL: "https://aux.local/elevation/county_weighted_elevations.csv", Format: fetch.Text,
		Vintage: "2024", License: publicDomain, Attribution: "U.S. Geological Survey, 3D Elevation Program", Refresh: "irregular",
		Layers: []fetch.Layer{Identity}, MirrorOnly: true, Optional: true, Rows: 3_144,
		Note: "means over areas computed from the 3D Elevation Program (https://www.usgs.gov/3d-elevation-program); only a mirror holds this form",
	},
	{
		ID: SSACounties, Title: "SSA to FIPS county crosswalk", URL: "https://data.nber.org/cbsa-msa-fips-ssa-county-crosswalk/cbsatocountycrosswalk.csv",
		Format: fetch.Text, Vintage: "2017", License: publicDomain, Attribution: "Centers for Medicare and Medicaid Services, through the National Bureau of Economic Research",
		Refresh: "irregular", Layers: []fetch.Layer{Medicare}, Size: 700_000, Rows: 3_272,
		Note: "counties of before 2019 in Alaska and of before 2022 in Connecticut",
	},
	{
		ID: RatingAreas, Title: "Geographic rating areas of the health insurance marketplaces", URL: "https://aux.local/rating_areas/rating_areas.csv",
		Format: fetch.Text, License: publicDomain, Attribution: "Centers for Medicare and Medicaid Services", Refresh: "yearly",
		Layers: []fetch.Layer{Medicare}, MirrorOnly: true, Optional: true, Rows: 3_287,
		Note: "the agency has a page for each state (https://www.cms.gov/cciio); only a mirror holds this table of them",
	},
	{
		ID: ZoneOutlines, Title: "timezone-boundary-builder", URL: "https://github.com/evansiroky/timezone-boundary-builder/releases/download/2025b/timezones.geojson.zip",
		Member: "combined.json", Format: fetch.GeoJSON, Vintage: "2025b", License: "ODbL 1.0",
		Attribution: "Time zone boundaries © OpenStreetMap contributors, timezone-boundary-builder, ODbL 1.0", Refresh: "with each tz release",
		Layers: []fetch.Layer{TimeZones, Boundaries}, Size: 110_000_000, Rows: 444,
	},
	{
		ID: Clocks, Title: "Clock rules of the tz database, as TZif files of python/tzdata",
		URL:    "https://github.com/python/tzdata/archive/refs/tags/2026.6.tar.gz",
		Format: fetch.Tar, Vintage: "2026f", License: publicDomain, Attribution: "IANA Time Zone Database",
		Refresh: "a few times a year", Layers: []fetch.Layer{Identity}, Size: 390_000, Rows: 598,
	},
}

func usps(id, title, note string) fetch.Source {
	return fetch.Source{
		ID: id, Title: "USPS AIS " + title, Format: fetch.Blocks, License: "USPS license of the user", Attribution: "© United States Postal Service",
		Refresh: "monthly", UserSupplied: true, Optional: true, Note: note,
	}
}

var suppliedSources = []fetch.Source{
	{
		ID: ZIPDatabase, Title: "zip_code_database.csv", URL: "https://www.unitedstateszipcodes.org/zip_code_database.csv", Format: fetch.Text,
		License: "terms of the publisher: use, no redistribution", Attribution: "unitedstateszipcodes.org", Refresh: "irregular",
		Layers: []fetch.Layer{Identity}, UserSupplied: true, Optional: true, Rows: 42_789,
		Note: "for local use only; a dataset made with it must not be passed on",
	},
	usps(USPSCityState, "City State product", "record length 129"),
	usps(USPSDeliveryStats, "Delivery Statistics product", "record length 309"),
	usps(USPSZIP4, "ZIP+4 product", "record length 182"),
	{
		ID: ZIP4Points, Title: "Points of ZIP+4 Codes", Format: fetch.Text, License: "license of the user", Refresh: "monthly",
		UserSupplied: true, Optional: true, Note: "CSV with the columns zip, plus4, lat, lon",
	},
	{
		ID: AddressRanges, Title: "Ranges of house numbers", Format: fetch.Text, License: "license of the user", Refresh: "quarterly",
		UserSupplied: true, Optional: true, Note: "CSV with a header row; for example the State of Washington's or a Streamlined Sales Tax boundary file",
	},
	{
		ID: AddrFeat, Title: "TIGER/Line, address ranges of a county", Format: fetch.Shapefile, License: publicDomain, Attribution: byCensus, Refresh: "yearly",
		UserSupplied: true, Optional: true, Note: "tl_YYYY_SSCCC_addrfeat.zip of https://www2.census.gov/geo/tiger, as downloaded; has no add-ons",
	},
	{
		ID: AddressPoints, Title: "Address points", Format: fetch.Text, License: "license of the user", Refresh: "irregular",
		UserSupplied: true, Optional: true, Note: "CSV or GeoJSON of a state, county or city, the National Address Database, OpenAddresses or Statistics Canada's register",
	},
	{
		ID: AddressDatabase, Title: "National Address Database", URL: "https://data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed",
		Format: fetch.Text, License: publicDomain, Attribution: "U.S. Department of Transportation and its partners", Refresh: "quarterly",
		Layers: []fetch.Layer{Points}, Optional: true, Size: 9_000_000_000, Rows: 80_000_000,
	},
	{
		ID: ZIPPolygons, Title: "Outlines of ZIP Codes", Format: fetch.Shapefile, License: "license of the user", Refresh: "irregular",
		UserSupplied: true, Optional: true, Note: "zipped shapefile or GeoJSON; outlines of ZCTAs stand in for the ZIP Codes that it lacks",
	},
	{
		ID: ACS, Title: "American Community Survey, tables of ZCTAs and census tracts", Format: fetch.Text, License: publicDomain, Attribution: byCensus, Refresh: "yearly",
		UserSupplied: true, Optional: true, Note: "data profiles DP02 to DP05 as downloaded; or a CSV with the columns zcta and pop_YYYY",
	},
}
