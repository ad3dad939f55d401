package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// overwrite changes bytes of a file in place.
func overwrite(t *testing.T, path string, at int, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	check(t, err)
	_, err = f.WriteAt(b, int64(at))
	check(t, errors.Join(err, f.Close()))
}

// TestForeignPages swaps pages within a file and takes pages of another file with the
// same numbers.
func TestForeignPages(t *testing.T) {
	const size = 8192
	good := bytesOf(t, small().file(t))
	other := bytesOf(t, changed().file(t))
	last := min(len(good), len(other))/size - 1
	try := func(t *testing.T, i int, page []byte, says string) {
		t.Helper()
		bad := slices.Clone(good)
		copy(bad[i*size:], page)
		d, err := sqlite.OpenFS(fstest.MapFS{"x.db": {Data: bad}}, "x.db")
		if err == nil {
			err = errors.Join(d.VerifyPages(t.Context()), d.Close())
		}
		wantOpenError(t, err, store.ErrDamaged, says)
	}
	for i := 1; i < last; i++ {
		try(t, i, good[(i+1)*size:(i+2)*size], "has the checksum")
		try(t, i, other[i*size:(i+1)*size], "belongs to another file")
	}
}

// TestPing damages an open file in the ways that happen. Each is reported at once,
// and no more when it is undone.
func TestPing(t *testing.T) {
	c := small()
	good := bytesOf(t, c.file(t))
	other := bytesOf(t, changed().file(t))
	truncate := func(size int) func(*testing.T, string) {
		return func(t *testing.T, path string) { check(t, os.Truncate(path, int64(size))) }
	}
	for name, damage := range map[string]func(*testing.T, string){
		"emptied":              truncate(0),
		"cut in a page":        truncate(len(good) - 10),
		"half":                 truncate(len(good) / 2),
		"longer":               truncate(len(good) + 8192),
		"zeroes":               func(t *testing.T, path string) { overwrite(t, path, 0, make([]byte, len(good))) },
		"another dataset":      func(t *testing.T, path string) { check(t, os.WriteFile(path, other, 0o600)) },
		"another, cut to size": func(t *testing.T, path string) { overwrite(t, path, 0, other[:min(len(other), len(good))]) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			check(t, os.WriteFile(path, good, 0o600))
			d := open(t, path)
			check(t, d.Ping(t.Context()))
			damage(t, path)
			wantError(t, d.Ping(t.Context()), store.ErrDamaged)
			if err := d.Prepare(t.Context()); err != nil { // the longer file has all pages
				wantError(t, err, store.ErrDamaged)
			}
			check(t, os.WriteFile(path, good, 0o600))
			check(t, d.Ping(t.Context()))
			check(t, d.VerifyPages(t.Context()))
			check(t, d.Prepare(t.Context()))
		})
	}
}

// TestMoved deletes and replaces the file of an open dataset, which answers as
// before, with as many connections as it needs.
func TestMoved(t *testing.T) {
	c := small()
	other := bytesOf(t, changed().file(t))
	for _, test := range []struct {
		name string
		move func(t *testing.T, path string)
		want error
	}{
		{"deleted", func(t *testing.T, path string) { check(t, os.Remove(path)) }, fs.ErrNotExist},
		{"replaced", func(t *testing.T, path string) {
			check(t, os.WriteFile(path+".new", other, 0o600))
			check(t, os.Rename(path+".new", path))
		}, store.ErrReplaced},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := c.file(t)
			d := open(t, path)
			check(t, d.Moved())
			test.move(t, path)
			if err := d.Moved(); !errors.Is(err, test.want) {
				t.Errorf("Moved: %v, want %v", err, test.want)
			}
			var wg sync.WaitGroup
			for range 40 {
				wg.Go(func() {
					for _, row := range c.ZIPs {
						if _, err := d.ZIPDetail(t.Context(), row.ZIP); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			check(t, d.Ping(t.Context()))
			check(t, d.VerifyPages(t.Context()))
			got, err := read(t.Context(), d)
			check(t, err)
			want, err := outcome(t, bytesOf(t, c.file(t)))
			check(t, err)
			if !reflect.DeepEqual(want, got) {
				t.Error("other answers than before")
			}
		})
	}
}

// outcome reads everything from the bytes of a file.
func outcome(t *testing.T, data []byte) (*country, error) {
	t.Helper()
	d, err := sqlite.OpenFS(fstest.MapFS{"x.db": {Data: data}}, "x.db")
	if err != nil {
		return nil, err
	}
	if err := d.Prepare(t.Context()); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	c, err := read(t.Context(), d)
	return c, errors.Join(err, d.Close())
}
