package store_test

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

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

func TestOpenMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.db")
	_, err := sqlite.Open(path)
	wantOpenError(t, err, fs.ErrNotExist, path, "postgeo dataset build -o")
	_, err = sqlite.OpenFS(fstest.MapFS{}, "none.db")
	wantOpenError(t, err, fs.ErrNotExist, "none.db")
}

func TestOpenFolder(t *testing.T) {
	dir := t.TempDir()
	_, err := sqlite.Open(dir)
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
	refused := map[string]string{
		"manifest":       "UPDATE manifest SET value = 'other' WHERE key = 'version'",
		"manifest gone":  "DELETE FROM manifest",
		"manifest type":  "UPDATE manifest SET value = x'00' WHERE key = 'version'",
		"source":         "UPDATE source SET vintage = '2030' WHERE id = 1",
		"source gone":    "DELETE FROM source WHERE id = 2",
		"source type":    "UPDATE source SET row_count = 'many'",
		"gap":            "UPDATE gap SET amount = 7 WHERE id = 1",
		"content":        "UPDATE content SET row_count = row_count + 1 WHERE id = 1",
		"cache":          "UPDATE cache SET data = data || x'00' WHERE name = 'zip'",
		"cache gone":     "DELETE FROM cache WHERE name = 'postal_code'",
		"cache's type":   "UPDATE cache SET data = 'text' WHERE name = 'zip'",
		"outline gone":   "DELETE FROM outline WHERE outline = 'zone'",
		"outline":        "UPDATE outline SET data = zeroblob(length(data)) WHERE outline = 'zip'",
		"index gone":     "DELETE FROM search_index WHERE name = 'code_points'",
		"another table":  "CREATE TABLE other (id INTEGER)",
		"another index":  "CREATE INDEX other ON zip (city)",
		"trigger":        "CREATE TRIGGER other AFTER INSERT ON gap BEGIN SELECT 1; END",
		"table missing":  "DROP TABLE zip4",
		"column renamed": "ALTER TABLE zip4 RENAME COLUMN data TO blob",
	}
	for name, statement := range refused {
		t.Run(name, func(t *testing.T) {
			path := small().file(t)
			edit(t, path, statement)
			wantOpenError(t, openWhole(t, path), store.ErrDamaged, path)
		})
	}
	for name, statement := range map[string]string{
		"row changed":  "UPDATE zip SET elevation = 9000 WHERE zip = '90210'",
		"row's type":   "UPDATE zip SET elevation = 'text' WHERE zip = '90210'",
		"row too many": "INSERT INTO zip (zip, class) VALUES ('90211', 'G')",
		"row gone":     "DELETE FROM zip WHERE zip = '90210'",
		"page gone":    "DELETE FROM zip4",
		"page moved":   "UPDATE zip4 SET id = id + 1 WHERE id = 902100000",
		"overlap":      "UPDATE overlap SET shared = shared + 1",
	} {
		t.Run(name, func(t *testing.T) {
			path := small().file(t)
			edit(t, path, statement)
			wantOpenError(t, open(t, path).Verify(t.Context()), store.ErrDamaged, path, "digest")
		})
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
