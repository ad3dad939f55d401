package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
)

// Output are the options of writing. The zero value takes the format of the source.
type Output struct {
	Format Format
	// Status and Reason are the names of the last two columns; "" means
	// [enrich.StatusColumn] and [enrich.ReasonColumn].
	Status, Reason string
	// NeutralizeFormulas writes an apostrophe before every cell of CSV and TSV that a
	// spreadsheet would take for a formula, also in the source's columns.
	NeutralizeFormulas bool
}

// A Field is a column of a table that a [Writer] makes.
type Field struct {
	Name  string // of the column
	Type  enrich.Type
	Group string // Parquet only: adjacent columns with the same name form a group
}

// A chunk is the output of a block of rows.
type chunk struct {
	text    []byte
	columns [][]parquet.Value // of Parquet
	n       int               // rows
}

func (c *chunk) reset() {
	for i := range c.columns {
		c.columns[i] = c.columns[i][:0]
	}
	c.text, c.n = c.text[:0], 0
}

// An encoder renders rows in a format. Several goroutines share it.
type encoder interface {
	// cells appends the text of added values, which follow a row.
	cells(dst []byte, values []enrich.Value) ([]byte, error)
	row(c *chunk, r *row, a *result) error
	// begin begins the output.
	begin(w io.Writer) (target, error)
}

// A target takes chunks in their order.
type target struct {
	write    func(c *chunk) error
	finish   func() error
	metadata func(key, value string) // of Parquet, else nil
}

// newEncoder returns the encoder of a format. The added columns follow the source's.
func newEncoder(src *Source, added []Field, opt Output) (encoder, error) {
	if p, ok := src.source.(*parquetSource); ok && p.lists != "" && opt.Format != Parquet {
		return nil, fmt.Errorf("table: column %q has several values a row, which only Parquet can hold; write Parquet", p.lists)
	}
	names := make([]string, len(added))
	for i, f := range added {
		names[i] = strings.TrimPrefix(f.Group+"."+f.Name, ".")
	}
	var w *textWriter
	var err error
	switch opt.Format {
	case Parquet:
		return newParquetWriter(src, added)
	case XLSX:
		w, err = sheetWriter(src, len(added))
	case NDJSON:
		return jsonWriter(src, names)
	default:
		w = csvText(src, opt.Format, opt.NeutralizeFormulas)
	}
	if err == nil && !src.noHead {
		if err = w.setHeader(src.Header(), names); err != nil {
			err = fmt.Errorf("table: the header: %w", err)
		}
	}
	return w, err
}

// A textWriter renders rows of CSV, NDJSON and XLSX.
type textWriter struct {
	columns            int    // of the source
	open, between, end string // of a row
	// cell appends a value of a column: the source's, then the added ones.
	cell func(dst []byte, col int, v enrich.Value) ([]byte, error)
	// keep appends a row of the same format as it stands, without its end. It is nil for
	// sources of other formats.
	keep func(dst []byte, r *row) ([]byte, error)
	head []byte // the header; before setHeader that of the source as it stands
	to   func(w io.Writer) (target, error)
}

