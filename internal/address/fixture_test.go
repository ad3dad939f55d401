package address_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/tzif"
)

// A fixture collects the address records of a test. Its zero value is empty.
type fixture struct {
	zips    map[dataset.ZIP]fixtureZIP
	records []dataset.StreetRecord
	aliases map[dataset.ZIP][]dataset.StreetAlias
	more    func(w *dataset.Writer) // adds further tables; may be nil
}

type fixtureZIP struct {
	class  dataset.Class
	area   string
	cities []dataset.CityName
}

func (f *fixture) AddZIP(z dataset.ZIP, class dataset.Class, area string, cities []dataset.CityName) {
	if f.zips == nil {
		f.zips, f.aliases = map[dataset.ZIP]fixtureZIP{}, map[dataset.ZIP][]dataset.StreetAlias{}
	}
	f.zips[z] = fixtureZIP{class, area, cities}
}

func (f *fixture) AddAlias(z dataset.ZIP, a dataset.StreetAlias) {
	f.aliases[z] = append(f.aliases[z], a)
}

func (f *fixture) AddRecord(r dataset.StreetRecord) { f.records = append(f.records, r) }

// engine returns an engine on a dataset of the fixture.
func (f *fixture) engine(t testing.TB) *address.Engine {
	t.Helper()
	return engineOn(t, f.dataset(t))
}

// dataset returns a dataset of the fixture.
func (f *fixture) dataset(t testing.TB) *dataset.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fixture.db")
	w, err := dataset.Create(path)
	check(t, err)
	index := map[string]int{}
	var states []dataset.State
	for _, z := range slices.Sorted(maps.Keys(f.zips)) {
		if abbr := f.zips[z].cities[0].State; index[abbr] == 0 {
			states = append(states, dataset.State{Country: dataset.US, Abbr: abbr, Name: abbr, FIPS: fmt.Sprintf("%02d", len(states)+1)})
			index[abbr] = len(states)
		}
	}
	check(t, w.SetStates(states))
	check(t, w.SetZones([]dataset.Zone{tzif.Row("America/New_York", "test")}))
	for _, z := range slices.Sorted(maps.Keys(f.zips)) {
		at := f.zips[z]
		check(t, w.AddCityNames(z, at.area, at.cities))
		row := dataset.ZIPRow{ZIP: z, City: at.cities[0].Name, Class: dataset.General}
		row.State = dataset.StateID(index[at.cities[0].State])
		if at.class == dataset.POBox || at.class == dataset.Unique || at.class == dataset.Military {
			row.Class = at.class
		}
		check(t, w.AddZIP(row, dataset.ZIPDetail{}))
		if list := f.aliases[z]; list != nil {
			check(t, w.AddStreetAliases(z, list))
		}
	}
	for _, r := range f.records {
		check(t, w.AddStreet(r))
	}
	if f.more != nil {
		f.more(w)
	}
	check(t, w.Finish(dataset.Manifest{Version: "fixture", Builder: "test", Built: time.Unix(0, 0)}))
	d, err := dataset.Open(path)
	check(t, err)
	t.Cleanup(func() { check(t, d.Close()) })
	return d
}

// engineOn returns an engine on a dataset.
func engineOn(t testing.TB, d *dataset.Dataset) *address.Engine {
	t.Helper()
	r, err := lookup.NewReader(d)
	check(t, err)
	return address.NewEngine(r)
}
