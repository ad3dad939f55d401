package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// smallMirror writes the sources of a number of small states and returns their
// folder.
func smallMirror(t *testing.T, states int) string {
	t.Helper()
	dir := t.TempDir()
	check(t, mirrortest.NewCountry(states, 1).Write(dir))
	return dir
}

// From source files to answers: build, look at, verify, look up, compare.
func TestBuild(t *testing.T) {
	mirror, dir := smallMirror(t, 2), t.TempDir()
	w := world{dataDir: filepath.Join(dir, "data"), vars: map[string]string{"SOURCE_DATE_EPOCH": "1700000000"}}
	run := func(args string, wants ...string) result {
		t.Helper()
		r := w.run(words(args)...)
		for _, want := range wants {
			if !strings.Contains(r.stdout+r.stderr, want) {
				t.Errorf("%s: no %q in %v", args, want, r)
			}
		}
		if r.code != cli.Done {
			t.Fatalf("%s: %v", args, r)
		}
		return r
	}
	file, again, other := filepath.Join(w.dataDir, "postgeo.db"), filepath.Join(dir, "again.db"), filepath.Join(dir, "other.db")
	run("dataset build --mirror "+mirror, "Rows in", "Rows out", "Known gaps", "Seconds", "in all", " files to read, ")
	run("dataset info --format json", `"file":`+quoted(file), `"built":"2023-11-14T22:13:20Z"`, `"zips":18`, `"sha256":"`)
	if r := run("dataset verify"); r.stderr != "" {
		t.Errorf("verify: %v", r)
	}

	// The same sources give the same bytes.
	if r := run("dataset build --format json --mirror " + mirror + " -o " + again); !json.Valid([]byte(r.stdout)) || read(t, again) != read(t, file) {
		t.Errorf("two builds of the same sources differ: %v", r)
	}
	run("dataset build --mirror " + smallMirror(t, 3) + " -o " + other)
	w.terminal = true
	run("dataset diff "+file+" "+again, "The datasets hold the same.")
	run("dataset diff "+file+" "+other, "TABLE", "zip added")
	w.terminal = false
	run("dataset diff "+file+" "+other, `{"table":"`, `"key":"`, `"op":"`)
	run("dataset diff "+file+" "+other+" --format json", `"tables":[{"table":"`)

	// A build that fails leaves the file alone.
	before := read(t, file)
	check(t, os.Truncate(filepath.Join(mirror, "download.geonames.org/export/zip/US.zip"), 100))
	if r := w.run("dataset", "build", "--mirror", mirror); r.code != cli.Failed || !strings.Contains(r.stderr, "US.zip") {
		t.Errorf("a truncated source: %v", r)
	}
	if read(t, file) != before {
		t.Error("a build that failed changed the dataset")
	}
}

// Downloads go to the cache, and a build without a network takes them there.
func TestBuildDownloads(t *testing.T) {
	files := http.FileServer(http.Dir(smallMirror(t, 2)))
	requests := 0
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		files.ServeHTTP(w, r)
	}))
	w := world{cacheDir: t.TempDir()}
	first, second := filepath.Join(t.TempDir(), "first.db"), filepath.Join(t.TempDir(), "second.db")

	r := w.run("dataset", "build", "--mirror", host.URL, "-o", first)
	if r.code != cli.Done || requests == 0 || !strings.Contains(r.stderr, "; to download, less the files in the cache: ") || !strings.Contains(r.stdout, "downloaded") {
		t.Fatalf("%d requests, %v", requests, r)
	}
	host.Close()
	r = w.run("dataset", "build", "--mirror", host.URL, "--offline", "-o", second)
	if r.code != cli.Done || !strings.Contains(r.stdout, "cached") {
		t.Fatalf("offline: %v", r)
	}
	if read(t, first) != read(t, second) {
		t.Error("the dataset from the cache differs from the downloaded one")
	}
}

