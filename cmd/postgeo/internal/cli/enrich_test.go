package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var took = regexp.MustCompile(` rows in [0-9.]+m?s`)

// TestEnrich holds what the command writes, on both streams.
func TestEnrich(t *testing.T) {
	const in = "id,zip\n1,90210\n2,501\n3,K1A 0B1\n4,99999\n5,\n"
	tests := []struct {
		name  string
		stdin string
		args  []string
	}{
		{"enrich-csv", in, []string{"enrich", "--add", "city,county_fips,income=acs.economic.income.median_household_income"}},
		{"enrich-ndjson", in, []string{"enrich", "--to", "ndjson", "--add", "city", "--strict"}},
		{"enrich-address", "street,city,state,zip\n350 5th Ave,New York,NY,10118\n1 Nowhere,New York,NY,10118\n", []string{"enrich", "--add", "address.confidence,code"}},
		{"enrich-none", "zip\n99999\n", []string{"enrich", "-q", "--add", "city"}},
		{"enrich-ragged", "zip,n\n90210\n", []string{"enrich", "-q", "--add", "city"}},
		{"enrich-unknown", in, []string{"enrich", "--add", "city,conty_fips"}},
		{"enrich-exists", "zip,city\n90210,x\n", []string{"enrich", "--add", "city"}},
		{"enrich-again", "zip,postgeo_status,postgeo_reason\n90210,matched,\n", []string{"enrich", "--add", "city"}},
		{"enrich-keys", "id,zip,y,x\n1,90210,,\n2,,40.75,-73.99\n", []string{"enrich", "--key", "zip", "--key", "y,x", "--add", "state"}},
		{"enrich-try-next", "id,zip,y,x\n1,99999,40.75,-73.99\n2,90210,40.75,-73.99\n", []string{"enrich", "--key", "zip", "--key", "coordinates=y,x", "--try-next", "--add", "state"}},
		{"enrich-keys-unclear", "a,b\n1,2\n", []string{"enrich", "--key", "a,b", "--add", "city"}},
		{"enrich-no-key", "a,b\n1,2\n", []string{"enrich", "--add", "city"}},
		{"enrich-fields", "", []string{"enrich", "--list-fields", "--word", "bearing", "--format", "csv"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := world{stdin: tt.stdin}.run(tt.args...).String()
			golden(t, tt.name, took.ReplaceAllString(got, " rows in TIME"))
		})
	}
}

