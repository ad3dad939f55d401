package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/tables"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
)

var took = regexp.MustCompile(` rows in [0-9.]+m?s`)

// TestEnrichFiles goes from a file to Parquet and back, and holds what stands
// in the way of an output.
func TestEnrichFiles(t *testing.T) {
	dir := t.TempDir()
	in, mid, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "mid.parquet"), filepath.Join(dir, "out.tsv")
	check(t, os.WriteFile(in, []byte("id,zip\n1,90210\n2,10001\n"), 0o600))
	for name, text := range map[string]string{
		"text": "nothing", "polygon": `{"type":"Polygon","coordinates":[]}`, "point": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[0,0]}}]}`,
		"null": `{"type":"FeatureCollection","features":[null]}`, "bare": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":null}]}`,
		"none": `{"type":"FeatureCollection","features":[]}`, "flat": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}}]}`,
		"outside": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[0,95],[1,95],[0,0]]]}}]}`,
	} {
		check(t, os.WriteFile(filepath.Join(dir, name+".geojson"), []byte(text), 0o600))
	}
	names := filepath.Join(dir, "names.csv")
	check(t, os.WriteFile(names, []byte("a,b\n1,x\n"), 0o600))
	for _, args := range [][]string{
		{"enrich", in, "-o", mid, "--add", "city"},
		{"enrich", mid, "-o", out, "--add", "state", "--status-column", "s", "--reason-column", "r"},
	} {
		if r := (world{}).run(args...); r.code != 0 {
			t.Fatalf("%v: %v", args, r)
		}
	}
	data, err := os.ReadFile(out)
	check(t, err)
	want := "id\tzip\tcity\tpostgeo_status\tpostgeo_reason\tstate\ts\tr\n1\t90210\tBeverly Hills\tmatched\t\tCA\tmatched\t\n2\t10001\tNew York\tmatched\t\tNY\tmatched\t\n"
	if string(data) != want {
		t.Errorf("got %q, want %q", data, want)
	}
	semicolons := filepath.Join(dir, "semicolons.csv")
	check(t, os.WriteFile(semicolons, []byte("id;zip\n1;90210\n"), 0o600))
	ragged := filepath.Join(dir, "ragged.csv")
	check(t, os.WriteFile(ragged, []byte("zip,name\n90210\n"), 0o600))
	lines, commas := filepath.Join(dir, "lines.json"), filepath.Join(dir, "commas.csv")
	check(t, errors.Join(os.WriteFile(lines, []byte("{\n\"zip\": \"90210\"\n}\n"), 0o600), os.WriteFile(commas, []byte("lat;lon\n34,09;-118,41\n"), 0o600)))
	mixed := filepath.Join(dir, "mixed.csv")
	check(t, os.WriteFile(mixed, []byte("zip,lat,lon,street,city\n90210,,,,\n,34.09,-118.41,,\n,,,350 5th Ave,New York NY\n"), 0o600))
	fails(t, world{}, []failure{
		{"enrich " + in + " -o " + out, 1, "already exists; choose another file or use --overwrite"},
		{"enrich " + in + " -o " + in + " --overwrite", 2, "is an input"},
		{"enrich " + in + " -o " + os.DevNull + " --overwrite", 2, "is a device or a pipe"},
		{"enrich " + in + " -o " + names + " --nearest-from " + names + " --add nearest_place.a --overwrite", 2, "is an input"},
		{"enrich " + in + " -o " + filepath.Join(in+".d", "out.csv"), 2, "of the output does not exist"},
		{"enrich " + in + " -o " + out + ".shp", 2, "the format .shp of "},
		{"enrich " + in + ".geojson", 1, "--areas-from"},
		{"enrich " + lines, 1, "the object does not end on its line; expected one object per line"},
		{"enrich " + commas + " --add state", 0, "1 matched"},
		{"enrich " + in + " --delimiter ;;", 2, "must be one character"},
		{"enrich " + semicolons + " --add city", 0, "reading cells divided by semicolons"},
		{"enrich " + in + " --encoding ebcdic", 2, `invalid --encoding "ebcdic"`},
		{"enrich " + semicolons + " --add city --delimiter ;", 0, "1 matched"},
		{"enrich " + ragged + " --add city", 1, "line 2: 1 cells, the header has 2 (--lenient keeps such rows)"},
		{"enrich " + in + " --add conty", 2, "--list-fields WORD"},
		{"enrich " + semicolons + " --add city --delimiter tab", 2, "no column looks like"},
		{"enrich " + in + " --to xls", 2, "must be csv, tsv, ndjson, parquet or xlsx"},
		{"enrich " + in + " --within=-1", 2, "above 0"},
		{"enrich " + in + " --code zip --add address.confidence", 2, "requires addresses (--address)"},
		{"enrich " + in + " --add radius.summary.total_count", 2, "--within"},
		{"enrich " + in + "x", 1, "no such file"},
		{"enrich " + in + " --add nearest_place.id", 2, "--nearest-from"},
		{"enrich " + in + " --nearest-from " + names + " --add nearest_place.id", 2, "no column looks like"},
		{"enrich " + in + " --nearest-from " + semicolons + " --add nearest_place.*", 0, "2 matched"},
		{"enrich " + in + " --nearest-from " + ragged + " --add nearest_place.id", 1, "--nearest-from " + ragged + ": line 2: 1 cells, the header has 2 (--lenient keeps such rows)"},
		{"enrich " + in + " --add in_area.row", 2, "--areas-from"},
		{"enrich " + in + " --add in_area.row --areas-from " + filepath.Join(dir, "text.geojson"), 1, "not valid GeoJSON"},
		{"enrich " + in + " --add in_area.row --areas-from " + filepath.Join(dir, "point.geojson"), 1, `feature 1: the geometry has the type "Point", expected a Polygon or MultiPolygon`},
		{"enrich " + in + " --add in_area.row --areas-from " + filepath.Join(dir, "none.geojson"), 1, "empty"},
		{"enrich " + in + " --add in_area.row --areas-from " + filepath.Join(dir, "outside.geojson"), 1, "area 1"},
		{"enrich " + in + " --nearest-count 0 --add nearest.code", 2, `invalid --nearest-count "0"`},
		{"enrich " + in + " --nearest-count 1000 --add nearest.code", 0, "2 matched"},
		{"enrich " + in + " --within 900 --add radius.summary.total_count", 2, "--within: max"},
	})
}

