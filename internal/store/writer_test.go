package store_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/store/storewrite"
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
	_, err := storewrite.Create(filepath.Join(t.TempDir(), "no", "such", "folder.db"))
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

// TestPathsOfURLs writes to a path that SQLite takes for a URL of another file.
func TestPathsOfURLs(t *testing.T) {
	t.Chdir(t.TempDir())
	w := create(t, "file:x.db")
	small().addZIP4(t, w)
	check(t, w.Abort())
	if got := files(t, "."); got != "" {
		t.Errorf("files %q, want none", got)
	}
}

// TestFullDisk copies from a file to one that may not grow: an error, but no damage.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "full.db")
	c, err := file.Connect(sqlite.Engine(), path, path)
	check(t, err)
	check(t, c.Exec("PRAGMA max_page_count = 1"))
	err = open(t, small().file(t)).Attached("base", c, func() error { return c.Exec("CREATE TABLE zip AS SELECT * FROM base.zip") })
	wantError(t, err, store.ErrUnreadable)
	check(t, c.Close())
}

// TestManifest reads what the writer adds, and that it depends on the content.
func TestManifest(t *testing.T) {
	c := small()
	m := open(t, c.file(t)).Manifest()
	names := map[string]int64{}
	for _, table := range m.Tables {
		names[table.Name] = table.Rows
	}
	want := map[string]int64{
		"state": 3, "cbsa": 2, "division": 1, "county": 3, "zone": 2, "zip": 5, "alias": 2, "county_source": 2, "fsa": 3, "postal_code": 4, "code_zone": 5,
		"place_name": 0, "place_zip": 0, "layer": 4, "plan_state": 0, "area": 7, "code_outline": 4, "overlap": 9, "census_area": 2, "school_district": 2,
		"outline": 7, "outline_key": 10, "center": 0, "census_block": 0, "city_name": 0, "street_alias": 0, "street_zip": 2, "zip4": 2, "zip4_addon": 12,
		"road_area": 0, "road": 0, "road_index": 0, "acs_area": 6, "acs_table": 4, "acs_field": 6, "acs_column": 10,
		"acs_page": 3, "search_index": 2, "cache": 33,
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	if m.Format != store.Format || len(m.Digest) != 64 {
		t.Errorf("format %d, digest %q", m.Format, m.Digest)
	}
	c.ZIPDetails[2].IntroDate = "1963-07-02"
	if other := open(t, c.file(t)).Manifest(); other.Digest == m.Digest {
		t.Errorf("another detail leaves the digest %s", m.Digest)
	}
	c = small()
	c.Manifest.Sources[1].Note = "other"
	if other := open(t, c.file(t)).Manifest(); other.Digest == m.Digest {
		t.Errorf("another source leaves the digest %s", m.Digest)
	}

	b, err := json.Marshal(m)
	check(t, err)
	var again dataset.Manifest
	check(t, json.Unmarshal(b, &again))
	if diff := cmp.Diff(m, again); diff != "" {
		t.Errorf("through JSON (-want +got):\n%s", diff)
	}
}

// A disk is a file system that counts the bytes that are read, and may fail.
type disk struct {
	fs.FS
	failing atomic.Bool
	read    atomic.Int64
}

type diskFile struct {
	fs.File
	disk *disk
}

var errDisk = errors.New("the disk does not answer")

func (d *disk) Open(name string) (fs.File, error) {
	file, err := d.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return diskFile{file, d}, nil
}

func (f diskFile) ReadAt(b []byte, at int64) (int, error) {
	if f.disk.failing.Load() {
		return 0, errDisk
	}
	n, err := f.File.(io.ReaderAt).ReadAt(b, at)
	f.disk.read.Add(int64(n))
	return n, err
}

// TestFailingDisk reads from a disk that fails: an error, but no damage.
func TestFailingDisk(t *testing.T) {
	c := small()
	path := c.file(t)
	fsys := &disk{FS: os.DirFS(path[:len(path)-len("test.db")])}
	d, err := sqlite.OpenFS(fsys, "test.db")
	check(t, err)
	fsys.failing.Store(true)
	failed := 0
	for _, z := range c.ZIPs {
		if _, err := d.ZIPDetail(t.Context(), z.ZIP); errors.Is(err, store.ErrDamaged) {
			t.Fatalf("a failing disk is taken for a damaged file: %v", err)
		} else if err != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Errorf("nothing failed")
	}
	if err := d.Verify(t.Context()); err == nil || errors.Is(err, store.ErrDamaged) {
		t.Errorf("Verify on a failing disk: %v", err)
	}
	if _, err := sqlite.OpenFS(fsys, "test.db"); err == nil || errors.Is(err, store.ErrDamaged) {
		t.Errorf("OpenFS on a failing disk: %v", err)
	}
	fsys.failing.Store(false)
	if _, err := d.ZIPDetail(t.Context(), c.ZIPs[0].ZIP); err != nil {
		t.Errorf("after the disk recovered: %v", err)
	}
	check(t, d.Close())
}
