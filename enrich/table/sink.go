package table

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/disk"
)

// Output are the options of writing. The zero value takes the format of the
// file's name, else that of the source.
type Output struct {
	Format Format
	// Status and Reason are the names of the last two columns; "" means
	// [enrich.StatusColumn] and [enrich.ReasonColumn].
	Status, Reason string
	// Key is the name of a column before these, such as [enrich.KeyColumn]. It has the
	// names of the columns that a row was looked up by. "" adds none.
	Key string
	// NeutralizeFormulas writes an apostrophe before every cell of CSV and TSV
	// that a spreadsheet would take for a formula, also in the source's columns.
	NeutralizeFormulas bool
	// Overwrite replaces an existing file.
	Overwrite bool
}

// A chunk is the output of a block of rows.
type chunk struct {
	text    []byte
	columns [][]parquet.Value
	n       int // rows
}

func (c *chunk) reset() {
	for i := range c.columns {
		c.columns[i] = c.columns[i][:0]
	}
	c.text, c.n = c.text[:0], 0
}

// An encoder writes rows for one goroutine.
type encoder interface {
	// render appends the cells of the added values to text; Parquet has columns.
	render(dst []byte, values []enrich.Value) []byte
	row(out *chunk, d decoder, a *result) error
}

// A target takes chunks in their order.
type target interface {
	write(c *chunk) error
	flush() error // lets the reader of a stream see the rows
	// finish ends the output.
	finish() error
	// abandon ends the output after an error.
	abandon()
}

// A Sink is a table to be written.
type Sink struct {
	target
	newEncoder func() encoder
	open       func(w io.Writer) (target, error)
	zipped     bool   // text is compressed
	keyed      bool   // with a column of the keys
	path       string // of a file, "" for a stream
}

// A row group of Parquet ends after as many rows or bytes.
const (
	groupRows  = 1 << 16
	groupBytes = 64 << 20
)

// Create prepares a table in a file. [Run] writes it under a temporary name in the same
// folder, and the file gets its name when it is complete. After an error there is no
// file. Only Run may use the Sink.
func Create(path string, src *Source, e *enrich.Enricher, opt Output) (*Sink, error) {
	if err := CheckName(path); err != nil {
		return nil, err
	}
	f, zipped, known := FormatOf(path)
	if opt.Format == 0 {
		if opt.Format = src.format; known {
			opt.Format = f
		}
	}
	added, err := addedColumns(src, e, &opt)
	if err != nil {
		return nil, err
	}
	s, err := newSink(src, added, &opt)
	if err != nil {
		return nil, err
	}
	s.path, s.zipped = path, zipped && !opt.Format.Binary()
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
	case src.file != nil && sameFile(info, src.file):
		return fmt.Errorf("table: %s is the input; write to another file", path)
	case !overwrite:
		return fmt.Errorf("table: %s: %w", path, fs.ErrExist)
	default:
		return nil
	}
}

func sameFile(info os.FileInfo, f *os.File) bool {
	other, err := f.Stat()
	return err == nil && os.SameFile(info, other)
}

// Stream prepares a table that is written to w, which is not closed.
func Stream(w io.Writer, src *Source, e *enrich.Enricher, opt Output) (*Sink, error) {
	opt.Format = cmp.Or(opt.Format, src.format)
	added, err := addedColumns(src, e, &opt)
	if err != nil {
		return nil, err
	}
	s, err := newSink(src, added, &opt)
	if err != nil {
		return nil, err
	}
	s.target, err = s.open(w)
	return s, err
}

// into runs write with the output open. A file is complete and durable after it.
func (s *Sink) into(write func() error) error {
	if s.path == "" {
		return s.through(write)
	}
	err := disk.Write(s.path, func(w io.Writer) (err error) {
		if s.target, err = s.open(w); err != nil {
			return err
		}
		return s.through(write)
	})
	return writeError(err)
}

func (s *Sink) through(write func() error) error {
	if err := write(); err != nil {
		s.abandon()
		return err
	}
	return s.finish()
}

