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

func TestWrongSearches(t *testing.T) {
	path := gridDataset(t)
	polygon := func(text string) string {
		file := filepath.Join(t.TempDir(), "x.geojson")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	tests := []failure{
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
	fails(t, world{}, tests, "--data", path)
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
