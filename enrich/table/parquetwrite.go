package table

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
)

// A group is a Parquet group with ordered columns. The library's groups are
// sorted by name.
type group struct {
	parquet.Group
	columns []parquet.Field
}

// Fields returns the columns in their order.
func (g *group) Fields() []parquet.Field { return g.columns }

// A column is a column of a group.
type column struct {
	parquet.Node
	name string
}

func (c *column) Name() string { return c.name }

// Value returns nothing: rows are written as values, never as Go structs.
func (c *column) Value(reflect.Value) reflect.Value { return reflect.Value{} }

func newGroup(columns []parquet.Field) *group {
	g := &group{Group: parquet.Group{}, columns: columns}
	for _, c := range columns {
		g.Group[c.Name()] = c
	}
	return g
}

// nodeOf returns the Parquet type of a column. Every column may be null.
func nodeOf(t enrich.Type) parquet.Node {
	switch t {
	case enrich.Int:
		return parquet.Optional(parquet.Int(64))
	case enrich.Float:
		return parquet.Optional(parquet.Leaf(parquet.DoubleType))
	case enrich.Bool:
		return parquet.Optional(parquet.Leaf(parquet.BooleanType))
	case enrich.Bytes:
		return parquet.Optional(parquet.Leaf(parquet.ByteArrayType))
	default:
		return parquet.Optional(parquet.String())
	}
}

// parquetSchema returns the schema of a table: the columns of Parquet as they are, or
// those of text, then the added ones.
func parquetSchema(names []string, p *parquetSource, added []Field) (*parquet.Schema, error) {
	var columns []parquet.Field
	if p != nil {
		columns = p.file.Schema().Fields()
		names = nil
	}
	for _, name := range names {
		columns = append(columns, &column{nodeOf(enrich.String), name})
	}
	columns = append(columns, nodesOf(added)...)
	seen := make(map[string]bool, len(columns))
	for _, c := range columns {
		switch {
		case c.Name() == "":
			return nil, fmt.Errorf("table: column %d has no name; Parquet needs one", len(seen)+1)
		case seen[c.Name()]:
			return nil, fmt.Errorf("table: two columns are called %q; Parquet allows one", c.Name())
		}
		seen[c.Name()] = true
	}
	return parquet.NewSchema("rows", newGroup(columns)), nil
}

// parquetEncoder makes Parquet rows.
type parquetEncoder struct {
	width int // columns of the source
	added []Field
}

func (e *parquetEncoder) render(dst []byte, _ []enrich.Value) []byte { return dst }

// values returns the added values, for every row that has them.
func (e *parquetEncoder) values(list []enrich.Value) []parquet.Value {
	values := make([]parquet.Value, len(list))
	for i, v := range list {
		values[i] = parquetValue(&e.added[i], v, e.width+i)
	}
	return values
}

func (e *parquetEncoder) row(out *chunk, d decoder, a *result) error {
	if err := fits(d); err != nil {
		return err
	}
	if out.columns == nil {
		out.columns = make([][]parquet.Value, e.width+len(e.added))
	}
	p, same := d.(*parquetDecoder)
	for i := range e.width {
		switch {
		case !same:
			out.columns[i] = append(out.columns[i], parquetValue(&Field{Type: enrich.String}, d.value(i), i))
		case out.n == 0: // the columns of the block are written as they are
			out.columns[i] = p.from.columns[i].values
		}
	}
	for i, v := range a.values {
		out.columns[e.width+i] = append(out.columns[e.width+i], v)
	}
	out.n++
	return nil
}

func parquetValue(f *Field, v enrich.Value, index int) parquet.Value {
	level := 0
	if f.Group != "" { // groups are never null themselves
		level = 1
	}
	if v.IsNull() {
		return parquet.NullValue().Level(0, level, index)
	}
	var p parquet.Value
	switch f.Type {
	case enrich.Int:
		p = parquet.Int64Value(v.Int())
	case enrich.Float:
		p = parquet.DoubleValue(v.Float())
	case enrich.Bool:
		p = parquet.BooleanValue(v.Bool())
	case enrich.Bytes:
		p = parquet.ByteArrayValue(v.Bytes())
	default:
		p = parquet.ByteArrayValue([]byte(v.String()))
	}
	return p.Level(0, level+1, index)
}

// newParquetWriter returns a writer whose row groups end at each Flush.
func newParquetWriter(w io.Writer, schema *parquet.Schema) *parquet.GenericWriter[any] {
	return parquet.NewGenericWriter[any](w, schema,
		parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy("postgeo", "", ""),
		parquet.DataPageStatistics(true),
	)
}

// groupWriter writes columns in row groups.
type groupWriter struct {
	w     *parquet.GenericWriter[any]
	group *parquet.ConcurrentRowGroupWriter
	rows  int // of the row group
}

func (w *groupWriter) write(c *chunk) error {
	for i, column := range w.group.ColumnWriters() {
		if _, err := column.WriteRowValues(c.columns[i]); err != nil {
			return parquetWriteError(err)
		}
	}
	if w.rows += c.n; w.rows < groupRows && w.group.Size() < groupBytes {
		return nil
	}
	return w.commit()
}

func (w *groupWriter) commit() error {
	w.rows = 0
	_, err := w.group.Commit()
	return parquetWriteError(err)
}

func (w *groupWriter) flush() error { return nil }

func (w *groupWriter) finish() error {
	if err := w.commit(); err != nil {
		return err
	}
	return parquetWriteError(w.w.Close())
}

func (w *groupWriter) abandon() {}
