package address_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// A fixture collects the address records of a test. Its zero value is empty.
type fixture struct {
	zips    map[postcode.ZIP]fixtureZIP
	records []store.StreetRecord
	aliases map[postcode.ZIP][]store.StreetAlias
	more    func(w *storewrite.Writer) // adds further tables; may be nil
}

type fixtureZIP struct {
	class  store.Class
	area   string
	cities []store.CityName
}

func (f *fixture) AddZIP(z postcode.ZIP, class store.Class, area string, cities []store.CityName) {
	if f.zips == nil {
		f.zips, f.aliases = map[postcode.ZIP]fixtureZIP{}, map[postcode.ZIP][]store.StreetAlias{}
	}
	f.zips[z] = fixtureZIP{class, area, cities}
}

func (f *fixture) AddAlias(z postcode.ZIP, a store.StreetAlias) {
	f.aliases[z] = append(f.aliases[z], a)
}

func (f *fixture) AddRecord(r store.StreetRecord) { f.records = append(f.records, r) }

// engine returns an engine on a dataset of the fixture.
func (f *fixture) engine(t testing.TB) *address.Engine {
	t.Helper()
	return engineOn(t, f.dataset(t))
}

// dataset returns a dataset of the fixture.
func (f *fixture) dataset(t testing.TB) *store.Dataset {
	t.Helper()
	w := lookuptest.Create(t)
	index := map[string]int{}
	var states []store.State
	for _, z := range slices.Sorted(maps.Keys(f.zips)) {
		if abbr := f.zips[z].cities[0].State; index[abbr] == 0 {
			states = append(states, store.State{Country: store.US, Abbr: abbr, Name: abbr, FIPS: fmt.Sprintf("%02d", len(states)+1)})
			index[abbr] = len(states)
		}
	}
	check(t, w.SetStates(states))
	check(t, w.SetZones([]store.Zone{tzif.Row("America/New_York", "test")}))
	for _, z := range slices.Sorted(maps.Keys(f.zips)) {
		at := f.zips[z]
		check(t, w.AddCityNames(z, at.area, at.cities))
		row := store.ZIPRow{ZIP: z, City: at.cities[0].Name, Class: store.General}
		row.State = store.StateID(index[at.cities[0].State])
		if at.class == store.POBox || at.class == store.Unique || at.class == store.Military {
			row.Class = at.class
		}
		check(t, w.AddZIP(row, store.ZIPDetail{}))
		if list := f.aliases[z]; list != nil {
			check(t, w.AddStreetAliases(z, list))
		}
	}
	for _, r := range f.records {
		check(t, w.AddStreet(r))
	}
	if f.more != nil {
		f.more(w.Writer)
	}
	d := w.Open()
	return d
}

// engineOn returns an engine on a dataset.
func engineOn(t testing.TB, d *store.Dataset) *address.Engine {
	t.Helper()
	r := lookuptest.Reader(t, d)
	return address.NewEngine(r)
}
