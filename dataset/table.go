package dataset

import (
	"fmt"
	"iter"
	"strings"
)

// A boundTable is a resident table of one file: it is kept in memory and stored
// as one or more columns.
type boundTable struct {
	name    string
	section Sections // 0: read by open; such a table has a column in every file
	needs   Sections // sections that the table refers to
	encode  func(*columnSet) error
	decode  func(*columnSet) error // checks every value that lookups rely on
	verify  func() error           // checks what decode skips; nil: nothing
}

// A boundRows is a table of rows of one file.
type boundRows struct {
	*rowKind
	ids   func() iter.Seq[int64]               // the rows that the resident tables list, ascending
	check func(id int64, payload []byte) error // decodes and discards
}

// A rowKind names a table whose rows stay in the file: one blob per thing,
// found by its number.
type rowKind struct {
	name string
	noun func(id int64) string // names a row in errors
}

// A table describes a resident table of a room with the reader R and the writer
// W.
type table[R, W any] struct {
	name    string
	section Sections
	needs   Sections
	encode  func(W, *columnSet) error
	decode  func(R, *columnSet) error
	verify  func(R) error
}

// A rowTable describes a table of rows of a room with the reader R.
type rowTable[R any] struct {
	*rowKind
	ids   func(R) iter.Seq[int64]
	check func(r R, id int64, payload []byte) error
}

// bind returns the table for one reader or one writer; the other is nil.
func (t table[R, W]) bind(r R, w W) boundTable {
	b := boundTable{
		name: t.name, section: t.section, needs: t.needs,
		encode: func(c *columnSet) error { return t.encode(w, c) },
		decode: func(c *columnSet) error { return t.decode(r, c) },
	}
	if t.verify != nil {
		b.verify = func() error { return t.verify(r) }
	}
	return b
}

// bind returns the table for one reader.
func (t rowTable[R]) bind(r R) boundRows {
	return boundRows{
		rowKind: t.rowKind,
		ids:     func() iter.Seq[int64] { return t.ids(r) },
		check:   func(id int64, payload []byte) error { return t.check(r, id, payload) },
	}
}

// tables lists the tables of a file in their order. A table may refer to those
// before it. Those of open come first; the manifest has the number of columns,
// so that none gets lost.
type tables struct {
	resident []boundTable
	rows     []boundRows
}

// add appends the tables of a room.
func (t *tables) add(resident []boundTable, rows []boundRows) {
	var first, later []boundTable
	for _, r := range append(t.resident, resident...) {
		if r.section == 0 {
			first = append(first, r)
		} else {
			later = append(later, r)
		}
	}
	t.resident, t.rows = append(first, later...), append(t.rows, rows...)
}

// sections returns every section of the tables.
func (t *tables) sections() (all Sections) {
	for _, r := range t.resident {
		all |= r.section
	}
	return all
}

// needs returns the sections with those that they refer to.
func (t *tables) needs(s Sections) Sections {
	for _, r := range t.resident {
		if r.section&s != 0 {
			s |= r.needs
		}
	}
	return s & t.sections()
}

// columnRows holds the columns of the resident tables, which are numbered from
// 1, and their directory as row 0.
var columnRows = &rowKind{name: "columns", noun: func(id int64) string {
	if id == directoryID {
		return "the directory of columns"
	}
	return fmt.Sprintf("column %d", id)
}}

const directoryID = 0

// kinds returns all tables of sealed rows in the order of the manifest.
func (t *tables) kinds() []*rowKind {
	var list []*rowKind
	for _, r := range t.rows {
		list = append(list, r.rowKind)
	}
	return append(list, columnRows)
}

// noun returns how errors call the rows of the table with the name.
func (t *tables) noun(table string) func(int64) string {
	for _, k := range t.kinds() {
		if k.name == table {
			return k.noun
		}
	}
	return func(id int64) string { return fmt.Sprintf("row %d of table %s", id, table) }
}

// schema returns the statements that create the file's tables. Open refuses a
// file that holds any others.
func (t *tables) schema() []string {
	s := []string{
		"CREATE TABLE manifest (id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL)",
		"CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL," +
			" vintage TEXT NOT NULL, licence TEXT NOT NULL, attribution TEXT NOT NULL, refresh TEXT NOT NULL," +
			" user_supplied INTEGER NOT NULL, note TEXT NOT NULL, row_count INTEGER NOT NULL, sha256 TEXT NOT NULL)",
		"CREATE TABLE gap (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount INTEGER NOT NULL)",
		"CREATE TABLE content (id INTEGER PRIMARY KEY, name TEXT NOT NULL, row_count INTEGER NOT NULL, sha256 TEXT NOT NULL)",
	}
	for _, k := range t.kinds() {
		s = append(s, "CREATE TABLE "+k.name+" (id INTEGER PRIMARY KEY, data BLOB NOT NULL)")
	}
	return s
}

func tableName(createStatement string) string {
	return strings.Fields(createStatement)[2]
}
