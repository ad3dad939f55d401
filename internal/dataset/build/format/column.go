package format

import (
	"fmt"
	"strings"
)

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

// Len returns the number of fields.
func (r Row) Len() int { return len(r.fields) }

// Line returns the number of the row's first line, from 1; in a sheet the
// row's number.
func (r Row) Line() int { return r.line }

// Errorf returns an [*Error] about the row's column that matches [ErrValue].
// The format should have the found and the expected value.
func (r Row) Errorf(column, format string, args ...any) error {
	return &Error{File: r.cols.file, Line: r.line, Column: column, Reason: fmt.Sprintf(format, args...), Err: ErrValue}
}
