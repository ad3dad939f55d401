package format

import (
	"bytes"
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
	// Quoted says that fields may be quoted as RFC 4180 has it; a quoted field
	// may then contain line ends. Where it is false, quotes are plain text.
	Quoted bool
	// Names are the columns of a file without header row.
	Names []string
	// Columns are the columns that the header must have. Other columns are
	// allowed and can be asked for by their own name. Ignored with Names.
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
	in      *Input
	o       TableOptions
	cols    columns
	width   int
	header  []string
	lines   lineReader
	fields  []string
	scratch []byte
}

// NewTable reads the header row, where there is one, and checks its columns.
func NewTable(in *Input, o TableOptions) (*Table, error) {
	if o.Delimiter == 0 {
		o.Delimiter = ','
	}
	if o.MaxLine <= 0 {
		o.MaxLine = 1 << 20
	}
	t := &Table{in: in, o: o, lines: lineReader{in: in, limit: o.MaxLine}}
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
	line, err := t.lines.next()
	for err == nil && len(line) == 0 {
		blank := t.lines.line
		line, err = t.lines.next()
		if err == nil && len(line) > 0 {
			return Row{}, &Error{File: t.in.name, Line: blank, Reason: "empty line within the data", Err: ErrRagged}
		}
	}
	if err != nil {
		return Row{}, err
	}
	row := Row{cols: &t.cols, line: t.lines.line}
	if t.o.Quoted && bytes.IndexByte(line, '"') >= 0 {
		err = t.splitQuoted(line)
	} else {
		err = t.split(line)
	}
	if err != nil {
		return Row{}, err
	}
	if n := len(t.fields); t.width > 0 && n != t.width && !(t.o.ShortRows && n < t.width) {
		return Row{}, &Error{File: t.in.name, Line: row.line, Reason: fmt.Sprintf("%d fields, expected %d", n, t.width), Err: ErrRagged}
	}
	row.fields = t.fields
	return row, nil
}

// split cuts a line without quotes.
func (t *Table) split(line []byte) error {
	text, err := t.text(line, t.lines.line)
	if err != nil {
		return err
	}
	t.fields = t.fields[:0]
	for {
		i := strings.IndexByte(text, t.o.Delimiter)
		if i < 0 {
			t.fields = append(t.fields, text)
			return nil
		}
		t.fields = append(t.fields, text[:i])
		text = text[i+1:]
	}
}

// splitQuoted cuts a record in which fields may be quoted, reading on while a
// quoted field is open at the end of the line.
func (t *Table) splitQuoted(line []byte) error {
	first := t.lines.line
	rec, err := t.join(line)
	if err != nil {
		return err
	}
	text, err := t.text(rec, first)
	if err != nil {
		return err
	}
	t.fields = t.fields[:0]
	for {
		field, rest, more, reason := cutQuoted(text, t.o.Delimiter)
		if reason != "" {
			return &Error{File: t.in.name, Line: first, Reason: fmt.Sprintf("field %d: %s", len(t.fields)+1, reason), Err: ErrSyntax}
		}
		t.fields = append(t.fields, field)
		if !more {
			return nil
		}
		text = rest
	}
}

// join returns the line with those after it that belong to the same record:
// those up to which the number of quotes is odd.
func (t *Table) join(line []byte) ([]byte, error) {
	open := bytes.Count(line, quote)%2 == 1
	if !open {
		return line, nil
	}
	first := t.lines.line
	t.scratch = append(t.scratch[:0], line...)
	for open {
		more, err := t.lines.next()
		if errors.Is(err, io.EOF) {
			return nil, &Error{File: t.in.name, Line: first, Reason: "a quoted field has no closing quote", Err: ErrSyntax}
		}
		if err != nil {
			return nil, err
		}
		t.scratch = append(append(t.scratch, '\n'), more...)
		if len(t.scratch) > t.o.MaxLine {
			return nil, &Error{File: t.in.name, Line: first, Reason: fmt.Sprintf("row of more than %d bytes; a quoted field may lack its closing quote", t.o.MaxLine), Err: ErrTooLong}
		}
		if bytes.Count(more, quote)%2 == 1 {
			open = false
		}
	}
	return t.scratch, nil
}

var quote = []byte{'"'}

// cutQuoted takes the first field off a record.
func cutQuoted(s string, delimiter byte) (field, rest string, more bool, reason string) {
	if s == "" || s[0] != '"' {
		i := strings.IndexByte(s, delimiter)
		if i < 0 {
			i = len(s)
		}
		field = s[:i]
		if strings.IndexByte(field, '"') >= 0 {
			return "", "", false, "a quote within an unquoted field, " + excerpt(field)
		}
		if i == len(s) {
			return field, "", false, ""
		}
		return field, s[i+1:], true, ""
	}
	s = s[1:]
	doubled := false
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '"')
		if j < 0 {
			return "", "", false, "a quoted field has no closing quote, " + excerpt(s)
		}
		i += j
		if i+1 < len(s) && s[i+1] == '"' {
			doubled = true
			i += 2
			continue
		}
		field, rest = s[:i], s[i+1:]
		break
	}
	if doubled {
		field = strings.ReplaceAll(field, `""`, `"`)
	}
	switch {
	case rest == "":
		return field, "", false, ""
	case rest[0] == delimiter:
		return field, rest[1:], true, ""
	default:
		return "", "", false, "text after the closing quote, " + excerpt(rest)
	}
}

// text converts a row to a string in UTF-8.
func (t *Table) text(row []byte, line int) (string, error) {
	s, reason := t.o.Encoding.decode(row)
	if reason != "" {
		return "", &Error{File: t.in.name, Line: line, Reason: reason, Err: ErrEncoding}
	}
	return s, nil
}
