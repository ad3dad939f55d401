package table

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
)

// A Field is a column of a table that a [Writer] makes.
type Field struct {
	Name  string
	Type  enrich.Type
	Group string // Parquet only: adjacent columns with the same name form a group
}

// path returns the field's name with its group's before it.
func (f *Field) path() string {
	if f.Group == "" {
		return f.Name
	}
	return f.Group + "." + f.Name
}

// A Writer writes a new table row by row: CSV and TSV with a header, NDJSON,
// Parquet in row groups of 65,536 rows, or an Excel file. It is not safe for concurrent use.
type Writer struct {
	target
	encoder encoder
	width   int
	chunk   chunk
	cells   []byte
}

// noColumns is the source of a Writer, whose columns are all added.
type noColumns struct{}

func (noColumns) names() []string   { return nil }
func (noColumns) read(*block) error { return io.EOF }
func (noColumns) decoder() decoder  { return nil }

// NewWriter returns a Writer of the format to w, which is not closed.
func NewWriter(w io.Writer, f Format, fields []Field) (*Writer, error) {
	s, err := newSink(&Source{source: noColumns{}}, fields, &Output{Format: f})
	if err != nil {
		return nil, err
	}
	t := &Writer{encoder: s.newEncoder(), width: len(fields)}
	t.target, err = s.open(w)
	return t, err
}

// NeutralizeFormulas writes an apostrophe before every cell of CSV and TSV that
// a spreadsheet would take for a formula. It has no effect on other formats. It
// must be called before the first Write.
func (t *Writer) NeutralizeFormulas() {
	if e, ok := t.encoder.(*csvEncoder); ok {
		e.safe = true
	}
}

// Write writes a row: a value for each field.
func (t *Writer) Write(values []enrich.Value) error {
	if len(values) != t.width {
		return fmt.Errorf("table: a row of %d values; expected %d", len(values), t.width)
	}
	var a result
	if p, ok := t.encoder.(*parquetEncoder); ok {
		a.values = p.values(values)
	} else {
		t.cells = t.encoder.render(t.cells[:0], values)
		a.cells = t.cells
	}
	if err := t.encoder.row(&t.chunk, nil, &a); err != nil {
		return err
	}
	if t.chunk.n < blockRows && len(t.chunk.text) < blockBytes {
		return nil
	}
	return t.flushRows()
}

func (t *Writer) flushRows() error {
	if t.chunk.n == 0 {
		return nil
	}
	defer t.chunk.reset()
	return t.write(&t.chunk)
}

// SetMetadata adds a key to the footer of Parquet; other formats have none. It
// may be called until Close.
func (t *Writer) SetMetadata(key, value string) {
	if g, ok := t.target.(*groupWriter); ok {
		g.w.SetKeyValueMetadata(key, value)
	}
}

// Close ends the table.
func (t *Writer) Close() error {
	if err := t.flushRows(); err != nil {
		return err
	}
	return t.finish()
}

// nodesOf returns the columns of fields in a Parquet schema.
func nodesOf(fields []Field) []parquet.Field {
	var all []parquet.Field
	for i := 0; i < len(fields); i++ {
		f := &fields[i]
		if f.Group == "" {
			all = append(all, &column{nodeOf(f.Type), f.Name})
			continue
		}
		var inner []parquet.Field
		for ; i < len(fields) && fields[i].Group == f.Group; i++ {
			inner = append(inner, &column{nodeOf(fields[i].Type), fields[i].Name})
		}
		i--
		all = append(all, &column{parquet.Optional(newGroup(inner)), f.Group})
	}
	return all
}
