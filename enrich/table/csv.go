package table

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/enrich"
)

const (
	quote   = '"'
	byteBOM = "\ufeff"
)

// csvRowEnd returns the length of the first row with its line end, or 0 if the
// text ends before the row does. A quote opens a quoted cell only as the cell's
// first character.
func csvRowEnd(text []byte, comma byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 && bytes.IndexByte(text[:n], quote) < 0 {
		return n + 1
	}
	for i, start := 0, true; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote && start:
			n := quotedEnd(text[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
			start = false
		case c == '\n':
			return i + 1
		default:
			start = c == comma
		}
	}
	return 0
}

// quotedEnd returns the length of the quoted text that begins with a quote, or
// 0 if its end is missing.
func quotedEnd(text []byte) int {
	for i := 1; ; {
		n := bytes.IndexByte(text[i:], quote)
		if n < 0 {
			return 0
		}
		i += n + 1
		if i < len(text) && text[i] == quote {
			i++
			continue
		}
		return i
	}
}

// A cell is the position of a cell in its row.
type cell struct {
	from, to int
	quoted   bool // the quotes stand around from and to
	doubled  bool // there are doubled quotes inside
}

// csvShape is what all rows of a file of separated values have in common.
type csvShape struct {
	comma   byte
	columns int
	lenient bool
	eol     string // of the header
}

// A csvRow is a row of separated values and where its cells are.
type csvRow struct {
	shape *csvShape
	text  []byte // without line end
	eol   []byte
	cells []cell
}

// split finds the cells of a row. Its errors have no position.
func (r *csvRow) split(row []byte) error {
	r.text, r.eol = lineEnd(row)
	r.cells = r.cells[:0]
	for i := 0; ; i++ {
		c, next, err := r.cell(i)
		if err != nil {
			return err
		}
		r.cells = append(r.cells, c)
		if i = next; i >= len(r.text) {
			break
		}
	}
	if n := len(r.cells); n != r.shape.columns && r.shape.columns > 0 && !r.shape.lenient {
		return cellsError{n, r.shape.columns}
	}
	return nil
}

// cell reads the cell at i and returns where its comma or the row's end is.
func (r *csvRow) cell(i int) (c cell, next int, err error) {
	text := r.text
	if i < len(text) && text[i] == quote {
		n := quotedEnd(text[i:])
		end := i + n
		switch {
		case n > 0 && (end == len(text) || text[end] == r.shape.comma):
			inner := text[i+1 : end-1]
			return cell{i + 1, end - 1, true, bytes.IndexByte(inner, quote) >= 0}, end, nil
		case r.shape.lenient:
		case n == 0:
			return c, 0, fmt.Errorf("cell %d: a quote is never closed", len(r.cells)+1)
		default:
			return c, 0, fmt.Errorf("cell %d: text follows a closing quote", len(r.cells)+1)
		}
		if n > 0 { // lenient: the cell as it stands
			i2 := bytes.IndexByte(text[end:], r.shape.comma)
			if i2 < 0 {
				return cell{from: i, to: len(text)}, len(text), nil
			}
			return cell{from: i, to: end + i2}, end + i2, nil
		}
		return cell{from: i, to: len(text)}, len(text), nil
	}
	if n := bytes.IndexByte(text[min(i, len(text)):], r.shape.comma); n >= 0 {
		return cell{from: i, to: i + n}, i + n, nil
	}
	return cell{from: min(i, len(text)), to: len(text)}, len(text) + 1, nil
}

// cellText returns the text of a cell, "" of one that the row does not have.
func (r *csvRow) cellText(i int) string {
	if i >= len(r.cells) {
		return ""
	}
	c := r.cells[i]
	text := string(r.text[c.from:c.to])
	if c.doubled {
		return strings.ReplaceAll(text, `""`, `"`)
	}
	return text
}

// raw returns the bytes of a cell, quotes included.
func (r *csvRow) raw(i int) []byte {
	c := r.cells[i]
	if c.quoted {
		return r.text[c.from-1 : c.to+1]
	}
	return r.text[c.from:c.to]
}

// csvDecoder reads the rows of separated values.
type csvDecoder struct{ csvRow }

func (d *csvDecoder) row(b *block, i int) error {
	if err := d.split(b.row(i)); err != nil {
		return rowError(b.lineOf(i), err)
	}
	return nil
}

func (d *csvDecoder) appendText(dst []byte, col int) []byte {
	if col < len(d.cells) && !d.cells[col].doubled {
		c := d.cells[col]
		return append(dst, d.text[c.from:c.to]...)
	}
	return append(dst, d.cellText(col)...)
}

func (d *csvDecoder) value(col int) enrich.Value {
	return enrich.StringValue(strings.ToValidUTF8(d.cellText(col), "\ufffd"))
}

// csvSource reads separated values.
type csvSource struct {
	feed
	shape  csvShape
	header []string
	head   []byte // the header as it stands, with what precedes it; nil without one
	lead   int    // length of what precedes it: a byte order mark, a line sep=;
}

