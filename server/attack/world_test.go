package attack_test

import (
	"math"
	"slices"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// center is the ZIP Code around which attackers search. Real datasets have
// more than 10,000 codes within 500 miles of it.
const center = "62901"

// worldZIPs is the number of codes of the invented dataset: a search of 500
// miles finds more than an answer holds.
const worldZIPs = 12_000

// writeWorld writes an invented dataset: codes in a spiral around the center,
// the outermost 480 miles away.
func writeWorld(path string) error {
	w, err := storewrite.Create(path)
	if err != nil {
		return err
	}
	middle, _ := postcode.ParseZIP(center)
	rows := []store.ZIPRow{{ZIP: middle, Location: geo.MustLatLng(37.74, -89.21)}}
	for i := 1; i < worldZIPs; i++ {
		const golden = 2.399963 // radians, which spread a spiral evenly
		miles := 480 * math.Sqrt(float64(i)/worldZIPs)
		north, east := miles*math.Cos(golden*float64(i)), miles*math.Sin(golden*float64(i))
		zip := middle + postcode.ZIP(i+1)/2
		if i%2 == 0 {
			zip = middle - postcode.ZIP(i)/2
		}
		rows = append(rows, store.ZIPRow{ZIP: zip, Location: geo.MustLatLng(37.74+north/69, -89.21+east/54.7)})
	}
	slices.SortFunc(rows, func(a, b store.ZIPRow) int { return int(a.ZIP) - int(b.ZIP) })
	steps := []func() error{
		func() error {
			return w.SetStates([]store.State{{Country: store.US, Abbr: "IL", Name: "Illinois", FIPS: "17", Region: "Midwest", Division: "East North Central"}})
		},
		func() error {
			return w.SetCounties([]store.County{{FIPS: "17077", Name: "Jackson County", State: 1}})
		},
		func() error {
			return w.SetZones([]store.Zone{tzif.Row("America/Chicago", "invented zones of the attacks")})
		},
		func() error {
			for _, row := range rows {
				row.City, row.Municipality, row.State, row.County, row.Class, row.Zone = "Invented City", "Invented City", 1, 1, store.General, 1
				if err := w.AddZIP(row, store.ZIPDetail{AreaCodes: []uint16{618, 730}}); err != nil {
					return err
				}
			}
			return nil
		},
		func() error {
			return w.Finish(dataset.Manifest{
				Version: "attack", Built: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Builder: "attack tests", Layers: []string{"identity"},
				Sources: []dataset.Source{{ID: "attack", Title: "Invented codes", License: "none"}},
			})
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