// areaFeature is a feature in GeoJSON.
func areaFeature(properties, coordinates string) string {
	return `{"type":"Feature","properties":` + properties + `,"geometry":{"type":"Polygon","coordinates":` + coordinates + `}}`
}

func areaCollection(features ...string) []byte {
	return []byte(`{"type":"FeatureCollection","features":[` + strings.Join(features, ",") + `]}`)
}

func parseAreas(data []byte) (*enrich.Areas, error) {
	list, err := command.ParseFeatures(data)
	if err != nil {
		return nil, err
	}
	return tables.AreasOf(list)
}

const californian = "[[[-125,32],[-114,32],[-114,42],[-125,42],[-125,32]]]"

// TestAreaProperties checks the cells of properties.
func TestAreaProperties(t *testing.T) {
	db := sampletest.Open(t)
	for value, want := range map[string]string{
		`12345678901234567890`: "12345678901234567890",
		`9007199254740993`:     "9007199254740993", // no float64 has it
		`-0.50`:                "-0.50",
		`"a \"b\" <c>"`:        `a "b" <c>`,
		`null`:                 "",
		`true`:                 "true",
		`{"b": "<&>", "a": 1}`: `{"b":"<&>","a":1}`,
		`[1, "x"]`:             `[1,"x"]`,
	} {
		areas, err := parseAreas(areaCollection(areaFeature(`{"id":`+value+`}`, californian)))
		check(t, err)
		e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: areas, Add: []string{"in_area.id", "in_area.row"}})
		check(t, err)
		values, _, err := e.Row(t.Context(), "90210", nil)
		if err != nil || values[0].String() != want || values[1].Int() != 1 {
			t.Errorf("%s: %v, %v, want %q", value, values, err, want)
		}
	}
}

// TestAreasRefused holds which collections are refused, rather than read as
// something else or with all memory.
func TestAreasRefused(t *testing.T) {
	const names = 4500
	tags := make([]string, names) // each feature with a property of its own
	for i := range tags {
		tags[i] = areaFeature(fmt.Sprintf(`{"tag %d":1}`, i), californian)
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"geometry", []byte(`{"type":"Feature"}`), `feature 1: missing geometry`},
		{"cells", areaCollection(tags...), "4500 features have properties of 4500 names, more than 20000000 cells"},
		{"half a position", areaCollection(areaFeature("{}", "[[[-125],[-114],[-114,42],[-125,42],[-125]]]")), `feature 1: the position "[-125]" has fewer than two numbers, expected longitude and latitude`},
		{"no position", areaCollection(areaFeature("{}", "[[null,[-114,32],[-114,42],null]]")), `feature 1: the coordinates hold "null,[-114,32]", expected a position`},
		{"text", areaCollection(areaFeature("{}", `[[["a",1],[2,3]]]`)), `feature 1: the coordinates hold "\"a\",1]", expected a number`},
		{"shape", areaCollection(areaFeature("{}", "[1,2]")), `feature 1: the coordinates hold "1,2]", expected an array`},
		{"no coordinates", areaCollection(`{"geometry":{"type":"MultiPolygon"}}`), "feature 1: the geometry has no coordinates"},
	}
	for _, tt := range tests {
		if _, err := parseAreas(tt.data); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// FuzzAreas reads any text as areas, and asks which of them a code lies in.
func FuzzAreas(f *testing.F) {
	for _, seed := range []string{
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1,"b":[true,null]},"geometry":{"type":"Polygon","coordinates":[[[-125,32],[-114,32],[-114,42],[-125,32]]]}}]}`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{"type":"MultiPolygon","coordinates":[[[[170,0],[-170,0],[-170,9],[170,0]]],[null],null]}}]}`,
		`{"type":"FeatureCollection","features":[null,{}]}`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	db := sampletest.Open(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		areas, err := parseAreas(data)
		if err != nil {
			return
		}
		add := []string{"in_area.row"}
		e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: areas, Add: add})
		check(t, err)
		for _, key := range []string{"90210", "0,180", "90,0"} {
			values, out, err := e.Row(t.Context(), key, nil)
			if err != nil || !out.Status.Answered() && out.Status != enrich.NoData || len(values) > 0 && values[0].Int() > int64(areas.Len()) {
				t.Fatalf("Row(%q): %v, %v, %v", key, values, out, err)
			}
		}
	})
}

