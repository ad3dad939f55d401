// Package output writes the results of commands in the formats of the --format
// flag: JSON as the server writes it, one JSON object per line, comma or tab
// separated values, and tables for people. Every format escapes hidden
// characters as \u001b, which leaves the values of JSON as they are.
package output

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/plain"
)

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

	// Grouped lets long upright items of a Table have a heading for values whose paths
	// begin alike, instead of whole paths.
	Grouped bool

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

// A Writer writes items one after the other, with hidden characters escaped, see
// package plain. It keeps at most a few hundred rows in memory. It is not safe
// for concurrent use.
type Writer struct {
	buf     *bufio.Writer
	sink    sink
	feature func(item any) Feature // GeoJSON only
}

// A sink writes items in one format. Close completes the output, also without items.
type sink interface {
	write(item []byte) error
	close() error
}

// NewWriter returns a writer of items to w.
func NewWriter(w io.Writer, o Options) *Writer {
	buf := bufio.NewWriterSize(plain.NewWriter(w), 1<<16)
	out := &Writer{buf: buf}
	switch o.Format {
	case JSON:
		out.sink = &jsonSink{w: buf, array: o.Array}
	case JSONL:
		out.sink = &lineSink{w: buf}
	case CSV:
		w := csv.NewWriter(buf)
		out.sink = &valueSink{columns: o.Columns, neutral: o.NeutralizeFormulas, line: w.Write, end: func() error { w.Flush(); return w.Error() }}
	case TSV:
		out.sink = &valueSink{columns: o.Columns, neutral: o.NeutralizeFormulas, line: tabLine(buf), end: func() error { return nil }}
	case Table:
		grid := &plainGrid{w: buf}
		if len(o.TableColumns) > 0 {
			grid.width = o.Width
		}
		out.sink = &tableSink{columns: o.TableColumns, format: Table, grid: grid, grouped: o.Grouped}
	case Markdown:
		out.sink = &tableSink{columns: o.TableColumns, format: Markdown, grid: &markdownGrid{w: buf}}
	case GeoJSON:
		out.feature = o.Feature
		out.sink = &collectionSink{w: buf}
	default:
		panic("output: format without a writer: " + o.Format.String())
	}
	return out
}

// Write adds an item, any value whose JSON is an object.
func (w *Writer) Write(item any) error {
	data, err := envelope.Marshal(item)
	if err != nil {
		return err
	}
	if w.feature != nil {
		data = appendFeature(nil, w.feature(item), data)
	}
	return w.sink.write(data)
}

// Flush writes buffered data to the underlying writer.
func (w *Writer) Flush() error { return w.buf.Flush() }

// Close ends the output and flushes it; it does not close the underlying
// writer.
func (w *Writer) Close() error {
	if err := w.sink.close(); err != nil {
		return err
	}
	return w.buf.Flush()
}

// jsonSink writes an item, or an array of items, and a line end.
type jsonSink struct {
	w     *bufio.Writer
	array bool
	n     int
}

func (s *jsonSink) write(item []byte) error {
	if s.array {
		if s.n == 0 {
			s.w.WriteByte('[')
		} else {
			s.w.WriteByte(',')
		}
	}
	s.n++
	_, err := s.w.Write(item)
	return err
}

func (s *jsonSink) close() error {
	switch {
	case s.array && s.n == 0:
		s.w.WriteString("[]\n")
	case s.array:
		s.w.WriteString("]\n")
	case s.n > 0:
		s.w.WriteByte('\n')
	}
	return nil
}

// lineSink writes one item a line.
type lineSink struct{ w *bufio.Writer }

func (s *lineSink) write(item []byte) error {
	s.w.Write(item)
	return s.w.WriteByte('\n')
}

func (s *lineSink) close() error { return nil }

// valueSink writes separated values, the header first.
type valueSink struct {
	columns []Column
	neutral bool // formulas become text
	line    func(cells []string) error
	end     func() error
	begun   bool
}

func (s *valueSink) cells(cells []string) error {
	if s.neutral {
		for i := range cells {
			cells[i] = plain.Formula(cells[i])
		}
	}
	return s.line(cells)
}

