package fetch_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

const actualCSV = "path,vintage,rows,official_rows,fit_for_shares,note\n" +
	"www.example.gov/data/a b.txt,\"2020 (84 rows 2010)\",27424,33791,no,mostly simplified\n" +
	"www.example.gov/other.txt,2021,,,,\n"

func mirrorFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("ACTUAL.csv", actualCSV)
	write("www.example.gov/data/a b.txt", content)
	return dir
}

func wantActual(t *testing.T, f *fetch.File) {
	t.Helper()
	type facts struct {
		Vintage, Note string
		Rows          int64
		Fit           bool
	}
	want := facts{"2020 (84 rows 2010)", "mostly simplified", 27424, false}
	if diff := cmp.Diff(want, facts{f.Source.Vintage, f.Source.Note, f.Source.Rows, f.FitForShares}); diff != "" {
		t.Errorf("what the mirror tells (-want +got):\n%s", diff)
	}
}

func TestMirrorFolder(t *testing.T) {
	dir := mirrorFolder(t)
	c, err := fetch.New(t.Context(), fetch.Options{Mirror: dir, Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	src := example
	src.Vintage, src.SHA256 = "2025", digest("the official file")
	f, err := c.Get(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "www.example.gov", "data", "a b.txt"); f.Path != want || f.SHA256 != digest(content) || f.Origin != fetch.Mirrored || f.Size != int64(len(content)) {
		t.Errorf("file %+v, want %s in place", f, want)
	}
	wantActual(t, f)
	if !holds(c, src) {
		t.Error("Held reports false for a file that is there")
	}
	src.URL = "https://www.example.gov/other.txt"
	if holds(c, src) {
		t.Error("Held reports a file for a file that is not there")
	}
	_, err = c.Get(t.Context(), src)
	wantError(t, err, fetch.ErrNotFound, "the mirror does not hold Example")
}

func holds(c *fetch.Client, s fetch.Source) bool {
	_, ok := c.Held(s)
	return ok
}

func TestMirrorAddress(t *testing.T) {
	srv := httptest.NewServer(http.StripPrefix("/deep/er", http.FileServer(http.Dir(mirrorFolder(t)))))
	defer srv.Close()
	cache := t.TempDir()
	c, err := fetch.New(t.Context(), fetch.Options{Cache: cache, Mirror: srv.URL + "/deep/er/"})
	if err != nil {
		t.Fatal(err)
	}
	src := example
	src.UserSupplied = true
	f, err := c.Get(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	if f.SHA256 != digest(content) || f.Origin != fetch.Downloaded || !strings.HasPrefix(f.Path, cache) {
		t.Errorf("file %+v, want it downloaded to the cache", f)
	}
	wantActual(t, f)
	if !holds(c, src) {
		t.Error("Held reports no file for a file that ACTUAL.csv lists")
	}
	src.URL = "https://www.example.gov/third.txt"
	_, err = c.Get(t.Context(), src)
	wantError(t, err, fetch.ErrNotFound, "404 Not Found")
	if holds(c, src) {
		t.Error("Held reports a file for a file without a record")
	}
	offline, err := fetch.New(t.Context(), fetch.Options{Cache: cache, Mirror: srv.URL + "/deep/er/", Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	f, err = offline.Get(t.Context(), example)
	if err != nil {
		t.Fatal(err)
	}
	wantActual(t, f)
}

// TestMirrorHoldsGzip checks that a text that is published plain is read from a
// gzip file of the mirror, and that the plain file is preferred.
func TestMirrorHoldsGzip(t *testing.T) {
	dir := mirrorFolder(t)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const packed = "\x1f\x8b packed"
	write("www.example.gov/centers.txt.gz", packed)
	write("www.example.gov/data/a b.txt.gz", packed)
	write("ACTUAL.csv", actualCSV+"www.example.gov/centers.txt.gz,2020,7,7,,\n")
	srv := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer srv.Close()
	for _, mirror := range []string{dir, srv.URL} {
		c, err := fetch.New(t.Context(), fetch.Options{Cache: t.TempDir(), Mirror: mirror})
		if err != nil {
			t.Fatal(err)
		}
		src := example
		src.URL = "https://www.example.gov/centers.txt"
		f, err := c.Get(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		if f.SHA256 != digest(packed) || f.Source.Rows != 7 || !holds(c, src) || mirror == dir && c.Size(src) != int64(len(packed)) {
			t.Errorf("%s: file %+v, want the gzip file with 7 rows", mirror, f)
		}
		if f, err = c.Get(t.Context(), example); err != nil || f.SHA256 != digest(content) {
			t.Errorf("%s: file %+v, %v, want the plain file", mirror, f, err)
		}
	}
}

func TestActualRefusals(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"columns", "path,vintage\n", `column "rows": not in the header`},
		{"number", "path,vintage,rows,official_rows,fit_for_shares,note\na,b,x,,,\n", `ACTUAL.csv:2: column "rows": "x"`},
		{"negative", "path,vintage,rows,official_rows,fit_for_shares,note\na,b,-1,,,\n", `column "rows": "-1"`},
		{"twice", "path,vintage,rows,official_rows,fit_for_shares,note\na,b,,,,\na,b,,,,\n", `ACTUAL.csv:3: column "path": "a" is blank or there twice`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "ACTUAL.csv"), []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := fetch.New(t.Context(), fetch.Options{Mirror: dir})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want it to contain %q", err, tt.want)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []fetch.Options{
		{},
		{Cache: t.TempDir(), Mirror: filepath.Join(t.TempDir(), "absent")},
		{Cache: t.TempDir(), Mirror: "http://"},
		{Cache: t.TempDir(), Mirror: "https://host/?q"},
	} {
		_, err := fetch.New(t.Context(), o)
		wantError(t, err, fetch.ErrOptions, "")
	}
}

func TestBadSources(t *testing.T) {
	c, err := fetch.New(t.Context(), fetch.Options{Mirror: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range []string{"http://host/a", "ftp://host/a", "https://host", "https://host/", "https://host/a/", "https://host/../../a", "https://host/%2e%2e/%2e%2e/a", "https:///a", "https://host/a?b", "https://u@host/a", `https://host/a\b`, "%zz"} {
		_, err := c.Get(t.Context(), fetch.Source{ID: "x", URL: u})
		wantError(t, err, fetch.ErrOptions, "x: "+u)
	}
	_, err = c.Get(t.Context(), fetch.Source{ID: "x", Title: "ZIP+4", UserSupplied: true})
	wantError(t, err, fetch.ErrUserSupplied, "ZIP+4 is not published")
	c, err = fetch.New(t.Context(), fetch.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	src := example
	src.UserSupplied = true
	_, err = c.Get(t.Context(), src)
	wantError(t, err, fetch.ErrUserSupplied, "name the file on the command line")
	src.UserSupplied, src.MirrorOnly = false, true
	_, err = c.Get(t.Context(), src)
	wantError(t, err, fetch.ErrNotFound, "use a mirror that holds it")
}

func TestOpenLocal(t *testing.T) {
	c, err := fetch.New(t.Context(), fetch.Options{Mirror: mirrorFolder(t), MaxSize: 2_000_000})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	src := example
	src.Vintage, src.Rows = "2025", 7
	f, err := c.Open(t.Context(), src, path)
	if err != nil {
		t.Fatal(err)
	}
	want := &fetch.File{Source: src, Path: path, Size: 4, SHA256: digest("mine"), Origin: fetch.Local, Published: "2025", FitForShares: true}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	_, err = c.Open(t.Context(), src, path+"x")
	wantError(t, err, fetch.ErrNotFound, "no such file")
	if err := os.WriteFile(path, make([]byte, 2_000_001), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = c.Open(t.Context(), src, path)
	wantError(t, err, fetch.ErrTooLarge, "2000001 bytes, at most 2000000 allowed")
}

func FuzzActual(f *testing.F) {
	f.Add(actualCSV)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "ACTUAL.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := fetch.New(t.Context(), fetch.Options{Mirror: dir})
		if err != nil {
			return
		}
		if f, err := c.Get(t.Context(), example); err == nil && f.Source.Rows < 0 {
			t.Fatalf("file %+v", f)
		}
	})
}