// openCSV reads the header, or without one as many names as the first row has
// cells: "1", "2" …
func openCSV(f feed, opt Input) (*csvSource, error) {
	comma := cmp.Or(opt.Delimiter, opt.Format.comma())
	s := &csvSource{feed: f}
	s.rowEnd = func(text []byte) int { return csvRowEnd(text, s.shape.comma) }
	s.quoted = true
	s.shape = csvShape{comma: comma, lenient: opt.Lenient, eol: "\n"}
	first, err := s.peek(len(byteBOM))
	if err != nil {
		return nil, err
	}
	if string(first) == byteBOM {
		s.head = []byte(byteBOM)
		s.at += len(byteBOM)
		s.offset += int64(len(byteBOM))
	}
	if opt.Delimiter == 0 && opt.Format == CSV {
		if err := s.findComma(); err != nil {
			return nil, err
		}
	}
	above := 0
	switch {
	case opt.NoHeader:
	case opt.HeaderRow > 0:
		above = opt.HeaderRow - 1 - bytes.Count(s.head, []byte{'\n'})
	default:
		above = headerAt(s.ahead(titled))
	}
	offset, line := s.offset, s.line
	row, err := s.row()
	for err == nil && (above > 0 || blank(row) && !opt.NoHeader) { // lines before the header
		if above > 0 && !blank(row) { // a title
			s.head = append(s.head, row...)
		}
		above--
		offset, line = s.offset, s.line
		row, err = s.row()
	}
	if err != nil {
		return nil, emptyInput(err)
	}
	r := csvRow{shape: &s.shape}
	if err := r.split(row); err != nil {
		return nil, rowError(line, err)
	}
	if bytes.IndexByte(r.text, '\r') >= 0 && len(r.eol) < 2 && bytes.IndexByte(r.text, quote) < 0 {
		return nil, &RowError{Line: line, Reason: "lines end with CR alone; convert them to LF or CRLF"}
	}
	if len(r.eol) > 0 {
		s.shape.eol = string(r.eol)
	}
	for i := range r.cells {
		if opt.NoHeader {
			s.header = append(s.header, strconv.Itoa(i+1))
		} else {
			s.header = append(s.header, strings.ToValidUTF8(r.cellText(i), "\ufffd"))
		}
	}
	s.shape.columns = len(s.header)
	if opt.NoHeader {
		s.head = nil
		s.at, s.offset, s.line = s.at-len(row), offset, line
		return s, nil
	}
	s.lead = len(s.head)
	s.head = append(s.head, r.text...)
	return s, nil
}

// findComma sets the delimiter. It passes a line such as sep=; for spreadsheets and
// takes the delimiter that it defines. Otherwise it takes the one that the first row
// with text has most of, outside quotes. Of several it is the first one of the list.
func (s *csvSource) findComma() error {
	const enough = 1 << 16 // bytes
	var row []byte
	for n := 1; ; {
		text, err := s.peek(n)
		if err != nil {
			return err
		}
		row = bytes.TrimLeft(text, "\r\n")
		if end := csvRowEnd(row, s.shape.comma); end > 0 {
			row = row[:end]
			break
		}
		if len(text) < n || n > enough {
			break
		}
		n = len(text) + 1
	}
	line, _ := lineEnd(row)
	if c, ok := bytes.CutPrefix(line, []byte("sep=")); ok && len(c) == 1 && c[0] != quote && c[0] < utf8.RuneSelf {
		for row = nil; blank(row); {
			var err error
			if row, err = s.row(); err != nil {
				return err
			}
			s.head = append(s.head, row...)
		}
		s.shape.comma = c[0]
		return nil
	}
	rest := s.buf[s.at:]
	for most := 0; most == 0 && len(rest) > 0; { // a title has no delimiter
		for _, c := range []byte(",;\t|") {
			if n := outsideQuotes(row, c); n > most {
				most, s.shape.comma = n, c
			}
		}
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			break
		}
		rest = rest[end:]
		row, _, _ = bytes.Cut(rest, []byte{'\n'})
	}
	return nil
}

// outsideQuotes counts a byte outside quoted cells.
func outsideQuotes(text []byte, c byte) (n int) {
	quoted := false
	for _, b := range text {
		switch {
		case b == quote:
			quoted = !quoted
		case b == c && !quoted:
			n++
		}
	}
	return n
}

// keep drops blank lines. In a file of one column they are rows.
func (s *csvSource) keep(row []byte) bool { return s.shape.columns == 1 || !blank(row) }

func blank(row []byte) bool {
	text, _ := lineEnd(row)
	return len(text) == 0
}

func (s *csvSource) names() []string     { return s.header }
func (s *csvSource) read(b *block) error { return s.fill(b, s.keep) }
func (s *csvSource) decoder() decoder    { return &csvDecoder{csvRow{shape: &s.shape}} }
