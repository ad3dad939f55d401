package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// Maps are drawn on the dataset of squares.
func TestGoldenMaps(t *testing.T) {
	path := gridDataset(t)
	for name, args := range map[string]string{
		"map-area":        "map 14012 -o",
		"map-hole":        "map 43.125,-78.83 --miles 6 --width 400 -o",
		"map-point":       "map 14099 -o",
		"map-postal":      "map L2E6S4 -o",
		"radius-spatial":  "radius 14012 --max 8 --min 2 --mode spatial --svg",
		"radius-centroid": "radius L2E --max 12 --svg",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "map.svg")
			r := world{}.run(append(strings.Fields(args), file, "--data", path)...)
			if r.code != cli.Done {
				t.Fatal(r)
			}
			data, err := os.ReadFile(file)
			check(t, err)
			golden(t, name+".svg", string(data))
			if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
				t.Errorf("more than the map is left: %v, %v", entries, err)
			}
		})
	}
	r := world{}.run("map", "14012", "--data", path)
	file, err := os.ReadFile(filepath.Join("testdata", "map-area.svg.golden"))
	check(t, err)
	if r.code != cli.Done || r.stdout != string(file) {
		t.Errorf("on standard output another map is drawn, exit code %d", r.code)
	}
}

// Whatever stands in for a polygon, the command ends with an answer or says
// what is wrong.
func FuzzInside(f *testing.F) {
	for _, text := range []string{
		`{"type":"Polygon","coordinates":[[[-79,43],[-78,43],[-78,44],[-79,43]]]}`,
		`{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[-79,43],[-78,43],[-78,44],[-79,43]]]]}}`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[]]}}]}`,
		`{"type":"GeometryCollection","geometries":[]}`, `{"type":"Polygon","coordinates":[[[1e309,0]]]}`, `[]`, "\ufeff{}", "null", "",
	} {
		f.Add([]byte(text))
	}
	path := gridDataset(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := world{stdin: string(data)}.run("inside", "-", "--data", path, "--format", "geojson")
		if r.code == cli.Done {
			if _, err := geojson.UnmarshalFeatureCollection([]byte(r.stdout)); err != nil {
				t.Errorf("%v: %s", err, r.stdout)
			}
		} else if r.code != cli.Failed || r.stdout != "" || !strings.HasPrefix(r.stderr, "postgeo: ") {
			t.Error(r)
		}
	})
}

// TestExport writes every table in every format, twice: the bytes are the
// same, and a file has the bytes of the stream.
func TestExport(t *testing.T) {
	const income = "economic.income.median_household_income"
	dir := t.TempDir()
	tables := map[string][]string{
		"codes":  {"codes"},
		"acs":    {"acs", "--field", income, "--year", "2024", "--moe"},
		"tracts": {"acs", "--field", income, "--tracts"},
		"areas":  {"areas", "fsa", "state"},
	}
	for name, args := range tables {
		for _, format := range []string{"csv", "tsv", "ndjson", "parquet", "geojson"} {
			args := append([]string{"export"}, args...)
			stream := world{}.run(append(args, "--to", format)...)
			if format == "geojson" && name != "areas" {
				if stream.code != 2 {
					t.Errorf("%s as GeoJSON: %v", name, stream)
				}
				continue
			}
			if stream.code != 0 || len(stream.stdout) < 100 {
				t.Errorf("%s as %s: exit code %d, %d bytes, %s", name, format, stream.code, len(stream.stdout), stream.stderr)
				continue
			}
			path := filepath.Join(dir, name+"."+format)
			file := world{}.run(append(args, "-o", path)...)
			data, err := os.ReadFile(path)
			if err != nil || string(data) != stream.stdout || !strings.Contains(file.stderr, " rows in ") {
				t.Errorf("%s as %s: the file differs from the stream: %v, %v", name, format, err, file.stderr)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
