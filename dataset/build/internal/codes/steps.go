package codes

import (
	"github.com/postgeo/postgeo/dataset/build/internal/catalogue"
	"github.com/postgeo/postgeo/dataset/build/internal/plan"
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
		{Name: "metropolitan areas", Sources: []string{catalogue.Delineation}, Do: &metros{}},
		{Name: "counties", Sources: []string{catalogue.GazetteerCounties, catalogue.Delineation}, Do: &counties{}},
		{Name: "place names", Sources: []string{catalogue.GazetteerPlaces, catalogue.GazetteerCousubs}, Do: &placeSpellings{}},
		{Name: "ZIP Codes", Sources: []string{
			catalogue.GeoNamesUS, catalogue.GeoNamesPR, catalogue.GeoNamesGU, catalogue.GeoNamesVI, catalogue.GeoNamesAS, catalogue.GeoNamesMP,
			catalogue.ZIPDatabase, catalogue.USPSCityState, catalogue.UDS, catalogue.UDSText, catalogue.UDS2021, catalogue.GazetteerZCTA,
		}, Do: &zips{}},
		{Name: "ZIP Codes: business", Sources: []string{catalogue.ZIPBusiness, catalogue.ZIPBusiness2016}, Do: &business{}},
		{Name: "ZIP Codes: classes", Sources: []string{catalogue.ZIPBusiness, catalogue.ZIPBusiness2016}, Do: &classes{}},
		{Name: "ZIP Codes: residents", Sources: []string{catalogue.ZIPPolygons, catalogue.ZCTAAreas, catalogue.Centers}, Do: &residents{}},
		{Name: "ZIP Codes: post offices", Do: &postOffices{}},
		{Name: "ZIP Codes: counties", Do: &zipCounties{}},
		{Name: "ZIP Codes: points", Do: &points{}},
		{Name: "ZIP Codes: names", Do: &zipNames{}},
		{Name: "ZIP Codes: areas and elevations", Sources: []string{catalogue.ZCTAElevation, catalogue.CountyElevation}, Do: &terrain{}},
		{Name: "ZIP Codes: deliveries", Sources: []string{catalogue.USPSDeliveryStats}, Do: &deliveries{}},
		{Name: "ZIP Codes: Medicare", Sources: []string{catalogue.SSACounties, catalogue.RatingAreas}, Do: &medicare{}},
		{Name: "forward sortation areas", Sources: []string{catalogue.GeoNamesCA, catalogue.FSAPopulation, catalogue.DAPoints, catalogue.Subdivisions}, Do: &fsas{}},
		{Name: "postal codes", Sources: []string{catalogue.GeoNamesCAFull, catalogue.Correspondence, catalogue.DAPoints, catalogue.DALinks}, Do: &postalCodes{}},
		{Name: "area codes", Sources: []string{catalogue.ZIPDatabase}, Do: &areaCodes{}},
		{Name: "municipalities", Do: &municipalities{}},
	}
}
