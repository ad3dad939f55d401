package table

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"

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
	// RowGroup is the maximum number of rows in a row group of Parquet; 0 means
	// 65,536. Row groups of more than 64 MB have fewer rows. A table from Parquet
	// keeps its row groups.
	RowGroup int
	// Overwrite replaces a file that exists, and gives up an unfinished run.
	Overwrite bool
	// Resume continues an unfinished run from its last checkpoint on disk. If
	// none exists, the run starts from the beginning.
	Resume bool

	disk disk.Disk // nil is the operating system's
}

// A chunk is the output of a block of rows.
type chunk struct {
	text []byte
	rows []parquet.Row
	n    int // rows
	size int // of Parquet rows in bytes, about

	results []uint32     // numbers of results, in place of rows
	table   *columnTable // that numbers them
	group   int          // row group of the source
	last    bool         // the rows end it
}

func (c *chunk) reset() {
	clear(c.rows) // their values are the collector's
	c.text, c.rows, c.results, c.n, c.size = c.text[:0], c.rows[:0], c.results[:0], 0, 0
}

// bytes returns about how many bytes the chunk has.
func (c *chunk) bytes() int { return len(c.text) + c.size }

// An encoder writes rows for one goroutine.
type encoder interface {
	// render appends the cells of the added values to text; Parquet has none.
	render(dst []byte, values []enrich.Value) []byte
	row(out *chunk, d decoder, a *result) error
}

// A target takes chunks in their order.
type target interface {
	write(c *chunk) error
	// mark ends a segment. It makes everything durable and returns the length of
	// the output, -1 for a stream, which is never durable.
	mark() (int64, error)
	// finish ends the output, which then has its name.
	finish() error
	// abandon leaves the output as it is.
	abandon()
}

// A Sink is a table to be written.
type Sink struct {
	target
	newEncoder func() encoder
	zipped     bool  // every chunk becomes a gzip member
	group      int64 // rows of a row group, 0 for text
	added      int   // columns of Parquet that are added to a copy, else 0
	keyed      bool  // with a column of the keys
	resumed    *checkpoint
	state      checkpoint // what stays the same in all checkpoints
	path       string     // of a file, "" for a stream
	disk       disk.Disk  // that it is on
}

// A row group of Parquet ends after as many rows or bytes.
const (
	groupRows  = 1 << 16
	groupBytes = 64 << 20
)