// TestEnrichNearest holds what customers are told of their nearest stores, and
// what becomes of texts.
func TestEnrichNearest(t *testing.T) {
	stores := filepath.Join(t.TempDir(), "stores.csv")
	const list = "store,zip,Latitude,Longitude,open\n7,90401,34.0195,-118.4912,9-5\n8,10118,,,24 h\n9,90210,34.09,-118.41,\"10-4, not Sundays\"\n"
	if err := os.WriteFile(stores, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	nearest := "store=nearest_place.store,nearest_place.open,miles=nearest_place.distance.miles,nearest_place.2.store"
	territories := filepath.Join(filepath.Dir(stores), "territories.geojson")
	const two = `{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"territory":"West","rep":7,"tags":["a","b"]},"geometry":{"type":"Polygon","coordinates":[[[-125,32],[-114,32],[-114,42],[-125,42],[-125,32]]]}},
		{"type":"Feature","properties":{"territory":"Hills","open":true},"geometry":{"type":"MultiPolygon","coordinates":[[[[-118.5,34],[-118.3,34],[-118.3,34.2],[-118.5,34.2],[-118.5,34]]]]}}]}`
	if err := os.WriteFile(territories, []byte(two), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		stdin string
		args  []string
	}{
		{"enrich-areas", "zip\n90210\n94102\n10001\n09012\n", []string{"--areas-from", territories, "--add", "in_area.territory,in_area.rep,in_area.tags,in_area.open,in_area.row"}},
		{"enrich-nearest", "who,zip\nann,90210\nbob,10001\ncy,99999\n", []string{"--nearest-from", stores, "--add", nearest}},
		{"enrich-city", "town,st\nBeverly Hills,CA\nSan Francisco,CA\nNowhere,ZZ\n,\n", []string{"--key", "city=town,st", "--add", "city,county_fips,geocode.location.lat"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := world{stdin: tt.stdin}.run(append([]string{"enrich"}, tt.args...)...).String()
			golden(t, tt.name, strings.ReplaceAll(took.ReplaceAllString(got, " rows in TIME"), stores, "stores.csv"))
		})
	}
}

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
	areas := func(name string) []string {
		return []string{in, "--areas-from", filepath.Join(dir, name+".geojson"), "--add", "in_area.row"}
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
	tests := []struct {
		name string
		args []string
		code int
		want string
	}{
		{"exists", []string{in, "-o", out}, 1, "already exists; choose another file or use --overwrite"},
		{"input", []string{in, "-o", in, "--overwrite"}, 2, "is an input"},
		{"device", []string{in, "-o", os.DevNull, "--overwrite"}, 2, "is a device or a pipe"},
		{"no name", []string{in, "-o", ""}, 2, "-o is empty"},
		{"places", []string{in, "-o", names, "--nearest-from", names, "--add", "nearest_place.a", "--overwrite"}, 2, "is an input"},
		{"no folder", []string{in, "-o", filepath.Join(in+".d", "out.csv")}, 2, "of the output does not exist"},
		{"shapes", []string{in, "-o", out + ".shp"}, 2, "the format .shp of "},
		{"polygons", []string{in + ".geojson"}, 1, "--areas-from"},
		{"objects over lines", []string{lines}, 1, "the object does not end on its line; expected one object per line"},
		{"decimal commas", []string{commas, "--add", "state"}, 0, "1 matched"},
		{"delimiter", []string{in, "--delimiter", ";;"}, 2, "must be one character"},
		{"semicolons", []string{semicolons, "--add", "city"}, 0, "reading cells divided by semicolons"},
		{"encoding", []string{in, "--encoding", "ebcdic"}, 2, `invalid --encoding "ebcdic"`},
		{"semicolons named", []string{semicolons, "--add", "city", "--delimiter", ";"}, 0, "1 matched"},
		{"short row", []string{ragged, "--add", "city"}, 1, "line 2: 1 cells, the header has 2 (--lenient keeps such rows)"},
		{"wrong field", []string{in, "--add", "conty"}, 2, "--list-fields --word WORD"},
		{"bars", []string{semicolons, "--add", "city", "--delimiter", "tab"}, 2, "no column looks like"},
		{"format", []string{in, "--to", "xls"}, 2, "must be csv, tsv, ndjson, parquet or xlsx"},
		{"miles", []string{in, "--within=-1"}, 2, "above 0"},
		{"address", []string{in, "--code", "zip", "--add", "address.confidence"}, 2, "requires addresses (--address)"},
		{"no radius", []string{in, "--add", "radius.summary.total_count"}, 2, "--within"},
		{"no file", []string{in + "x"}, 1, "no such file"},
		{"no places", []string{in, "--add", "nearest_place.id"}, 2, "--nearest-from"},
		{"places by nothing", []string{in, "--nearest-from", names, "--add", "nearest_place.id"}, 2, "no column looks like"},
		{"places with semicolons", []string{in, "--nearest-from", semicolons, "--add", "nearest_place.*"}, 0, "2 matched"},
		{"ragged places", []string{in, "--nearest-from", ragged, "--add", "nearest_place.id"}, 1, "--nearest-from " + ragged + ": line 2: 1 cells, the header has 2 (--lenient keeps such rows)"},
		{"no areas", []string{in, "--add", "in_area.row"}, 2, "--areas-from"},
		{"areas of text", areas("text"), 1, "not valid GeoJSON"},
		{"areas of a point", areas("point"), 1, `feature 1: the geometry has the type "Point", expected a Polygon or MultiPolygon`},
		{"areas empty", areas("none"), 1, "empty"},
		{"areas outside", areas("outside"), 1, "area 1"},
		{"far", []string{in, "--within", "900", "--add", "radius.summary.total_count"}, 2, "--within: max"},
	}
	for _, tt := range tests {
		got := world{}.run(append([]string{"enrich"}, tt.args...)...)
		if got.code != tt.code || !strings.Contains(got.stderr, tt.want) {
			t.Errorf("%s: exit code %d and %q, want %d and %q", tt.name, got.code, got.stderr, tt.code, tt.want)
		}
	}
}
