package cli_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// TestAddLayer adds a layer with areas in both countries to a copy of the sample and
// reads it with the commands for areas.
func TestAddLayer(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	base, out := file("base.db", data), filepath.Join(dir, "sales.db")
	areas := file("areas.geojson", []byte(`{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"code":"W","label":"West side"},"geometry":{"type":"Polygon","coordinates":[[[-118.6,33.9],[-118.35,33.9],[-118.35,34.2],[-118.6,34.2],[-118.6,33.9]]]}},
		{"type":"Feature","properties":{"code":"T","label":"Toronto"},"geometry":{"type":"Polygon","coordinates":[[[-79.6,43.5],[-79.2,43.5],[-79.2,43.8],[-79.6,43.8],[-79.6,43.5]]]}},
		{"type":"Feature","properties":{"code":"X","label":"Nothing"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}}]}`))
	codes, points := file("codes.csv", []byte("zip\n90210\nM5V\n10001\n")), file("points.csv", []byte("lat,lon\n34.09,-118.41\n"))
	square := file("square.geojson", []byte(`{"type":"Polygon","coordinates":[[[-118.45,34.05],[-118.38,34.05],[-118.38,34.12],[-118.45,34.12],[-118.45,34.05]]]}`))
	w := world{}
	r := w.run("dataset", "add", base, "--layer", "sales="+areas+",id=code,name=label,title=Sales", "-o", out)
	if r.code != cli.Done || !strings.Contains(r.stdout, "layer layers.sales") || !strings.Contains(r.stdout, "bad outline") {
		t.Fatalf("add: %v", r)
	}
	for i, test := range []struct{ args, want, lacks string }{
		{"codes-in layers.sales W -f csv", "90210,ZIP,", "M5V"},
		{"codes-in layers.sales west side -f csv", "90210,ZIP,", "M5V"},
		{"codes-in layers.sales T -f csv", "M5V,FSA,", "90210"},
		{"crosswalk zip layers.sales -f csv", "90210,,", "M5V"},
		{"crosswalk layers.sales fsa -f csv", ",M5V,", "90210"},
		{"boundary layers.sales W", `"name":"West side"`, "Toronto"},
		{"lookup 90210 --include layers.sales", `"layers":{"sales":{"source":"Sales (areas.geojson)","basis":"largest_area","areas":[{"id":"W","name":"West side","pct_of_zip":100`, "not charged"},
		{"lookup M5V --include layers.sales,layers.none -f json", "Not available for this code, not charged: layers.none.", "West side"},
		{"lookup 34.09,-118.41 --include layers.sales -f json", `"basis":"contains_point","areas":[{"id":"W","name":"West side"}]`, "pct_of_zip"},
		{"lookup 10001 --include layers.sales -f json", `"basis":"largest_area","areas":[]`, "West side"},
		{"lookup 90210 10001 --include layers.sales -f table", "West side", "Toronto"},
		{"radius 90210 --max 3 --include layers.sales -f csv", `,Sales (areas.geojson),largest_area,"[{""id"":""W"",""name"":""West side"",`, "layers,layers.sales"},
		{"radius 90210 --max 3 --include layers.sales -f table", "West side", "Toronto"},
		{"radius M5V --max 1 --include layers.sales -f jsonl", `"layers":{"sales":{"source":"Sales (areas.geojson)","basis":"contains_point","areas":[{"id":"T","name":"Toronto"}]}}`, "West side"},
		{"radius 90210 --max 3 --mode spatial --include layers.sales,layers.none -f json", "Not available for this code, not charged: layers.none.", "Toronto"},
		{"inside " + square + " --include layers.sales,layers.none -f json", `"areas":[{"id":"W","name":"West side","pct_of_zip":100`, "Toronto"},
		{"neighbors W --layer layers.sales -f json", `"layer":"layers.sales","code":"W","border_mi":`, "Toronto"},
		{"neighbors W --layer layers.sales -f csv --tolerance 1000", "code,code_type,layer,name", "Toronto"},
		{"export areas layers.sales", "layers.sales,W,West side,,,,Sales (areas.geojson),,-118.6,33.9,-118.35,34.2,0106", "Nothing"},
		{"enrich " + codes + " --add layers.sales.id,layers.sales.areas.name,layers.sales.pct_of_zip", "90210,W,West side,100,matched", "Sales"},
		{"enrich " + codes + " --add layers.sales.id", "10001,,no_data", "West side"},
		{"enrich " + points + " --add layers.sales.name", "34.09,-118.41,West side,matched", "Sales"},
	} {
		if testing.Short() && i%5 != 0 {
			continue
		}
		r := w.run(append(strings.Fields(test.args), "--data", out)...)
		if r.code != cli.Done || !strings.Contains(r.stdout, test.want) || strings.Contains(r.stdout, test.lacks) {
			t.Errorf("%s: want %q without %q: %v", test.args, test.want, test.lacks, r)
		}
	}
	if r := w.run("dataset", "add", base, "--layer", "Sales Areas="+areas, "-o", out); r.code != cli.Misuse || !strings.Contains(r.stderr, "--layer") {
		t.Errorf("a wrong name: %v", r)
	}
	db := sampletest.File(t, out)
	handler, err := server.New(db, server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/v2/zip?code=90210&include=layers.sales", nil))
	if body := answer.Body.String(); !strings.Contains(body, `"id":"W","name":"West side"`) || !strings.Contains(body, `"layers.sales":1`) {
		t.Errorf("/v2/zip: %s", body)
	}
	for query, want := range map[string]string{
		"/v2/outlines?box=-118.5,34,-118.3,34.2&include=layers":      `"layers":[{"layer":"layers.sales","geoid":"W","name":"West side","rings":[[`,
		"/v2/outlines?box=-118.5,34,-118.3,34.2&include=layers.none": "layers.none",
		"/v2/area?layer=layers.sales&geoid=W":                        `"code":"90210"`,
	} {
		answer = httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, query, nil))
		if body := answer.Body.String(); !strings.Contains(body, want) || strings.Contains(body, "Toronto") {
			t.Errorf("%s: %s", query, body)
		}
	}
	if r := w.run("suggest", "west", "-i", "layers.none", "--data", out); r.code != cli.Misuse || !strings.Contains(r.stderr, "layers.none") {
		t.Errorf("suggest of an absent layer: %v", r)
	}
	if r := w.run("enrich", codes, "--add", "layers.none.id", "--data", out); r.code != cli.Misuse || !strings.Contains(r.stderr, `it has layers.sales`) {
		t.Errorf("a field of an absent layer: %v", r)
	}
	if r := w.run("codes-in", "layers.none", "W", "--data", out); r.code == cli.Done {
		t.Errorf("an absent layer: %v", r)
	}
}
