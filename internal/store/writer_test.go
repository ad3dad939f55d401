package store_test

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// files lists a folder.
func files(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	check(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestWriterInvalid gives rows of each table that the schema, or a text, makes invalid.
func TestWriterInvalid(t *testing.T) {
	zip := func(r store.ZIPRow, d store.ZIPDetail) func(*store.Writer) error {
		return func(w *store.Writer) error {
			r.Class = cmp.Or(r.Class, store.General)
			return w.AddZIP(r, d)
		}
	}
	twice := func(add func(*store.Writer) error) func(*store.Writer) error {
		return func(w *store.Writer) error { return errors.Join(add(w), add(w)) }
	}
	tests := map[string]func(*store.Writer) error{
		"ZIP twice":      twice(zip(store.ZIPRow{}, store.ZIPDetail{})),
		"ZIP class":      zip(store.ZIPRow{Class: 'X'}, store.ZIPDetail{}),
		"ZIP city":       zip(store.ZIPRow{City: "\xff"}, store.ZIPDetail{}),
		"ZIP counties":   zip(store.ZIPRow{MultiCounty: store.Yes + 1}, store.ZIPDetail{}),
		"alias":          zip(store.ZIPRow{}, store.ZIPDetail{Aliases: []store.CityAlias{{City: "\xff"}}}),
		"quality text":   zip(store.ZIPRow{}, store.ZIPDetail{Quality: store.Quality{Notes: []string{"\xff"}}}),
		"quality county": zip(store.ZIPRow{}, store.ZIPDetail{Quality: store.Quality{Counties: []store.CountySource{{FIPS: "6037"}}}}),
		"population":     zip(store.ZIPRow{}, store.ZIPDetail{Population: ptr(int32(-1))}),
		"SSA code":       zip(store.ZIPRow{}, store.ZIPDetail{Medicare: &store.Medicare{SSA: "1234"}}),
		"size class":     zip(store.ZIPRow{}, store.ZIPDetail{Business: &store.Business{EmploymentFlag: "N"}}),
		"FSA twice":      twice(func(w *store.Writer) error { return w.AddFSA(store.FSARow{}, store.FSADetail{}) }),
		"FSA land": func(w *store.Writer) error {
			return w.AddFSA(store.FSARow{}, store.FSADetail{LandArea: ptr(int64(-1))})
		},
		"postal twice": twice(func(w *store.Writer) error { return w.AddPostalCode(store.PostalRow{}) }),
		"postal town":  func(w *store.Writer) error { return w.AddPostalCode(store.PostalRow{Municipality: "\xff"}) },
		"states twice": twice(func(w *store.Writer) error { return w.SetStates([]store.State{{}}) }),
		"county name":  func(w *store.Writer) error { return w.SetCounties([]store.County{{Name: "\xff"}}) },
		"zone rules":   func(w *store.Writer) error { return w.SetZones([]store.Zone{{Name: "America/Chicago"}}) },
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			w := create(t, filepath.Join(t.TempDir(), "x.db"))
			err := f(w)
			if err == nil { // the schema refuses the row
				err = w.Finish(dataset.Manifest{})
			}
			wantError(t, err, store.ErrInvalidRow)
			check(t, w.Abort())
		})
	}
}

