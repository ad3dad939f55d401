package store_test

import (
	"database/sql"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
)

// TestSQL runs the queries of docs/dataset.md on the sample, as any SQLite tool would.
func TestSQL(t *testing.T) {
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	path := filepath.Join(t.TempDir(), "sample.db")
	check(t, os.WriteFile(path, good, 0o600))
	page, err := os.ReadFile("../../docs/dataset.md")
	check(t, err)
	db := openSQL(t, path)
	defer db.Close()
	queries := regexp.MustCompile("(?m)^-- .*\n(SELECT .*);$").FindAllSubmatch(page, -1)
	if len(queries) < 10 {
		t.Errorf("%d queries, want at least 10", len(queries))
	}
	for _, q := range queries {
		var n int
		check(t, db.QueryRow("SELECT count(*) FROM ("+string(q[1])+")").Scan(&n))
		if n == 0 {
			t.Errorf("no rows of %s", q[1])
		}
	}
}

// openSQL opens a file for changes that need not outlive a power cut.
func openSQL(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	check(t, err)
	db.SetMaxOpenConns(1)
	return db
}

// sealPages gives the pages of a dataset that was changed by SQL their checksums.
func sealPages(t *testing.T, path string) {
	t.Helper()
	page := bytesOf(t, path)[:8192]
	if page[20] != 16 { // no dataset: its pages have no room
		return
	}
	check(t, store.SealPages(path, binary.LittleEndian.Uint64(page[len(page)-16:])))
}