// TestEnrichOutcomes holds summary and exit code by what became of the rows.
func TestEnrichOutcomes(t *testing.T) {
	code, address := []string{"--code", "a", "--add", "city"}, []string{"--address", "a", "--add", "address.confidence"}
	const ragged = "a row that cannot be"
	tests := []struct {
		name   string
		rows   string
		args   []string
		code   int
		strict int // exit code with --strict
		want   string
	}{
		{"all", "90210\n10001\n", code, 0, 0, "2 rows in TIME: 2 matched\n"},
		{"a larger code", "K1A 9Z9\nM5V 9Z9\n", code, 0, 0, "2 rows in TIME: 2 fallback\n"},
		{"some", "90210\n99999\n", code, 0, 1, "2 rows in TIME: 1 matched, 1 not_found\n"},
		{"of all kinds", "90210\nx\n99999\n\nK1A 9Z9\n", code, 0, 1, "5 rows in TIME: 1 matched, 1 fallback, 1 empty, 1 invalid, 1 not_found\n"},
		{"none", "99999\n", code, 1, 1, "1 rows in TIME: 1 not_found\n"},
		{"invalid", "x\n", code, 1, 1, "1 rows in TIME: 1 invalid\n"},
		{"empty cells", "\n\n", code, 1, 1, "2 rows in TIME: 2 empty\n"},
		{"no rows", "", code, 0, 0, "0 rows in TIME\n"},
		{"lost zeros", "501\n90210\n", code, 0, 0, "1 codes that a spreadsheet had changed were repaired"},
		{"addresses", "\"350 5th Ave, New York NY 10118\"\n\"1 Nowhere Blvd, New York NY 10118\"\n\"New York NY\"\n", address, 0, 1, "3 rows in TIME: 1 matched, 1 not_found, 1 insufficient\n"},
		{ragged, "90210\n\"x\n", code, 1, 1, "1 rows in TIME: 1 matched\n"},
		{"wrong use", "90210\n", []string{"--add", "nonsense"}, 2, 2, "nonsense"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, strict := range []bool{false, true} {
				args, code := append([]string{"enrich"}, tt.args...), tt.code
				if strict {
					args, code = append(args, "--strict"), tt.strict
				}
				got := world{stdin: "a\n" + tt.rows}.run(args...)
				if text := took.ReplaceAllString(got.stderr, " rows in TIME"); got.code != code || !strings.Contains(text, tt.want) {
					t.Errorf("%v: exit code %d and %q, want %d and %q", args, got.code, text, code, tt.want)
				}
				if n := strings.Count(got.stdout, "\n"); code != 2 && tt.name != ragged && n != strings.Count(tt.rows, "\n")+1 {
					t.Errorf("%v: %d lines of %q", args, n, tt.rows)
				}
			}
		})
	}
}

// A full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// A run that fails ends although its input, which has no end, has nothing to
// give.
func TestEnrichSilentInput(t *testing.T) {
	rows := "id,zip\n" + strings.Repeat("1,90210\n", 3000)
	tests := []struct {
		name, text, want string
		out              io.Writer
	}{
		{"no room", rows, "no room", full{}},
		{"broken row", "id,zip\n1,90210,x\n" + rows, "line 2", io.Discard},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, w := io.Pipe()
			defer w.Close()
			go func() { _, _ = io.WriteString(w, tt.text) }() // and no end
			var said bytes.Buffer
			code := cli.Run(t.Context(), []string{"enrich", "-q"}, cli.Env{Stdin: in, Stdout: tt.out, Stderr: &said, Getenv: func(string) string { return "" }})
			if code != cli.Failed || !strings.Contains(said.String(), tt.want) || strings.Contains(said.String(), "cancel") {
				t.Errorf("exit code %d, %q; want %d and %q", code, said.String(), cli.Failed, tt.want)
			}
		})
	}
}

// check ends the test with an error.
func check(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