// newSink prepares the encoder and what begins the output. The added columns follow the
// source's.
func newSink(src *Source, added []Field, opt *Output) (*Sink, error) {
	names := make([]string, len(added))
	for i := range added {
		names[i] = added[i].path()
	}
	if p, ok := src.source.(*parquetSource); ok && p.lists != "" && opt.Format != Parquet {
		return nil, fmt.Errorf("table: column %q has several values a row, which only Parquet can hold; write Parquet", p.lists)
	}
	s := &Sink{keyed: opt.Key != ""}
	width := len(src.names())
	var head []byte
	s.open = func(w io.Writer) (target, error) { return s.text(w, head) }
	switch opt.Format {
	case Parquet:
		if err := s.parquet(src, added); err != nil {
			return nil, err
		}
	case XLSX:
		if err := sheetWidth(width + len(added)); err != nil {
			return nil, err
		}
		shared := newSheetEncoder(src) // now, because another goroutine reads the rows later
		if !src.noHead {
			var err error
			if head, err = shared.head(src, names); err != nil {
				return nil, fmt.Errorf("table: the header: %w", err)
			}
		}
		s.newEncoder = func() encoder { e := *shared; return &e }
		s.open = func(w io.Writer) (target, error) { return newSheetTarget(w, src, head) }
	case NDJSON:
		if err := distinct(src.names()); err != nil {
			return nil, err
		}
		s.newEncoder = func() encoder { return newJSONEncoder(src.source, names) }
	default:
		first := csvEncoder{comma: opt.Format.comma(), same: src.format == opt.Format, columns: width, eol: "\n", safe: opt.NeutralizeFormulas}
		if c, ok := src.source.(*csvSource); ok {
			first.eol = c.shape.eol
			if first.same {
				first.comma = c.shape.comma
			}
		}
		if !src.noHead {
			head = first.head(src.source, names)
		}
		s.newEncoder = func() encoder {
			own := first
			return &own
		}
	}
	return s, nil
}

// parquet prepares an output of Parquet. The columns of Parquet keep their types.
func (s *Sink) parquet(src *Source, added []Field) error {
	p, _ := src.source.(*parquetSource)
	schema, err := parquetSchema(src.names(), p, added)
	s.newEncoder = func() encoder { return &parquetEncoder{width: len(src.names()), added: added} }
	s.open = func(w io.Writer) (target, error) {
		t := &groupWriter{w: newParquetWriter(w, schema)}
		t.group = t.w.BeginRowGroup()
		if p != nil { // other keys describe the columns of the file, and readers believe them
			if geo, ok := p.file.Lookup("geo"); ok {
				t.w.SetKeyValueMetadata("geo", geo)
			}
		}
		return t, nil
	}
	return err
}

// addedColumns returns the columns behind the source's. None may have the name
// of another.
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
	for _, o := range []struct{ option, name string }{
		{"Key", opt.Key}, {"Status", cmp.Or(opt.Status, enrich.StatusColumn)}, {"Reason", cmp.Or(opt.Reason, enrich.ReasonColumn)},
	} {
		if o.name == "" {
			continue
		}
		if taken[o.name] {
			failed.Names, failed.Options = append(failed.Names, o.name), append(failed.Options, o.option)
		}
		taken[o.name] = true
		added = append(added, Field{Name: o.name, Type: enrich.String})
	}
	if failed.Names != nil {
		return nil, &failed
	}
	return added, nil
}

// A ColumnError reports added columns whose names the table already has.
type ColumnError struct {
	Names   []string
	Path    string   // of the field; "" for status, reason and key
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

func distinct(names []string) error {
	seen := make(map[string]bool)
	for _, n := range names {
		if seen[n] {
			return fmt.Errorf("table: two columns are called %q; an object allows one", n)
		}
		seen[n] = true
	}
	return nil
}

// textTarget writes text.
type textTarget struct {
	*bufio.Writer
	zip *gzip.Writer // nil for plain text
}

// text begins a text with its header.
func (s *Sink) text(w io.Writer, head []byte) (target, error) {
	var t textTarget
	if s.zipped {
		t.zip = gzip.NewWriter(w)
		w = t.zip
	}
	t.Writer = bufio.NewWriterSize(w, 1<<16)
	_, err := t.Write(head)
	return t, writeError(err)
}

func (t textTarget) write(c *chunk) error {
	_, err := t.Write(c.text)
	return err
}

func (t textTarget) flush() error { return t.Flush() }
func (t textTarget) abandon()     { _ = t.Flush() } // keep the finished rows

func (t textTarget) finish() error {
	if err := t.Flush(); err != nil || t.zip == nil {
		return err
	}
	return t.zip.Close()
}

func parquetWriteError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("table: write Parquet: %w", err)
}
