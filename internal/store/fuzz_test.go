package store_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// walk asks for everything that is in memory.
func walk(d *store.Dataset) int {
	n := len(d.States()) + len(d.Counties()) + len(d.CBSAs()) + len(d.Divisions()) + len(d.Zones())
	for r := range d.ZIPs() {
		got, ok := d.ZIP(r.ZIP)
		if !ok || got != r {
			panic("a ZIP that is yielded is not found")
		}
		n += len(r.City) + len(r.Municipality) + len(d.State(r.State).Name) + len(d.County(r.County).Name) + len(d.Zone(r.Zone).Name)
	}
	for r := range d.FSAs() {
		got, ok := d.FSA(r.FSA)
		if !ok || got != r {
			panic("an FSA that is yielded is not found")
		}
		n += len(r.City) + len(d.State(r.Province).Name) + len(d.Zone(r.Zone).Name)
	}
	for r := range d.PostalCodes() {
		got, ok := d.PostalCode(r.Code)
		if !ok || got != r {
			panic("a postal code that is yielded is not found")
		}
		n += len(r.City) + len(d.State(r.Province).Name) + len(d.Zone(r.Zone).Name)
	}
	for _, c := range d.Counties() {
		n += len(d.State(c.State).Name) + len(d.CBSA(c.CBSA).Title) + len(d.Division(c.Division).Title)
	}
	for z := range dataset.ZIP(dataset.NumZIPs) {
		if d.HasZIP4(z) {
			n++
		}
	}
	return n + walkCover(d) + walkSurveys(d)
}

// walkCover asks for everything that has an extent.
func walkCover(d *store.Dataset) int {
	n := walkAreas(d.ZIPAreas()) + walkAreas(d.FSAAreas()) + walkAreas(d.StateAreas()) + walkAreas(d.CountyAreas()) + walkAreas(d.ZoneAreas())
	for r := range d.ZIPs() {
		for _, s := range d.ZIPZones(r.ZIP) {
			n += len(d.Zone(s.Zone).Name)
		}
		people, _ := d.ZIPPopulation(r.ZIP)
		land, _ := d.ZIPLand(r.ZIP)
		n += int(people) + int(land)
	}
	for _, x := range [...]*spatial.PointIndex{d.CodePoints(), d.AreaPoints()} {
		n += len(x.AppendWithin(nil, geo.MustLatLng(40, -100), 0, 5e6)) + len(x.AppendNearest(nil, geo.MustLatLng(60, 179), 3))
	}
	for r := range d.FSAs() {
		for _, s := range d.FSAZones(r.FSA) {
			n += len(d.Zone(s.Zone).Name)
		}
		people, _ := d.FSAPopulation(r.FSA)
		land, _ := d.FSALand(r.FSA)
		n += int(people) + int(land)
	}
	return n + walkLayers(d)
}

func walkLayers(d *store.Dataset) int {
	n := 0
	for _, l := range d.Layers() {
		for i := range l.Len() {
			a := l.Area(i)
			if got, ok := l.Find(a.GEOID); !ok || got != i {
				panic("an area of a layer is not found by its code")
			}
			n += len(a.Name) + len(a.NameFR) + len(a.Type) + len(a.Parent) + len(d.State(a.State).Name)
		}
	}
	return n
}

func walkAreas[K store.AreaKey](a *store.Areas[K]) int {
	n := 0
	for i, k := range a.Keys() {
		n += len(a.SourceOf(k))
		if got, ok := a.Find(k); ok != a.Index().HasPolygon(i) || ok && got != i {
			panic("an area is not found by its key")
		}
		for _, p := range a.Index().Polygons(i) {
			n += len(p)
		}
	}
	for _, p := range []geo.LatLng{geo.MustLatLng(34.05, -118.5), geo.MustLatLng(45.5, -75), geo.MustLatLng(-19.5, 180)} {
		if k, ok := a.Containing(p); ok {
			if _, ok := a.Find(k); !ok {
				panic("an area that holds a point has no key")
			}
		}
	}
	return n
}

