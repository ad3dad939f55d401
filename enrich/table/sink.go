package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// Output are the options of writing. The zero value takes the format of the file's name,
// else that of the source.
type Output struct {
	Format Format
	// Status and Reason are the names of the last two columns; "" means
	// [enrich.StatusColumn] and [enrich.ReasonColumn].
	Status, Reason string
	// NeutralizeFormulas writes an apostrophe before every cell of CSV and TSV that a
	// spreadsheet would take for a formula, also in the source's columns.
	NeutralizeFormulas bool
	// Overwrite replaces an existing file.
	Overwrite bool
}

// A Sink is a table to be written.
type Sink struct {
	target
	writer writer
	open   func(w io.Writer) (target, error)
	path   string // of a file, "" for a stream
}

// Create prepares a table in a file. [Run] writes it under a temporary name in the same
// folder, and the file gets its name when it is complete. After an error there is no
// file. Only Run may use the Sink.
func Create(path string, src *Source, e *enrich.Enricher, opt Output) (*Sink, error) {
	if err := CheckName(path); err != nil {
		return nil, err
	}
	f, zipped, _ := FormatOf(path)
	opt.Format = cmp.Or(opt.Format, f, src.format)
	s, err := newSink(src, e, opt, zipped)
	if err != nil {
		return nil, err
	}
	s.path = path
	return s, checkPlace(path, src, opt.Overwrite)
}

// checkPlace refuses a path that the output must not replace.
func checkPlace(path string, src *Source, overwrite bool) error {
	if path == "" {
		return errors.New("table: the name of the output is empty; expected that of a file")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("table: %w", err)
	case info.IsDir():
		return fmt.Errorf("table: %w", &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR})
	case !info.Mode().IsRegular():
		return fmt.Errorf("table: %s is a device or a pipe, which no file can take the place of; write to a stream", path)
	}
	if src.file != nil {
		if in, err := src.file.Stat(); err == nil && os.SameFile(info, in) {
			return fmt.Errorf("table: %s is the input; write to another file", path)
		}
	}
	if !overwrite {
		return fmt.Errorf("table: %s: %w", path, fs.ErrExist)
	}
	return nil
}

// Stream prepares a table that is written to w, which is not closed.
func Stream(w io.Writer, src *Source, e *enrich.Enricher, opt Output) (*Sink, error) {
	opt.Format = cmp.Or(opt.Format, src.format)
	s, err := newSink(src, e, opt, false)
	if err == nil {
		s.target, err = s.open(w)
	}
	return s, err
}

func newSink(src *Source, e *enrich.Enricher, opt Output, zipped bool) (*Sink, error) {
	added, err := addedColumns(src, e, &opt)
	if err != nil {
		return nil, err
	}
	s := &Sink{}
	s.writer, s.open, err = output(src, added, opt, zipped)
	return s, err
}

// into runs write with the output open. A file is complete and durable after it.
func (s *Sink) into(write func() error) error {
	through := func() error {
		if err := write(); err != nil {
			_ = s.flush() // keep the finished rows
			return err
		}
		return s.finish()
	}
	if s.path == "" {
		return through()
	}
	return writeError(disk.Write(s.path, func(w io.Writer) (err error) {
		if s.target, err = s.open(w); err != nil {
			return err
		}
		return through()
	}))
}

func writeError(err error) error {
	if err == nil || strings.HasPrefix(err.Error(), "table: ") || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("table: write: %w", err)
}

// output returns the writer of a format, and what begins the output. The added columns
// follow the source's.
func output(src *Source, added []Field, opt Output, zipped bool) (writer, func(io.Writer) (target, error), error) {
	if p, ok := src.source.(*parquetSource); ok && p.lists != "" && opt.Format != Parquet {
		return nil, nil, fmt.Errorf("table: column %q has several values a row, which only Parquet can hold; write Parquet", p.lists)
	}
	names := make([]string, len(added))
	for i, f := range added {
		names[i] = strings.TrimPrefix(f.Group+"."+f.Name, ".")
	}
	width := len(src.Header())
	var w *textWriter
	switch opt.Format {
	case Parquet:
		open, err := parquetTarget(src, added)
		return &parquetWriter{width, added}, open, err
	case XLSX:
		if n := width + len(added); n > xlsx.MaxColumns {
			return nil, nil, fmt.Errorf("table: %d columns; a sheet of an Excel file has at most %d", n, xlsx.MaxColumns)
		}
		w = sheetWriter(src)
	case NDJSON:
		seen := make(map[string]bool)
		for _, n := range src.Header() {
			if seen[n] {
				return nil, nil, fmt.Errorf("table: two columns are called %q; an object allows one", n)
			}
			seen[n] = true
		}
		w = jsonWriter(src, names)
	default:
		w = csvText(src, opt.Format, opt.NeutralizeFormulas)
	}
	var head []byte // now, because another goroutine reads the rows later
	if opt.Format != NDJSON && !src.noHead {
		var err error
		if head, err = w.header(src.Header(), names); err != nil {
			return nil, nil, fmt.Errorf("table: the header: %w", err)
		}
	}
	return w, func(out io.Writer) (target, error) {
		if opt.Format == XLSX {
			return sheetTarget(out, src, head)
		}
		return textTarget(out, head, zipped)
	}, nil
}

