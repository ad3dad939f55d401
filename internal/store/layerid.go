package store

import (
	"strconv"
	"strings"
)

// A LayerID names a kind of area: a geography of the census, a district, or a layer that
// a user added. The numbers are part of the file format.
type LayerID uint64

// The layers of the United States and of Canada. The zero ID is invalid.
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
	LayerPUMA            // Public Use Microdata Areas
	LayerUrbanArea
	LayerTribalArea     // American Indian, Alaska Native and Native Hawaiian areas
	LayerVotingDistrict // precincts, wards and their like, as states reported them for the census

	endOfLayers
)

// A plan is a layer with a separate number. The lower bits hold the number of its
// base, the upper ones that of the plan. So a plan is found, measured and stored as any other
// layer, and code without plans sees the layer of the first one.
const (
	planBits = 5 // up to 31 layers; more need another version of the format
	baseMask = 1<<planBits - 1
	// MaxPlans is the maximum number of plans of a layer, the base included.
	MaxPlans = 6
	// FirstAddedPlan is the number of the first plan that users can add.
	FirstAddedPlan = 2
	// FirstOwnLayer is above the numbers of all plans. Those of own layers follow.
	FirstOwnLayer = MaxPlans << planBits
)

// BaseLayer returns the layer of a plan. It is the layer itself for its first plan.
func BaseLayer(id LayerID) LayerID {
	if IsOwnLayer(id) {
		return id
	}
	return id & baseMask
}

// PlanLayer returns the layer of the plan with a number below [MaxPlans]. Number 0
// is the layer itself.
func PlanLayer(id LayerID, n int) LayerID { return BaseLayer(id) | LayerID(n<<planBits) }

// plan returns the number of the plan.
func (id LayerID) plan() int { return int(id >> planBits) }

// IsNamedLayer reports whether the layer is one of the catalog that belongs to no family of
// records. Records have it by its name, as they do an own layer.
func IsNamedLayer(id LayerID) bool { return id == BaseLayer(id) && id.facts().named }

// HasPlans reports whether the layer can have several plans.
func HasPlans(id LayerID) bool {
	base := BaseLayer(id)
	return base < endOfLayers && factsOfLayers[base].plans
}

// Valid reports whether a layer or a plan has the number.
func (id LayerID) Valid() bool {
	base := BaseLayer(id)
	return IsOwnLayer(id) && id.ownName() != "" || base > 0 && base < endOfLayers && id < FirstOwnLayer && (id == base || HasPlans(id))
}

// layerFacts are the constant properties of a layer.
type layerFacts struct {
	name    string
	country Country
	short   string // other names, with spaces
	parent  int    // leading letters of a GEOID that are the GEOID of the area around; 0 none
	tiles   bool   // its areas cover all land of a country without overlaps
	plans   bool   // it can have several plans
	named   bool   // records have it by its name only, as they do an own layer
}

var factsOfLayers = [endOfLayers]layerFacts{
	LayerCounty:                  {name: "county", country: US, tiles: true},
	LayerCountySubdivision:       {name: "county_subdivision", country: US, short: "cousub town", parent: countyDigits, tiles: true},
	LayerPlace:                   {name: "place", country: US},
	LayerTract:                   {name: "tract", country: US, parent: countyDigits, tiles: true},
	LayerBlockGroup:              {name: "block_group", country: US, short: "bg blockgroup", parent: 11, tiles: true},
	LayerCBSA:                    {name: "cbsa", country: US, short: "metro"},
	LayerMetropolitanDivision:    {name: "metropolitan_division", country: US, short: "metdiv"},
	LayerCongressionalDistrict:   {name: "congressional_district", country: US, short: "cd district", tiles: true, plans: true},
	LayerStateUpper:              {name: "state_upper", country: US, short: "sldu upper", tiles: true, plans: true},
	LayerStateLower:              {name: "state_lower", country: US, short: "sldl lower", tiles: true, plans: true},
	LayerSchoolDistrict:          {name: "school_district", country: US, short: "school sd"},
	LayerCensusDivision:          {name: "census_division", country: CA, tiles: true},
	LayerCensusSubdivision:       {name: "census_subdivision", country: CA, short: "csd municipality", parent: 4, tiles: true},
	LayerCensusTract:             {name: "census_tract", country: CA, short: "ct", parent: 3},
	LayerMetroArea:               {name: "metro_area", country: CA, short: "cma"},
	LayerEconomicRegion:          {name: "economic_region", country: CA, short: "er", tiles: true},
	LayerPopulationCentre:        {name: "population_centre", country: CA},
	LayerConsolidatedSubdivision: {name: "consolidated_subdivision", country: CA, parent: 4, tiles: true},
	LayerDesignatedPlace:         {name: "designated_place", country: CA},
	LayerDisseminationArea:       {name: "dissemination_area", country: CA, short: "da", parent: 4},
	LayerDisseminationBlock:      {name: "dissemination_block", country: CA, short: "db", parent: DisseminationAreaDigits},
	LayerFederalDistrict:         {name: "federal_district", country: CA, short: "fed riding", tiles: true, plans: true},
	LayerPUMA:                    {name: "puma", country: US, tiles: true, named: true},
	LayerUrbanArea:               {name: "urban_area", country: US, short: "urban ua uac", named: true},
	LayerTribalArea:              {name: "tribal_area", country: US, short: "tribal aiannh", named: true},
	LayerVotingDistrict:          {name: "voting_district", country: US, short: "vtd", parent: countyDigits, named: true},
}

