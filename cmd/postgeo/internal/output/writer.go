// Package output writes the results of commands in the formats of the --format
// flag: JSON as the server writes it, one JSON object per line, comma or tab
// separated values, and tables for people. Columns come from the fields of items. Every
// format escapes hidden characters as \u001b, which leaves the values of JSON as they
// are.
package output

import (
	"bufio"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/plain"
)

// A Format is a way to write items.
type Format string

// The formats.
const (
	Table    Format = "table"    // aligned columns for a terminal
	JSON     Format = "json"     // the item, or an array of items
	JSONL    Format = "jsonl"    // one item per line
	CSV      Format = "csv"      // comma separated values with a header (RFC 4180, lines end in LF)
	TSV      Format = "tsv"      // tab separated values with a header; tabs and line ends in values become spaces
	Markdown Format = "markdown" // a table of GitHub Flavored Markdown; values are text, not markup
	GeoJSON  Format = "geojson"  // a feature collection (RFC 7946), an item a feature
)

// Text returns s as one line without markup for a page in Table or Markdown.
func (f Format) Text(s string) string {
	if f == Markdown {
		return plain.Markdown(s)
	}
	return plain.Line(s)
}

// People reports whether people read the format.
func (f Format) People() bool { return f == Table || f == Markdown }

// Options configures a Writer.
type Options struct {
	Format Format

	// Array makes JSON an array even of one item. The other formats take any
	// number of items anyway.
	Array bool

	// Columns are the columns of CSV and TSV.
	Columns []Column

	// TableColumns are the columns of Table and Markdown. None means that an
	// item stands upright: one line per field, with its path and its value.
	TableColumns []Column

	// Width is the maximum number of characters in a line of a Table of several
	// items. Longer rows lose parts of their widest cells, except in the first
	// column. 0 means no limit.
	Width int

	// NeutralizeFormulas writes an apostrophe before cells of CSV and TSV that
	// a spreadsheet would take for formulas.
	NeutralizeFormulas bool

	// Feature returns the geometry of an item. GeoJSON requires it.
	Feature func(item any) Feature
}

// A Feature is the geometry of an item and its source.
type Feature struct {
	Geometry []byte // nil for none
	ID       string // "" for none
	Source   string // the file of the geometry; "" if it is not an area
}

// A Writer writes items one after the other, with hidden characters escaped, see
// package plain. It keeps at most a few hundred rows in memory. It is not safe
// for concurrent use.
//
// JSON is encoded as the server does, so that the item of a command equals that of a
// response. Cells are taken from the fields of an item by reflection, without encoding the
// item and decoding it again.
type Writer struct {
	Options
	buf    *bufio.Writer
	csv    *csv.Writer
	n      int               // items so far
	values map[string]string // of an item by path; kept to save allocations
	rows   [][]string        // of a table before the widths are known
	widths []int             // in characters
	drawn  bool              // the header of a table was written; rows follow at once
}

// NewWriter returns a writer of items to w.
func NewWriter(w io.Writer, o Options) *Writer {
	buf := bufio.NewWriterSize(plain.NewWriter(w), 1<<16)
	return &Writer{Options: o, buf: buf, csv: csv.NewWriter(buf), values: map[string]string{}}
}

// Write adds an item, any value whose JSON is an object.
func (w *Writer) Write(item any) error {
	first := w.n == 0
	w.n++
	switch w.Format {
	case Table, Markdown:
		return w.addRow(item)
	case CSV, TSV:
		if first {
			if err := w.separated(Headers(w.Columns)); err != nil {
				return err
			}
		}
		fields, err := Fields(item, true)
		if err != nil {
			return err
		}
		return w.separated(w.cells(w.Columns, fields))
	case JSON, JSONL, GeoJSON:
	}
	data, err := encode.Marshal(item)
	if err != nil {
		return err
	}
	switch {
	case w.Format == JSONL:
		data = append(data, '\n')
	case w.Format == GeoJSON:
		data = append([]byte{'\n'}, appendFeature(nil, w.Feature(item), data)...)
		fallthrough
	case w.Array:
		w.buf.WriteString(w.begin(first))
	}
	_, err = w.buf.Write(data)
	return err
}

// begin returns the text before an item of a list.
func (w *Writer) begin(first bool) string {
	switch {
	case !first:
		return ","
	case w.Format == GeoJSON:
		return `{"type":"FeatureCollection","features":[`
	default:
		return "["
	}
}

// Flush writes buffered data to the underlying writer.
func (w *Writer) Flush() error { return w.buf.Flush() }

// Close completes the output, also without items, and flushes it. It does not close the
// underlying writer.
func (w *Writer) Close() (err error) {
	none := w.n == 0
	if none && (w.Format == GeoJSON || w.Format == JSON && w.Array) {
		w.buf.WriteString(w.begin(true))
	}
	switch {
	case w.Format == Table || w.Format == Markdown:
		if !w.drawn && len(w.rows) > 0 {
			err = w.draw()
		}
	case none && (w.Format == CSV || w.Format == TSV):
		err = w.separated(Headers(w.Columns))
	case w.Format == GeoJSON:
		w.buf.WriteString("\n]}\n")
	case w.Format == JSON && w.Array:
		w.buf.WriteString("]\n")
	case w.Format == JSON && !none:
		w.buf.WriteByte('\n')
	}
	if err != nil {
		return err
	}
	return w.buf.Flush()
}

