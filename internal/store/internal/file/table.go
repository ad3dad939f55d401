package file

import (
	_ "embed" // schema.sql
	"strings"
)

// A Part is a part of a file that is kept in memory.
type Part struct {
	Section Sections // one; 0: read by Open
	Queries []Query  // the caches that Load reads
	Load    func(*Connection) error
}

// A Query is a cache: the result of a query over the tables of the file, column by column. The
// query needs an order: the bytes of a cache must be the same whenever it is run.
type Query struct {
	Name, SQL string
	// Each is a query of names and numbers. There is a cache for each of its rows, with
	// the name behind that of the cache. SQL has the number as its parameter.
	Each string
}

// PartOf returns a part with one cache, whose rows load takes.
func PartOf[T any](section Sections, name, sql string, load func(c *Connection, rows []T) error) Part {
	return Part{Section: section, Queries: []Query{{Name: name, SQL: sql}}, Load: func(c *Connection) error {
		rows, err := Rows[T](c, name)
		if err == nil {
			err = load(c, rows)
		}
		return err
	}}
}

// A SchemaTable is a table of the schema.
type SchemaTable struct{ Name, SQL string }

//go:embed schema.sql
var schemaText string

// Schema are the tables of a file. Open refuses a file that has others.
var Schema = func() (list []SchemaTable) {
	for sql := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(schemaText), ";"), ";\n\n") {
		list = append(list, SchemaTable{strings.Fields(sql)[2], sql})
	}
	return list
}()

// Contents returns the tables that the manifest lists.
func Contents() []SchemaTable {
	const description = 4 // manifest, source, gap, content
	return Schema[description:]
}

// Derived reports whether a table is made from the others, by the same statements for any file.
// Extensions make it anew and do not copy it.
func (t SchemaTable) Derived() bool { return t.Name == "cache" }
