package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
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
