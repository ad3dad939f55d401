package store_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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
		rows, err := db.Query("SELECT id, data FROM " + table + " ORDER BY id")
		check(t, err)
		hash, n := sha256.New(), 0
		for rows.Next() {
			var id int64
			var data []byte
			check(t, rows.Scan(&id, &data))
			hash.Write(binary.AppendUvarint(binary.AppendVarint(nil, id), uint64(len(data))))
			hash.Write(data)
			n++
		}
		check(t, rows.Err())
		check(t, rows.Close())
		_, err = db.Exec("UPDATE content SET row_count = ?, sha256 = ? WHERE name = ?", n, hex.EncodeToString(hash.Sum(nil)), table)
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