func (s *valueSink) begin() error {
	if s.begun {
		return nil
	}
	s.begun = true
	return s.cells(Headers(s.columns))
}

func (s *valueSink) write(item []byte) error {
	if err := s.begin(); err != nil {
		return err
	}
	fields, err := Flatten(item, true)
	if err != nil {
		return err
	}
	return s.cells(row(s.columns, fields))
}

func (s *valueSink) close() error {
	if err := s.begin(); err != nil {
		return err
	}
	return s.end()
}

// tabLine returns a function that writes cells with tabs between them.
func tabLine(w *bufio.Writer) func(cells []string) error {
	return func(cells []string) error {
		for i, c := range cells {
			cells[i] = plain.Line(c)
		}
		_, err := w.WriteString(strings.Join(cells, "\t") + "\n")
		return err
	}
}

// A Format is a way to write items.
type Format uint8

// The formats. The zero Format is invalid.
const (
	Table    Format = iota + 1 // aligned columns for a terminal
	JSON                       // the item, or an array of items
	JSONL                      // one item per line
	CSV                        // comma separated values with a header (RFC 4180, lines end in LF)
	TSV                        // tab separated values with a header; tabs and line ends in values become spaces
	Markdown                   // a table of GitHub Flavored Markdown; values are text, not markup
	GeoJSON                    // a feature collection (RFC 7946), an item a feature
)

var formatNames = [...]string{Table: "table", JSON: "json", JSONL: "jsonl", CSV: "csv", TSV: "tsv", Markdown: "markdown", GeoJSON: "geojson"}

// FormatNames lists the names of the formats, separated by commas.
func FormatNames() string { return strings.Join(formatNames[Table:], ",") }

// String returns the name that [ParseFormat] reads; "" for the zero Format.
func (f Format) String() string {
	if int(f) >= len(formatNames) {
		return ""
	}
	return formatNames[f]
}

// Text returns s as one line without markup for a page in Table or Markdown.
func (f Format) Text(s string) string {
	if f == Markdown {
		return plain.Markdown(s)
	}
	return plain.Line(s)
}

// ParseFormat reads the name of a format in any letter case.
func ParseFormat(s string) (Format, error) {
	for f := Table; f <= GeoJSON; f++ {
		if strings.EqualFold(s, formatNames[f]) {
			return f, nil
		}
	}
	return 0, fmt.Errorf("unknown format %q; expected one of %s", s, FormatNames())
}

// A Feature is the geometry of an item and its source.
type Feature struct {
	Geometry []byte // nil for none
	ID       string // "" for none
	Source   string // the file of the geometry; "" if it is not an area
}

// appendFeature appends a GeoJSON feature with the item as its properties.
func appendFeature(dst []byte, f Feature, item []byte) []byte {
	dst = append(dst, `{"type":"Feature",`...)
	if f.ID != "" {
		dst = envelope.AppendString(append(dst, `"id":`...), f.ID)
		dst = append(dst, ',')
	}
	dst = append(append(dst, `"properties":`...), item...)
	if f.Source != "" {
		dst = envelope.AppendString(append(dst, `,"source":`...), f.Source)
	}
	geometry := f.Geometry
	if geometry == nil {
		geometry = []byte("null")
	}
	dst = append(append(dst, `,"geometry":`...), geometry...)
	return append(dst, '}')
}

// collectionSink writes features as one collection, a feature a line.
type collectionSink struct {
	w *bufio.Writer
	n int
}

func (s *collectionSink) write(feature []byte) error {
	if s.n == 0 {
		s.begin()
	} else {
		s.w.WriteByte(',')
	}
	s.n++
	s.w.WriteByte('\n')
	_, err := s.w.Write(feature)
	return err
}

func (s *collectionSink) begin() {
	s.w.WriteString(`{"type":"FeatureCollection","features":[`)
}

func (s *collectionSink) close() error {
	if s.n == 0 {
		s.begin()
	}
	_, err := s.w.WriteString("\n]}\n")
	return err
}
