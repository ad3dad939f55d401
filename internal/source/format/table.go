package format

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// TableOptions describe a delimited text file.
type TableOptions struct {
	// Delimiter separates the fields: ',' or '|' or '\t'. Zero means ','.
	Delimiter byte
	// Quoted means that fields may be quoted by RFC 4180; a quoted field may
	// then contain line ends. Otherwise quotes are plain text.
	Quoted bool
	// LooseQuotes means that fields on one line may be quoted, with quotes inside that
	// are not doubled: a quoted field ends at a quote before a delimiter or line end.
	LooseQuotes bool
	// Names are the columns of a file without header row.
	Names []string
	// Columns are the columns that the header must have. Other columns are
	// allowed and available by their names. Ignored with Names.
	Columns []Column
	// Encoding of the text; the zero value is UTF-8, which is verified.
	Encoding Encoding
	// ShortRows allows rows with fewer fields than columns; the missing ones
	// are "".
	ShortRows bool
	// MaxLine is the most bytes that a row may have, by which memory is bounded: the
	// reader may accept a few more. Zero means 1 MiB.
	MaxLine int
}

// A Table reads the rows of a delimited text file. A byte order mark, CR LF
// line ends and empty lines are accepted.
type Table struct {
	in     *Input
	o      TableOptions
	cols   columns
	header []string
	fields []string
	line   int // first line of the last row

	csv   *csv.Reader       // of quoted text
	left  *io.LimitedReader // of its next row
	plain *bufio.Scanner    // of other text
}

const byteOrderMark = "\ufeff"

// csvBuffer is the size of the buffer in which encoding/csv reads ahead.
const csvBuffer = 4096

// NewTable reads the header row, if any, and checks its columns.
func NewTable(in *Input, o TableOptions) (*Table, error) {
	o.Delimiter, o.MaxLine = cmp.Or(o.Delimiter, ','), cmp.Or(o.MaxLine, 1<<20)
	t := &Table{in: in, o: o}
	if head, _ := in.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
		_, _ = in.r.Discard(len(byteOrderMark))
	}
	if o.Quoted {
		t.left = &io.LimitedReader{R: in}
		t.csv = csv.NewReader(t.left)
		t.csv.Comma, t.csv.FieldsPerRecord, t.csv.ReuseRecord = rune(o.Delimiter), -1, true
	} else {
		t.plain = bufio.NewScanner(in)
		t.plain.Buffer(nil, o.MaxLine+len("\r\n"))
	}
	if t.header = o.Names; o.Names == nil {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil, &Error{File: in.name, Line: 1, Reason: "empty file, expected a header row", Err: ErrColumns}
		}
		if err != nil {
			return nil, err
		}
		for i := range row.fields {
			t.header = append(t.header, strings.Clone(row.Field(i)))
		}
	}
	var err error
	t.cols, err = resolve(in.name, t.line, t.header, o.Columns)
	return t, err
}

// Header returns the names of the columns as the file has them.
func (t *Table) Header() []string { return t.header }

// Rows reads the rows. The sequence ends with the file or after its first
// error, and can be run once.
func (t *Table) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			row, err := t.Next()
			if errors.Is(err, io.EOF) || !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Next reads one row; io.EOF after the last.
func (t *Table) Next() (Row, error) {
	read := t.nextPlain
	if t.o.Quoted {
		read = t.nextQuoted
	}
	if err := read(); err != nil {
		return Row{}, err
	}
	for i, f := range t.fields {
		var reason string
		if t.fields[i], reason = t.o.Encoding.decode(f); reason != "" {
			return Row{}, t.fault(ErrEncoding, "field %d: %s", i+1, reason)
		}
	}
	if n, width := len(t.fields), len(t.header); width > 0 && n != width && !(t.o.ShortRows && n < width) {
		return Row{}, t.fault(ErrRagged, "%d fields, expected %d", n, width)
	}
	return Row{cols: &t.cols, fields: t.fields, line: t.line}, nil
}

// nextQuoted reads a row with quotes (RFC 4180).
func (t *Table) nextQuoted() (err error) {
	t.left.N = int64(t.o.MaxLine) + csvBuffer
	last := t.line
	t.fields, err = t.csv.Read()
	var syntax *csv.ParseError
	switch {
	case t.left.N == 0:
		t.line = last + 1
		return t.fault(ErrTooLong, "row of more than %d bytes; a quoted field may lack its closing quote", t.o.MaxLine)
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.As(err, &syntax):
		t.line = syntax.StartLine
		return t.fault(ErrSyntax, "%v", syntax.Err)
	case err != nil:
		return atLine(err, last+1)
	}
	t.line, _ = t.csv.FieldPos(0)
	return nil
}

