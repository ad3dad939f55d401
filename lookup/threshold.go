package lookup

import "github.com/postgeo/postgeo/dataset"

// A Threshold says which overlaps of a layer a record shows. The dataset keeps
// every sliver, most of which come from outlines that two agencies draw
// differently.
type Threshold struct {
	OfCode float64 // percent of the code's area
	OfArea float64 // percent of the other area
}

// Serves reports whether an overlap is shown: it is at least as large a part
// of the code, or of the other area, as the threshold asks for.
func (t Threshold) Serves(o dataset.Overlap) bool {
	return o.Intersection > 0 && (o.PercentOfCode >= t.OfCode || o.PercentOfArea >= t.OfArea)
}

// ThresholdOf returns the threshold of a layer. One percent of the code is
// what makes a ZIP lie in several counties. The part of the other area lets a
// small area inside a large code in; it is the larger, the smaller the layer's
// areas are, because the same sliver is more of them. The postal county of a
// ZIP is shown however little of it there is.
func ThresholdOf(id dataset.LayerID) Threshold {
	switch id {
	case dataset.LayerCounty, dataset.LayerCBSA, dataset.LayerMetropolitanDivision, dataset.LayerCongressionalDistrict,
		dataset.LayerCensusDivision, dataset.LayerEconomicRegion:
		return Threshold{OfCode: 1, OfArea: 1}
	case dataset.LayerStateUpper, dataset.LayerStateLower, dataset.LayerSchoolDistrict, dataset.LayerFederalDistrict, dataset.LayerMetroArea:
		return Threshold{OfCode: 1, OfArea: 2}
	case dataset.LayerBlockGroup, dataset.LayerDisseminationArea, dataset.LayerDisseminationBlock:
		return Threshold{OfCode: 1, OfArea: 10}
	default: // subdivisions, places, tracts and their like
		return Threshold{OfCode: 1, OfArea: 5}
	}
}
