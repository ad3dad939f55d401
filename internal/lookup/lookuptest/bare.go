package lookuptest

import (
	"errors"
	"path/filepath"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/tzif"
)

// WriteBare writes a dataset of one ZIP Code, 90210, into the folder and
// returns its path. It holds what more adds and no layer beside identity: no
// streets, areas or surveys.
func WriteBare(dir string, more ...func(*dataset.Writer) error) (string, error) {
	path := filepath.Join(dir, "bare.db")
	w, err := dataset.Create(path)
	if err != nil {
		return "", err
	}
	steps := []func(*dataset.Writer) error{
		func(w *dataset.Writer) error {
			return w.SetStates([]dataset.State{{Country: dataset.US, Abbr: "CA", Name: "California", FIPS: "06"}})
		},
		func(w *dataset.Writer) error {
			return w.SetZones([]dataset.Zone{tzif.Row("America/Los_Angeles", ZoneSource)})
		},
		func(w *dataset.Writer) error {
			row := dataset.ZIPRow{ZIP: 90210, City: "Beverly Hills", State: 1, Class: dataset.General, Zone: 1, Location: geo.MustLatLng(34.0901, -118.4065)}
			return w.AddZIP(row, dataset.ZIPDetail{})
		},
	}
	for _, step := range append(steps, more...) {
		if err := step(w); err != nil {
			return "", errors.Join(err, w.Abort())
		}
	}
	m := dataset.Manifest{Version: "2026-06-30", Built: Built, Builder: "lookuptest", Layers: []string{"identity"}}
	return path, w.Finish(m)
}
