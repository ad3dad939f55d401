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
	mirror := smallMirror(t, 2)
	w := world{dataDir: filepath.Join(t.TempDir(), "data"), vars: map[string]string{"SOURCE_DATE_EPOCH": "1700000000"}}

	r := w.run("dataset", "build", "--mirror", mirror)
	if r.code != cli.Done {
		t.Fatalf("build: %v", r)
	}
	for _, want := range []string{"Rows in", "Rows out", "Known gaps", "Seconds", "in all"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("the report has no %q:\n%s", want, r.stdout)
		}
	}
	if !strings.Contains(r.stderr, " files to read, ") {
		t.Errorf("the files were not told before the build:\n%s", r.stderr)
	}

	var info struct {
		File    string
		Built   string
		ZIPs    int
		Sources []struct{ ID, SHA256 string }
	}
	r = w.run("dataset", "info", "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &info); err != nil {
		t.Fatalf("info: %v: %v", err, r)
	}
	if info.File != filepath.Join(w.dataDir, "postgeo.db") || info.Built != "2023-11-14T22:13:20Z" || info.ZIPs != 18 || len(info.Sources) == 0 || info.Sources[0].SHA256 == "" {
		t.Errorf("info: %s", r.stdout)
	}
	if r = w.run("dataset", "verify"); r.code != cli.Done || r.stderr != "" {
		t.Errorf("verify: %v", r)
	}

	// The same sources give the same bytes.
	again := filepath.Join(t.TempDir(), "again.db")
	if r = w.run("dataset", "build", "--mirror", mirror, "-o", again, "--format", "json"); r.code != cli.Done || !json.Valid([]byte(r.stdout)) {
		t.Fatalf("second build: %v", r)
	}
	if read(t, again) != read(t, info.File) {
		t.Error("two builds of the same sources differ")
	}
	r = world{terminal: true}.run("dataset", "diff", info.File, again)
	if r.code != cli.Done || !strings.Contains(r.stdout, "The datasets hold the same.") {
		t.Errorf("diff of equal datasets: %v", r)
	}

	other := filepath.Join(t.TempDir(), "other.db")
	if r = w.run("dataset", "build", "--mirror", smallMirror(t, 3), "-o", other); r.code != cli.Done {
		t.Fatalf("build of another country: %v", r)
	}
	r = world{terminal: true}.run("dataset", "diff", info.File, other)
	if r.code != cli.Done || !strings.Contains(r.stdout, "TABLE") || !strings.Contains(r.stdout, "zip added") {
		t.Errorf("diff: %v", r)
	}
	var change struct{ Table, Key, Op string }
	r = w.run("dataset", "diff", info.File, other)
	first, _, _ := strings.Cut(r.stdout, "\n")
	if err := json.Unmarshal([]byte(first), &change); err != nil || change.Key == "" || change.Op == "" {
		t.Errorf("first change %q: %v", first, err)
	}
	var sum struct{ Tables []struct{ Table string } }
	r = w.run("dataset", "diff", info.File, other, "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &sum); err != nil || len(sum.Tables) == 0 {
		t.Errorf("diff as JSON: %v: %v", err, r)
	}

	// A build that fails leaves the file alone.
	before := read(t, info.File)
	check(t, os.Truncate(filepath.Join(mirror, "download.geonames.org/export/zip/US.zip"), 100))
	if r = w.run("dataset", "build", "--mirror", mirror); r.code != cli.Failed || !strings.Contains(r.stderr, "US.zip") {
		t.Errorf("a truncated source: %v", r)
	}
	if read(t, info.File) != before {
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
	r := world{}.run("dataset", "add", base, "--layer", "sales="+areas+",id=code,name=label,title=Sales", "-o", out)
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
