package draft

import (
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store"
)

// A layerSpec lists the files of a layer that is read from outlines. Every
// available file adds its areas; without any the dataset lacks the layer.
type layerSpec struct {
	of      fetch.Layer // the layer of the build that has it
	id      store.LayerID
	year    int // of the areas; 0: of the vintage of the first file
	files   []layerFile
	details gazetteerOf // where names, areas and points are taken from that the files lack

	plan      store.Plan // of districts; the ID and name follow the file's period if they are empty
	overrides []override
}

// An override is a state that keeps the districts of another plan.
type override struct {
	fips, plan, evidence string
}

// A layerFile is one file of a layer.
type layerFile struct {
	source  string // identifier in the catalog
	columns source.LayerColumns
	kind    string // of all its areas; "": from the file's column
	kinds   bool   // the kind needs all files of the layer
	names   bool   // the file has no outlines
	states  bool   // there is a file for each state
}

// gazetteerOf names a file of the Gazetteer.
type gazetteerOf struct {
	source string
	digits int // of a GEOID
}

// canadianYear is the census of Canadian layers.
const canadianYear = 2021

func census1(of fetch.Layer, id store.LayerID, source string, columns source.LayerColumns, details gazetteerOf) layerSpec {
	return layerSpec{of: of, id: id, files: []layerFile{{source: source, columns: columns}}, details: details}
}

func statCan1(id store.LayerID, source string, columns source.LayerColumns) layerSpec {
	return layerSpec{of: catalog.Census, id: id, year: canadianYear, files: []layerFile{{source: source, columns: columns}}}
}

// states1 is a layer of the census of 2020 with a file for each state.
func states1(of fetch.Layer, id store.LayerID, file string) layerSpec {
	return layerSpec{of: of, id: id, files: []layerFile{{source: file, columns: source.Census2020Columns, states: true}}}
}

// layerSpecs are the layers that have files of outlines, in the order of their
// numbers. Counties, metropolitan divisions, and the areas of Canada that are
// made of others are not among them.
var layerSpecs = []layerSpec{
	census1(catalog.Census, store.LayerCountySubdivision, catalog.CousubAreas, source.CensusColumns, gazetteerOf{catalog.GazetteerCousubs, 10}),
	census1(catalog.Census, store.LayerPlace, catalog.PlaceAreas, source.CensusColumns, gazetteerOf{catalog.GazetteerPlaces, 7}),
	census1(catalog.Census, store.LayerTract, catalog.TractAreas, source.CensusColumns, gazetteerOf{}),
	census1(catalog.Census, store.LayerBlockGroup, catalog.BlockGroupAreas, source.CensusColumns, gazetteerOf{}),
	census1(catalog.Census, store.LayerCBSA, catalog.CBSAAreas, source.LayerColumns{ID: "GEOID", Name: "NAME", Kind: "LSAD", Land: "ALAND", Water: "AWATER"}, gazetteerOf{catalog.GazetteerCBSAs, 5}),
	census1(catalog.Districts, store.LayerCongressionalDistrict, catalog.CongressAreas, source.CongressColumns, gazetteerOf{}),
	census1(catalog.Districts, store.LayerStateUpper, catalog.UpperAreas, source.LegislativeColumns, gazetteerOf{}),
	census1(catalog.Districts, store.LayerStateLower, catalog.LowerAreas, source.LegislativeColumns, gazetteerOf{}),
	{of: catalog.Schools, id: store.LayerSchoolDistrict, files: []layerFile{
		{source: catalog.UnifiedAreas, columns: source.CensusColumns, kind: "unified", kinds: true},
		{source: catalog.ElementaryAreas, columns: source.CensusColumns, kind: "elementary"},
		{source: catalog.SecondaryAreas, columns: source.CensusColumns, kind: "secondary"},
		{source: catalog.AdministrativeAreas, columns: source.CensusColumns, kind: "administrative"},
	}},
	statCan1(store.LayerCensusDivision, catalog.CDAreas, source.StatCanColumns("CD")),
	statCan1(store.LayerCensusSubdivision, catalog.CSDAreas, source.StatCanColumns("CSD")),
	statCan1(store.LayerCensusTract, catalog.CTAreas, source.StatCanColumns("CT")),
	statCan1(store.LayerMetroArea, catalog.CMAAreas, source.StatCanColumns("CMA")),
	statCan1(store.LayerEconomicRegion, catalog.ERAreas, source.StatCanColumns("ER")),
	statCan1(store.LayerPopulationCentre, catalog.PopulationCentreAreas, source.StatCanColumns("PC")),
	statCan1(store.LayerConsolidatedSubdivision, catalog.CCSAreas, source.StatCanColumns("CCS")),
	statCan1(store.LayerDesignatedPlace, catalog.DesignatedPlaceAreas, source.StatCanColumns("DPL")),
	{
		of: catalog.Districts, id: store.LayerFederalDistrict, year: canadianYear,
		files: []layerFile{{source: catalog.FederalAreas, columns: source.FederalColumns}},
		plan:  store.Plan{ID: "fed2013", Name: "2013 Representation Order", From: "2015-10-19", To: order2023},
	},
	states1(catalog.PUMA, store.LayerPUMA, catalog.PUMAAreas),
	{of: catalog.Urban, id: store.LayerUrbanArea, files: []layerFile{{source: catalog.UrbanAreas, columns: source.Census2020Columns}}},
	{of: catalog.Tribal, id: store.LayerTribalArea, files: []layerFile{{source: catalog.TribalAreas, columns: source.CensusColumns}}},
	states1(catalog.VTD, store.LayerVotingDistrict, catalog.VotingAreas),
	{
		of: catalog.Districts, id: store.PlanLayer(store.LayerCongressionalDistrict, 1), year: 2026,
		files: []layerFile{{source: catalog.CongressAreas120, columns: source.CongressColumns}},
		overrides: []override{{
			"29", "cd119",
			"The U.S. Supreme Court keeps the map of 2022 (2026-09-25, 26A388). The Census Bureau's block file of the 120th Congress has the map of 2025.",
		}},
	},
	{
		of: catalog.Districts, id: store.PlanLayer(store.LayerFederalDistrict, 1), year: 2023,
		files: []layerFile{
			{source: catalog.FederalAreas2023, columns: source.OrderColumns},
			{source: catalog.FederalNames2023, columns: source.OrderColumns, names: true},
		},
		plan: store.Plan{ID: "fed2023", Name: "2023 Representation Order", From: order2023},
	},
}

// order2023 is the day of the first election of the 2023 Representation Order.
const order2023 = "2025-04-28"
