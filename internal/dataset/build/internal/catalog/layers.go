package catalog

import "github.com/postgeo/postgeo/internal/dataset/build/fetch"

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
	GeographicAttributes  = "statcan-gaf"
	Subdivisions          = "statcan-csd-attributes"
	MetroNames            = "statcan-cma-names"
	EconomicRegions       = "statcan-cd-regions"
	RegionParts           = "statcan-region-parts"
	DACorrespondence      = "opcc-da-correspondence"
	CodeBlocks            = "opcc-code-blocks"
)

func optional(s fetch.Source) fetch.Source {
	s.Optional = true
	return s
}

func cartographicLayer(id, title, file string, size, rows int64, layers ...fetch.Layer) fetch.Source {
	return optional(census(id, "Cartographic boundaries, "+title, cartographic+file, "2024", fetch.Shapefile, size, rows, layers...))
}

// schoolYear is the vintage of the school districts of the files of 2024.
const schoolYear = "school year 2023-24"

func schoolAreas(id, title, url string, size, rows int64) fetch.Source {
	s := optional(census(id, title, url, schoolYear, fetch.Shapefile, size, rows, Schools))
	return s
}

func nces(id, title, path, member string, size, rows int64) fetch.Source {
	return fetch.Source{
		ID: id, Title: title, URL: "https://nces.ed.gov/" + path, Member: member, Format: fetch.Text, Vintage: "school year 2024-25",
		License: publicDomain, Attribution: "National Center for Education Statistics", Refresh: "yearly",
		Layers: []fetch.Layer{Schools}, Optional: true, Size: size, Rows: rows,
	}
}

// statCanTable is a table that only mirrors hold: a collection without one
// official file.
func statCanTable(id, title, file, vintage string, rows int64) fetch.Source {
	return fetch.Source{
		ID: id, Title: title, URL: "https://statcan.local/" + file, Format: fetch.Text, Vintage: vintage, License: statCan, Attribution: byStatCan,
		Refresh: "every five years", Layers: []fetch.Layer{Census}, MirrorOnly: true, Optional: true, Rows: rows,
		Note: "made of files of Statistics Canada, with no official file of this form; only a mirror holds it",
	}
}

// alsoIn adds a layer to those that read the source, in front.
func alsoIn(layer fetch.Layer, s fetch.Source) fetch.Source {
	s.Layers = append([]fetch.Layer{layer}, s.Layers...)
	return s
}

// ofOrder sets the vintage of districts to the order that drew them.
func ofOrder(order string, s fetch.Source) fetch.Source {
	s.Vintage = order
	return s
}

func statCanLayer(id, title, file string, size, rows int64, layers ...fetch.Layer) fetch.Source {
	return fetch.Source{
		ID: id, Title: "Boundaries, " + title, URL: statCanBounds + file, Format: fetch.Shapefile,
		Vintage: "2021", License: statCan, Attribution: byStatCan, Refresh: "every five years", Layers: layers, Optional: true, Size: size, Rows: rows,
	}
}

