package layers

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/fetch"
	"github.com/postgeo/postgeo/dataset/build/internal/catalogue"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// A layerSpec says which files make a layer that is read from outlines of its
// own. Every file that is at hand adds its areas; without any the dataset does
// not have the layer.
type layerSpec struct {
	of      fetch.Layer // the layer of the build that has it
	id      dataset.LayerID
	year    int // that the areas stand for; 0: as the vintage of the first file tells
	files   []layerFile
	details gazetteerOf // where names, areas and points are taken from that the files lack
}

// A layerFile is one file of a layer.
type layerFile struct {
	source  string // identifier in the catalogue
	columns source.LayerColumns
	kind    string // of all its areas; "": the file's column tells
	kinds   bool   // the kind holds only where all files of the layer are at hand
}

// gazetteerOf names a file of the Gazetteer.
type gazetteerOf struct {
	source string
	digits int // of a GEOID
}

// canadianYear is the census that Canadian layers stand for.
const canadianYear = 2021

func census1(of fetch.Layer, id dataset.LayerID, source string, columns source.LayerColumns, details gazetteerOf) layerSpec {
	return layerSpec{of: of, id: id, files: []layerFile{{source: source, columns: columns}}, details: details}
}

func statCan1(of fetch.Layer, id dataset.LayerID, source string, columns source.LayerColumns) layerSpec {
	return layerSpec{of: of, id: id, year: canadianYear, files: []layerFile{{source: source, columns: columns}}}
}

// layerSpecs are the layers that have files of outlines, in the order of their
// numbers. Counties, metropolitan divisions, and the areas of Canada that are
// made of others are not among them.
var layerSpecs = []layerSpec{
	census1(catalogue.Census, dataset.LayerCountySubdivision, catalogue.CousubAreas, source.CensusColumns, gazetteerOf{catalogue.GazetteerCousubs, 10}),
	census1(catalogue.Census, dataset.LayerPlace, catalogue.PlaceAreas, source.CensusColumns, gazetteerOf{catalogue.GazetteerPlaces, 7}),
	census1(catalogue.Census, dataset.LayerTract, catalogue.TractAreas, source.CensusColumns, gazetteerOf{}),
	census1(catalogue.Census, dataset.LayerBlockGroup, catalogue.BlockGroupAreas, source.CensusColumns, gazetteerOf{}),
	census1(catalogue.Census, dataset.LayerCBSA, catalogue.CBSAAreas, source.LayerColumns{ID: "GEOID", Name: "NAME", Kind: "LSAD", Land: "ALAND", Water: "AWATER"}, gazetteerOf{catalogue.GazetteerCBSAs, 5}),
	census1(catalogue.Districts, dataset.LayerCongressionalDistrict, catalogue.CongressAreas, source.CongressColumns, gazetteerOf{}),
	census1(catalogue.Districts, dataset.LayerStateUpper, catalogue.UpperAreas, source.LegislativeColumns, gazetteerOf{}),
	census1(catalogue.Districts, dataset.LayerStateLower, catalogue.LowerAreas, source.LegislativeColumns, gazetteerOf{}),
	{of: catalogue.Schools, id: dataset.LayerSchoolDistrict, files: []layerFile{
		{source: catalogue.UnifiedAreas, columns: source.CensusColumns, kind: "unified", kinds: true},
		{source: catalogue.ElementaryAreas, columns: source.CensusColumns, kind: "elementary"},
		{source: catalogue.SecondaryAreas, columns: source.CensusColumns, kind: "secondary"},
		{source: catalogue.AdministrativeAreas, columns: source.CensusColumns, kind: "administrative"},
	}},
	statCan1(catalogue.Census, dataset.LayerCensusDivision, catalogue.CDAreas, source.StatCanColumns("CD")),
	statCan1(catalogue.Census, dataset.LayerCensusSubdivision, catalogue.CSDAreas, source.StatCanColumns("CSD")),
	statCan1(catalogue.Census, dataset.LayerCensusTract, catalogue.CTAreas, source.StatCanColumns("CT")),
	statCan1(catalogue.Census, dataset.LayerMetroArea, catalogue.CMAAreas, source.StatCanColumns("CMA")),
	statCan1(catalogue.Census, dataset.LayerEconomicRegion, catalogue.ERAreas, source.StatCanColumns("ER")),
	statCan1(catalogue.Census, dataset.LayerPopulationCentre, catalogue.PopulationCentreAreas, source.StatCanColumns("PC")),
	statCan1(catalogue.Census, dataset.LayerConsolidatedSubdivision, catalogue.CCSAreas, source.StatCanColumns("CCS")),
	statCan1(catalogue.Census, dataset.LayerDesignatedPlace, catalogue.DesignatedPlaceAreas, source.StatCanColumns("DPL")),
	statCan1(catalogue.Districts, dataset.LayerFederalDistrict, catalogue.FederalAreas, source.FederalColumns),
}
