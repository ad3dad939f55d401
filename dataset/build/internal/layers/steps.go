package layers

import (
	"github.com/postgeo/postgeo/dataset/build/internal/catalogue"
	"github.com/postgeo/postgeo/dataset/build/internal/plan"
)

// Writes returns the steps that write outlines and layers.
func Writes() []plan.Step {
	return []plan.Step{{Name: "write: outlines", Do: &outlinesWriter{}}, {Name: "write: layers", Do: &layersWriter{}}}
}

// Steps returns the steps that read and measure outlines.
func Steps() []plan.Step {
	areas := []string{
		catalogue.CountyAreas, catalogue.Delineation, catalogue.CDAreas, catalogue.CSDAreas, catalogue.Subdivisions, catalogue.MetroNames, catalogue.EconomicRegions, catalogue.RegionParts,
		catalogue.SchoolOffices, catalogue.SchoolAgencies, catalogue.SchoolIDs, catalogue.DACorrespondence, catalogue.Correspondence, catalogue.CodeBlocks, catalogue.GeographicAttributes,
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
		{Name: "outlines", Sources: []string{catalogue.ZoneOutlines, catalogue.FSAAreas, catalogue.CountyAreas, catalogue.PlaceAreas, catalogue.CousubAreas, catalogue.CSDAreas}, Do: &outlines{}},
		{Name: "outlines: states and checks", Sources: []string{catalogue.StateAreas, catalogue.CDAreas, catalogue.FSAAreas}, Do: &boundaries{}},
		{Name: "outlines: counties of ZIP Codes", Sources: []string{catalogue.ZCTAAreas, catalogue.CountyAreas}, Do: &countyShares{}},
		{Name: "outlines: packing", Do: &packing{}},
		{Name: "areas that codes are compared with", Sources: areas, Do: &layers{}},
	}
}
