package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

func TestAddressUse(t *testing.T) {
	fails(t, world{}, []failure{
		{"address x --include timezone", 2, `unknown enrichment "timezone"`},
		{"address --parse " + strings.Repeat("a ", 260), 1, "at most 500 characters"},
		{"address 1 A St", 1, "at least 9 characters"},
		{"address", 2, "missing address"},
		{"address x --city Ely", 2, "exclude addresses"},
	})
}

// TestAddressParts matches and parses an address that is divided into its parts.
func TestAddressParts(t *testing.T) {
	parts := []string{"address", "--street", "350 5th Ave", "--unit", "500", "--city", "New York", "--state", "NY", "--zip", "10118", "--country", "US"}
	for flag, want := range map[string]string{"": `"address_line1":"350 5TH AVE STE 500"`, "--parse": `"secondary_number":"500"`} {
		if got := (world{}).run(append(parts, strings.Fields(flag)...)...); got.code != 0 ||
			!strings.Contains(got.stdout, `"input":{"address":"350 5th Ave, 500, New York, NY 10118, US"}`) || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %v", flag, got)
		}
	}
}

// TestAddressNoRecords holds that a dataset without streets denies no address:
// the command fails with one error that names the missing records, also for many addresses.
func TestAddressNoRecords(t *testing.T) {
	data := lookuptest.Bare(t)
	for _, args := range [][]string{{"1 Main St 90210"}, {"1 Main St 90210", "2 Main St 90210", "--format", "jsonl"}} {
		got := world{}.run(append([]string{"address", "--data", data}, args...)...)
		want := `dataset: The address "1 Main St 90210" cannot be matched: this dataset holds no address records.`
		if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, "cannot be matched") != 1 || !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "--addrfeat") {
			t.Errorf("%v: %s\nwant exit code 1 and %s", args, got, want)
		}
	}
}

// TestApportionKeepsSums counts codes that nothing places in the row without a code.
func TestApportionKeepsSums(t *testing.T) {
	r := world{stdin: "zip,homes\n90210,100\n99999,3\n"}.run("apportion", "-", "zip", "county", "--count", "homes", "-f", "csv")
	if diff := cmp.Diff("to,weight,basis,homes\n,area,largest_area,3\n06037,area,largest_area,100\n", r.stdout); diff != "" || r.code != cli.Done {
		t.Errorf("%v (-want +got):\n%s", r, diff)
	}
}

// TestSeveralCenters searches around the codes of standard input.
func TestSeveralCenters(t *testing.T) {
	r := world{stdin: "14012\n\nnowhere\n14099\n"}.run("radius", "-", "--max", "1", "--data", gridDataset(t), "--columns", "center,code,distance_miles")
	if want := "center,code,distance_miles\n14012,14012,0\nnowhere,,\n14099,14099,0\n"; r.stdout != want || r.code != cli.Failed {
		t.Errorf("%v; want %q", r, want)
	}
	if r := (world{}).run("radius", "90210", "10001", "--max", "1", "-f", "json"); strings.Count(r.stdout, `"search":`) != 2 || r.stdout[0] != '[' {
		t.Error(r)
	}
	if r := (world{}).run("radius", "90210", "10001", "--max", "1", "--svg", "x.svg"); r.code != cli.Misuse {
		t.Error(r)
	}
}

// TestNothingInside fails for polygons without codes, with a hint for swapped coordinates.
func TestNothingInside(t *testing.T) {
	const sea = `{"type":"Polygon","coordinates":[[[-40,30],[-39,30],[-39,31],[-40,30]]]}`
	if r := (world{stdin: sea}).run("inside", "-"); r.code != cli.Failed || !strings.Contains(r.stderr, "no code is inside the polygon") || strings.Contains(r.stderr, "swapped") {
		t.Error(r)
	}
	for _, swapped := range []string{
		`{"type":"Polygon","coordinates":[[[34,-118.5],[34,-118.3],[34.2,-118.3],[34,-118.5]]]}`,
		`{"type":"Polygon","coordinates":[[[40,-74],[40,-73.8],[40.2,-73.8],[40,-74]]]}`,
	} {
		if r := (world{stdin: swapped}).run("inside", "-"); r.code != cli.Failed || !strings.Contains(r.stderr, "seem to be swapped") {
			t.Error(r)
		}
	}
}