// addedColumns returns the columns behind the source's. None may have the name of
// another.
func addedColumns(src *Source, e *enrich.Enricher, opt *Output) ([]Field, error) {
	taken := make(map[string]bool)
	for _, name := range src.Header() {
		taken[name] = true
		if top, _, nested := strings.Cut(name, "."); nested && src.format == Parquet {
			taken[top] = true
		}
	}
	var added []Field
	for _, c := range e.Columns() {
		if taken[c.Name] {
			return nil, &ColumnError{Names: []string{c.Name}, Path: c.Path}
		}
		taken[c.Name] = true
		added = append(added, Field{Name: c.Name, Type: c.Type})
	}
	var failed ColumnError
	for i, name := range []string{cmp.Or(opt.Status, enrich.StatusColumn), cmp.Or(opt.Reason, enrich.ReasonColumn)} {
		if taken[name] {
			failed.Names, failed.Options = append(failed.Names, name), append(failed.Options, []string{"Status", "Reason"}[i])
		}
		taken[name] = true
		added = append(added, Field{Name: name, Type: enrich.String})
	}
	if failed.Names != nil {
		return nil, &failed
	}
	return added, nil
}

// A ColumnError reports added columns whose names the table already has.
type ColumnError struct {
	Names   []string
	Path    string   // of the field; "" for status and reason
	Options []string // of [Output] that name the columns; nil for a field
}

// Error suggests another name for the columns.
func (e *ColumnError) Error() string {
	names := strings.Join(e.Names, ", ")
	if e.Path == "" {
		return fmt.Sprintf("table: the table has %s already; name the new columns otherwise (%s)", names, strings.Join(e.Options, ", "))
	}
	return fmt.Sprintf("table: there is a column %q already, and none is overwritten; name the new one otherwise: NAME=%s", names, e.Path)
}

// A Field is a column of a table that a [Writer] makes.
type Field struct {
	Name  string
	Type  enrich.Type
	Group string // Parquet only: adjacent columns with the same name form a group
}

// A Writer writes a new table row by row: CSV and TSV with a header, NDJSON, Parquet in
// row groups of 65,536 rows, or an Excel file. It is not safe for concurrent use.
type Writer struct {
	target
	writer writer
	width  int
	chunk  chunk
	cells  []byte
}

// noColumns is the source of a Writer, whose columns are all added.
type noColumns struct{ source }

func (noColumns) names() []string { return nil }

// NewWriter returns a Writer of the format to w, which is not closed.
func NewWriter(w io.Writer, f Format, fields []Field) (*Writer, error) {
	rows, open, err := output(&Source{source: noColumns{}}, fields, Output{Format: f}, false)
	if err != nil {
		return nil, err
	}
	t := &Writer{writer: rows, width: len(fields)}
	t.target, err = open(w)
	return t, err
}

// NeutralizeFormulas writes an apostrophe before every cell of CSV and TSV that a
// spreadsheet would take for a formula. It has no effect on other formats. It must be
// called before the first Write.
func (t *Writer) NeutralizeFormulas() {
	if w, ok := t.writer.(*textWriter); ok && w.csv != nil {
		w.csv.safe = true
	}
}

// Write writes a row: a value for each field.
func (t *Writer) Write(values []enrich.Value) (err error) {
	if len(values) != t.width {
		return fmt.Errorf("table: a row of %d values; expected %d", len(values), t.width)
	}
	var a result
	if p, ok := t.writer.(*parquetWriter); ok {
		a.values = p.values(values)
	} else if t.cells, err = t.writer.cells(t.cells[:0], values); err != nil {
		return err
	}
	a.cells = t.cells
	if err := t.writer.row(&t.chunk, nil, &a); err != nil {
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
