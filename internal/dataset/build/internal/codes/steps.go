package codes

import (
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
)

// WriteTables returns the step that writes the tables that codes refer to.
func WriteTables() plan.Step {
	return plan.Step{Name: "write: states and counties", Do: &tablesWriter{}}
}

// WriteCodes returns the step that writes the codes.
func WriteCodes() plan.Step { return plan.Step{Name: "write: codes", Do: &codesWriter{}} }

// Steps returns the steps that derive codes.
func Steps() []plan.Step {
	return []plan.Step{
		{Name: "states and provinces", Do: &states{}},
		{Name: "metropolitan areas", Sources: []string{catalog.Delineation}, Do: &metros{}},
		{Name: "counties", Sources: []string{catalog.GazetteerCounties, catalog.Delineation}, Do: &counties{}},
		{Name: "place names", Sources: []string{catalog.GazetteerPlaces, catalog.GazetteerCousubs}, Do: &placeSpellings{}},
		{Name: "ZIP Codes", Sources: []string{
			catalog.GeoNamesUS, catalog.GeoNamesPR, catalog.GeoNamesGU, catalog.GeoNamesVI, catalog.GeoNamesAS, catalog.GeoNamesMP,
			catalog.ZIPDatabase, catalog.USPSCityState, catalog.UDS, catalog.UDSText, catalog.UDS2021, catalog.GazetteerZCTA,
		}, Do: &zips{}},
		{Name: "ZIP Codes: business", Sources: []string{catalog.ZIPBusiness, catalog.ZIPBusiness2016}, Do: &business{}},
		{Name: "ZIP Codes: classes", Sources: []string{catalog.ZIPBusiness, catalog.ZIPBusiness2016}, Do: &classes{}},
		{Name: "ZIP Codes: residents", Sources: []string{catalog.ZIPPolygons, catalog.ZCTAAreas, catalog.Centers}, Do: &residents{}},
		{Name: "ZIP Codes: post offices", Do: &postOffices{}},
		{Name: "ZIP Codes: counties", Do: &zipCounties{}},
		{Name: "ZIP Codes: points", Do: &points{}},
		{Name: "ZIP Codes: names", Do: &zipNames{}},
		{Name: "ZIP Codes: areas and elevations", Sources: []string{catalog.ZCTAElevation, catalog.CountyElevation}, Do: &terrain{}},
		{Name: "ZIP Codes: deliveries", Sources: []string{catalog.USPSDeliveryStats}, Do: &deliveries{}},
		{Name: "ZIP Codes: Medicare", Sources: []string{catalog.SSACounties, catalog.RatingAreas}, Do: &medicare{}},
		{Name: "forward sortation areas", Sources: []string{catalog.GeoNamesCA, catalog.FSAPopulation, catalog.DAPoints, catalog.Subdivisions}, Do: &fsas{}},
		{Name: "postal codes", Sources: []string{catalog.GeoNamesCAFull, catalog.Correspondence, catalog.DAPoints, catalog.DALinks}, Do: &postalCodes{}},
		{Name: "area codes", Sources: []string{catalog.ZIPDatabase}, Do: &areaCodes{}},
		{Name: "municipalities", Do: &municipalities{}},
	}
}
