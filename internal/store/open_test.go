package store_test

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// TestOpenErrors opens what is no readable dataset. Every error matches its
// sentinel and names the file.
func TestOpenErrors(t *testing.T) {
	good := bytesOf(t, small().file(t))
	patch := func(offset int, value uint32) []byte {
		b := append([]byte(nil), good...)
		binary.BigEndian.PutUint32(b[offset:], value)
		return b
	}
	tests := map[string]struct {
		data []byte
		want error
		says string
	}{
		"empty":          {nil, store.ErrNotDataset, "is empty"},
		"text":           {[]byte("hello"), store.ErrNotDataset, `begins with "hello"`},
		"header only":    {good[:60], store.ErrDamaged, "ends after 60 bytes"},
		"application":    {patch(68, 0x12345678), store.ErrNotDataset, "application id 0x12345678"},
		"older version":  {patch(60, 3), store.ErrVersion, "format version 3, this release reads version 18"},
		"newer version":  {patch(60, 19), store.ErrVersion, "format version 19, this release reads version 18"},
		"page size":      {patch(16, 0x10000101), store.ErrDamaged, "page size"},
		"cut":            {good[:len(good)-1], store.ErrDamaged, "expected"},
		"longer":         {append(append([]byte(nil), good...), 0), store.ErrDamaged, "expected"},
		"one page":       {good[:8192], store.ErrDamaged, "it has 8192 bytes"},
		"zeroed schema":  {append(append(append([]byte(nil), good[:100]...), make([]byte, 8092)...), good[8192:]...), store.ErrDamaged, "page 1 has the checksum"},
		"zeroed content": {append(append([]byte(nil), good[:8192]...), make([]byte, len(good)-8192)...), store.ErrDamaged, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "bad.db")
			check(t, os.WriteFile(path, test.data, 0o600))
			_, err := sqlite.Open(path)
			wantOpenError(t, err, test.want, path, test.says)
			_, err = sqlite.OpenFS(fstest.MapFS{"bad.db": {Data: test.data}}, "bad.db")
			wantOpenError(t, err, test.want, "bad.db", test.says)
		})
	}
}

func wantOpenError(t *testing.T, err, want error, parts ...string) {
	t.Helper()
	wantError(t, err, want)
	for _, part := range parts {
		if err != nil && !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

// TestOpenNone opens what is not there, and a folder.
func TestOpenNone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "none.db")
	_, err := sqlite.Open(path)
	wantOpenError(t, err, fs.ErrNotExist, path, "postgeo dataset build -o")
	_, err = sqlite.OpenFS(fstest.MapFS{}, "none.db")
	wantOpenError(t, err, fs.ErrNotExist, "none.db")
	_, err = sqlite.Open(dir)
	wantOpenError(t, err, store.ErrNotDataset, dir, "is a folder")
	_, err = sqlite.OpenFS(os.DirFS(dir), ".")
	wantOpenError(t, err, store.ErrNotDataset, "is a folder")
}

// TestOpenForeign opens SQLite files of others, one of which pretends.
func TestOpenForeign(t *testing.T) {
	tests := map[string]struct {
		setup []string
		want  error
	}{
		"foreign":   {[]string{"CREATE TABLE t (a)"}, store.ErrNotDataset},
		"pretender": {[]string{"PRAGMA page_size = 8192", "PRAGMA application_id = 0x50474544", fmt.Sprint("PRAGMA user_version = ", store.Format), "CREATE TABLE manifest (id INTEGER PRIMARY KEY)"}, store.ErrDamaged},
		"view":      {[]string{"PRAGMA page_size = 8192", "PRAGMA application_id = 0x50474544", fmt.Sprint("PRAGMA user_version = ", store.Format), "CREATE VIEW manifest AS WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id FROM r) SELECT id, id AS key, id AS value FROM r"}, store.ErrDamaged},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "foreign.db")
			edit(t, path, test.setup...)
			_, err := sqlite.Open(path)
			wantOpenError(t, err, test.want, path)
		})
	}
}

// openWhole opens a file, reads every section and closes it.
func openWhole(t *testing.T, path string) error {
	t.Helper()
	d, err := sqlite.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Prepare(t.Context()), d.Close())
}

// edit runs statements on a file and gives its pages their checksums.
func edit(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	check(t, err)
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		_, err := db.Exec(s)
		check(t, err)
	}
	check(t, db.Close())
	sealPages(t, path)
}