func (w *textWriter) cells(dst []byte, values []enrich.Value) (out []byte, err error) {
	for i, v := range values {
		if dst, err = w.cell(append(dst, w.between...), w.columns+i, v); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (w *textWriter) row(c *chunk, r *row, a *result) (err error) {
	end, some, further := w.end, w.columns > 0, 0
	switch {
	case w.keep != nil:
		c.text, err = w.keep(c.text, r)
		if len(r.eol) > 0 {
			end = string(r.eol)
		}
		switch w.open {
		case "": // CSV
			further = len(r.cells) - w.columns
		case "{":
			some = len(r.keys) > 0
		}
	case r != nil && r.misfit != nil:
		err = r.misfit
	default:
		c.text, err = w.fresh(c.text, func(i int) enrich.Value { return r.value(i) })
	}
	if err != nil {
		return err
	}
	c.text = w.after(c.text, a.cells, some)
	for ; further > 0; further-- { // cells that the header lacks
		c.text = append(append(c.text, w.between...), r.cells[len(r.cells)-further].raw...)
	}
	c.text = append(c.text, end...)
	c.n++
	return nil
}

// fresh appends the beginning and the columns of a row of another format.
func (w *textWriter) fresh(dst []byte, value func(col int) enrich.Value) (out []byte, err error) {
	dst = append(dst, w.open...)
	for i := range w.columns {
		if i > 0 {
			dst = append(dst, w.between...)
		}
		if dst, err = w.cell(dst, i, value(i)); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// after appends the added cells of a row, without what divides them from nothing.
func (w *textWriter) after(dst, cells []byte, some bool) []byte {
	if !some && len(cells) > 0 {
		cells = cells[len(w.between):]
	}
	return append(dst, cells...)
}

// setHeader completes the header with the names of the added columns.
func (w *textWriter) setHeader(names, added []string) (err error) {
	if w.head = slices.Clone(w.head); w.head == nil {
		if w.head, err = w.fresh(nil, func(col int) enrich.Value { return enrich.ValueOf(names[col]) }); err != nil {
			return err
		}
	}
	values := make([]enrich.Value, len(added))
	for i, name := range added {
		values[i] = enrich.ValueOf(name)
	}
	cells, err := w.cells(nil, values)
	w.head = append(w.after(w.head, cells, w.columns > 0), w.end...)
	return err
}

func (w *textWriter) begin(out io.Writer) (target, error) {
	if w.to != nil {
		return w.to(out)
	}
	_, err := out.Write(w.head)
	return target{
		write: func(c *chunk) error {
			_, err := out.Write(c.text)
			return err
		},
		finish: func() error { return nil },
	}, err
}

// addedColumns returns the columns behind the source's. None may have the name of
// another.
func addedColumns(src *Source, e *enrich.Enricher, opt *Output) ([]Field, error) {
	taken := make(map[string]bool)
	for _, name := range src.Header() {
		taken[name] = true
		if top, _, nested := strings.Cut(name, "."); nested && src.Format == Parquet {
			taken[top] = true
		}
	}
	var added []Field
	for _, c := range e.Columns() {
		if taken[c.Name] {
			return nil, &Error{Columns: []string{c.Name}, Reason: fmt.Sprintf("there is a column %q already, and none is overwritten; name the new one otherwise: NAME=%s", c.Name, c.Path)}
		}
		taken[c.Name] = true
		added = append(added, Field{Name: c.Name, Type: c.Type})
	}
	var failed Error
	for i, name := range []string{cmp.Or(opt.Status, enrich.StatusColumn), cmp.Or(opt.Reason, enrich.ReasonColumn)} {
		if taken[name] {
			failed.Columns, failed.Options = append(failed.Columns, name), append(failed.Options, []string{"Status", "Reason"}[i])
		}
		taken[name] = true
		added = append(added, Field{Name: name, Type: enrich.String})
	}
	if failed.Columns != nil {
		failed.Reason = fmt.Sprintf("the table has %s already; name the new columns otherwise (%s)", strings.Join(failed.Columns, ", "), strings.Join(failed.Options, ", "))
		return nil, &failed
	}
	return added, nil
}

// A Writer writes a new table row by row: CSV and TSV with a header, NDJSON, Parquet in
// row groups of 65,536 rows, or an Excel file. It is not safe for concurrent use.
type Writer struct {
	target
	encoder encoder
	width   int
	chunk   chunk
	cells   []byte
}

// noColumns is the source of a Writer, whose columns are all added.
type noColumns struct{ source }

func (noColumns) names() []string { return nil }

// NewWriter returns a Writer to w, which is not closed. The options name the format.
func NewWriter(w io.Writer, fields []Field, opt Output) (*Writer, error) {
	e, err := newEncoder(&Source{source: noColumns{}}, fields, opt)
	if err != nil {
		return nil, err
	}
	t := &Writer{encoder: e, width: len(fields)}
	t.target, err = e.begin(w)
	return t, err
}

// Write writes a row: a value for each field.
func (t *Writer) Write(values []enrich.Value) (err error) {
	if len(values) != t.width {
		return fmt.Errorf("table: a row of %d values; expected %d", len(values), t.width)
	}
	var a result
	if p, ok := t.encoder.(*parquetWriter); ok {
		a.values = p.values(values)
	} else if t.cells, err = t.encoder.cells(t.cells[:0], values); err != nil {
		return err
	}
	a.cells = t.cells
	if err := t.encoder.row(&t.chunk, nil, &a); err != nil {
		return err
	}
	if t.chunk.n < blockRows && len(t.chunk.text) < blockBytes {
		return nil
	}
	defer t.chunk.reset()
	return t.write(&t.chunk)
}

// SetMetadata adds a key to the footer of Parquet; other formats have none. It may be
// called until Close.
func (t *Writer) SetMetadata(key, value string) {
	if t.metadata != nil {
		t.metadata(key, value)
	}
}

// Close ends the table.
func (t *Writer) Close() error {
	if t.chunk.n > 0 {
		if err := t.write(&t.chunk); err != nil {
			return err
		}
	}
	return t.finish()
}
