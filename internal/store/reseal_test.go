package store_test

import (
	"database/sql/driver"
	"encoding/binary"
	"regexp"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// sealPages gives the pages of a dataset that was changed by SQL their checksums.
func sealPages(t *testing.T, path string) {
	t.Helper()
	page := bytesOf(t, path)[:8192]
	if page[20] != 16 { // no dataset: its pages have no room
		return
	}
	check(t, store.SealPages(path, binary.LittleEndian.Uint64(page[len(page)-16:])))
}

// reseal corrects the digests of a file that was changed by SQL, those of tables and
// of the manifest, and the checksums of its pages.
func reseal(t *testing.T, path string) {
	t.Helper()
	db := openSQL(t, path)
	defer db.Close()
	var tables []string
	texts(t, db, "SELECT name FROM content ORDER BY id", func(s string) { tables = append(tables, s) })
	for _, table := range tables {
		rows, err := db.Query("SELECT * FROM " + table)
		check(t, err)
		columns, err := rows.Columns()
		check(t, err)
		values, read, to := make([]driver.Value, len(columns)), make([]any, len(columns)), make([]any, len(columns))
		for i := range to {
			to[i] = &read[i]
		}
		var digest store.TableDigest
		for rows.Next() {
			check(t, rows.Scan(to...))
			for i, v := range read {
				values[i] = v
			}
			digest.Row(values)
		}
		check(t, rows.Err())
		check(t, rows.Close())
		is := digest.Table(table)
		_, err = db.Exec("UPDATE content SET row_count = ?, sha256 = ? WHERE name = ?", is.Rows, is.SHA256, table)
		check(t, err)
	}
	sealPages(t, path)
	defer sealPages(t, path)
	d, err := sqlite.Open(path)
	if err == nil {
		check(t, d.Close())
		return
	}
	// The error of a wrong digest names the right one.
	if m := regexp.MustCompile(`computed "([0-9a-f]{64})"`).FindStringSubmatch(err.Error()); m != nil {
		_, err = db.Exec("UPDATE manifest SET value = ? WHERE key = 'digest'", m[1])
		check(t, err)
	}
}
