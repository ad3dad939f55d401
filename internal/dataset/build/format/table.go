package format

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// TableOptions describe a delimited text file.
type TableOptions struct {
	// Delimiter separates the fields: ',' or '|' or '\t'. Zero means ','.
	Delimiter byte
	// Quoted means that fields may be quoted by RFC 4180; a quoted field may
	// then contain line ends. Otherwise quotes are plain text.
	Quoted bool
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
	// MaxLine is the most bytes that a row may have. Zero means 1 MiB.
	MaxLine int
}

// A Table reads the rows of a delimited text file. A byte order mark, CR LF
// line ends and empty lines at the end of the file are accepted.
type Table struct {
	in     *Input
	o      TableOptions
	cols   columns
	width  int
	header []string
	quoted *quotedReader // nil for plain text
	lines  lineReader
	fields []string
}

// NewTable reads the header row, if any, and checks its columns.
func NewTable(in *Input, o TableOptions) (*Table, error) {
	if o.Delimiter == 0 {
		o.Delimiter = ','
	}
	if o.MaxLine <= 0 {
		o.MaxLine = 1 << 20
	}
	t := &Table{in: in, o: o}
	if o.Quoted {
		t.quoted = newQuotedReader(in, o)
	} else {
		t.lines = lineReader{in: in, limit: o.MaxLine}
	}
	if o.Names != nil {
		t.header, t.width = o.Names, len(o.Names)
		cols, err := resolve(in.name, 0, o.Names, nil)
		t.cols = cols
		return t, err
	}
	row, err := t.next()
	if errors.Is(err, io.EOF) {
		return nil, &Error{File: in.name, Line: 1, Reason: "empty file, expected a header row", Err: ErrColumns}
	}
	if err != nil {
		return nil, err
	}
	t.header = make([]string, len(row.fields))
	for i := range row.fields {
		t.header[i] = strings.Clone(row.Field(i))
	}
	t.cols, err = resolve(in.name, row.line, t.header, o.Columns)
	t.width = len(t.header)
	return t, err
}

// Header returns the names of the columns as the file has them.
func (t *Table) Header() []string { return t.header }

// Column returns the position of the named column for [Row.Field], or -1.
func (t *Table) Column(name string) int {
	if i, ok := t.cols.index[name]; ok {
		return i
	}
	return -1
}

// Rows reads the rows. The sequence ends with the file or after its first
// error, and can be run once.
func (t *Table) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			row, err := t.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// next reads one row; io.EOF after the last.
func (t *Table) next() (Row, error) {
	var line int
	var err error
	if t.quoted != nil {
		t.fields, line, err = t.quoted.next()
	} else {
		line, err = t.plain()
	}
	if err != nil {
		return Row{}, err
	}
	if n := len(t.fields); t.width > 0 && n != t.width && !(t.o.ShortRows && n < t.width) {
		return Row{}, &Error{File: t.in.name, Line: line, Reason: fmt.Sprintf("%d fields, expected %d", n, t.width), Err: ErrRagged}
	}
	return Row{cols: &t.cols, fields: t.fields, line: line}, nil
}

// plain cuts the next line, with quotes as plain text.
func (t *Table) plain() (int, error) {
	line, err := t.lines.next()
	for err == nil && len(line) == 0 {
		blank := t.lines.line
		line, err = t.lines.next()
		if err == nil && len(line) > 0 {
			return 0, &Error{File: t.in.name, Line: blank, Reason: "empty line within the data", Err: ErrRagged}
		}
	}
	if err != nil {
		return 0, err
	}
	text, reason := t.o.Encoding.decode(string(line))
	if reason != "" {
		return 0, &Error{File: t.in.name, Line: t.lines.line, Reason: reason, Err: ErrEncoding}
	}
	t.fields = t.fields[:0]
	for {
		i := strings.IndexByte(text, t.o.Delimiter)
		if i < 0 {
			t.fields = append(t.fields, text)
			return t.lines.line, nil
		}
		t.fields = append(t.fields, text[:i])
		text = text[i+1:]
	}
}