// A folder that is named with -o and is not there is not made.
func TestBuildMakesNoFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "slip")
	r := world{}.run("dataset", "build", "--mirror", smallMirror(t, 2), "-o", filepath.Join(folder, "x.db"))
	if r.code != cli.Misuse || !strings.Contains(r.stderr, folder) {
		t.Errorf("%v; want an error that names %s", r, folder)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Errorf("%s was made", folder)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	check(t, err)
	return string(data)
}

// layered adds a layer with areas in both countries to a copy of the sample.
func layered(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	base, areas, out := sampleFile(t), filepath.Join(dir, "areas.geojson"), filepath.Join(dir, "sales.db")
	check(t, os.WriteFile(areas, []byte(`{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"code":"W","label":"West side"},"geometry":{"type":"Polygon","coordinates":[[[-118.6,33.9],[-118.35,33.9],[-118.35,34.2],[-118.6,34.2],[-118.6,33.9]]]}},
		{"type":"Feature","properties":{"code":"T","label":"Toronto"},"geometry":{"type":"Polygon","coordinates":[[[-79.6,43.5],[-79.2,43.5],[-79.2,43.8],[-79.6,43.8],[-79.6,43.5]]]}},
		{"type":"Feature","properties":{"code":"X","label":"Nothing"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}}]}`), 0o600))
	nested := filepath.Join(dir, "nested.geojson")
	check(t, os.WriteFile(nested, []byte(`{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"id":"inner"},"geometry":{"type":"Polygon","coordinates":[[[-118.43,34.06],[-118.39,34.06],[-118.39,34.10],[-118.43,34.10],[-118.43,34.06]]]}},
		{"type":"Feature","properties":{"id":"outer"},"geometry":{"type":"Polygon","coordinates":[[[-118.6,33.9],[-118.35,33.9],[-118.35,34.2],[-118.6,34.2],[-118.6,33.9]]]}}]}`), 0o600))
	strip := filepath.Join(dir, "strip.geojson")
	check(t, os.WriteFile(strip, []byte(`{"type":"Feature","properties":{"id":"1"},"geometry":{"type":"Polygon","coordinates":[[[-118.5,34.05],[-118.3,34.05],[-118.3,34.0502],[-118.5,34.0502],[-118.5,34.05]]]}}`), 0o600))
	r := world{}.run("dataset", "add", base, "--layer", "sales="+areas+",id=code,name=label,title=Sales", "--layer", "nested="+nested, "--layer", "strip="+strip, "-o", out)
	if r.code != cli.Done || !strings.Contains(r.stdout, "layer layers.sales") || !strings.Contains(r.stdout, "bad outline") {
		t.Fatalf("add: %v", r)
	}
	if r := (world{}).run("dataset", "add", base, "--layer", "Sales Areas="+areas, "-o", out); r.code != cli.Misuse || !strings.Contains(r.stderr, "--layer") {
		t.Errorf("a wrong name: %v", r)
	}
	return out
}

// TestServedLayer asks a server for areas of an added layer. The commands are in
// testdata/commands.txt.
func TestServedLayer(t *testing.T) {
	handler, err := server.New(sampletest.File(t, layered(t)), server.Config{})
	check(t, err)
	for query, want := range map[string]string{
		"/v2/zip?code=90210&include=layers.sales":                    `"enrichments":{"layers.sales":1}`,
		"/v2/outlines?box=-118.5,34,-118.3,34.2&include=layers":      `"layers":[{"layer":"layers.sales","geoid":"W","name":"West side","rings":[[`,
		"/v2/outlines?box=-118.5,34,-118.3,34.2&include=layers.none": "layers.none",
		"/v2/area?layer=layers.sales&geoid=W":                        `"code":"90210"`,
	} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, query, nil))
		if body := answer.Body.String(); !strings.Contains(body, want) || strings.Contains(body, "Toronto") {
			t.Errorf("%s: %s", query, body)
		}
	}
}
