package file

import (
	_ "embed" // schema.sql
	"fmt"
	"slices"
	"strings"
)

// A Bound is a resident table of one file: it is kept in memory and stored
// as one or more columns.
type Bound struct {
	Name    string
	section Sections // 0: read by Open; such a table has a column in every file
	needs   Sections // sections that the table refers to
	encode  func(*Columns) error
	decode  func(*Columns) error // checks every value that lookups rely on
	queries []Query              // whose results are the first columns
	Verify  func() error         // checks what Decode skips; nil: nothing
}

// A BoundRows is a table of rows of one file.
type BoundRows struct {
	*RowKind
	check func(id int64, payload []byte) error // decodes and discards
}

// A RowKind names a table whose rows stay in the file: one blob per thing,
// found by its number.
type RowKind struct {
	Name string
	Noun func(id int64) string // names a row in errors
}

// point is the query of a row.
func (t *RowKind) point() string { return "SELECT data FROM " + t.Name + " WHERE id = ?" }

// A ResidentTable describes a resident table of a room with the reader R and the writer
// W.
type ResidentTable[R, W any] struct {
	Name    string
	Section Sections
	Needs   Sections
	Queries []Query                 // whose results are the first columns
	Encode  func(W, *Columns) error // adds the others; nil: there are none
	Decode  func(R, *Columns) error
	Verify  func(R) error
}

// A RowTable describes a table of rows of a room with the reader R.
type RowTable[R any] struct {
	*RowKind
	Check func(r R, id int64, payload []byte) error
}

// Bind returns the table for one reader or one writer; the other is nil.
func (t ResidentTable[R, W]) Bind(r R, w W) Bound {
	b := Bound{
		Name: t.Name, section: t.Section, needs: t.Needs, queries: t.Queries,
		decode: func(c *Columns) error { return t.Decode(r, c) },
	}
	if t.Encode != nil {
		b.encode = func(c *Columns) error { return t.Encode(w, c) }
	}
	if t.Verify != nil {
		b.Verify = func() error { return t.Verify(r) }
	}
	return b
}

// Bind returns the table for one reader.
func (t RowTable[R]) Bind(r R) BoundRows {
	return BoundRows{
		RowKind: t.RowKind,
		check:   func(id int64, payload []byte) error { return t.Check(r, id, payload) },
	}
}

// Tables lists the tables of a file in their order. A table may refer to those
// before it. Those of Open come first; the manifest has the number of columns,
// so that none gets lost.
type Tables struct {
	Resident []Bound
	rows     []BoundRows
}

// Add appends the tables of a room.
func (t *Tables) Add(resident []Bound, rows []BoundRows) {
	var first, later []Bound
	for _, r := range append(t.Resident, resident...) {
		if r.section == 0 {
			first = append(first, r)
		} else {
			later = append(later, r)
		}
	}
	t.Resident = slices.Concat(first, later)
	t.rows = append(t.rows, rows...)
}

func (t *Tables) sections() (all Sections) {
	for _, r := range t.Resident {
		all |= r.section
	}
	return all
}

// needs returns the sections with those that they refer to.
func (t *Tables) needs(s Sections) Sections {
	for _, r := range t.Resident {
		if r.section&s != 0 {
			s |= r.needs
		}
	}
	return s & t.sections()
}

// ColumnRows holds the columns of the resident tables, which are numbered from
// 1, and their directory as row 0.
var ColumnRows = &RowKind{Name: "columns", Noun: func(id int64) string {
	if id == directoryID {
		return "the directory of columns"
	}
	return fmt.Sprintf("column %d", id)
}}

const directoryID = 0

// A schemaTable is a table of the schema.
type schemaTable struct{ name, sql string }

//go:embed schema.sql
var schemaText string

// schema are the tables of a file. Open refuses a file that has others.
var schema = func() (list []schemaTable) {
	for sql := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(schemaText), ";"), ";\n\n") {
		list = append(list, schemaTable{strings.Fields(sql)[2], sql})
	}
	return list
}()

// contents returns the tables that the manifest lists.
func contents() []schemaTable {
	const description = 4 // manifest, source, gap, content
	return schema[description:]
}