// TestCrafted changes files through SQLite and makes the checksums of their pages right
// again, as an attacker would: Open, the read that meets it or Verify must see it.
func TestCrafted(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	script, verified, _ := strings.Cut(string(bytesOf(t, "testdata/crafted.txt")), "== verify\n")
	_, read, _ := strings.Cut(script, "== read\n")
	for i, statements := range []string{read, verified} {
		for statement := range strings.SplitSeq(strings.TrimSpace(statements), "\n") {
			t.Run(statement, func(t *testing.T) {
				t.Parallel()
				path := small().file(t)
				edit(t, path, statement)
				if i == 0 {
					wantOpenError(t, openWhole(t, path), store.ErrDamaged, path)
				} else {
					wantOpenError(t, open(t, path).Verify(t.Context()), store.ErrDamaged, path, "digest")
				}
			})
		}
	}
}

func TestOpenFS(t *testing.T) {
	c := small()
	path := c.file(t)
	for name, fsys := range map[string]fs.FS{
		"map":    fstest.MapFS{"folder/a b%41?#.db": {Data: bytesOf(t, path)}},
		"folder": os.DirFS(filepath.Dir(path)),
	} {
		t.Run(name, func(t *testing.T) {
			file := "test.db"
			if name == "map" {
				file = "folder/a b%41?#.db"
			}
			d, err := sqlite.OpenFS(fsys, file)
			check(t, err)
			got, err := read(t.Context(), d)
			check(t, err)
			sortZIP4(c.ZIP4)
			sortZIP4(got.ZIP4)
			if diff := cmp.Diff(c, got, equal); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			check(t, d.Verify(t.Context()))
			check(t, d.Close())
			check(t, d.Close())
		})
	}
}

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

// FuzzOpen opens arbitrary bytes.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "x.db")
	(&country{States: small().States}).write(f, path)
	b, err := os.ReadFile(path)
	check(f, err)
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add([]byte("SQLite format 3\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := sqlite.OpenFS(fstest.MapFS{"x.db": {Data: b}}, "x.db")
		if err != nil {
			return
		}
		if d.Prepare(t.Context()) == nil {
			_, _ = read(t.Context(), d)
		}
		_ = d.Verify(t.Context()) // finds or does not; the point is that it ends
		check(t, d.Close())
	})
}

// TestCraftedFiles changes the first bytes of values and gives their pages new checksums.
// Verify finds each change, and nothing panics.
func TestCraftedFiles(t *testing.T) {
	good := bytesOf(t, small().file(t))
	for table, key := range map[string]string{"cache": "name", "outline": "outline", "search_index": "name", "zip4": "id", "acs_page": "id"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			path, rng := filepath.Join(t.TempDir(), "x.db"), rand.New(rand.NewPCG(3, uint64(len(table))))
			for range fewer(40) {
				check(t, os.WriteFile(path, good, 0o600))
				db := openSQL(t, path)
				var id, data []byte
				check(t, db.QueryRow("SELECT "+key+", data FROM "+table+" ORDER BY "+key+" LIMIT 1 OFFSET ? % (SELECT count(*) FROM "+table+")", rng.IntN(1000)).Scan(&id, &data))
				data[rng.IntN(min(len(data), 16))] ^= byte(1 + rng.IntN(255))
				_, err := db.Exec("UPDATE "+table+" SET data = ? WHERE "+key+" = ?", data, string(id))
				check(t, errors.Join(err, db.Close()))
				sealPages(t, path)
				d, err := sqlite.Open(path)
				if err == nil {
					if err := d.Prepare(t.Context()); err != nil {
						wantError(t, err, store.ErrDamaged)
					}
					err = errors.Join(d.Verify(t.Context()), d.Close())
				}
				if !errors.Is(err, store.ErrDamaged) {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
}

// TestCraftedZone puts clock rules that cannot be read into a file.
func TestCraftedZone(t *testing.T) {
	path := small().file(t)
	db := openSQL(t, path)
	_, err := db.Exec("UPDATE zone SET rules = substr(rules, 1, 60) WHERE id = 1")
	check(t, errors.Join(err, db.Close()))
	sealPages(t, path)
	_, err = postgeo.Open(path)
	wantError(t, err, store.ErrDamaged)
	d := open(t, path)
	wantError(t, d.Verify(t.Context()), store.ErrDamaged)
}
