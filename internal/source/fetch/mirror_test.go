package fetch_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

const actualCSV = "path,vintage,rows,official_rows,fit_for_shares,note\n" +
	"www.example.gov/data/a b.txt,\"2020 (84 rows 2010)\",27424,33791,no,mostly simplified\n" +
	"www.example.gov/other.txt,2021,,,,\n"

const packed = "\x1f\x8b packed"

// mirrorFolder has a plain file, one with a gzip file beside it, and a gzip file of a text
// that is published plain.
func mirrorFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ACTUAL.csv": actualCSV + "www.example.gov/centers.txt.gz,2020,7,7,,\n", "www.example.gov/data/a b.txt": content,
		"www.example.gov/data/a b.txt.gz": packed, "www.example.gov/centers.txt.gz": packed,
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		check(t, errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), 0o600)))
	}
	return dir
}

// A mirror is a folder, or a server with it. ACTUAL.csv describes its files, and the
// catalog's checksum is not about them.
func TestMirror(t *testing.T) {
	dir, cache := mirrorFolder(t), t.TempDir()
	srv := httptest.NewServer(http.StripPrefix("/deep/er", http.FileServer(http.Dir(dir))))
	defer srv.Close()
	for _, c := range []struct {
		o      fetch.Options
		origin fetch.Origin
		below  string
		absent string
	}{
		{fetch.Options{Mirror: dir, Offline: true}, fetch.Mirrored, dir, "the mirror does not hold Example"},
		{fetch.Options{Cache: cache, Mirror: srv.URL + "/deep/er/"}, fetch.Downloaded, cache, "404 Not Found"},
		{fetch.Options{Cache: cache, Mirror: srv.URL + "/deep/er", Offline: true}, fetch.Cached, cache, "not in the cache"},
	} {
		client, err := fetch.New(t.Context(), c.o)
		check(t, err)
		src := example
		src.Vintage, src.SHA256, src.UserSupplied = "2025", digest("the official file"), true
		f, err := client.Get(t.Context(), src)
		check(t, err)
		if f.SHA256 != digest(content) || f.Origin != c.origin || f.Size != int64(len(content)) || !strings.HasPrefix(f.Path, c.below) {
			t.Errorf("%v: file %+v, want it below %s", c.o, f, c.below)
		}
		type facts struct {
			Vintage, Published, Note string
			Rows                     int64
			Fit                      bool
		}
		want := facts{"2020 (84 rows 2010)", "2025", "mostly simplified", 27424, false}
		if diff := cmp.Diff(want, facts{f.Source.Vintage, f.Published, f.Source.Note, f.Source.Rows, f.FitForShares}); diff != "" {
			t.Errorf("%v: the record of the mirror (-want +got):\n%s", c.o, diff)
		}
		src.URL = "https://www.example.gov/centers.txt"
		if f, err = client.Get(t.Context(), src); err != nil || f.SHA256 != digest(packed) || f.Source.Rows != 7 {
			t.Errorf("%v: file %+v, %v, want the gzip file with 7 rows", c.o, f, err)
		}
		if _, size := client.Held(src); size < 0 {
			t.Errorf("%v: a file of the mirror is not held", c.o)
		}
		src.URL = "https://www.example.gov/third.txt"
		_, err = client.Get(t.Context(), src)
		wantError(t, err, map[bool]error{true: fetch.ErrOffline, false: fetch.ErrNotFound}[c.origin == fetch.Cached], c.absent)
		if _, size := client.Held(src); size >= 0 {
			t.Errorf("%v: a file that the mirror lacks is held", c.o)
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
			check(t, os.WriteFile(filepath.Join(dir, "ACTUAL.csv"), []byte(tt.text), 0o600))
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
	check(t, err)
	for _, u := range []string{"http://host/a", "ftp://host/a", "https://host", "https://host/", "https://host/a/", "https://host/../../a", "https://host/%2e%2e/%2e%2e/a", "https:///a", "https://host/a?b", "https://u@host/a", `https://host/a\b`, "%zz"} {
		_, err := c.Get(t.Context(), fetch.Source{ID: "x", URL: u})
		wantError(t, err, fetch.ErrOptions, "x: "+u)
	}
	_, err = c.Get(t.Context(), fetch.Source{ID: "x", Title: "ZIP+4", UserSupplied: true})
	wantError(t, err, fetch.ErrUserSupplied, "ZIP+4 is not published")
	c, err = fetch.New(t.Context(), fetch.Options{Cache: t.TempDir()})
	check(t, err)
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
	check(t, err)
	path := filepath.Join(t.TempDir(), "mine.txt")
	check(t, os.WriteFile(path, []byte("mine"), 0o600))
	src := example
	src.Vintage, src.Rows = "2025", 7
	f, err := c.Open(t.Context(), src, path)
	check(t, err)
	want := &fetch.File{Source: src, Path: path, Size: 4, SHA256: digest("mine"), Origin: fetch.Local, Published: "2025", FitForShares: true}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	_, err = c.Open(t.Context(), src, path+"x")
	wantError(t, err, fetch.ErrNotFound, "no such file")
	check(t, os.WriteFile(path, make([]byte, 2_000_001), 0o600))
	_, err = c.Open(t.Context(), src, path)
	wantError(t, err, fetch.ErrTooLarge, "2000001 bytes, at most 2000000 allowed")
}

func FuzzActual(f *testing.F) {
	f.Add(actualCSV)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		check(t, os.WriteFile(filepath.Join(dir, "ACTUAL.csv"), []byte(text), 0o600))
		c, err := fetch.New(t.Context(), fetch.Options{Mirror: dir})
		if err != nil {
			return
		}
		if f, err := c.Get(t.Context(), example); err == nil && f.Source.Rows < 0 {
			t.Fatalf("file %+v", f)
		}
	})
}

var check = checktest.Check
