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

// An encoder makes the bytes of a block in a worker, so that the one goroutine that writes
// only copies them. In CSV, TSV, NDJSON and XLSX a row has three pieces: the row of the
// source, kept in the same format or else rendered anew, the added cells, and an end.
// textWriter has these pieces as functions and texts. Parquet is written by columns and has
// an encoder of its own.
//
// Added cells are rendered once for each result, not for each row: see run.go.

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
	block   *block            // has the source's columns instead, if it is Parquet too; else nil
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
	// render returns added values, which follow a row: text behind dst, or values of Parquet.
	render(dst []byte, values []enrich.Value) ([]byte, []parquet.Value, error)
	// row appends a row with rendered values to a chunk. A row that fails may leave a part of
	// it in the text, but is not counted; the run then ends.
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
	// Cells of text would show the first value of a list only.
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
		err = w.setHeader(src.Header(), names)
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
	keep  func(dst []byte, r *row) ([]byte, error)
	named *row   // the header of a source of the same format
	head  []byte // text before the header, later with it
	to    func(w io.Writer) (target, error)
}

func (w *textWriter) render(dst []byte, values []enrich.Value) (out []byte, none []parquet.Value, err error) {
	for i, v := range values {
		if dst, err = w.cell(append(dst, w.between...), w.columns+i, v); err != nil {
			break
		}
	}
	return dst, nil, err
}

func (w *textWriter) row(c *chunk, r *row, a *result) (err error) {
	end, some, further := w.end, w.columns > 0, 0
	switch {
	case w.keep != nil:
		if c.text, err = w.keep(c.text, r); err != nil {
			return err
		}
		if len(r.eol) > 0 {
			end = string(r.eol)
		}
		switch w.open {
		case "": // CSV
			further = len(r.cells) - w.columns
		case "{":
			some = len(r.keys) > 0
		}
	case r.misfit != nil: // checked here and not by parse, because NDJSON can keep such rows
		return r.misfit
	default:
		c.text = append(c.text, w.open...)
		for i := range w.columns {
			if i > 0 {
				c.text = append(c.text, w.between...)
			}
			if c.text, err = w.cell(c.text, i, r.value(i)); err != nil {
				return err
			}
		}
	}
	cells := a.cells
	if !some && len(cells) > 0 { // the row is empty, as {} in NDJSON, so no separator goes first
		cells = cells[len(w.between):]
	}
	c.text = append(c.text, cells...)
	for ; further > 0; further-- { // cells that the header lacks, so that added cells stay below their names
		c.text = append(append(c.text, w.between...), r.cells[len(r.cells)-further].raw...)
	}
	c.text = append(c.text, end...)
	c.n++
	return nil
}

// setHeader makes the header, which is a row of names.
func (w *textWriter) setHeader(names, added []string) error {
	r := w.named
	if r == nil {
		r = new(row)
		for _, name := range names {
			r.cells = append(r.cells, cell{raw: []byte(name)})
		}
	}
	values := make([]enrich.Value, len(added))
	for i, name := range added {
		values[i] = enrich.ValueOf(name)
	}
	cells, _, err := w.render(nil, values)
	c := chunk{text: slices.Clone(w.head)}
	if err == nil {
		err = w.row(&c, r, &result{cells: cells})
	}
	if w.head = c.text; err != nil {
		return fmt.Errorf("table: the header: %w", err)
	}
	return nil
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
			taken[top] = true // the group, of which the header has only the columns
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
	row     row // without columns
	added   result
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
	a := &t.added
	if a.cells, a.values, err = t.encoder.render(a.cells[:0], values); err != nil {
		return err
	}
	if err := t.encoder.row(&t.chunk, &t.row, a); err != nil {
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
