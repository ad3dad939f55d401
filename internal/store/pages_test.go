package store_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/sample"
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

// TestFlips flips bits of the sample, and of the file in POSTGEO_NATIONAL if it is
// set. Open, calls that need the page, or VerifyPages must report each flip as damage.
// Every tenth file is asked. Its results must equal those of the undamaged file.
func TestFlips(t *testing.T) {
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	t.Run("sample", func(t *testing.T) { flips(t, good, fewer(2000)) })
	t.Run("national", func(t *testing.T) {
		path := os.Getenv("POSTGEO_NATIONAL")
		if path == "" {
			t.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
		}
		flips(t, bytesOf(t, path), 2000)
	})
}

func flips(t *testing.T, data []byte, trials int) {
	t.Helper()
	short := func(db *postgeo.DB) (list []answered) {
		for i, q := range questions() {
			if i%9 == 0 {
				list = append(list, askSafely(t.Context(), q, db))
			}
		}
		return list
	}
	fsys := fstest.MapFS{"x.db": {Data: data}}
	db, err := postgeo.OpenFS(fsys, "x.db", postgeo.OpenOptions{})
	check(t, err)
	want := short(db)
	check(t, db.Close())
	rng := rand.New(rand.NewPCG(14, 14))
	var atOpen, met int
	for trial := range trials {
		at, bit := rng.IntN(len(data)), byte(1)<<rng.IntN(8)
		data[at] ^= bit
		db, err := postgeo.OpenFS(fsys, "x.db", postgeo.OpenOptions{})
		if err != nil {
			if atOpen++; !refused(err) {
				t.Errorf("byte %d, bit %d: Open: %v", at, bit, err)
			}
			data[at] ^= bit
			continue
		}
		failed := 0
		var answers []answered
		if trial%10 == 0 { // answers take longer than the rest
			answers = short(db)
		}
		for i, got := range answers {
			if errors.Is(got.err, store.ErrDamaged) {
				failed++
			} else if got.text != want[i].text || got.failure() != want[i].failure() {
				t.Errorf("byte %d, bit %d: silently wrong: %.300s, %v", at, bit, got.text, got.err)
			}
		}
		if failed > 0 {
			met++
			wantError(t, db.Ping(t.Context()), store.ErrDamaged)
		}
		wantError(t, db.VerifyPages(t.Context()), store.ErrDamaged)
		wantError(t, db.Ping(t.Context()), store.ErrDamaged)
		data[at] ^= bit
		check(t, db.Ping(t.Context()))
		check(t, db.Close())
	}
	t.Logf("%d flips: %d refused by Open, all others by VerifyPages; calls met %d of them", trials, atOpen, met)
}

// TestForeignPages swaps pages within a file and takes pages of another file with the
// same numbers.
func TestForeignPages(t *testing.T) {
	const size = 8192
	good := bytesOf(t, generate(9, 300, 10, 200, 40).file(t))
	other := bytesOf(t, generate(10, 300, 10, 200, 40).file(t))
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
	c := generate(9, 300, 10, 200, 40)
	good := bytesOf(t, c.file(t))
	other := bytesOf(t, generate(10, 300, 10, 200, 40).file(t))
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
	c := generate(9, 300, 10, 200, 40)
	other := bytesOf(t, generate(10, 300, 10, 200, 40).file(t))
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