var layerSources = []fetch.Source{
	cartographicLayer(TractAreas, "census tracts", "cb_2024_us_tract_500k.zip", 60_000_000, 85_000, Census),
	cartographicLayer(BlockGroupAreas, "block groups", "cb_2024_us_bg_500k.zip", 110_000_000, 242_000, Census),
	cartographicLayer(CBSAAreas, "metropolitan and micropolitan statistical areas", "cb_2024_us_cbsa_500k.zip", 6_000_000, 935, Census),
	optional(census(GazetteerCBSAs, "Gazetteer, metropolitan and micropolitan statistical areas", gazetteerHost+"2025_Gaz_cbsa_national.zip", "2025", fetch.Text, 40_000, 935, Census)),
	cartographicLayer(CongressAreas, "congressional districts, 119th Congress", "cb_2024_us_cd119_500k.zip", 9_000_000, 441, Districts),
	cartographicLayer(UpperAreas, "state legislative districts, upper chambers", "cb_2024_us_sldu_500k.zip", 17_000_000, 1_960, Districts),
	cartographicLayer(LowerAreas, "state legislative districts, lower chambers", "cb_2024_us_sldl_500k.zip", 27_000_000, 4_874, Districts),
	schoolAreas(UnifiedAreas, "Cartographic boundaries, unified school districts", cartographic+"cb_2024_us_unsd_500k.zip", 31_000_000, 10_900),
	schoolAreas(ElementaryAreas, "Cartographic boundaries, elementary school districts", cartographic+"cb_2024_us_elsd_500k.zip", 5_000_000, 1_950),
	schoolAreas(SecondaryAreas, "Cartographic boundaries, secondary school districts", cartographic+"cb_2024_us_scsd_500k.zip", 2_000_000, 480),
	schoolAreas(AdministrativeAreas, "TIGER/Line, administrative school districts of Vermont", "https://www2.census.gov/geo/tiger/TIGER2024/SDADM/tl_2024_50_sdadm.zip", 100_000, 0),
	nces(SchoolOffices, "EDGE geocodes of public local education agencies", "programs/edge/data/EDGE_GEOCODE_PUBLICLEA_2425.zip", "*PUBLICLEA_*.TXT", 4_000_000, 19_600),
	nces(SchoolAgencies, "Common Core of Data, directory of local education agencies", "ccd/Data/zip/ccd_lea_029_2425_w_1a_073025.zip", "*.csv", 2_800_000, 19_629),
	{
		ID: SchoolIDs, Title: "State codes of school districts, Open Civic Data", URL: "https://aux.local/nces/us_school_district_nces_mapping.csv.gz",
		Format: fetch.Text, Vintage: "2012-2020", License: "CC0", Attribution: "Open Civic Data", Refresh: "irregular",
		Layers: []fetch.Layer{Schools}, MirrorOnly: true, Optional: true, Rows: 17_178,
		Note: "made of the division identifiers of Open Civic Data; only a mirror holds it",
	},
	statCanLayer(CTAreas, "census tracts", "lct_000b21a_e.zip", 30_000_000, 6_247, Census),
	statCanLayer(CMAAreas, "census metropolitan areas and census agglomerations", "lcma000b21a_e.zip", 30_000_000, 156, Census),
	statCanLayer(ERAreas, "economic regions", "ler_000b21a_e.zip", 70_000_000, 76, Census),
	statCanLayer(PopulationCentreAreas, "population centres", "lpc_000b21a_e.zip", 15_000_000, 1_026, Census),
	statCanLayer(CCSAreas, "census consolidated subdivisions", "lccs000b21a_e.zip", 100_000_000, 2_607, Census),
	statCanLayer(DesignatedPlaceAreas, "designated places", "ldpl000b21a_e.zip", 15_000_000, 1_700, Census),
	{
		ID: GeographicAttributes, Title: "Geographic Attribute File (92-151-X)",
		URL:    "https://www12.statcan.gc.ca/census-recensement/2021/geo/aip-pia/attribute-attribs/files-fichiers/2021_92-151_X.zip",
		Member: "2021_92-151_X.csv", Format: fetch.Text, Vintage: "2021", License: statCan, Attribution: byStatCan, Refresh: "every five years",
		Layers: []fetch.Layer{Census}, Optional: true, Size: 40_000_000, Rows: 498_547,
	},
	alsoIn(Identity, statCanTable(Subdivisions, "Census subdivisions with populations and metropolitan areas, 2021", "csd_2021_attributes.csv", "2021", 5_161)),
	statCanTable(MetroNames, "Names of census metropolitan areas and census agglomerations, 2021", "cma_ca_names.csv", "2021", 159),
	statCanTable(EconomicRegions, "Economic regions of census divisions, 2016", "cduid_eruid.csv", "2016", 292),
	statCanTable(RegionParts, "Parts of census divisions that economic regions share, 2016", "halton_er_split.geojson", "2016", 2),
	{
		ID: DACorrespondence, Title: "Postal codes by dissemination area, with the part of their addresses",
		URL: "https://statcan.local/opcc/opcc_m5_da_correspondence.csv.gz", Format: fetch.Text, Vintage: "2026-06-26",
		License: statCan + "; Open Government Licence – Ontario", Attribution: byStatCan + ". Contains information licensed under the Open Government Licence – Ontario",
		Refresh: "half-yearly", Layers: []fetch.Layer{Census}, MirrorOnly: true, Optional: true, Rows: 315_813,
		Note: "Ontario; made from the National Address Register, with no official file of this form; only a mirror holds it",
	},
	{
		ID: CodeBlocks, Title: "Dissemination blocks around the points of postal codes", URL: "https://statcan.local/opcc/opcc_m1_geonames_points.csv.gz",
		Format: fetch.Text, Vintage: "2026-07-17", License: ccBy + "; " + statCan, Attribution: byGeoNames + ". " + byStatCan,
		Refresh: "half-yearly", Layers: []fetch.Layer{Census}, MirrorOnly: true, Optional: true, Rows: 17_373,
		Note: "Ontario; made from GeoNames and the blocks of Statistics Canada; only a mirror holds it",
	},
	ofOrder("2013 representation order", statCanLayer(FederalAreas, "federal electoral districts, 2013 Representation Order", "lfed000b21a_e.zip", 70_000_000, 338, Districts)),
}

// SchoolDistricts are the files of school districts.
var SchoolDistricts = []string{UnifiedAreas, ElementaryAreas, SecondaryAreas, AdministrativeAreas}

// SchoolTypes are the files that a build needs to name the type of a school
// district: a mirror may hold all types in the first.
var SchoolTypes = []string{UnifiedAreas, ElementaryAreas, SecondaryAreas}
