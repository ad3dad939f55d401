package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// What searches answer, on a dataset of squares.
func TestGoldenSearches(t *testing.T) {
	path := gridDataset(t)
	polygon := filepath.Join(t.TempDir(), "area.geojson")
	if err := os.WriteFile(polygon, []byte(`{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[-78.95,42.95],[-78.8,42.95],[-78.8,43.05],[-78.95,43.05],[-78.95,42.95]]]}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		world world
		args  string
	}{
		{"radius-terminal", world{terminal: true}, "radius 14012 --max 8"},
		{"radius-spatial", world{terminal: true}, "radius 14012 --max 8 --mode spatial --include timezone"},
		{"radius-auto", world{terminal: true}, "radius 43.1,-79 --max auto --limit 3"},
		{"radius-json", world{}, "radius L2E --max 12 --min 1 --limit 3 --format json"},
		{"radius-pipe", world{}, "radius 43.2,-78.8 --max 5 --mode spatial"},
		{"radius-csv", world{}, "radius L2E6S4 --max 9 --format csv"},
		{"radius-geojson", world{}, "radius 14012 --max 4 --min 1 --mode spatial --format geojson"},
		{"radius-missing", world{}, "radius 99999 --max 4"},
		{"nearest-terminal", world{terminal: true}, "nearest 43.13,-78.86 -n 5"},
		{"nearest-json", world{}, "nearest L2E -n 2 --mode spatial --format json"},
		{"nearest-geojson", world{}, "nearest 14099 -n 2 --format geojson"},
		{"neighbors-terminal", world{terminal: true}, "neighbors 14012"},
		{"neighbors-json", world{}, "neighbors 14000 --format json"},
		{"neighbors-missing", world{}, "neighbors 99999"},
		{"boundary-codes", world{}, "boundary 14012 L2E"},
		{"inside-terminal", world{terminal: true}, "inside " + polygon},
		{"inside-centroid", world{}, "inside " + polygon + " --mode centroid --format csv --columns code,distance_miles"},
		{"lookup-coordinates", world{}, "lookup 43.13,-78.86 --quick"},
		{"lookup-geojson", world{}, "lookup 14012 14099 L2E6S4 99999 --quick --format geojson"},
		{"distance-several", world{terminal: true}, "distance 14000 14001 L2E 99999"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.world.run(append(strings.Fields(tt.args), "--data", path)...).String()
			golden(t, tt.name, strings.ReplaceAll(got, path, "FILE"))
		})
	}
}

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
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".svg", string(data))
			if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
				t.Errorf("more than the map is left: %v, %v", entries, err)
			}
		})
	}
	r := world{}.run("map", "14012", "--data", path)
	file, err := os.ReadFile(filepath.Join("testdata", "map-area.svg.golden"))
	if err != nil {
		t.Fatal(err)
	}
	if r.code != cli.Done || r.stdout != string(file) {
		t.Errorf("on standard output another map is drawn, exit code %d", r.code)
	}
}

// The GeoJSON of a search can be read by another program, and its features are
// what was found.
func TestGeoJSON(t *testing.T) {
	r := world{}.run("radius", "14012", "--max", "9", "--mode", "spatial", "--format", "geojson", "--data", gridDataset(t))
	collection, err := geojson.UnmarshalFeatureCollection([]byte(r.stdout))
	if err != nil {
		t.Fatalf("%v: %v", err, r)
	}
	kinds := map[string]int{}
	for _, f := range collection.Features {
		kinds[f.Geometry.GeoJSONType()]++
		if f.Properties["code"] != f.ID {
			t.Errorf("feature %v has the code %v", f.ID, f.Properties["code"])
		}
	}
	if kinds["Polygon"] < 10 || kinds["Point"] != 1 {
		t.Errorf("%v; want areas and one point", kinds)
	}
}

func TestWrongSearches(t *testing.T) {
	path := gridDataset(t)
	polygon := func(text string) string {
		file := filepath.Join(t.TempDir(), "x.geojson")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	tests := []struct {
		args string
		code int
		says string
	}{
		{"radius 14012", cli.Misuse, "required flag(s) \"max\" not set"},
		{"radius 14012 --max 501", cli.Misuse, `invalid --max "501": must be above 0 and at most 500 miles in centroid mode`},
		{"radius 14012 --max 251 --mode spatial", cli.Misuse, "at most 250 miles in spatial mode"},
		{"radius 14012 --max 5 --min 5", cli.Misuse, `invalid --min "5": must be at least 0 miles and below max`},
		{"radius 14012 --max auto --min 149.9", cli.Misuse, "below the automatic radius"},
		{"radius 14012 --max 5 --mode square", cli.Misuse, "invalid --mode \"square\": must be centroid or spatial"},
		{"radius 14012 --max 5 --include horoscope", cli.Misuse, `unknown enrichment "horoscope"`},
		{"radius 99999 --max 5", cli.Failed, "not found: Center code '99999' not found."},
		{"radius 14012 --max 5 --svg -", cli.Misuse, "--svg has no file"},
		{"radius 14012 --max 5 --svg /nowhere/x.svg", cli.Misuse, "the folder /nowhere"},
		{"nearest 14012 -n 0", cli.Misuse, `invalid --count "0"`},
		{"map 99999", cli.Failed, "not found: ZIP code 99999 not found."},
		{"map 14100", cli.Failed, "neither an area nor a point"},
		{"map 14012 --miles 151", cli.Misuse, `invalid --miles "151"`},
		{"inside /nowhere.geojson", cli.Failed, "/nowhere.geojson"},
		{"inside " + polygon("x"), cli.Failed, "not valid GeoJSON: not valid JSON: invalid character"},
		{"inside " + polygon(`{"type":"Point","coordinates":[1,2]}`), cli.Failed, `the geometry has the type "Point", expected a Polygon or MultiPolygon`},
		{"inside " + polygon(`{"type":"Feature","properties":null,"geometry":null}`), cli.Failed, "missing geometry"},
		{"inside " + polygon(`{"type":"FeatureCollection","features":[]}`), cli.Failed, "the collection has 0 features"},
		{"inside " + polygon(`{"type":"Polygon","coordinates":[[[-125],[-114],[-114,42],[-125,42],[-125]]]}`), cli.Failed, `the position "[-125]" has fewer than two numbers`},
		{"inside " + polygon(`{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,91],[0,0]]]}`), cli.Failed, "invalid input: invalid polygon"},
		{"inside " + polygon(`{"type":"Polygon","coordinates":[[[0,0],[1,1],[2,2],[0,0]]]}`), cli.Failed, "invalid input: it encloses nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			r := world{}.run(append(strings.Fields(tt.args), "--data", path)...)
			if r.code != tt.code || !strings.Contains(r.stderr, tt.says) {
				t.Errorf("exit code %d, stderr %q; want %d and %q", r.code, r.stderr, tt.code, tt.says)
			}
		})
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

// TestRadiusSurvey writes aggregates where there is room for them, and says
// elsewhere that there are some.
func TestRadiusSurvey(t *testing.T) {
	args := []string{"radius", "98101", "--max", "2", "-i", "acs_economic", "--limit", "1"}
	for format, where := range map[string]string{"json": `"stats":{"acs":{"current":{`, "csv": "", "table": ""} {
		r := world{}.run(append(args, "--format", format)...)
		if r.code != cli.Done || !strings.Contains(r.stdout, where) {
			t.Errorf("%s: %v", format, r)
		}
		if said := strings.Contains(r.stderr, "US ZIP Codes have figures"); said != (where == "") {
			t.Errorf("%s: standard error is %s", format, r.stderr)
		}
	}
	if r := (world{}).run("radius", "98101", "--max", "2", "-i", "acs_weather"); r.code != cli.Misuse || !strings.Contains(r.stderr, "timezone, acs_demographic") {
		t.Errorf("an unknown flag: %v", r)
	}
}
