package build

import "github.com/postgeo/postgeo/dataset"

// writeCityState writes the names that the City State product has of a ZIP's
// place, and of its streets.
func writeCityState(w *dataset.Writer, z *zipDraft) error {
	if len(z.aliases) > 0 {
		if err := w.AddStreetAliases(z.row.ZIP, z.aliases); err != nil {
			return err
		}
	}
	if len(z.cityState) == 0 {
		return nil
	}
	names := make([]dataset.CityName, len(z.cityState))
	for i := range z.cityState {
		r := &z.cityState[i]
		names[i] = dataset.CityName{
			Name: r.Name, Abbreviation: r.Abbreviation, Key: r.Key, LastLineKey: r.LastLineKey, Facility: r.Facility,
			Mailing: r.Mailing, Preferred: r.Preferred(), State: r.State, CountyFIPS: r.CountyFIPS,
		}
	}
	return w.AddCityNames(z.row.ZIP, z.preferred().Finance, names)
}
