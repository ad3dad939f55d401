package draft

import (
	"cmp"
	"context"

	"github.com/postgeo/postgeo/internal/store"
)

// WriteTables writes the tables that codes refer to.
func (d *Draft) WriteTables(_ context.Context) error {
	d.Table("states and provinces", len(d.States.List))
	d.Table("counties", len(d.Counties.List))
	d.Table("CBSAs", len(d.Metros.CBSAs))
	d.Table("metropolitan divisions", len(d.Metros.Divisions))
	d.Table("time zones", len(d.Zones.List))
	w := d.Output
	return cmp.Or(
		w.SetStates(d.States.List), w.SetCBSAs(d.Metros.CBSAs), w.SetDivisions(d.Metros.Divisions), w.SetCounties(d.Counties.List), w.SetZones(d.Zones.List),
	)
}

// WriteCodes writes the codes.
func (d *Draft) WriteCodes(_ context.Context) error {
	w := d.Output
	for _, z := range d.ZIPs.List {
		detail := z.Detail
		detail.Quality = z.Quality
		if err := cmp.Or(w.AddZIP(z.Row, detail), writeCityState(w, z)); err != nil {
			return err
		}
	}
	for _, f := range d.FSAs.List {
		detail := f.Detail
		detail.Quality = f.Quality
		if err := w.AddFSA(f.Row, detail); err != nil {
			return err
		}
	}
	for _, p := range d.Postal.Rows {
		if err := w.AddPostalCode(p); err != nil {
			return err
		}
	}
	d.Table("ZIP Codes", len(d.ZIPs.List))
	d.Table("FSAs", len(d.FSAs.List))
	d.Table("postal codes", len(d.Postal.Rows))
	return nil
}

// writeCityState writes the names that the City State product has of a ZIP's
// place, and of its streets.
func writeCityState(w *store.Writer, z *ZIP) error {
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
