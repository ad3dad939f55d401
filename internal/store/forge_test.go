package store_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// A forger changes what a dataset says and makes its checksums right again.
type forger struct {
	good    []byte
	columns []string
	tables  []string // of rows, those that have some
	ids     map[string][]int64
}

func newForger(t *testing.T, good []byte) *forger {
	t.Helper()
	path := filepath.Join(t.TempDir(), "good.db")
	check(t, os.WriteFile(path, good, 0o600))
	db := openSQL(t, path)
	defer db.Close()
	f := &forger{good: good, ids: map[string][]int64{}}
	f.columns = columnNames(t, db)
	var tables []string
	texts(t, db, `SELECT c.name FROM content c JOIN sqlite_schema s USING (name)
		WHERE row_count > 0 AND name <> 'columns' AND sql LIKE '%(id INTEGER PRIMARY KEY, data BLOB%' ORDER BY c.id`, func(s string) { tables = append(tables, s) })
	for _, table := range tables {
		rows, err := db.Query("SELECT id FROM " + table + " ORDER BY id")
		check(t, err)
		for rows.Next() {
			var id int64
			check(t, rows.Scan(&id))
			f.ids[table] = append(f.ids[table], id)
		}
		check(t, rows.Err())
		check(t, rows.Close())
	}
	f.tables = tables
	return f
}

func texts(t *testing.T, db *sql.DB, query string, f func(string)) {
	t.Helper()
	rows, err := db.Query(query)
	check(t, err)
	defer rows.Close()
	for rows.Next() {
		var s string
		check(t, rows.Scan(&s))
		f(s)
	}
	check(t, rows.Err())
}

// openSQL opens a file for changes that need not outlive a power cut.
func openSQL(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	check(t, err)
	db.SetMaxOpenConns(1)
	return db
}

// forge writes a forged file to the path.
func (f *forger) forge(t *testing.T, path string, m forgery, rng *rand.Rand) {
	t.Helper()
	check(t, os.WriteFile(path, f.good, 0o600))
	db := openSQL(t, path)
	m.forge(t, f, db, rng)
	check(t, db.Close())
	reseal(t, path)
}

// A forgery is a way to lie. It returns what it changed.
type forgery struct {
	name  string
	forge func(t *testing.T, f *forger, db *sql.DB, rng *rand.Rand) string
}

// column changes the bytes of a column.
func column(name string, change func(rng *rand.Rand, b []byte) []byte) forgery {
	return forgery{name, func(t *testing.T, f *forger, db *sql.DB, rng *rand.Rand) string {
		c := f.columns[rng.IntN(len(f.columns))]
		changeColumn(t, db, c, func(b []byte) []byte { return change(rng, b) })
		return c
	}}
}

// changeColumn rewrites the bytes of a column; its number of rows follows where
// its rows have one width.
func changeColumn(t *testing.T, db *sql.DB, name string, change func([]byte) []byte) {
	t.Helper()
	var directory, b []byte
	check(t, db.QueryRow("SELECT data FROM columns WHERE id = 0").Scan(&directory))
	heads, err := store.Directory(directory)
	check(t, err)
	at := slices.IndexFunc(heads, func(h store.ColumnHead) bool { return h.Name == name })
	check(t, db.QueryRow("SELECT data FROM columns WHERE id = ?", at+1).Scan(&b))
	b = change(append([]byte{}, b...))
	if width := heads[at].Width; width > 0 {
		b = b[:len(b)/width*width]
		heads[at].Rows = len(b) / width
		_, err = db.Exec("UPDATE columns SET data = ? WHERE id = 0", store.EncodeDirectory(heads))
		check(t, err)
	}
	_, err = db.Exec("UPDATE columns SET data = ? WHERE id = ?", b, at+1)
	check(t, err)
}

// row changes the payload of a row, or of many rows of a table, so that the
// questions meet one of them.
func row(name string, change func(rng *rand.Rand, b []byte) []byte) forgery {
	return forgery{name, func(t *testing.T, f *forger, db *sql.DB, rng *rand.Rand) string {
		table := f.tables[rng.IntN(len(f.tables))]
		ids := f.ids[table]
		if rng.IntN(2) == 0 {
			id := ids[rng.IntN(len(ids))]
			changeRow(t, db, table, id, func(b []byte) []byte { return change(rng, b) })
			return fmt.Sprint(table, " ", id)
		}
		const most = 300
		for _, i := range rng.Perm(len(ids))[:min(len(ids), most)] {
			changeRow(t, db, table, ids[i], func(b []byte) []byte { return change(rng, b) })
		}
		return table
	}}
}