func (id LayerID) facts() layerFacts {
	if IsOwnLayer(id) || !id.Valid() {
		return layerFacts{}
	}
	return factsOfLayers[BaseLayer(id)]
}

// Lengths of codes that begin other codes.
const (
	countyDigits            = 5
	DisseminationAreaDigits = 8
)

// String returns the name of the layer, e.g. "county_subdivision", or "" for an
// invalid number. Plans after the first have their number behind it, e.g.
// "congressional_district.2".
func (id LayerID) String() string {
	if IsOwnLayer(id) {
		return ownPrefix + id.ownName()
	}
	if id.plan() > 0 && id.Valid() {
		return id.facts().name + "." + strconv.Itoa(id.plan()+1)
	}
	return id.facts().name
}

// MarshalText returns String.
func (id LayerID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Country returns the country whose codes the layer is held against, 0 for an own
// layer, which may have areas in both.
func (id LayerID) Country() Country { return id.facts().country }

// LayerIn reports whether the layer is held against the codes of a country.
func LayerIn(id LayerID, c Country) bool { return IsOwnLayer(id) || id.facts().country == c }

// ParseLayerName returns the layer with a name, in any case and with hyphens for
// underscores, or with a short name.
func ParseLayerName(name string) (LayerID, bool) {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
	if id, ok := byShortName[name]; ok {
		return id, true
	}
	return ParseLayerID(name)
}

// ParseLayerID returns the layer with the name. It accepts the names of all own layers,
// such as "layers.sales".
func ParseLayerID(name string) (LayerID, bool) {
	if own, ok := strings.CutPrefix(name, ownPrefix); ok {
		return OwnLayer(own)
	}
	id, ok := byName[name]
	return id, ok
}

// byName has every layer and plan of the catalog by its name.
var byName = func() map[string]LayerID {
	ids := map[string]LayerID{}
	for _, id := range PlanIDs() {
		ids[id.String()] = id
	}
	return ids
}()

var byShortName = func() map[string]LayerID {
	ids := map[string]LayerID{}
	for id, f := range factsOfLayers {
		for name := range strings.FieldsSeq(f.short) {
			ids[name] = LayerID(id)
		}
	}
	return ids
}()

// LayerIDs returns every layer that a dataset can have, in ascending order, without
// the plans after the first.
func LayerIDs() []LayerID { return idsBelow(endOfLayers) }

// PlanIDs returns every layer and plan that a dataset can have, in ascending
// order.
func PlanIDs() []LayerID { return idsBelow(FirstOwnLayer) }

func idsBelow(end LayerID) []LayerID {
	var list []LayerID
	for id := LayerID(1); id < end; id++ {
		if id.Valid() {
			list = append(list, id)
		}
	}
	return list
}

// LayersNamed returns the layers that records have as "layers." and a name, which may be
// short: an own layer, and one of the catalog. A record has the first that is in the dataset.
func LayersNamed(name string) (list []LayerID) {
	if id, ok := OwnLayer(name); ok {
		list = append(list, id)
	}
	if id, ok := ParseLayerName(name); ok && IsNamedLayer(id) {
		list = append(list, id)
	}
	return list
}

// NamedLayer returns the layer of [LayersNamed] that the dataset has, or nil.
func (d *Dataset) NamedLayer(name string) *Layer {
	for _, id := range LayersNamed(name) {
		if l := d.Layer(id); l != nil {
			return l
		}
	}
	return nil
}