// separated writes a line of CSV or TSV.
func (w *Writer) separated(cells []string) error {
	for i, c := range cells {
		if w.NeutralizeFormulas {
			c = plain.Formula(c)
		}
		if w.Format == TSV {
			c = plain.Line(c)
		}
		cells[i] = c
	}
	if w.Format == TSV {
		_, err := w.buf.WriteString(strings.Join(cells, "\t") + "\n")
		return err
	}
	if err := w.csv.Write(cells); err != nil {
		return err
	}
	w.csv.Flush()
	return w.csv.Error()
}

// cells picks the values of columns out of the fields of an item.
func (w *Writer) cells(columns []Column, fields []Field) []string {
	clear(w.values)
	for _, f := range fields {
		w.values[f.Path] = f.Value
	}
	cells := make([]string, len(columns))
	for i, c := range columns {
		for _, p := range c.Paths {
			if v, ok := w.values[p]; ok {
				cells[i] = v
				break
			}
		}
	}
	return cells
}

// appendFeature appends a GeoJSON feature with the item as its properties.
func appendFeature(dst []byte, f Feature, item []byte) []byte {
	dst = append(dst, `{"type":"Feature",`...)
	if f.ID != "" {
		dst = encode.AppendString(append(dst, `"id":`...), f.ID)
		dst = append(dst, ',')
	}
	dst = append(append(dst, `"properties":`...), item...)
	if f.Source != "" {
		dst = encode.AppendString(append(dst, `,"source":`...), f.Source)
	}
	geometry := f.Geometry
	if geometry == nil {
		geometry = []byte("null")
	}
	dst = append(append(dst, `,"geometry":`...), geometry...)
	return append(dst, '}')
}

// widthRows is the number of rows that decide how wide the columns of a table
// are. Later rows are written as they come, and their longer cells move the columns after
// them: waiting for all rows would show nothing of a long table until its end.
const widthRows = 500

// addRow adds an item to a table: a row of cells, or rows of its fields.
func (w *Writer) addRow(item any) error {
	fields, err := Fields(item, false)
	if err != nil {
		return err
	}
	if len(w.TableColumns) > 0 {
		cells := w.texts(w.cells(w.TableColumns, fields))
		if w.drawn {
			return w.line(cells)
		}
		if w.rows = append(w.rows, cells); len(w.rows) < widthRows {
			return nil
		}
		return w.draw()
	}
	if w.n > 1 {
		w.rows = append(w.rows, []string{"", ""})
	}
	fields = slices.DeleteFunc(fields, func(f Field) bool { return f.Path == "success" })
	for _, f := range fields {
		w.rows = append(w.rows, w.texts([]string{f.Path, f.Value}))
	}
	return nil
}

// texts returns cells as they are drawn.
func (w *Writer) texts(cells []string) []string {
	for i := range cells {
		cells[i] = w.Format.Text(cells[i])
	}
	return cells
}

// draw writes the header and the rows so far of a table. A table for people has the
// header in capitals.
func (w *Writer) draw() error {
	header := []string{"field", "value"}
	if len(w.TableColumns) > 0 {
		header = Headers(w.TableColumns)
	}
	header = w.texts(header)
	w.widths = make([]int, len(header))
	for _, cells := range append([][]string{header}, w.rows...) {
		for i, c := range cells {
			w.widths[i] = max(w.widths[i], utf8.RuneCountInString(c))
		}
	}
	above := [][]string{header}
	if w.Format == Markdown {
		rule := make([]string, len(header))
		for i := range rule {
			rule[i] = strings.Repeat("-", max(3, w.widths[i]))
		}
		above = append(above, rule)
	} else {
		w.fit()
		for i := range header {
			header[i] = strings.ToUpper(header[i])
		}
	}
	for _, cells := range append(above, w.rows...) {
		if err := w.line(cells); err != nil {
			return err
		}
	}
	w.rows, w.drawn = nil, true
	return nil
}

// limited reports whether rows have a maximum width.
func (w *Writer) limited() bool {
	return w.Format == Table && w.Width > 0 && len(w.TableColumns) > 0
}

// fit narrows the widest columns, of equal ones the last first, until a row fits
// on a line. The first column identifies the row and keeps its width.
func (w *Writer) fit() {
	const least = 8 // of a narrowed column
	total := 2 * (len(w.widths) - 1)
	for _, width := range w.widths {
		total += width
	}
	for ; w.limited() && total > w.Width; total-- {
		widest := 0
		for i := 1; i < len(w.widths); i++ {
			if w.widths[i] > least && (widest == 0 || w.widths[i] >= w.widths[widest]) {
				widest = i
			}
		}
		if widest == 0 {
			return
		}
		w.widths[widest]--
	}
}

// line draws a row: in a table with two spaces between columns.
func (w *Writer) line(cells []string) error {
	last := len(cells) - 1
	for w.Format == Table && last >= 0 && cells[last] == "" {
		last--
	}
	for i, c := range cells[:last+1] {
		width := w.widths[i]
		if n := utf8.RuneCountInString(c); i > 0 && w.limited() && n > width {
			c = string([]rune(c)[:max(0, width-1)]) + "…"
		}
		space := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(c)))
		switch {
		case w.Format == Markdown:
			w.buf.WriteString("| " + c + space + " ")
		case i < last:
			w.buf.WriteString(c + space + "  ")
		default:
			w.buf.WriteString(c)
		}
	}
	if w.Format == Markdown {
		w.buf.WriteByte('|')
	}
	return w.buf.WriteByte('\n')
}
