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
func parquetSchema(names []string, p *parquetSource, added []enrich.Column) (*parquet.Schema, error) {
	var columns []parquet.Field
	if p != nil {
		columns = p.file.Schema().Fields()
		names = nil
	}
	for _, name := range names {
		columns = append(columns, &column{nodeOf(enrich.String), name})
	}
	for _, c := range added {
		columns = append(columns, &column{nodeOf(c.Type), c.Name})
	}
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
	added []enrich.Column
}

func (e *parquetEncoder) render(dst []byte, _ []enrich.Value) []byte { return dst }

func (e *parquetEncoder) row(out *chunk, d decoder, a *result) error {
	if err := fits(d); err != nil {
		return err
	}
	row := make(parquet.Row, 0, e.width+len(a.values))
	if p, ok := d.(*parquetDecoder); ok {
		row = append(row, p.at...)
		for _, v := range p.at {
			if out.size += 8; v.Kind() == parquet.ByteArray {
				out.size += len(v.ByteArray())
			}
		}
	} else {
		for i := range e.width {
			row = append(row, parquetValue(out, enrich.String, d.value(i), i))
		}
	}
	for i, v := range a.values {
		row = append(row, parquetValue(out, e.added[i].Type, v, e.width+i))
	}
	out.rows = append(out.rows, row)
	out.n++
	return nil
}

func parquetValue(out *chunk, t enrich.Type, v enrich.Value, index int) parquet.Value {
	out.size += 8
	if v.IsNull() {
		return parquet.NullValue().Level(0, 0, index)
	}
	var p parquet.Value
	switch t {
	case enrich.Int:
		p = parquet.Int64Value(v.Int())
	case enrich.Float:
		p = parquet.DoubleValue(v.Float())
	case enrich.Bool:
		p = parquet.BooleanValue(v.Bool())
	case enrich.Bytes:
		b := v.Bytes()
		out.size += len(b)
		p = parquet.ByteArrayValue(b)
	default:
		text := v.String()
		out.size += len(text)
		p = parquet.ByteArrayValue([]byte(text))
	}
	return p.Level(0, 1, index)
}

// newParquetWriter returns a writer whose row groups end at each Flush.
func newParquetWriter(w io.Writer, schema *parquet.Schema) *parquet.GenericWriter[any] {
	return parquet.NewGenericWriter[any](w, schema,
		parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy("postgeo", "", ""),
		parquet.DataPageStatistics(true),
	)
}

// rowWriter writes rows.
type rowWriter struct {
	w           *parquet.GenericWriter[any]
	rows, bytes int // of the row group
}

func (w *rowWriter) write(c *chunk) error {
	if _, err := w.w.WriteRows(c.rows); err != nil {
		return parquetWriteError(err)
	}
	w.rows, w.bytes = w.rows+c.n, w.bytes+c.size
	if w.rows < groupRows && w.bytes < groupBytes {
		return nil
	}
	w.rows, w.bytes = 0, 0
	return parquetWriteError(w.w.Flush())
}

func (w *rowWriter) flush() error  { return nil }
func (w *rowWriter) finish() error { return parquetWriteError(w.w.Close()) }
func (w *rowWriter) abandon()      {}
