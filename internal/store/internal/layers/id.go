package layers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/store/internal/codes"
)

// A ID names a kind of area: a geography of the census, a district, or a layer that
// a user added. The numbers are part of the file format.
type ID uint64

// The layers of the United States and of Canada. The zero ID is invalid.
const (
	LayerCounty                ID = iota + 1 // counties and their equivalents; planning regions in Connecticut
	LayerCountySubdivision                   // towns, townships, census county divisions
	LayerPlace                               // incorporated and census designated places
	LayerTract                               // census tracts
	LayerBlockGroup                          // census block groups
	LayerCBSA                                // metropolitan and micropolitan statistical areas
	LayerMetropolitanDivision                // divisions of the largest metropolitan areas
	LayerCongressionalDistrict               // districts of the House of Representatives, at-large and delegate districts included
	LayerStateUpper                          // districts of upper chambers; of Nebraska's only one
	LayerStateLower                          // districts of lower chambers
	LayerSchoolDistrict                      // unified, elementary and secondary school districts, which may lie within one another
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
// base, the upper ones that of the plan.
const (
	planBits = 5
	baseMask = 1<<planBits - 1
	// MaxPlans is the maximum number of plans of a layer, the base included.
	MaxPlans = 6
	// FirstAdded is the number of the first plan that users can add.
	FirstAdded = 2
	// endOfIDs is above the numbers of all plans. Those of own layers follow.
	endOfIDs = MaxPlans << planBits
)

// Base returns the layer of a plan. It is the layer itself for its first plan.
func Base(id ID) ID {
	if IsOwn(id) {
		return id
	}
	return id & baseMask
}

// Numbered returns the layer of the plan with a number below [MaxPlans]. Number 0
// is the layer itself.
func Numbered(id ID, n int) ID { return Base(id) | ID(n<<planBits) }

// plan returns the number of the plan.
func (id ID) plan() int { return int(id >> planBits) }

// planned are the layers that can have several plans.
var planned = [...]ID{LayerCongressionalDistrict, LayerStateUpper, LayerStateLower, LayerFederalDistrict}

// named are the layers of the catalog that a build has only by their names.
var named = [...]ID{LayerPUMA, LayerUrbanArea, LayerTribalArea, LayerVotingDistrict}

// IsNamed reports whether the layer is one of the catalog that belongs to no family of
// records. Records have it by its name, as they do an own layer.
func IsNamed(id ID) bool { return slices.Contains(named[:], id) }

// tiling are the layers whose areas cover all land of a country without overlaps.
var tiling = [...]ID{
	LayerCounty, LayerCountySubdivision, LayerTract, LayerBlockGroup, LayerCongressionalDistrict, LayerStateUpper, LayerStateLower, LayerPUMA,
	LayerCensusDivision, LayerCensusSubdivision, LayerEconomicRegion, LayerConsolidatedSubdivision, LayerFederalDistrict,
}

// HasPlans reports whether the layer can have several plans.
func HasPlans(id ID) bool { return slices.Contains(planned[:], Base(id)) }

// valid reports whether a layer or a plan has the number.
func (id ID) valid() bool {
	base := Base(id)
	return IsOwn(id) && id.ownName() != "" || base > 0 && base < endOfLayers && id < endOfIDs && (id == base || HasPlans(id))
}

// layerFacts are the constant properties of a layer.
type layerFacts struct {
	name    string
	country codes.Country
	parent  int // leading letters of a GEOID that are the GEOID of the area around; 0 none
}

var facts = [endOfLayers]layerFacts{
	LayerCounty:                  {"county", codes.US, 0},
	LayerCountySubdivision:       {"county_subdivision", codes.US, countyDigits},
	LayerPlace:                   {"place", codes.US, 0},
	LayerTract:                   {"tract", codes.US, countyDigits},
	LayerBlockGroup:              {"block_group", codes.US, 11},
	LayerCBSA:                    {"cbsa", codes.US, 0},
	LayerMetropolitanDivision:    {"metropolitan_division", codes.US, 0},
	LayerCongressionalDistrict:   {"congressional_district", codes.US, 0},
	LayerStateUpper:              {"state_upper", codes.US, 0},
	LayerStateLower:              {"state_lower", codes.US, 0},
	LayerSchoolDistrict:          {"school_district", codes.US, 0},
	LayerCensusDivision:          {"census_division", codes.CA, 0},
	LayerCensusSubdivision:       {"census_subdivision", codes.CA, 4},
	LayerCensusTract:             {"census_tract", codes.CA, 3},
	LayerMetroArea:               {"metro_area", codes.CA, 0},
	LayerEconomicRegion:          {"economic_region", codes.CA, 0},
	LayerPopulationCentre:        {"population_centre", codes.CA, 0},
	LayerConsolidatedSubdivision: {"consolidated_subdivision", codes.CA, 4},
	LayerDesignatedPlace:         {"designated_place", codes.CA, 0},
	LayerDisseminationArea:       {"dissemination_area", codes.CA, 4},
	LayerDisseminationBlock:      {"dissemination_block", codes.CA, disseminationAreaDigits},
	LayerFederalDistrict:         {"federal_district", codes.CA, 0},
	LayerPUMA:                    {"puma", codes.US, 0},
	LayerUrbanArea:               {"urban_area", codes.US, 0},
	LayerTribalArea:              {"tribal_area", codes.US, 0},
	LayerVotingDistrict:          {"voting_district", codes.US, countyDigits},
}

func (id ID) facts() layerFacts {
	if IsOwn(id) || !id.valid() {
		return layerFacts{}
	}
	return facts[Base(id)]
}

// Lengths of codes that begin other codes.
const (
	countyDigits            = 5
	disseminationAreaDigits = 8
)

// String returns the name of the layer, e.g. "county_subdivision", or "" for an
// invalid number. Plans after the first have their number behind it, e.g.
// "congressional_district.2".
func (id ID) String() string {
	if IsOwn(id) {
		return ownPrefix + id.ownName()
	}
	if id.plan() > 0 && id.valid() {
		return id.facts().name + "." + strconv.Itoa(id.plan()+1)
	}
	return id.facts().name
}

// MarshalText returns String.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Country returns the country whose codes the layer is held against, 0 for an own
// layer, which may have areas in both.
func (id ID) Country() codes.Country { return id.facts().country }

// In reports whether the layer is held against the codes of a country.
func In(id ID, c codes.Country) bool { return IsOwn(id) || id.facts().country == c }

// shortNames are common names of layers, in addition to those of
// [ID.String].
var shortNames = map[string]ID{
	"cousub": LayerCountySubdivision, "town": LayerCountySubdivision,
	"bg": LayerBlockGroup, "blockgroup": LayerBlockGroup, "metro": LayerCBSA,
	"metdiv": LayerMetropolitanDivision,
	"cd":     LayerCongressionalDistrict, "district": LayerCongressionalDistrict,
	"sldu": LayerStateUpper, "upper": LayerStateUpper,
	"sldl": LayerStateLower, "lower": LayerStateLower,
	"school": LayerSchoolDistrict, "sd": LayerSchoolDistrict,
	"csd": LayerCensusSubdivision, "municipality": LayerCensusSubdivision,
	"ct": LayerCensusTract, "cma": LayerMetroArea, "er": LayerEconomicRegion,
	"da": LayerDisseminationArea, "db": LayerDisseminationBlock,
	"fed": LayerFederalDistrict, "riding": LayerFederalDistrict,
	"urban": LayerUrbanArea, "ua": LayerUrbanArea, "uac": LayerUrbanArea,
	"tribal": LayerTribalArea, "aiannh": LayerTribalArea, "vtd": LayerVotingDistrict,
}

// ParseName returns the layer with a name, in any case and with hyphens for
// underscores, or with a short name.
func ParseName(name string) (ID, bool) {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
	if id, ok := shortNames[name]; ok {
		return id, true
	}
	return ParseID(name)
}

// ParseID returns the layer with the name. It accepts the names of all own layers,
// such as "layers.sales".
func ParseID(name string) (ID, bool) {
	if own, ok := strings.CutPrefix(name, ownPrefix); ok {
		return OwnID(own)
	}
	id, ok := byName[name]
	return id, ok
}

// byName has every layer and plan of the catalog by its name.
var byName = func() map[string]ID {
	ids := map[string]ID{}
	for _, id := range PlanIDs() {
		ids[id.String()] = id
	}
	return ids
}()

// IDs returns every layer that a dataset can have, in ascending order, without
// the plans after the first.
func IDs() []ID { return idsBelow(endOfLayers) }

// PlanIDs returns every layer and plan that a dataset can have, in ascending
// order.
func PlanIDs() []ID { return idsBelow(endOfIDs) }

func idsBelow(end ID) []ID {
	var list []ID
	for id := ID(1); id < end; id++ {
		if id.valid() {
			list = append(list, id)
		}
	}
	return list
}