func changeRow(t *testing.T, db *sql.DB, table string, id int64, change func([]byte) []byte) {
	t.Helper()
	var b []byte
	check(t, db.QueryRow("SELECT data FROM "+table+" WHERE id = ?", id).Scan(&b))
	b = change(append([]byte{}, b...))
	_, err := db.Exec("UPDATE "+table+" SET data = ? WHERE id = ?", b, id)
	check(t, err)
}

// flip flips one bit.
func flip(rng *rand.Rand, b []byte) []byte {
	if len(b) > 0 {
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
	}
	return b
}

// front changes one of the first bytes, where numbers of things stand.
func front(rng *rand.Rand, b []byte) []byte {
	if len(b) > 0 {
		b[rng.IntN(min(len(b), 16))] = byte(rng.Uint32())
	}
	return b
}

// huge puts the largest numbers of all widths somewhere.
func huge(rng *rand.Rand, b []byte) []byte {
	numbers := [][]byte{
		bytes.Repeat([]byte{0xff}, 4), bytes.Repeat([]byte{0xff}, 10), binary.AppendUvarint(nil, math.MaxUint64), binary.AppendUvarint(nil, 1<<40),
		binary.AppendUvarint(nil, math.MaxInt32),
		{0xff, 0xff, 0xff, 0x7f},
		{0, 0, 0, 0x80},
		binary.AppendVarint(nil, math.MinInt64),
	}
	if len(b) > 0 {
		copy(b[rng.IntN(len(b)):], numbers[rng.IntN(len(numbers))])
	}
	return b
}

// float puts a number there that is none, or has no end.
func float(rng *rand.Rand, b []byte) []byte {
	numbers := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, math.Copysign(0, -1)}
	if len(b) >= 8 {
		binary.LittleEndian.PutUint64(b[rng.IntN(len(b)-7):], math.Float64bits(numbers[rng.IntN(len(numbers))]))
	}
	return b
}

func cut(rng *rand.Rand, b []byte) []byte { return b[:rng.IntN(len(b)+1)] }

func grown(rng *rand.Rand, b []byte) []byte {
	more := make([]byte, 1+rng.IntN(100))
	noise(rng, more)
	return append(b, more...)
}

func moved(rng *rand.Rand, b []byte) []byte {
	if len(b) > 16 {
		n := 1 + rng.IntN(min(len(b)/2, 64))
		copy(b[rng.IntN(len(b)-n):], b[rng.IntN(len(b)-n):][:n])
	}
	return b
}

var forgeries = []forgery{
	column("column: bit flipped", flip), column("column: first bytes", front), column("column: huge numbers", huge),
	column("column: no numbers", float), column("column: cut", cut), column("column: grown", grown), column("column: rows moved", moved),
	row("row: bit flipped", flip), row("row: first bytes", front), row("row: huge numbers", huge), row("row: no numbers", float),
	row("row: cut", cut), row("row: grown", grown), row("row: bytes moved", moved),
	{"row: another's", func(t *testing.T, f *forger, db *sql.DB, rng *rand.Rand) string {
		table := f.tables[rng.IntN(len(f.tables))]
		ids := f.ids[table]
		from, to := ids[rng.IntN(len(ids))], ids[rng.IntN(len(ids))]
		var b []byte
		check(t, db.QueryRow("SELECT data FROM "+table+" WHERE id = ?", from).Scan(&b))
		changeRow(t, db, table, to, func([]byte) []byte { return b })
		return fmt.Sprint(table, " ", to, " from ", from)
	}},
	{"row: gone", func(t *testing.T, f *forger, db *sql.DB, rng *rand.Rand) string {
		table := f.tables[rng.IntN(len(f.tables))]
		id := f.ids[table][rng.IntN(len(f.ids[table]))]
		_, err := db.Exec("DELETE FROM "+table+" WHERE id = ?", id)
		check(t, err)
		return fmt.Sprint(table, " ", id)
	}},
	{"columns swapped", func(t *testing.T, f *forger, db *sql.DB, rng *rand.Rand) string {
		a, b := f.columns[rng.IntN(len(f.columns))], f.columns[rng.IntN(len(f.columns))]
		var other []byte
		check(t, db.QueryRow(withColumns(t, db, "SELECT data FROM columns WHERE id = column('"+b+"')")).Scan(&other))
		changeColumn(t, db, a, func([]byte) []byte { return other })
		return a + " from " + b
	}},
}
