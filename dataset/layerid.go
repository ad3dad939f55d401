package dataset

// A LayerID names a kind of area that codes are held against: a geography of
// the census, a district of a legislature or of schools. The numbers are part
// of the file format.
type LayerID uint8

// The layers of the United States and of Canada. The zero LayerID is none of
// them.
const (
	LayerCounty                LayerID = iota + 1 // counties and their equivalents; planning regions in Connecticut
	LayerCountySubdivision                        // towns, townships, census county divisions
	LayerPlace                                    // incorporated and census designated places
	LayerTract                                    // census tracts
	LayerBlockGroup                               // census block groups
	LayerCBSA                                     // metropolitan and micropolitan statistical areas
	LayerMetropolitanDivision                     // divisions of the largest metropolitan areas
	LayerCongressionalDistrict                    // districts of the House of Representatives, at-large and delegate districts included
	LayerStateUpper                               // districts of upper chambers; of Nebraska's only one
	LayerStateLower                               // districts of lower chambers
	LayerSchoolDistrict                           // unified, elementary and secondary school districts, which may lie within one another
	LayerCensusDivision
	LayerCensusSubdivision // municipalities
	LayerCensusTract
	LayerMetroArea // census metropolitan areas and census agglomerations
	LayerEconomicRegion
	LayerPopulationCentre
	LayerConsolidatedSubdivision
	LayerDesignatedPlace
	LayerDisseminationArea
	LayerDisseminationBlock
	LayerFederalDistrict // federal electoral districts

	endOfLayers
)

// layerFacts is what the format knows of a layer.
type layerFacts struct {
	name    string
	country Country
	parent  int // leading letters of a GEOID that are the GEOID of the area around; 0 none
}

func (id LayerID) facts() layerFacts {
	switch id {
	case LayerCounty:
		return layerFacts{"county", US, 0}
	case LayerCountySubdivision:
		return layerFacts{"county_subdivision", US, countyDigits}
	case LayerPlace:
		return layerFacts{"place", US, 0}
	case LayerTract:
		return layerFacts{"tract", US, countyDigits}
	case LayerBlockGroup:
		return layerFacts{"block_group", US, 11}
	case LayerCBSA:
		return layerFacts{"cbsa", US, 0}
	case LayerMetropolitanDivision:
		return layerFacts{"metropolitan_division", US, 0}
	case LayerCongressionalDistrict:
		return layerFacts{"congressional_district", US, 0}
	case LayerStateUpper:
		return layerFacts{"state_upper", US, 0}
	case LayerStateLower:
		return layerFacts{"state_lower", US, 0}
	case LayerSchoolDistrict:
		return layerFacts{"school_district", US, 0}
	case LayerCensusDivision:
		return layerFacts{"census_division", CA, 0}
	case LayerCensusSubdivision:
		return layerFacts{"census_subdivision", CA, 4}
	case LayerCensusTract:
		return layerFacts{"census_tract", CA, 3}
	case LayerMetroArea:
		return layerFacts{"metro_area", CA, 0}
	case LayerEconomicRegion:
		return layerFacts{"economic_region", CA, 0}
	case LayerPopulationCentre:
		return layerFacts{"population_centre", CA, 0}
	case LayerConsolidatedSubdivision:
		return layerFacts{"consolidated_subdivision", CA, 4}
	case LayerDesignatedPlace:
		return layerFacts{"designated_place", CA, 0}
	case LayerDisseminationArea:
		return layerFacts{"dissemination_area", CA, 4}
	case LayerDisseminationBlock:
		return layerFacts{"dissemination_block", CA, disseminationAreaDigits}
	case LayerFederalDistrict:
		return layerFacts{"federal_district", CA, 0}
	default:
		return layerFacts{}
	}
}

// Lengths of codes that begin other codes.
const (
	countyDigits            = 5
	disseminationAreaDigits = 8
)

// String returns the name of the layer, e.g. "county_subdivision"; "" for a
// number that is no layer.
func (id LayerID) String() string { return id.facts().name }

// MarshalText returns String.
func (id LayerID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Country returns the country whose codes the layer is held against.
func (id LayerID) Country() Country { return id.facts().country }

// ParseLayerID returns the layer with the name.
func ParseLayerID(name string) (LayerID, bool) {
	for id := LayerID(1); id < endOfLayers; id++ {
		if id.String() == name {
			return id, true
		}
	}
	return 0, false
}

// LayerIDs returns every layer that a dataset can have, in ascending order.
func LayerIDs() []LayerID {
	list := make([]LayerID, 0, endOfLayers-1)
	for id := LayerID(1); id < endOfLayers; id++ {
		list = append(list, id)
	}
	return list
}
