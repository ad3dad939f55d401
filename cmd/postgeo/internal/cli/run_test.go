package cli_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

var update = flag.Bool("update", false, "rewrite golden files")

// A world is where a test runs commands: an Env without the user's files.
type world struct {
	stdin    string
	terminal bool // standard output is one
	vars     map[string]string
	dataDir  string
	cacheDir string
}

type result struct {
	code           int
	stdout, stderr string
}

func (w world) run(args ...string) result {
	var stdout, stderr bytes.Buffer
	code := cli.Run(context.Background(), args, cli.Env{
		Stdin: strings.NewReader(w.stdin), Stdout: &stdout, Stderr: &stderr,
		StdoutTerminal: w.terminal,
		Getenv:         func(name string) string { return w.vars[name] },
		Now:            func() time.Time { return time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC) },
		DataDir:        w.dataDir,
		CacheDir:       w.cacheDir,
	})
	return result{code, stdout.String(), stderr.String()}
}

// told runs a command and returns one member of the JSON that it prints.
func told(t *testing.T, member string, args ...string) string {
	t.Helper()
	text, _ := answer[object](t, world{}, args...)[member].(string)
	return text
}

// String is the form of golden files.
func (r result) String() string {
	return fmt.Sprintf("%s-- stderr --\n%s-- exit code %d --\n", r.stdout, r.stderr, r.code)
}

// golden compares got with a file of testdata, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		check(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); rewrite with -update if it is meant:\n%s", path, diff)
	}
}

// sampleFile writes the embedded sample to a file and returns its path.
func sampleFile(t *testing.T) string {
	t.Helper()
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	path := filepath.Join(t.TempDir(), "sample.db")
	check(t, os.WriteFile(path, data, 0o644))
	return path
}

// skipShort skips a test that runs hundreds of commands one after the other.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("hundreds of commands are not run with -short")
	}
}

// gridDataset is [namedGrid] of Squareville.
func gridDataset(t testing.TB) string {
	t.Helper()
	return namedGrid(t, "Squareville")
}

// namedGrid writes a dataset of 25 ZIPs of a city, whose areas are squares side by side,
// one of them with a hole, a post office without an area, and an FSA beyond
// the border with a postal code in it, and returns its path.
func namedGrid(t testing.TB, city string) string {
	t.Helper()
	must := lookuptest.Must(t)
	path := filepath.Join(t.TempDir(), "grid.db")
	w, err := storewrite.Create(path)
	must(err)
	must(w.SetStates([]store.State{
		{Country: store.US, Abbr: "NY", Name: "New York", FIPS: "36"}, {Country: store.CA, Abbr: "ON", Name: "Ontario"},
	}))
	must(w.SetCounties([]store.County{{FIPS: "36063", Name: "Niagara County", State: 1}}))
	must(w.SetZones([]store.Zone{tzif.Row("America/New_York", "test"), tzif.Row("America/Toronto", "test")}))

	const half = 0.05
	box := func(lat, lng, h float64) orb.Ring {
		return orb.Ring{{lng - h, lat - h}, {lng + h, lat - h}, {lng + h, lat + h}, {lng - h, lat + h}, {lng - h, lat - h}}
	}
	var zips, fsas, states spatial.PolygonIndexBuilder
	zipLayer := storewrite.AreaLayer[postcode.ZIP]{Sources: []string{"squares"}}
	for n := range 25 {
		at := geo.MustLatLng(43+2*half*float64(n/5), -79+2*half*float64(n%5))
		row := store.ZIPRow{ZIP: postcode.ZIP(14000 + n), City: city, State: 1, County: 1, Class: store.General, Location: at, Zone: 1}
		must(w.AddZIP(row, store.ZIPDetail{}))
		area := orb.Polygon{box(at.Lat(), at.Lng(), half)}
		if n == 12 {
			area = append(area, box(at.Lat()+half/2, at.Lng(), half/5))
		}
		must(zips.Add(orb.MultiPolygon{area}))
		zipLayer.Keys = append(zipLayer.Keys, row.ZIP)
	}
	office := store.ZIPRow{ZIP: 14099, City: city, State: 1, County: 1, Class: store.POBox, Location: geo.MustLatLng(43.13, -78.86), Zone: 1}
	must(w.AddZIP(office, store.ZIPDetail{}))
	fort := store.ZIPRow{ZIP: 14100, City: "Fort Nowhere", State: 1, Class: store.Military}
	must(w.AddZIP(fort, store.ZIPDetail{}))

	falls, ok := postcode.ParseFSA("L2E")
	code, ok2 := postcode.ParsePostalCode("L2E 6S4")
	if !ok || !ok2 {
		t.Fatal("no codes")
	}
	must(w.AddFSA(store.FSARow{FSA: falls, City: "Niagara Falls", Province: 2, Location: geo.MustLatLng(43.1, -79.15), Zone: 2}, store.FSADetail{}))
	must(fsas.Add(orb.MultiPolygon{{box(43.1, -79.15, 0.1)}}))
	must(w.AddPostalCode(store.PostalRow{Code: code, City: "Niagara Falls", Province: 2, Location: geo.MustLatLng(43.12, -79.1), Zone: 2}))

	must(states.Add(orb.MultiPolygon{{box(43, -78, 1.05)}}))
	must(states.Add(orb.MultiPolygon{{box(43, -80.1, 1.05)}}))
	pack := func(b *spatial.PolygonIndexBuilder) []byte { return lookuptest.Packed(t, b) }
	zipLayer.Packed = pack(&zips)
	must(w.SetZIPAreas(zipLayer))
	must(w.SetFSAAreas(storewrite.AreaLayer[postcode.FSA]{Sources: []string{"squares"}, Keys: []postcode.FSA{falls}, Packed: pack(&fsas)}))
	must(w.SetStateAreas(storewrite.AreaLayer[store.StateID]{Sources: []string{"squares"}, Keys: []store.StateID{1, 2}, Packed: pack(&states)}))
	must(w.Finish(dataset.Manifest{
		Version: "test", Builder: "a test", Layers: []string{"identity", "places"}, Sample: true,
		Sources: []dataset.Source{{ID: "squares", Title: "Squares", Vintage: "2026", License: "none", Attribution: "Squares by nobody & friends."}},
	}))
	return path
}
