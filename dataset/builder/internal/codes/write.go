// Package codes derives states, counties, places, ZIP Codes, FSAs and postal codes.
package codes

import (
	"context"
	"errors"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/store"
)

// tablesWriter writes states, metropolitan areas, counties and time zones.
type tablesWriter struct {
	*plan.Env
	States   *draft.States
	Metros   *draft.Metros
	Counties *draft.Counties
	Zones    *draft.Zones
	Output   *draft.Output `reads:"rows" writes:"rows"`
}

func (b *tablesWriter) Run(context.Context) error {
	b.Table("states and provinces", len(b.States.List))
	b.Table("counties", len(b.Counties.List))
	b.Table("CBSAs", len(b.Metros.CBSAs))
	b.Table("metropolitan divisions", len(b.Metros.Divisions))
	b.Table("time zones", len(b.Zones.List))
	w := b.Output
	return errors.Join(
		w.SetStates(b.States.List), w.SetCBSAs(b.Metros.CBSAs), w.SetDivisions(b.Metros.Divisions), w.SetCounties(b.Counties.List), w.SetZones(b.Zones.List),
	)
}

// codesWriter writes the ZIP Codes, FSAs and postal codes.
type codesWriter struct {
	*plan.Env
	ZIPs   *draft.ZIPs   `reads:"*"`
	FSAs   *draft.FSAs   `reads:"*"`
	Postal *draft.Postal `reads:"*"`
	Output *draft.Output `reads:"rows" writes:"rows"`
}

func (b *codesWriter) Run(context.Context) error {
	w := b.Output
	for _, z := range b.ZIPs.List {
		detail := z.Detail
		detail.Quality = z.Quality
		if err := errors.Join(w.AddZIP(z.Row, detail), writeCityState(w.Writer, z)); err != nil {
			return err
		}
	}
	for _, f := range b.FSAs.List {
		detail := f.Detail
		detail.Quality = f.Quality
		if err := w.AddFSA(f.Row, detail); err != nil {
			return err
		}
	}
	for _, p := range b.Postal.Rows {
		if err := w.AddPostalCode(p); err != nil {
			return err
		}
	}
	b.Table("ZIP Codes", len(b.ZIPs.List))
	b.Table("FSAs", len(b.FSAs.List))
	b.Table("postal codes", len(b.Postal.Rows))
	return nil
}

// writeCityState writes the names that the City State product has of a ZIP's
// place, and of its streets.
func writeCityState(w *store.Writer, z *draft.ZIP) error {
	if len(z.Aliases) > 0 {
		if err := w.AddStreetAliases(z.Row.ZIP, z.Aliases); err != nil {
			return err
		}
	}
	if len(z.CityState) == 0 {
		return nil
	}
	names := make([]store.CityName, len(z.CityState))
	for i := range z.CityState {
		names[i] = z.CityState[i].CityName
	}
	return w.AddCityNames(z.Row.ZIP, z.Preferred().Finance, names)
}

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
		{Name: "ZIP Codes: business", Sources: []string{catalog.ZIPBusiness, catalog.ZIPFlags}, Do: &business{}},
		{Name: "ZIP Codes: classes", Sources: []string{catalog.ZIPBusiness, catalog.ZIPFlags}, Do: &classes{}},
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
