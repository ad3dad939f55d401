package store

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/layers"
)

type (
	// AreaKey is the constraint of owners of areas.
	AreaKey = layers.AreaKey
	// Areas are the outlines of one kind of owner, such as ZIP Codes.
	Areas[K AreaKey] = layers.Areas[K]
	// AreaLayer are outlines for a Writer.
	AreaLayer[K AreaKey] = layers.Outlines[K]
	// LayerID is a kind of area of the census, a legislature or of schools.
	LayerID = layers.ID
	// LayerInfo describes the source of a layer.
	LayerInfo = layers.Info
	// Plan is one drawing of the districts of a layer.
	Plan = layers.Plan
	// PlanOverride replaces the districts of a plan in a state.
	PlanOverride = layers.PlanOverride
	// PlanChoice selects among the plans of a layer.
	PlanChoice = layers.PlanChoice
	// InForce is the result of a [PlanChoice] in one state.
	InForce = layers.InForce
	// LayerArea is one area of a layer.
	LayerArea = layers.Area
	// SharedPart is the common part of a code and an area of an added layer.
	SharedPart = layers.Shared
	// CodeNumber is a ZIP Code or a forward sortation area.
	CodeNumber = layers.CodeNumber
	// Center is the center of population of a census block group.
	Center = layers.Center
	// CenterShare is the part of the people of a block group in a ZIP Code.
	CenterShare = layers.CenterShare
	// CensusBlock is a block of the census of 2020 that users supplied.
	CensusBlock = layers.CensusBlock
	// LayerData is a layer for a Writer.
	LayerData = layers.Data
	// Layer holds the areas of one kind, ascending by GEOID.
	Layer = layers.Layer
	// Overlap is the common part of a code's outline and an area.
	Overlap = layers.Overlap
	// LayerOverlaps are the overlaps of a code with one layer.
	LayerOverlaps = layers.LayerOverlaps
	// CodeOverlaps are the overlaps of a code with all layers.
	CodeOverlaps = layers.CodeOverlaps
	// CodeOverlap is the common part of an area and the outline of a code.
	CodeOverlap[K dataset.ZIP | dataset.FSA] = layers.CodeOverlap[K]
	// PostalArea is a census area of a full postal code.
	PostalArea = layers.PostalArea
	// SchoolDistrict has the data of a school district beyond its outline.
	SchoolDistrict = layers.SchoolDistrict
	// SchoolOffice is the office of a school district.
	SchoolOffice = layers.SchoolOffice
)

// The layers of the United States and of Canada.
const (
	LayerCounty                  = layers.LayerCounty
	LayerCountySubdivision       = layers.LayerCountySubdivision
	LayerPlace                   = layers.LayerPlace
	LayerTract                   = layers.LayerTract
	LayerBlockGroup              = layers.LayerBlockGroup
	LayerCBSA                    = layers.LayerCBSA
	LayerMetropolitanDivision    = layers.LayerMetropolitanDivision
	LayerCongressionalDistrict   = layers.LayerCongressionalDistrict
	LayerStateUpper              = layers.LayerStateUpper
	LayerStateLower              = layers.LayerStateLower
	LayerSchoolDistrict          = layers.LayerSchoolDistrict
	LayerCensusDivision          = layers.LayerCensusDivision
	LayerCensusSubdivision       = layers.LayerCensusSubdivision
	LayerCensusTract             = layers.LayerCensusTract
	LayerMetroArea               = layers.LayerMetroArea
	LayerEconomicRegion          = layers.LayerEconomicRegion
	LayerPopulationCentre        = layers.LayerPopulationCentre
	LayerConsolidatedSubdivision = layers.LayerConsolidatedSubdivision
	LayerDesignatedPlace         = layers.LayerDesignatedPlace
	LayerDisseminationArea       = layers.LayerDisseminationArea
	LayerDisseminationBlock      = layers.LayerDisseminationBlock
	LayerFederalDistrict         = layers.LayerFederalDistrict
	LayerPUMA                    = layers.LayerPUMA
	LayerUrbanArea               = layers.LayerUrbanArea
	LayerTribalArea              = layers.LayerTribalArea
	LayerVotingDistrict          = layers.LayerVotingDistrict
)

// UnknownArea marks an extent that no source states.
const UnknownArea = layers.UnknownArea

// The sections of areas. Those of layers are [LayerID.Section].
const (
	SectionStateAreas  = layers.SectionStateAreas
	SectionCountyAreas = layers.SectionCountyAreas
	SectionZIPAreas    = layers.SectionZIPAreas
	SectionFSAAreas    = layers.SectionFSAAreas
	SectionZoneAreas   = layers.SectionZoneAreas
	SectionOverlaps    = layers.SectionOverlaps
	SectionCenters     = layers.SectionCenters
)

// BlocksOfGroup is the number of GEOIDs of blocks for each block group.
const BlocksOfGroup = layers.BlocksOfGroup

// MaxBlockLand is the maximum land of a block in square meters.
const MaxBlockLand = layers.MaxBlockLand

// MaxOwnName is the maximum length of the name of an own layer.
const MaxOwnName = layers.MaxOwnName

// FirstAddedPlan is the number of the first plan that users can add.
const FirstAddedPlan = layers.FirstAdded

// MaxPlans is the maximum number of plans of a layer, the base included.
const MaxPlans = layers.MaxPlans

// OwnLayer returns the layer of a user with a name of at most [MaxOwnName]
// lower-case letters, digits and underscores.
func OwnLayer(name string) (LayerID, bool) { return layers.OwnID(name) }

// IsOwnLayer reports whether a layer is one of a user.
func IsOwnLayer(id LayerID) bool { return layers.IsOwn(id) }

// IsNamedLayer reports whether a layer of the catalog belongs to no family of records,
// such as the layer of urban areas. Records have it by its name, as they do an own one.
func IsNamedLayer(id LayerID) bool { return layers.IsNamed(id) }

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

// LayerIn reports whether a layer is held against the codes of a country.
func LayerIn(id LayerID, c Country) bool { return layers.In(id, c) }

// NumberOfCode returns the number of a code.
func NumberOfCode[K dataset.ZIP | dataset.FSA](code K) CodeNumber { return layers.NumberOf(code) }

// ParseLayerName returns the layer with a name, in any case and with hyphens for
// underscores, or with one of the usual short names, e.g. "cd", "sldu" or "vtd".
func ParseLayerName(name string) (LayerID, bool) { return layers.ParseName(name) }

// ParseLayerID returns the layer with the name.
func ParseLayerID(name string) (LayerID, bool) { return layers.ParseID(name) }

// LayerIDs returns every layer that a dataset can have, in ascending order.
func LayerIDs() []LayerID { return layers.IDs() }

// BaseLayer returns the layer of a plan. It is the layer itself for its first plan.
func BaseLayer(id LayerID) LayerID { return layers.Base(id) }

// PlanLayer returns the layer of a further plan, whose number is 1 or more.
func PlanLayer(id LayerID, n int) LayerID { return layers.Numbered(id, n) }

// HasPlans reports whether the layer can have several plans.
func HasPlans(id LayerID) bool { return layers.HasPlans(id) }

// PlanIDs returns every layer and plan that a dataset can have, in ascending
// order.
func PlanIDs() []LayerID { return layers.PlanIDs() }
