package build

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/fetch"
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
	census1(Census, dataset.LayerCountySubdivision, srcCousubAreas, source.CensusColumns, gazetteerOf{srcGazetteerCousubs, 10}),
	census1(Census, dataset.LayerPlace, srcPlaceAreas, source.CensusColumns, gazetteerOf{srcGazetteerPlaces, 7}),
	census1(Census, dataset.LayerTract, srcTractAreas, source.CensusColumns, gazetteerOf{}),
	census1(Census, dataset.LayerBlockGroup, srcBlockGroupAreas, source.CensusColumns, gazetteerOf{}),
	census1(Census, dataset.LayerCBSA, srcCBSAAreas, source.LayerColumns{ID: "GEOID", Name: "NAME", Kind: "LSAD", Land: "ALAND", Water: "AWATER"}, gazetteerOf{srcGazetteerCBSAs, 5}),
	census1(Districts, dataset.LayerCongressionalDistrict, srcCongressAreas, source.CongressColumns, gazetteerOf{}),
	census1(Districts, dataset.LayerStateUpper, srcUpperAreas, source.LegislativeColumns, gazetteerOf{}),
	census1(Districts, dataset.LayerStateLower, srcLowerAreas, source.LegislativeColumns, gazetteerOf{}),
	{of: Schools, id: dataset.LayerSchoolDistrict, files: []layerFile{
		{source: srcUnifiedAreas, columns: source.CensusColumns, kind: "unified", kinds: true},
		{source: srcElementaryAreas, columns: source.CensusColumns, kind: "elementary"},
		{source: srcSecondaryAreas, columns: source.CensusColumns, kind: "secondary"},
		{source: srcAdministrativeAreas, columns: source.CensusColumns, kind: "administrative"},
	}},
	statCan1(Census, dataset.LayerCensusDivision, srcCDAreas, source.StatCanColumns("CD")),
	statCan1(Census, dataset.LayerCensusSubdivision, srcCSDAreas, source.StatCanColumns("CSD")),
	statCan1(Census, dataset.LayerCensusTract, srcCTAreas, source.StatCanColumns("CT")),
	statCan1(Census, dataset.LayerMetroArea, srcCMAAreas, source.StatCanColumns("CMA")),
	statCan1(Census, dataset.LayerEconomicRegion, srcERAreas, source.StatCanColumns("ER")),
	statCan1(Census, dataset.LayerPopulationCentre, srcPopulationCentreAreas, source.StatCanColumns("PC")),
	statCan1(Census, dataset.LayerConsolidatedSubdivision, srcCCSAreas, source.StatCanColumns("CCS")),
	statCan1(Census, dataset.LayerDesignatedPlace, srcDesignatedPlaceAreas, source.StatCanColumns("DPL")),
	statCan1(Districts, dataset.LayerFederalDistrict, srcFederalAreas, source.FederalColumns),
}

// schoolFiles are those that must be at hand for the file to tell the type of
// a school district: a mirror may hold all types in the first.
var schoolFiles = []string{srcUnifiedAreas, srcElementaryAreas, srcSecondaryAreas}