// FuzzOpen opens arbitrary bytes.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "x.db")
	(&country{States: small().States}).write(f, path)
	b, err := os.ReadFile(path)
	check(f, err)
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add([]byte("SQLite format 3\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := sqlite.OpenFS(fstest.MapFS{"x.db": {Data: b}}, "x.db")
		if err != nil {
			return
		}
		if d.Prepare(t.Context()) == nil {
			walk(d)
		}
		_ = d.Verify(t.Context()) // finds or does not; the point is that it ends
		check(t, d.Close())
	})
}

// TestCraftedFiles changes the first bytes of values and gives their pages new checksums.
// Verify finds each change, and nothing panics.
func TestCraftedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	small().write(t, path)
	good := bytesOf(t, path)
	rng := rand.New(rand.NewPCG(3, 3))
	for table, key := range map[string]string{"cache": "name", "outline": "outline", "search_index": "name", "zip4": "id", "acs_page": "id"} {
		for range fewer(40) {
			check(t, os.WriteFile(path, good, 0o600))
			db := openSQL(t, path)
			var id, data []byte
			check(t, db.QueryRow("SELECT "+key+", data FROM "+table+" ORDER BY "+key+" LIMIT 1 OFFSET ? % (SELECT count(*) FROM "+table+")", rng.IntN(1000)).Scan(&id, &data))
			data[rng.IntN(min(len(data), 16))] ^= byte(1 + rng.IntN(255))
			_, err := db.Exec("UPDATE "+table+" SET data = ? WHERE "+key+" = ?", data, string(id))
			check(t, errors.Join(err, db.Close()))
			sealPages(t, path)
			d, err := sqlite.Open(path)
			if err == nil {
				if err := d.Prepare(t.Context()); err != nil {
					wantError(t, err, store.ErrDamaged)
				}
				err = errors.Join(d.Verify(t.Context()), d.Close())
			}
			if !errors.Is(err, store.ErrDamaged) {
				t.Errorf("%s %s: %v", table, id, err)
			}
		}
	}
}

// TestCraftedPages sets every byte of a page of the survey to other values.
func TestCraftedPages(t *testing.T) {
	survey := &small().Surveys[0]
	good := store.EncodeACSPage(&survey.Table, survey.cells())
	for i := range good {
		if _, err := store.DecodeACSPage(&survey.Table, good[:i]); err == nil {
			t.Errorf("cut to %d of %d bytes it is taken", i, len(good))
		}
		for v := range 256 {
			b := slices.Clone(good)
			b[i] = byte(v)
			_, _ = store.DecodeACSPage(&survey.Table, b) // must not panic
		}
	}
}

// TestCraftedZone puts clock rules that cannot be read into a file.
func TestCraftedZone(t *testing.T) {
	path := small().file(t)
	db := openSQL(t, path)
	_, err := db.Exec("UPDATE zone SET rules = substr(rules, 1, 60) WHERE id = 1")
	check(t, errors.Join(err, db.Close()))
	sealPages(t, path)
	_, err = postgeo.Open(path)
	wantError(t, err, store.ErrDamaged)
	d := open(t, path)
	if err := d.Verify(t.Context()); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "the rules of time zone") {
		t.Errorf("Verify: %v", err)
	}
}

// TestCraftedStreets checks pages that no writer makes.
func TestCraftedStreets(t *testing.T) {
	good := []store.StreetRecord{{ZIP4Record: store.ZIP4Record{ZIP: 90210, Low: 1, High: 2, Street: "A"}}, {ZIP4Record: store.ZIP4Record{ZIP: 90210, Street: "B"}, NoPlus4: true}}
	for name, spoil := range map[string]func([]store.StreetRecord){
		"":           func([]store.StreetRecord) {},
		"other ZIP":  func(r []store.StreetRecord) { r[1].ZIP = 90211 },
		"order":      func(r []store.StreetRecord) { r[0], r[1] = r[1], r[0] },
		"descending": func(r []store.StreetRecord) { r[0].Low = 3 },
		"add-on":     func(r []store.StreetRecord) { r[0].High = 10_000 },
		"none":       func(r []store.StreetRecord) { r[1].High = 1 },
		"text":       func(r []store.StreetRecord) { r[1].Building = "\xff" },
	} {
		records := slices.Clone(good)
		spoil(records)
		if err := store.CheckStreetPage(90210*10_000, records); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
