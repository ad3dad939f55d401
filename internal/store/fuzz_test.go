package store_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

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
	path := filepath.Join(t.TempDir(), "x.db")
	small().write(t, path)
	good := bytesOf(t, path)
	rng := rand.New(rand.NewPCG(3, 3))
	for table, key := range map[string]string{"cache": "name", "outline": "outline", "search_index": "name", "zip4": "id", "acs_page": "id"} {
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
				t.Errorf("%s %s: %v", table, id, err)
			}
		}
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