// TestFieldColumns chooses fields of enrich as columns of lookup.
func TestFieldColumns(t *testing.T) {
	for _, args := range []string{"90210", "90210 34.09,-118.41"} {
		r := world{}.run(append([]string{"lookup", "--columns", "code,nearest.code,county_fips,census.tract.geoid"}, strings.Fields(args)...)...)
		if !strings.HasPrefix(r.stdout, "code,nearest.code,county_fips,census.tract.geoid\n90210,90210,06037,06037") || strings.Count(r.stdout, "\n") != 1+len(strings.Fields(args)) {
			t.Error(r)
		}
	}
	const meant = "similar: census.metro_micro_cbsa_statistical_area.cbsa_code"
	for _, args := range []string{"lookup 90210 --columns cbsa", "enrich --add cbsa"} {
		if r := (world{stdin: "zip\n90210\n"}).run(strings.Fields(args)...); r.code != cli.Misuse || !strings.Contains(r.stderr, meant) {
			t.Errorf("%s: %v", args, r)
		}
	}
}

// TestFieldWords filters the fields of the survey by arguments.
func TestFieldWords(t *testing.T) {
	all, some := world{}.run("acs", "fields"), world{}.run("acs", "fields", "median", "income")
	if n := strings.Count(some.stdout, "\n"); n == 0 || n >= strings.Count(all.stdout, "\n") {
		t.Error(some)
	}
}

// TestSurveyMissing refuses fields of the survey before it reads a row.
func TestSurveyMissing(t *testing.T) {
	r := world{stdin: "zip\n14012\n"}.run("enrich", "--data", gridDataset(t), "--add", "acs.economic.income.median_household_income")
	if r.code != cli.Misuse || r.stdout != "" || !strings.Contains(r.stderr, "acs.economic.income.median_household_income") {
		t.Error(r)
	}
}

// TestDistanceColumns has chosen columns in a table.
func TestDistanceColumns(t *testing.T) {
	r := world{}.run("distance", "90210", "10001", "-f", "table", "--columns", "from.code,distance.miles")
	if want := "FROM.CODE  DISTANCE.MILES\n90210      2458.91\n"; r.stdout != want {
		t.Errorf("%v; want %q", r, want)
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

// TestWrongPolygons searches in polygons that are none.
func TestWrongPolygons(t *testing.T) {
	path := gridDataset(t)
	polygon := func(text string) string {
		file := filepath.Join(t.TempDir(), "x.geojson")
		check(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
	tests := []failure{
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

// TestRadiusSurvey checks that json has the aggregates, and that other formats mention them.
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

// Of several boundaries those that are there are written.
func TestBoundarySome(t *testing.T) {
	areas := lookuptest.Path(t)
	r := world{}.run("boundary", "county", "06037", "99999", "--data", areas)
	if r.code != cli.Failed || strings.Count(r.stdout, `"geoid":"06037"`) != 1 || !strings.HasSuffix(r.stdout, "]}\n") {
		t.Error(r)
	}
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

func TestExportUse(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there.csv")
	check(t, os.WriteFile(there, []byte("x"), 0o600))
	bare := lookuptest.Bare(t)
	tests := []failure{
		{"export areas zip --data " + bare, 1, "no outlines of the kind zip; build one with"},
		{"export codes --data " + bare + " -o " + bare + " --overwrite", 2, "is an input"},
		{"export codes -o " + os.DevNull + " --overwrite", 2, "is a device or a pipe"},
		{"export codes -o " + there, 2, "already exists"},
		{"export codes -o " + there + ".geojson", 2, `must be csv, tsv`},
		{"export codes -o " + filepath.Join(there, "x.csv"), 1, "there.csv"},
	}
	fails(t, world{}, tests)
	if r := (world{}).run("export", "codes", "-o", there, "--overwrite"); r.code != 0 {
		t.Error(r)
	}
	once, twice := (world{}).run("export", "areas", "cd"), (world{}).run("export", "areas", "cd", "congressional_district", "cd")
	if once.code != 0 || once.stdout != twice.stdout {
		t.Errorf("a layer that is named twice gives other rows: %d and %d bytes", len(once.stdout), len(twice.stdout))
	}
}