// TestFinishInvalid gives rows that refer to nothing, and lists that are too
// long or not unique. Finish refuses them and leaves nothing behind.
func TestFinishInvalid(t *testing.T) {
	us := store.State{Country: store.US, Abbr: "CA"}
	tests := map[string]func(c *country){
		"state":             func(c *country) { c.ZIPs[2].State = 4 },
		"county":            func(c *country) { c.ZIPs[2].County = 4 },
		"zone":              func(c *country) { c.ZIPs[2].Zone = 3 },
		"province":          func(c *country) { c.FSAs[1].Province = 4 },
		"FSA zone":          func(c *country) { c.FSAs[1].Zone = 3 },
		"postal province":   func(c *country) { c.Postal[1].Province = 4 },
		"postal zone":       func(c *country) { c.Postal[1].Zone = 3 },
		"county's state":    func(c *country) { c.Counties[0].State = 4 },
		"county's CBSA":     func(c *country) { c.Counties[0].CBSA = 3 },
		"county's division": func(c *country) { c.Counties[0].Division = 2 },
		"division's CBSA":   func(c *country) { c.Divisions[0].CBSA = 3 },
		"country":           func(c *country) { c.States[0].Country = 0 },
		"state twice":       func(c *country) { c.States[1] = us },
		"county twice":      func(c *country) { c.Counties[1].FIPS = c.Counties[0].FIPS },
		"states":            func(c *country) { c.States = make([]store.State, 256) },
		"zones":             func(c *country) { c.Zones = slices.Repeat(c.Zones[:1], 256) },
		"manifest text":     func(c *country) { c.Manifest.Sources[0].Note = "a\x00b" },
		"manifest layer":    func(c *country) { c.Manifest.Layers = []string{"\xff"} },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			c := small()
			spoil(c)
			dir := t.TempDir()
			path := filepath.Join(dir, "x.db")
			check(t, os.WriteFile(path, []byte("before"), 0o600))
			w := create(t, path)
			c.tables(t, w)
			c.addZIPs(t, w)
			c.addCanada(t, w)
			wantError(t, w.Finish(c.Manifest), store.ErrInvalidRow)
			wantError(t, w.Finish(c.Manifest), store.ErrClosed)
			if got := files(t, dir); got != "x.db" {
				t.Errorf("files %q, want only x.db", got)
			}
			if got := string(bytesOf(t, path)); got != "before" {
				t.Errorf("the file under the name was changed to %.20q", got)
			}
		})
	}
}

func TestAbort(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	check(t, os.WriteFile(path+".part", []byte("of a build that died"), 0o600))
	w := create(t, path)
	small().addZIP4(t, w)
	check(t, w.Abort())
	check(t, w.Abort())
	if got := files(t, dir); got != "" {
		t.Errorf("files %q, want none", got)
	}
	wantError(t, w.SetStates(nil), store.ErrClosed)
	wantError(t, w.AddZIP(store.ZIPRow{}, store.ZIPDetail{}), store.ErrClosed)
	wantError(t, w.AddFSA(store.FSARow{}, store.FSADetail{}), store.ErrClosed)
	wantError(t, w.AddPostalCode(store.PostalRow{}), store.ErrClosed)
	wantError(t, w.AddZIP4(store.ZIP4Record{}), store.ErrClosed)
	wantError(t, w.SetCenters(make([]store.Center, 1)), store.ErrClosed)
	wantError(t, w.SetCensusBlocks([]store.CensusBlock{{At: geo.MustLatLng(34, -118)}}), store.ErrClosed)
	wantError(t, w.Finish(dataset.Manifest{}), store.ErrClosed)
}

// TestTwoWriters begins a second build of the same file: it wins, and the
// first does not rename the unfinished file of the second.
func TestTwoWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	c := small()
	first := create(t, path)
	c.addZIP4(t, first)
	second := create(t, path)
	c.tables(t, second)
	c.tables(t, first)
	if err := first.Finish(c.Manifest); err == nil {
		t.Errorf("the first build finished")
	}
	c.addZIPs(t, second)
	c.addCanada(t, second)
	c.addZIP4(t, second)
	check(t, second.Finish(c.Manifest))
	check(t, open(t, path).Verify(t.Context()))
}

func TestCreateNowhere(t *testing.T) {
	_, err := sqlite.Create(filepath.Join(t.TempDir(), "no", "such", "folder.db"))
	wantError(t, err, fs.ErrNotExist)
}

func TestFinishReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a b?c%20#d.db")
	small().write(t, path)
	old := open(t, path)
	c := small()
	c.Manifest.Version = "newer"
	c.write(t, path)
	if got := open(t, path).Manifest().Version; got != "newer" {
		t.Errorf("version %q, want newer", got)
	}
	if _, err := old.ZIPDetail(t.Context(), 90210); err != nil {
		t.Errorf("reading the replaced file: %v", err)
	}
	if got := files(t, dir); got != filepath.Base(path) {
		t.Errorf("files %q, want only %q", got, filepath.Base(path))
	}
}
