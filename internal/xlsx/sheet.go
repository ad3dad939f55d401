package xlsx

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A Sheet reads the rows of one sheet.
type Sheet struct {
	*scanner
	Name   string
	book   *Workbook
	inRows bool // in the table of rows

	begin  int64 // of the row in the part
	head   int   // end of its start tag in buf
	cells  []cell
	prefix string
}

// A cell is where a cell of a row is in the bytes of the row.
type cell struct{ column, from, to int }

// Row returns the number of the row that Next returned, from 1.
func (s *Sheet) Row() int { return s.row }

// Close closes the sheet.
func (s *Sheet) Close() error { return s.file.Close() }

// Next returns the values of the next row, "" for missing cells. Numbers are as shown,
// with leading zeros, and dates are in ISO 8601. The error is io.EOF after the last row.
func (s *Sheet) Next() ([]string, error) {
	for {
		s.buf = s.buf[:0]
		t, err := s.next()
		if err != nil {
			return nil, err
		}
		s.buf = append(s.buf[:0], t.text...)
		s.begin = s.at - int64(len(t.text))
		switch {
		case t.name == "sheetData" && t.end:
			if _, err := io.Copy(io.Discard, s.in); err != nil { // verify the checksum
				return nil, err
			}
			return nil, io.EOF
		case t.name == "sheetData":
			s.inRows = true
		case t.name == "row" && t.start && s.inRows:
			return s.readRow(t)
		case t.name == "row":
			return nil, s.fault("a row outside the table of rows")
		}
	}
}

// readRow reads the cells of a row whose start tag was read.
func (s *Sheet) readRow(t tag) (values []string, err error) {
	n := s.row + 1
	if number := attribute(t.text, "r"); number != "" {
		if n, err = strconv.Atoi(number); err != nil || n <= s.row {
			return nil, s.fault("row number %.60q after row %d", number, s.row)
		}
	}
	if n > MaxRows {
		return nil, s.fault("more than %d rows", MaxRows)
	}
	name := bytes.TrimLeft(t.text, "<")
	s.prefix = string(name[:bytes.IndexByte(name, 'w')-len("ro")])
	s.row, s.head, s.cells = n, len(s.buf), s.cells[:0]
	for !t.end {
		if t, err = s.next(); err != nil {
			return nil, err
		}
		if !t.start {
			continue
		}
		if t.name == "c" {
			values, err = s.readCell(values, t)
		} else {
			_, err = s.text(t)
		}
		if err != nil {
			return nil, err
		}
		t = tag{}
	}
	return values, nil
}

// readCell appends the value of a cell, and "" for the cells that the file leaves out
// before it.
func (s *Sheet) readCell(values []string, t tag) ([]string, error) {
	c := cell{column: len(values) + 1, from: len(s.buf) - len(t.text)}
	ref, kind, style := attribute(t.text, "r"), attribute(t.text, "t"), attribute(t.text, "s")
	if ref != "" {
		c.column = columnOf(ref)
	}
	if c.column <= len(values) || c.column > MaxColumns {
		return nil, s.fault("cell %.60q after %d cells", ref, len(values))
	}
	text, err := s.text(t)
	if err == nil {
		text, err = s.value(text, kind, style)
	}
	if err != nil {
		return nil, err
	}
	c.to = len(s.buf)
	s.cells = append(s.cells, c)
	return append(append(values, slices.Repeat([]string{""}, c.column-len(values)-1)...), text), nil
}

// value returns the value of a cell with the text, the type and the style.
func (s *Sheet) value(text, kind, style string) (string, error) {
	if kind != "s" && kind != "" && kind != "n" && kind != "b" {
		return unescape(text), nil
	}
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	switch i, err := strconv.Atoi(text); {
	case kind == "s" && (err != nil || i < 0 || i >= len(s.book.texts)):
		return "", s.fault("shared text %.60q of %d", text, len(s.book.texts))
	case kind == "s":
		return unescape(s.book.texts[i]), nil
	case kind == "b":
		return strings.ToUpper(strconv.FormatBool(text == "1")), nil
	}
	var f numberFormat
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(s.book.formats) {
		f = s.book.formats[i]
	}
	return f.show(text, s.book.from), nil
}

// Raw appends the bytes of the row that Next returned, without its end: its start tag and
// the given number of cells. Missing cells are added as empty ones.
func (s *Sheet) Raw(dst []byte, columns int) []byte {
	head := bytes.TrimRight(s.buf[:s.head], "/> \t\r\n")
	dst = append(append(dst, spans.ReplaceAll(head, nil)...), '>')
	cells := s.cells
	for i := range columns {
		if len(cells) > 0 && cells[0].column == i+1 {
			dst = append(dst, s.buf[cells[0].from:cells[0].to]...)
			cells = cells[1:]
		} else {
			dst = fmt.Appendf(dst, "<%sc/>", s.prefix)
		}
	}
	return dst
}

// Prefix returns the prefix of the names of elements, such as "x:", or "". Next must have
// returned a row.
func (s *Sheet) Prefix() string { return s.prefix }

// At returns the position in its part of the row that Next returned. After the last
// row it is the end of the table of rows.
func (s *Sheet) At() int64 { return s.begin }

// Part returns the name of the part that has the sheet.
func (s *Sheet) Part() string { return s.name }

// columnOf returns the column number of a cell reference such as AB12, from 1.
// It returns 0 if Excel does not allow the reference.
func columnOf(ref string) (column int) {
	digits := strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	row, err := strconv.Atoi(digits)
	if letters := len(ref) - len(digits); letters > 3 || err != nil || row < 1 {
		return 0
	}
	for _, letter := range ref[:len(ref)-len(digits)] {
		column = 26*column + int(letter-'A') + 1
	}
	return column
}