// nextPlain cuts the next line that is not empty. Quotes are plain text, unless they are
// loose.
func (t *Table) nextPlain() error {
	text := ""
	for text == "" {
		t.line++
		if t.plain.Scan() {
			text = t.plain.Text()
			continue
		}
		err := t.plain.Err()
		switch {
		case err == nil:
			return io.EOF
		case errors.Is(err, bufio.ErrTooLong):
			return t.fault(ErrTooLong, "line of more than %d bytes", t.o.MaxLine)
		}
		return atLine(err, t.line)
	}
	t.fields = t.fields[:0]
	for {
		end := strings.IndexByte(text, t.o.Delimiter)
		loose := t.o.LooseQuotes && strings.HasPrefix(text, `"`)
		if loose {
			if end = strings.Index(text[1:], `"`+string(rune(t.o.Delimiter))); end >= 0 {
				end += len(`""`)
			}
		}
		field := text
		if end >= 0 {
			field = text[:end]
		}
		if inside, ok := strings.CutSuffix(field, `"`); ok && loose && inside != "" {
			field = strings.ReplaceAll(inside[1:], `""`, `"`)
		}
		if t.fields = append(t.fields, field); end < 0 {
			return nil
		}
		text = text[end+1:]
	}
}

func (t *Table) fault(cause error, format string, args ...any) error {
	return &Error{File: t.in.name, Line: t.line, Reason: fmt.Sprintf(format, args...), Err: cause}
}

// atLine adds the line to an error of the content.
func atLine(err error, line int) error {
	var e *Error
	if errors.As(err, &e) && e.Line == 0 {
		at := *e
		at.Line = line
		return &at
	}
	return err
}

// A Column is a column that a caller needs of a table or sheet.
type Column struct {
	// Name is the argument of [Row.Get]. Without Match it is also the header's
	// text, without the spaces around it.
	Name string
	// Match recognizes the column by its header, for headers whose wording
	// varies between editions. nil compares Name.
	Match func(header string) bool
	// Optional columns may be absent; Get then returns "".
	Optional bool
}

// Columns returns required columns of these names.
func Columns(names ...string) []Column {
	cols := make([]Column, len(names))
	for i, n := range names {
		cols[i] = Column{Name: n}
	}
	return cols
}

// Words returns a Match function for headers that contain all the words, in
// any letter case and with any spacing.
func Words(words ...string) func(header string) bool {
	return func(header string) bool {
		h := strings.Join(strings.Fields(strings.ToLower(header)), " ")
		for _, w := range words {
			if !strings.Contains(h, strings.ToLower(w)) {
				return false
			}
		}
		return true
	}
}

// columns are the places of a table's columns by name.
type columns struct {
	file  string
	index map[string]int
}

// resolve finds the expected columns in a header. Every other header stays
// reachable by its name unless it occurs more than once.
func resolve(file string, line int, header []string, want []Column) (columns, error) {
	c := columns{file: file, index: make(map[string]int, len(header))}
	for i, h := range header {
		if slices.Index(header, h) == i && !slices.Contains(header[i+1:], h) {
			c.index[h] = i
		}
	}
	for _, w := range want {
		at, n := -1, 0
		for i, h := range header {
			if w.Match == nil && h == w.Name || w.Match != nil && w.Match(h) {
				at, n = i, n+1
			}
		}
		switch {
		case n == 1:
			c.index[w.Name] = at
		case n > 1:
			return c, &Error{File: file, Line: line, Column: w.Name, Reason: fmt.Sprintf("%d columns match, expected one", n), Err: ErrColumns}
		case w.Optional:
			c.index[w.Name] = -1
		default:
			return c, &Error{File: file, Line: line, Column: w.Name, Reason: "not in the header; found " + list(header), Err: ErrColumns}
		}
	}
	return c, nil
}

func list(header []string) string {
	const most = 12
	var q []string
	for _, h := range header[:min(len(header), most)] {
		q = append(q, excerpt(h))
	}
	if len(header) > most {
		q = append(q, fmt.Sprintf("%d more", len(header)-most))
	}
	return strings.Join(q, ", ")
}

// A Row is one row of a table or sheet. It is valid until the next one is read.
// Its strings stay valid, but keep the whole line in memory: clone parts of a
// long line.
type Row struct {
	cols   *columns
	fields []string
	line   int
}

// Get returns the field of the named column without the spaces around it, ""
// for an optional column that is absent. It panics when the column is neither
// expected nor in the header, which is a programmer's error.
func (r Row) Get(column string) string {
	i, ok := r.cols.index[column]
	if !ok {
		panic(fmt.Sprintf("format: no column %q in %s", column, r.cols.file))
	}
	return r.Field(i)
}

// Field returns the field at the position, from 0, without the spaces around
// it, and "" past the last one.
func (r Row) Field(i int) string {
	if i < 0 || i >= len(r.fields) {
		return ""
	}
	return strings.TrimSpace(r.fields[i])
}

// Fields returns all fields as they are.
func (r Row) Fields() []string { return r.fields }

// Line returns the number of the row's first line, from 1; in a sheet the
// row's number.
func (r Row) Line() int { return r.line }

// Errorf returns an [*Error] about the row's column that matches [ErrValue].
// The format should have the found and the expected value.
func (r Row) Errorf(column, format string, args ...any) error {
	return &Error{File: r.cols.file, Line: r.line, Column: column, Reason: fmt.Sprintf(format, args...), Err: ErrValue}
}
