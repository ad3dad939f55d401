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
	lines  *Lines
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
		t.lines = NewLines(in, o.MaxLine)
	}
	if o.Names != nil {
		t.header, t.width = o.Names, len(o.Names)
		cols, err := resolve(in.name, 0, o.Names, nil)
		t.cols = cols
		return t, err
	}
	row, err := t.Next()
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
			row, err := t.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Next reads one row; io.EOF after the last.
func (t *Table) Next() (Row, error) {
	var line int
	var err error
	if t.quoted != nil {
		t.fields, line, err = t.quoted.next()
		for i := 0; err == nil && i < len(t.fields); i++ {
			var reason string
			if t.fields[i], reason = t.o.Encoding.decode(t.fields[i]); reason != "" {
				err = &Error{File: t.in.name, Line: line, Reason: fmt.Sprintf("field %d: %s", i+1, reason), Err: ErrEncoding}
			}
		}
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
	text, err := t.lines.Next()
	for err == nil && text == "" {
		blank := t.lines.line
		if text, err = t.lines.Next(); err == nil && text != "" {
			return 0, &Error{File: t.in.name, Line: blank, Reason: "empty line within the data", Err: ErrRagged}
		}
	}
	if err != nil {
		return 0, err
	}
	text, reason := t.o.Encoding.decode(text)
	if reason != "" {
		return 0, &Error{File: t.in.name, Line: t.lines.line, Reason: reason, Err: ErrEncoding}
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
			return t.lines.line, nil
		}
		text = text[end+1:]
	}
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
	seen := make(map[string]int, len(header))
	for i, h := range header {
		seen[h]++
		c.index[h] = i
	}
	for h, n := range seen {
		if n > 1 {
			delete(c.index, h)
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
	q := make([]string, 0, most)
	for _, h := range header[:min(len(header), most)] {
		q = append(q, excerpt(h))
	}
	s := strings.Join(q, ", ")
	if len(header) > most {
		s += fmt.Sprintf(" and %d more", len(header)-most)
	}
	return s
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
