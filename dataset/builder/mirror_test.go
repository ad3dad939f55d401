package builder_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
)

// sharedMirror returns the folder of the shared mirror, or skips the test.
func sharedMirror(t testing.TB) string {
	t.Helper()
	root := os.Getenv("POSTGEO_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		check(t, err)
		for !exists(filepath.Join(dir, "go.mod")) {
			if dir == filepath.Dir(dir) {
				t.Fatal("no go.mod above the test")
			}
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(filepath.Dir(dir), "shared")
	}
	mirror := filepath.Join(root, "data", "mirror")
	if !exists(mirror) {
		t.Skipf("no shared data at %s", mirror)
	}
	return mirror
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// national builds the whole country once for all tests.
var national = sync.OnceValues(func() (*builder.Report, error) {
	dir, err := os.MkdirTemp("", "postgeo-national")
	if err != nil {
		return nil, err
	}
	nationalDir = dir
	return builder.Build(context.Background(), builder.Options{
		Mirror: nationalMirror, Output: filepath.Join(dir, "all.db"), Layers: []string{"all"},
	})
})

var nationalDir, nationalMirror string

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		os.Exit(runChild(text))
	}
	code := m.Run()
	if nationalDir != "" {
		os.RemoveAll(nationalDir)
	}
	os.Exit(code)
}

// openNational opens the national dataset that $POSTGEO_NATIONAL names. Without it, it
// builds one if $POSTGEO_LONG is set.
func openNational(t *testing.T) *built {
	t.Helper()
	nationalMirror = sharedMirror(t)
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		if os.Getenv("POSTGEO_LONG") == "" {
			t.Skip("set POSTGEO_NATIONAL to a national dataset, or POSTGEO_LONG to build one")
		}
		report, err := national()
		check(t, err)
		path = report.Output
	}
	d := lookuptest.OpenFile(t, path)
	return &built{Dataset: d, t: t, path: path}
}

// TestNationalCounts checks the number of rows of the country, and the gaps.
func TestNationalCounts(t *testing.T) {
	b := openNational(t)
	for name, n := range map[string][3]int{
		"ZIP Codes": {b.NumZIPs(), 41_800, 42_000}, "FSAs": {b.NumFSAs(), 1_650, 1_660}, "postal codes": {b.NumPostalCodes(), 298_000, 300_000},
		"counties": {len(b.Counties()), 3_233, 3_233}, "states and provinces": {len(b.States()), 75, 75}, "sources": {len(b.Manifest().Sources), 50, 70},
	} {
		if n[0] < n[1] || n[0] > n[2] {
			t.Errorf("%d %s, want %d to %d", n[0], name, n[1], n[2])
		}
	}
	for _, g := range b.Manifest().Gaps {
		for start, most := range map[string]int64{
			"other ZIPs without a point": 40, "other ZIPs without a county": 20, "other ZIPs without a time zone": 40,
			"other ZIPs without an area code": 60, "FSAs without a point": 1, "FSAs without a time zone": 1, "postal codes without a": 0,
		} {
			if strings.HasPrefix(g.Name, start) && g.Count > most {
				t.Errorf("%d %s, want at most %d", g.Count, g.Name, most)
			}
		}
	}
}

// TestNational runs the sections of testdata/national.txt.
func TestNational(t *testing.T) {
	b := openNational(t)
	titles, texts := sections(t, "national.txt")
	for _, title := range titles {
		t.Run(title, func(t *testing.T) {
			(&world{t: t, built: &built{Dataset: b.Dataset, t: t}}).do(texts[title])
		})
	}
}

// TestNationalElevations checks that only ZIP Codes of four desert counties lie below the sea,
// and that no point lies outside the country.
func TestNationalElevations(t *testing.T) {
	b := openNational(t)
	for row := range b.ZIPs() {
		if p := row.Location; p.IsValid() && (p.Lat() < -15 || p.Lat() > 72 || p.Lng() > -64 && p.Lng() < 130) {
			t.Errorf("%s is at %v", row.ZIP, p)
		}
		deserts := []string{"06025", "06027", "06065", "06071"}
		if _, d := b.zip(row.ZIP.String()); d.Elevation != nil && *d.Elevation < -5 && !slices.Contains(deserts, b.county(row.County)) {
			t.Errorf("%s %s lies %.0f m high", row.ZIP, row.City, *d.Elevation)
		}
	}
}

// TestNationalPlaces checks decision D59: every code with a point was compared
// with the layers, and the gaps count those without an area of a layer.
func TestNationalPlaces(t *testing.T) {
	b := openNational(t)
	held := map[bool]int{} // by whether a point was
	take := func(code string, at geo.LatLng, c store.CodeOverlaps, err error) {
		switch {
		case err != nil:
			t.Fatal(err)
		case !c.Known() && at.IsValid():
			t.Errorf("%s has a point and no areas", code)
		case c.Known():
			held[c.AtPoint()]++
		}
	}
	for z := range b.ZIPs() {
		c, err := b.Overlaps(t.Context(), store.CodeOfZIP(z.ZIP))
		take(z.ZIP.String(), z.Location, c, err)
	}
	for f := range b.FSAs() {
		c, err := b.Overlaps(t.Context(), store.CodeOfFSA(f.FSA))
		take(f.FSA.String(), f.Location, c, err)
	}
	t.Logf("%d codes by outlines, %d by points", held[false], held[true])
	if held[false] < 28_700 || held[true] < 13_000 { // outlines that differ from the published area are not used (decision D69)
		t.Error("want at least 28,700 codes by outlines and 13,000 by points")
	}
	most := map[string]int64{
		"ZIPs whose area is not in the file of the layer county": 40, "ZIPs outside every area of the layer county": 2, // territories
		"ZIPs whose area is not in the file of the layer tract": 3_150, "ZIPs outside every area of the layer tract": 2,
		"ZIPs whose area is not in the file of the layer congressional_district": 10, "ZIPs outside every area of the layer congressional_district": 10,
		"FSAs outside every area of the layer census_division": 3, "FSAs outside every area of the layer federal_district": 3,
	}
	for _, g := range b.Manifest().Gaps {
		if strings.Contains(g.Name, " of the layer ") {
			t.Logf("%d %s", g.Count, g.Name)
		}
		if n, ok := most[g.Name]; ok && g.Count > n {
			t.Errorf("%d %s, want at most %d", g.Count, g.Name, n)
		}
	}
}
