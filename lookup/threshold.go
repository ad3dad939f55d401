package lookup

import "github.com/postgeo/postgeo/internal/store"

// A threshold selects the overlaps of a layer that a record lists. The dataset
// has every sliver. Most slivers exist because two agencies draw a border
// differently.
type threshold struct {
	OfCode float64 // percent of the code's area
	OfArea float64 // percent of the other area
}

// Serves reports whether a record lists an overlap, because its part of the
// code or of the area reaches the threshold.
func (t threshold) Serves(o store.Overlap) bool {
	return o.Intersection > 0 && (o.PercentOfCode >= t.OfCode || o.PercentOfArea >= t.OfArea)
}

// thresholdOf returns the threshold of a layer. A ZIP lies in several counties
// if each holds one percent of it. The second limit, a part of the area, admits
// a small area inside a large code. It is larger for layers with smaller areas,
// because the same sliver is a larger part of them. The postal county of a ZIP
// is always listed.
func thresholdOf(id store.LayerID) threshold {
	switch store.BaseLayer(id) {
	case store.LayerCounty, store.LayerCBSA, store.LayerMetropolitanDivision, store.LayerCongressionalDistrict,
		store.LayerCensusDivision, store.LayerEconomicRegion:
		return threshold{OfCode: 1, OfArea: 1}
	case store.LayerStateUpper, store.LayerStateLower, store.LayerSchoolDistrict, store.LayerFederalDistrict, store.LayerMetroArea,
		store.LayerPUMA:
		return threshold{OfCode: 1, OfArea: 2}
	case store.LayerBlockGroup, store.LayerVotingDistrict, store.LayerDisseminationArea, store.LayerDisseminationBlock:
		return threshold{OfCode: 1, OfArea: 10}
	default: // subdivisions, places, tracts and their like
		return threshold{OfCode: 1, OfArea: 5}
	}
}
