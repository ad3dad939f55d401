package xlsx

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Sheet reads the rows of one sheet.
type Sheet struct {
	*part
	Name   string
	book   *Workbook
	inRows bool // in the table of rows
	done   bool // after the table of rows

	begin      int64 // of the row in the part
	start, end int64 // of the cells of the row
	cells      []int64
	prefix     []byte
}

// Row returns the number of the row that Next returned, from 1.
func (s *Sheet) Row() int { return s.row }

// Close closes the sheet.
func (s *Sheet) Close() error { return s.in.Close() }

// Next returns the values of the next row, "" for missing cells. The error is
// io.EOF after the last row.
func (s *Sheet) Next() ([]string, error) {
	for {
		at := s.dec.InputOffset()
		if s.raw != nil {
			s.raw.forget(at)
		}
		token, err := s.token()
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		if err != nil {
			return nil, s.failed(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			s.begin = at
			values, isRow, err := s.element(t)
			if err != nil {
				return nil, s.failed(err)
			}
			if isRow {
				return values, nil
			}
		case xml.EndElement:
			if t.Name.Local == "sheetData" {
				s.inRows, s.done = false, true
				if s.raw != nil {
					s.begin = at
					return nil, io.EOF
				}
			}
		}
	}
}

func (s *Sheet) element(e xml.StartElement) (values []string, isRow bool, err error) {
	switch e.Name.Local {
	case "sheetData":
		if s.done || s.inRows {
			return nil, false, errors.New("a second table of rows in the sheet")
		}
		s.inRows = true
		return nil, false, nil
	case "row":
		if !s.inRows {
			return nil, false, errors.New("a row outside the table of rows")
		}
		values, err = s.readRow(attr(e, "r"))
		return values, true, err
	case "worksheet":
		return nil, false, nil
	default:
		return nil, false, s.skip()
	}
}

// readRow reads the cells of a row with the given number, "" for the next one.
func (s *Sheet) readRow(number string) ([]string, error) {
	n := s.row + 1
	if number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n <= s.row {
			return nil, fmt.Errorf("row number %s after row %d", excerpt(number), s.row)
		}
	}
	if n > MaxRows {
		return nil, fmt.Errorf("more than %d rows", MaxRows)
	}
	s.row = n
	s.start = s.dec.InputOffset()
	if s.prefix == nil && s.raw != nil { // all rows have it
		name := s.raw.bytes(s.begin+1, s.start)
		name = name[:bytes.IndexAny(name, " \t\r\n/>")]
		s.prefix = append([]byte{}, name[:bytes.LastIndexByte(name, ':')+1]...)
	}
	s.cells = s.cells[:0]
	var values []string
	for {
		at := s.dec.InputOffset()
		token, err := s.token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			s.end = s.dec.InputOffset()
			return values, nil
		case xml.StartElement:
			if t.Name.Local != "c" {
				if err := s.skip(); err != nil {
					return nil, err
				}
				continue
			}
			if values, err = s.readCell(values, t, at); err != nil {
				return nil, err
			}
		}
	}
}

// readCell appends the value of a cell, and "" for the cells that the file
// leaves out before it.
func (s *Sheet) readCell(values []string, e xml.StartElement, at int64) ([]string, error) {
	column := len(values) + 1
	if ref := attr(e, "r"); ref != "" {
		if column = columnOf(ref); column <= len(values) {
			return nil, fmt.Errorf("cell %s after %d cells", excerpt(ref), len(values))
		}
	}
	if column > MaxColumns {
		return nil, fmt.Errorf("more than %d cells", MaxColumns)
	}
	value, err := s.text()
	if err != nil {
		return nil, err
	}
	if value, err = s.value(e, value); err != nil {
		return nil, err
	}
	for len(values) < column-1 {
		values = append(values, "")
		s.cells = append(s.cells, 0, 0)
	}
	s.cells = append(s.cells, at, s.dec.InputOffset())
	return append(values, value), nil
}

// value returns the value of a cell with the text.
func (s *Sheet) value(e xml.StartElement, text string) (string, error) {
	kind := attr(e, "t")
	if kind == "s" {
		return s.shared(strings.TrimSpace(text))
	}
	if !s.book.opt.Shown {
		return text, nil
	}
	switch kind {
	case "", "n":
		style, err := strconv.Atoi(attr(e, "s"))
		if err != nil || style < 0 || style >= len(s.book.formats) {
			style = -1
		}
		if text = strings.TrimSpace(text); text == "" {
			return "", nil
		}
		var f numberFormat
		if style >= 0 {
			f = s.book.formats[style]
		}
		return f.show(text, s.book.from), nil
	case "b":
		if strings.TrimSpace(text) == "1" {
			return "TRUE", nil
		}
		return "FALSE", nil
	default:
		return unescape(text), nil
	}
}

// shared returns the shared text with the number, "" for a cell without one.
func (s *Sheet) shared(number string) (string, error) {
	if number == "" {
		return "", nil
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(s.book.texts) {
		return "", fmt.Errorf("shared text %s of %d", excerpt(number), len(s.book.texts))
	}
	if s.book.opt.Shown {
		return unescape(s.book.texts[i]), nil
	}
	return s.book.texts[i], nil
}

// Raw appends the bytes of the row that Next returned, without its end: its start
// tag and the given number of cells. Missing cells are added as empty ones. It
// needs [ReadOptions.MaxRow].
func (s *Sheet) Raw(dst []byte, columns int) []byte {
	tag := bytes.TrimSpace(s.raw.bytes(s.begin, s.start))
	tag = spans.ReplaceAll(tag, nil)
	if rest, closed := bytes.CutSuffix(tag, []byte("/>")); closed {
		tag = append(bytes.Clone(rest), '>')
	}
	dst = append(dst, tag...)
	for i := range columns {
		if 2*i < len(s.cells) && s.cells[2*i+1] > 0 {
			dst = append(dst, s.raw.bytes(s.cells[2*i], s.cells[2*i+1])...)
		} else {
			dst = append(append(append(dst, '<'), s.Prefix()...), "c/>"...)
		}
	}
	return dst
}

// Prefix returns the prefix of the names of elements, such as "x:", or "". Next must have
// returned a row. It needs [ReadOptions.MaxRow].
func (s *Sheet) Prefix() []byte { return s.prefix }

// At returns the position in its part of the row that Next returned. After the last
// row it is the end of the table of rows.
func (s *Sheet) At() int64 { return s.begin }

// Part returns the name of the part that has the sheet.
func (s *Sheet) Part() string { return s.name }

// columnOf returns the column number of a cell reference such as AB12, from 1.
// It returns 0 if Excel does not allow the reference.
func columnOf(ref string) int {
	digits := strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	row, err := strconv.Atoi(digits)
	if letters := len(ref) - len(digits); letters == 0 || letters > 3 || err != nil || row < 1 {
		return 0
	}
	column := 0
	for _, letter := range ref[:len(ref)-len(digits)] {
		column = 26*column + int(letter-'A') + 1
	}
	if column > MaxColumns {
		return 0
	}
	return column
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}