// Stream writes a table to w, which is not closed. It cannot be resumed.
func Stream(w io.Writer, src *Source, e *enrich.Enricher, opt Output) (*Sink, error) {
	opt.Format = cmp.Or(opt.Format, src.format)
	s, head, open, err := newSink(src, e, &opt)
	if err != nil {
		return nil, err
	}
	if open != nil {
		part, err := open(w)
		s.target = &parquetStream{part}
		return s, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if opt.Format == XLSX {
		rows, err := src.newSheet(out)
		if err != nil {
			return nil, err
		}
		s.target = &sheetStream{out: out, w: rows}
		err = s.write(&chunk{text: head})
		return s, err
	}
	if _, err := out.Write(head); err != nil {
		return nil, fmt.Errorf("table: write: %w", err)
	}
	s.target = &textStream{out}
	return s, nil
}

// newSink prepares the encoder, and the header of text or the writer of Parquet.
func newSink(src *Source, e *enrich.Enricher, opt *Output) (s *Sink, head []byte, open partOpener, err error) {
	added, err := addedColumns(src, e, opt)
	if err != nil {
		return nil, nil, nil, err
	}
	names := make([]string, len(added))
	for i, c := range added {
		names[i] = c.Name
	}
	if p, ok := src.source.(*parquetSource); ok && p.lists != "" && opt.Format != Parquet {
		return nil, nil, nil, fmt.Errorf("table: column %q has several values a row, which only Parquet can hold; write Parquet", p.lists)
	}
	s = &Sink{keyed: opt.Key != ""}
	width := len(src.names())
	switch opt.Format {
	case Parquet:
		if open, err = s.parquet(src, added, opt.RowGroup); err != nil {
			return nil, nil, nil, err
		}
	case XLSX:
		if err := sheetWidth(width + len(added)); err != nil {
			return nil, nil, nil, err
		}
		if !src.noHead {
			if head, err = newSheetEncoder(src).head(src, names); err != nil {
				return nil, nil, nil, fmt.Errorf("table: the header: %w", err)
			}
		}
		s.newEncoder = func() encoder { return newSheetEncoder(src) }
	case NDJSON:
		if err := distinct(src.names()); err != nil {
			return nil, nil, nil, err
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
	return s, head, open, nil
}

// parquet prepares the encoder of Parquet and returns what opens its writers. The
// columns of Parquet are copied.
func (s *Sink) parquet(src *Source, added []enrich.Column, rowGroup int) (partOpener, error) {
	if p, ok := src.source.(*parquetSource); ok {
		s.added = len(added)
		s.newEncoder = func() encoder { return &columnEncoder{added: added} }
		open := func(w io.Writer) (partWriter, error) { return newColumnWriter(w, p.file, added) }
		return open, p.byGroups()
	}
	schema, err := parquetSchema(src.names(), added)
	if err != nil {
		return nil, err
	}
	if s.group = int64(rowGroup); s.group <= 0 {
		s.group = groupRows
	}
	s.newEncoder = func() encoder { return &parquetEncoder{len(src.names()), added} }
	return func(w io.Writer) (partWriter, error) { return &rowWriter{newParquetWriter(w, schema)}, nil }, nil
}

// addedColumns returns the columns behind the source's. None may have the name
// of another.
func addedColumns(src *Source, e *enrich.Enricher, opt *Output) ([]enrich.Column, error) {
	opt.Status = cmp.Or(opt.Status, enrich.StatusColumn)
	opt.Reason = cmp.Or(opt.Reason, enrich.ReasonColumn)
	added := slices.Clone(e.Columns())
	if opt.Key != "" {
		added = append(added, enrich.Column{Name: opt.Key, Type: enrich.String})
	}
	added = append(added, enrich.Column{Name: opt.Status, Type: enrich.String}, enrich.Column{Name: opt.Reason, Type: enrich.String})
	taken := make(map[string]bool)
	for _, name := range src.Header() {
		taken[name] = true
		if top, _, nested := strings.Cut(name, "."); nested && src.format == Parquet {
			taken[top] = true
		}
	}
	for _, c := range added {
		if taken[c.Name] {
			return nil, &ColumnError{c.Name, c.Path}
		}
		taken[c.Name] = true
	}
	return added, nil
}

// A ColumnError reports an added column whose name the table already has.
type ColumnError struct {
	Name string
	Path string // of the field; "" for status, reason and key
}

// Error suggests another name for the column.
func (e *ColumnError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("table: there is a column %q already; name the one of status, reason or key otherwise", e.Name)
	}
	return fmt.Sprintf("table: there is a column %q already, and none is overwritten; name the new one otherwise: NAME=%s", e.Name, e.Path)
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

// textStream writes text to a stream.
type textStream struct{ w *bufio.Writer }

func (t *textStream) write(c *chunk) error {
	_, err := t.w.Write(c.text)
	return err
}
func (t *textStream) mark() (int64, error) { return -1, t.w.Flush() }
func (t *textStream) finish() error        { return t.w.Flush() }
func (t *textStream) abandon()             { _ = t.w.Flush() } // keep the finished rows

// parquetStream writes Parquet to a stream.
type parquetStream struct{ w partWriter }

func (p *parquetStream) write(c *chunk) error { return parquetWriteError(p.w.write(c)) }
func (p *parquetStream) mark() (int64, error) { return -1, parquetWriteError(p.w.flush()) }
func (p *parquetStream) finish() error        { return parquetWriteError(p.w.close()) }
func (p *parquetStream) abandon()             { p.w.abandon() }

func parquetWriteError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("table: write Parquet: %w", err)
}

// textFile writes text to a file.
type textFile struct {
	*partial
	out *bufio.Writer
}

func (t *textFile) write(c *chunk) error {
	_, err := t.out.Write(c.text)
	return err
}

func (t *textFile) mark() (int64, error) {
	if err := t.out.Flush(); err != nil {
		return 0, err
	}
	if err := t.file.Sync(); err != nil {
		return 0, err
	}
	return t.file.Size()
}

func (t *textFile) finish() error {
	if err := t.out.Flush(); err != nil {
		return err
	}
	return t.partial.finish()
}

// abandon keeps the finished rows in the file. A run that continues with it cuts
// off the rows after the last checkpoint.
func (t *textFile) abandon() {
	_ = t.out.Flush() // the run has an error already
	t.partial.abandon()
}

// A zipper makes a gzip member of a text. Compressed output is a member for
// each block, so that all processors compress.
type zipper struct {
	out bytes.Buffer
	zip *gzip.Writer
}

// zipLevel is how hard members are compressed: 1 is fastest, 9 smallest.
const zipLevel = 4

func (z *zipper) member(text []byte) ([]byte, error) {
	z.out.Reset()
	if z.zip == nil {
		var err error
		if z.zip, err = gzip.NewWriterLevel(&z.out, zipLevel); err != nil {
			return nil, err
		}
	} else {
		z.zip.Reset(&z.out)
	}
	if _, err := z.zip.Write(text); err != nil {
		return nil, err
	}
	if err := z.zip.Close(); err != nil {
		return nil, err
	}
	return z.out.Bytes(), nil
}
