package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var took = regexp.MustCompile(` rows in [0-9.]+m?s`)

// TestEnrichFiles goes from a file to Parquet and back, and holds what stands
// in the way of an output.
func TestEnrichFiles(t *testing.T) {
	dir := t.TempDir()
	in, mid, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "mid.parquet"), filepath.Join(dir, "out.tsv")
	if err := os.WriteFile(in, []byte("id,zip\n1,90210\n2,10001\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"text": "nothing", "polygon": `{"type":"Polygon","coordinates":[]}`, "point": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[0,0]}}]}`,
		"null": `{"type":"FeatureCollection","features":[null]}`, "bare": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":null}]}`,
		"none": `{"type":"FeatureCollection","features":[]}`, "flat": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}}]}`,
		"outside": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[0,95],[1,95],[0,0]]]}}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".geojson"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := filepath.Join(dir, "names.csv")
	if err := os.WriteFile(names, []byte("a,b\n1,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"enrich", in, "-o", mid, "--add", "city"},
		{"enrich", mid, "-o", out, "--add", "state", "--status-column", "s", "--reason-column", "r"},
	} {
		if r := (world{}).run(args...); r.code != 0 {
			t.Fatalf("%v: %v", args, r)
		}
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := "id\tzip\tcity\tpostgeo_status\tpostgeo_reason\tstate\ts\tr\n1\t90210\tBeverly Hills\tmatched\t\tCA\tmatched\t\n2\t10001\tNew York\tmatched\t\tNY\tmatched\t\n"
	if string(data) != want {
		t.Errorf("got %q, want %q", data, want)
	}
	semicolons := filepath.Join(dir, "semicolons.csv")
	if err := os.WriteFile(semicolons, []byte("id;zip\n1;90210\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ragged := filepath.Join(dir, "ragged.csv")
	if err := os.WriteFile(ragged, []byte("zip,name\n90210\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, commas := filepath.Join(dir, "lines.json"), filepath.Join(dir, "commas.csv")
	if err := errors.Join(os.WriteFile(lines, []byte("{\n\"zip\": \"90210\"\n}\n"), 0o600), os.WriteFile(commas, []byte("lat;lon\n34,09;-118,41\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	mixed := filepath.Join(dir, "mixed.csv")
	if err := os.WriteFile(mixed, []byte("zip,lat,lon,street,city\n90210,,,,\n,34.09,-118.41,,\n,,,350 5th Ave,New York NY\n"), 0o600); err != nil {
		t.Fatal(err)
	}
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
