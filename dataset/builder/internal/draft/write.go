package draft

import (
	"cmp"
	"context"

	"github.com/postgeo/postgeo/internal/store"
)

// WriteTables writes the tables that codes refer to.
func (b *Draft) WriteTables(_ context.Context) error {
	b.Table("states and provinces", len(b.States.List))
	b.Table("counties", len(b.Counties.List))
	b.Table("CBSAs", len(b.Metros.CBSAs))
	b.Table("metropolitan divisions", len(b.Metros.Divisions))
	b.Table("time zones", len(b.Zones.List))
	w := b.Output
	return cmp.Or(
		w.SetStates(b.States.List), w.SetCBSAs(b.Metros.CBSAs), w.SetDivisions(b.Metros.Divisions), w.SetCounties(b.Counties.List), w.SetZones(b.Zones.List),
	)
}

// WriteCodes writes the codes.
func (b *Draft) WriteCodes(_ context.Context) error {
	w := b.Output
	for _, z := range b.ZIPs.List {
		detail := z.Detail
		detail.Quality = z.Quality
		if err := cmp.Or(w.AddZIP(z.Row, detail), writeCityState(w, z)); err != nil {
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
