package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/dataset/sample"
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
	w := world{}
	r := w.run("dataset", "add-layer", "--data", base, "--layer", "sales="+areas+",id=code,name=label,title=Sales", "-o", out)
	if r.code != cli.Done || !strings.Contains(r.stdout, "layer layers.sales") || !strings.Contains(r.stdout, "bad outline") {
		t.Fatalf("add-layer: %v", r)
	}
	for _, test := range []struct{ args, want, lacks string }{
		{"codes-in layers.sales W -f csv", "90210,ZIP,", "M5V"},
		{"codes-in layers.sales T -f csv", "M5V,FSA,", "90210"},
		{"crosswalk zip layers.sales -f csv", "90210,,", "M5V"},
		{"crosswalk layers.sales fsa -f csv", ",M5V,", "90210"},
		{"boundary layers.sales W", `"name":"West side"`, "Toronto"},
	} {
		r := w.run(append(strings.Fields(test.args), "--data", out)...)
		if r.code != cli.Done || !strings.Contains(r.stdout, test.want) || strings.Contains(r.stdout, test.lacks) {
			t.Errorf("%s: want %q without %q: %v", test.args, test.want, test.lacks, r)
		}
	}
	if r := w.run("dataset", "add-layer", "--data", base, "--layer", "Sales Areas="+areas, "-o", out); r.code != cli.Misuse || !strings.Contains(r.stderr, "--layer") {
		t.Errorf("a wrong name: %v", r)
	}
	if r := w.run("codes-in", "layers.none", "W", "--data", out); r.code == cli.Done {
		t.Errorf("an absent layer: %v", r)
	}
}
