package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/mirrortest"
)

// smallMirror writes the sources of a number of small states and returns their
// folder.
func smallMirror(t *testing.T, states int) string {
	t.Helper()
	dir := t.TempDir()
	if err := mirrortest.NewCountry(states, 1).Write(dir); err != nil {
		t.Fatal(err)
	}
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
	if err := os.Truncate(filepath.Join(mirror, "download.geonames.org/export/zip/US.zip"), 100); err != nil {
		t.Fatal(err)
	}
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

func TestBuildEpoch(t *testing.T) {
	for _, epoch := range []string{"yesterday", "-1", "1e9"} {
		w := world{vars: map[string]string{"SOURCE_DATE_EPOCH": epoch}, cacheDir: t.TempDir()}
		r := w.run("dataset", "build", "-o", filepath.Join(t.TempDir(), "x.db"))
		if want := fmt.Sprintf("invalid SOURCE_DATE_EPOCH %q", epoch); r.code != cli.Misuse || !strings.Contains(r.stderr, want) {
			t.Errorf("%v; want %q", r, want)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
