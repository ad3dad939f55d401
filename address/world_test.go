package address_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// TestWorlds matches and completes addresses in invented worlds.
func TestWorlds(t *testing.T) {
	for _, name := range []string{"town", "metropolis", "everyday", "lacking", "numbers", "suggest", "springfields", "states"} {
		t.Run(name, func(t *testing.T) { worldTable(t, name, world(t, name)) })
	}
}

// worldTable compares the outcomes of the texts of a world, whose records are in f. A text
// after a question mark is completed.
func worldTable(t *testing.T, name string, f *fixture) {
	t.Helper()
	m := f.engine(t)
	lookuptest.Table(t, name+".txt", *update, func(text string) string {
		if typed, ok := strings.CutPrefix(text, "? "); ok {
			return completions(t, m, typed)
		}
		return outcome(t, m, text)
	})
}

// outcome returns the formatted address of a match with its confidence and notices, or the
// code of the failure with the missing records.
func outcome(t testing.TB, m *address.Engine, text string) string {
	t.Helper()
	got, err := m.Match(context.Background(), text, address.Options{})
	failure := envelope.FaultOf(err)
	switch {
	case failure != nil:
		if e := envelope.AsFailure(err); e.Kind == envelope.KindUnavailable {
			if address.Unmatched(err) || e.Err != nil {
				t.Errorf("%q: %v is a denial or may pass", text, err)
			}
			return string(failure.Code) + " " + e.Lacks
		}
		return string(failure.Code)
	case err != nil:
		t.Fatalf("%q: %v", text, err)
	}
	out := fmt.Sprintf("%s (%s)", got.Data.FormattedAddress, got.Data.Confidence)
	for _, n := range got.Notices {
		out += " " + string(n.Code)
	}
	return out
}

// completions returns the first completions of a text, or what the dataset lacks. A point after @
// is near the caller, and a state after :: is the only one.
func completions(t *testing.T, m *address.Engine, text string) string {
	t.Helper()
	var near geo.LatLng
	text, state, _ := strings.Cut(text, " :: ")
	text, at, found := strings.Cut(text, " @ ")
	if found {
		near = must(geo.ParseLatLng(at))
	}
	const most = 3
	list, err := m.Suggest(t.Context(), text, most, near, state)
	if e := envelope.AsFailure(err); e != nil && e.Lacks != "" {
		return "lacks " + e.Lacks
	}
	check(t, err)
	var lines []string
	for _, s := range list {
		lines = append(lines, textOf(s))
	}
	return cmp.Or(strings.Join(lines, "; "), "nothing")
}

// world reads the records of an invented world from a file of testdata. Its lines are
//
//	zip 55001 general FINANCE STATE CITY=ABBREVIATION/FACILITY, CITY
//	record 55001 1001-1002 S 100-198 E DIRECTION|NAME|SUFFIX|DIRECTION @ 36,-76
//	record 55001 1003 H 100-198 E DIRECTION|NAME|SUFFIX| APT 1-9
//	record 55001 1003 F 100-198 E DIRECTION|NAME|SUFFIX| - FIRM
//	alias 55001 NAME = DIRECTION|NAME|SUFFIX|DIRECTION
//	point 55001 NAME|SUFFIX
//
// The first city is the preferred one. A facility N gets no mail. A star before the type
// marks an alternate record. A point is that of the number 100 of a road.
func world(t testing.TB, name string) *fixture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	check(t, err)
	f, states := &fixture{}, map[postcode.ZIP]string{}
	var roads []store.Road
	f.more = func(w *storewrite.Writer) {
		for _, r := range roads {
			check(t, w.AddRoad(r))
		}
	}
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if kind != "zip" && kind != "record" && kind != "alias" && kind != "point" {
			continue
		}
		code, rest, _ := strings.Cut(rest, " ")
		z, ok := postcode.ParseZIP(code)
		if !ok {
			t.Fatalf("bad ZIP Code in %q", line)
		}
		switch kind {
		case "zip":
			w := strings.SplitN(rest, " ", 4)
			states[z] = w[2]
			class := map[string]store.Class{"general": store.General, "box": store.POBox, "unique": store.Unique, "military": store.Military}[w[0]]
			f.AddZIP(z, class, strings.Trim(w[1], "-"), cities(w[3], w[2]))
		case "record":
			r := record(t, rest)
			r.ZIP, r.State = z, states[z]
			f.AddRecord(r)
		case "alias":
			other, street, _ := strings.Cut(rest, " = ")
			s := strings.Split(street, "|")
			f.AddAlias(z, store.StreetAlias{Street: other, BasePreDir: s[0], BaseStreet: s[1], BaseSuffix: s[2], BasePostDir: s[3], Type: 'O'})
		case "point":
			street, suffix, _ := strings.Cut(rest, "|")
			roads = append(roads, store.Road{Area: store.CodeOfZIP(z), RoadName: store.RoadName{Name: street, Suffix: suffix}, Points: []store.AddressPoint{{
				Number: store.HouseNumber{Value: 100}, Location: geo.MustLatLng(44.5, -72.5),
			}}})
		}
	}
	return f
}

func cities(list, state string) (names []store.CityName) {
	for i, name := range strings.Split(list, ", ") {
		name, facility, _ := strings.Cut(name, "/")
		c := store.CityName{State: state, Mailing: facility != "N", Preferred: i == 0}
		if facility != "" {
			c.Facility = facility[0]
		}
		c.Name, c.Abbreviation, _ = strings.Cut(name, "=")
		names = append(names, c)
	}
	return names
}

// record parses the rest of a record after its ZIP Code.
func record(t testing.TB, line string) (r store.StreetRecord) {
	t.Helper()
	line, at, found := strings.Cut(line, " @ ")
	if found {
		r.Location = must(geo.ParseLatLng(at))
	}
	w := strings.SplitN(line, " ", 5)
	low, high, ranged := strings.Cut(w[0], "-")
	if !ranged {
		high = low
	}
	var ok1, ok2 bool
	r.Low, ok1 = postcode.ParsePlus4(low)
	r.High, ok2 = postcode.ParsePlus4(high)
	if !ok1 || !ok2 {
		t.Fatalf("bad add-on in %q", line)
	}
	kind, alternate := strings.CutPrefix(w[1], "*")
	r.RecordType, r.Alternate, r.OddEven = kind[0], alternate, w[3][0]
	if n := len(w[2]); n > 1 { // both ends have as many hyphens
		half := n / 2
		if strings.Count(w[2], "-") == 1 {
			half = strings.IndexByte(w[2], '-')
		}
		r.AddrLow, r.AddrHigh = w[2][:half], w[2][half+1:]
	}
	s := strings.Split(w[4], "|")
	r.PreDir, r.Street, r.Suffix = s[0], s[1], s[2]
	firm, isFirm := strings.CutPrefix(s[3], " - ")
	unit, isUnit := strings.CutPrefix(s[3], " ")
	switch {
	case isFirm:
		r.Building = firm
	case isUnit:
		r.SecAbbr, unit, _ = strings.Cut(unit, " ")
		r.SecLow, r.SecHigh, _ = strings.Cut(unit, "-")
		r.SecOddEven = 'B'
	default:
		r.PostDir = s[3]
	}
	return r
}

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
