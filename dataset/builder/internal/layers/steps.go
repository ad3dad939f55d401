package layers

import (
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
)

// Writes returns the steps that write outlines and layers.
func Writes() []plan.Step {
	return []plan.Step{{Name: "write: outlines", Do: &outlinesWriter{}}, {Name: "write: layers", Do: &layersWriter{}}}
}

// Steps returns the steps that read and measure outlines.
func Steps() []plan.Step {
	areas := []string{
		catalog.CountyAreas, catalog.Delineation, catalog.CDAreas, catalog.CSDAreas, catalog.Subdivisions, catalog.MetroNames, catalog.EconomicRegions, catalog.RegionParts,
		catalog.SchoolOffices, catalog.SchoolAgencies, catalog.SchoolIDs, catalog.DACorrespondence, catalog.Correspondence, catalog.CodeBlocks, catalog.GeographicAttributes,
	}
	for _, s := range layerSpecs {
		for _, f := range s.files {
			areas = append(areas, f.source)
		}
		if s.details.source != "" {
			areas = append(areas, s.details.source)
		}
	}
	return []plan.Step{
		{Name: "outlines", Sources: []string{catalog.ZoneOutlines, catalog.FSAAreas, catalog.CountyAreas, catalog.PlaceAreas, catalog.CousubAreas, catalog.CSDAreas}, Do: &outlines{}},
		{Name: "outlines: states and checks", Sources: []string{catalog.StateAreas, catalog.CDAreas, catalog.FSAAreas}, Do: &boundaries{}},
		{Name: "outlines: counties of ZIP Codes", Sources: []string{catalog.ZCTAAreas, catalog.CountyAreas}, Do: &countyShares{}},
		{Name: "outlines: packing", Do: &packing{}},
		{Name: "areas that codes are compared with", Sources: areas, Do: &layers{}},
	}
}
