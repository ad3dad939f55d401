package table

import (
	"bufio"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/xlsx"
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
	fields []Field
	line   chunk
	text   *bufio.Writer
	csv    *csvEncoder // nil for NDJSON
	headed bool        // CSV has its header
	keys   []string    // of NDJSON, with quotes and colon
	pq     *parquet.GenericWriter[any]
	n      int          // rows of the row group
	sheet  *xlsx.Writer // of an Excel file; its rows are written by row
	row    sheetEncoder
}

// NewWriter returns a Writer of the format to w, which is not closed.
func NewWriter(w io.Writer, f Format, fields []Field) (*Writer, error) {
	t := &Writer{fields: fields}
	if f == Parquet {
		t.pq = newParquetWriter(w, parquet.NewSchema("rows", newGroup(nodesOf(fields))))
		return t, nil
	}
	t.text = bufio.NewWriterSize(w, 1<<16)
	if f == XLSX {
		err := t.openSheet()
		return t, err
	}
	if f == NDJSON {
		for i := range fields {
			t.keys = append(t.keys, string(append(envelope.AppendString(nil, fields[i].path()), ':')))
		}
		return t, nil
	}
	t.csv = &csvEncoder{comma: f.comma()}
	return t, nil
}

// NeutralizeFormulas writes an apostrophe before every cell of CSV and TSV that
// a spreadsheet would take for a formula. It has no effect on other formats. It
// must be called before the first Write.
func (t *Writer) NeutralizeFormulas() {
	if t.csv != nil {
		t.csv.safe = true
	}
}

// head writes the header of CSV, once.
func (t *Writer) head() error {
	if t.csv == nil || t.headed {
		return nil
	}
	t.headed = true
	var head []byte
	for i := range t.fields {
		if i > 0 {
			head = append(head, t.csv.comma)
		}
		head = t.csv.text(head, t.fields[i].path())
	}
	_, err := t.text.Write(append(head, '\n'))
	return err
}

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

// Write writes a row: a value for each field.
func (t *Writer) Write(values []enrich.Value) error {
	if len(values) != len(t.fields) {
		return fmt.Errorf("table: a row of %d values; expected %d", len(values), len(t.fields))
	}
	if t.pq != nil {
		return t.parquet(values)
	}
	if t.sheet != nil {
		return t.sheetRow(values)
	}
	if err := t.head(); err != nil {
		return err
	}
	dst := t.line.text[:0]
	if t.csv == nil {
		dst = append(dst, '{')
	}
	for i, v := range values {
		if i > 0 {
			dst = append(dst, t.comma())
		}
		if t.csv != nil {
			dst = t.csv.added(dst, v)
		} else {
			dst = appendJSON(append(dst, t.keys[i]...), v)
		}
	}
	if t.csv == nil {
		dst = append(dst, '}')
	}
	dst = append(dst, '\n')
	t.line.text = dst
	_, err := t.text.Write(t.line.text)
	return err
}

func (t *Writer) comma() byte {
	if t.csv != nil {
		return t.csv.comma
	}
	return ','
}

// openSheet begins an Excel file with a header.
func (t *Writer) openSheet() (err error) {
	if err := sheetWidth(len(t.fields)); err != nil {
		return err
	}
	if t.sheet, err = xlsx.Create(t.text, "Sheet1"); err != nil {
		return fmt.Errorf("table: write the Excel file: %w", err)
	}
	names := make([]enrich.Value, len(t.fields))
	for i := range t.fields {
		names[i] = enrich.StringValue(t.fields[i].path())
	}
	return t.sheetRow(names)
}

func (t *Writer) sheetRow(values []enrich.Value) error {
	if t.n++; t.n > xlsx.MaxRows {
		return fmt.Errorf("table: %w", xlsx.ErrRows)
	}
	dst := t.row.render(append(t.line.text[:0], "<row>"...), values)
	t.line.text = t.row.end(dst)
	_, err := t.sheet.Write(t.line.text)
	return err
}

func (t *Writer) parquet(values []enrich.Value) error {
	row := make(parquet.Row, 0, len(values))
	for i, v := range values {
		cell := parquetValue(t.fields[i].Type, v, i)
		if t.fields[i].Group != "" { // groups are never null themselves
			cell = cell.Level(0, 1+cell.DefinitionLevel(), i)
		}
		row = append(row, cell)
	}
	if _, err := t.pq.WriteRows([]parquet.Row{row}); err != nil {
		return fmt.Errorf("table: write Parquet: %w", err)
	}
	if t.n++; t.n%groupRows == 0 {
		return t.pq.Flush()
	}
	return nil
}

// SetMetadata adds a key to the footer of Parquet; other formats have none. It
// may be called until Close.
func (t *Writer) SetMetadata(key, value string) {
	if t.pq != nil {
		t.pq.SetKeyValueMetadata(key, value)
	}
}

// Close ends the table.
func (t *Writer) Close() error {
	if t.pq != nil {
		return t.pq.Close()
	}
	if t.sheet != nil {
		if err := t.sheet.Close(); err != nil {
			return fmt.Errorf("table: write the Excel file: %w", err)
		}
	}
	if err := t.head(); err != nil {
		return err
	}
	return t.text.Flush()
}
