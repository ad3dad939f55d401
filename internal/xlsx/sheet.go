package xlsx

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Rows must come out with the bytes that they went in with, but encoding/xml returns decoded
// tokens. A part therefore stands between the decoder and its input. It gives the decoder one
// byte at a time, which keeps it from reading ahead, and collects these bytes. So the
// decoder's offset is a place in the collected bytes, and a row is what lies between two
// offsets. A scanner of our own took 60 % of the processor time, but was wrong where XML
// allows more than Excel writes: a prefix such as w:row ended the program.
//
// Memory is that of one row: drop forgets the bytes before the next token, and a row of more
// bytes than the limit is an error.

// A part decodes an XML part and keeps the bytes that it decodes.
type part struct {
	*xml.Decoder
	*bufio.Reader // of the part, because the decoder reads it by bytes
	name          string
	size          int64 // in bytes
	file          io.Closer
	max           int    // of buf in bytes
	buf           []byte // since the last drop
	from          int64  // position of buf in the part
	depth         int    // of elements
}

// ReadByte implements [io.ByteReader] for the decoder, which then reads nothing ahead.
func (p *part) ReadByte() (byte, error) {
	b, err := p.Reader.ReadByte()
	if err == nil {
		p.buf = append(p.buf, b)
	}
	if len(p.buf) > p.max {
		return b, fmt.Errorf("more than %d bytes without a row or text", p.max)
	}
	return b, err
}

// drop drops the bytes before the next token.
func (p *part) drop() {
	next := p.InputOffset()
	p.buf = append(p.buf[:0], p.buf[next-p.from:]...)
	p.from = next
}

// at returns the place of the next token in buf.
func (p *part) at() int { return int(p.InputOffset() - p.from) }

// token returns the next token. The end of the part is an error.
func (p *part) token() (xml.Token, error) {
	const maxDepth = 200 // the decoder has all open elements in memory, and content recurses
	t, err := p.Token()
	if bad := (*xml.SyntaxError)(nil); errors.Is(err, io.EOF) || errors.As(err, &bad) && bad.Msg == "unexpected EOF" {
		err = fmt.Errorf("ends early; fetch the file again: %w", io.ErrUnexpectedEOF)
	}
	switch t.(type) {
	case xml.StartElement:
		p.depth++
	case xml.EndElement:
		p.depth--
	}
	if p.depth > maxDepth {
		err = fmt.Errorf("%d elements inside each other; expected at most %d", p.depth, maxDepth)
	}
	return t, err
}

// content reads to the end of the element that began. It appends the texts of its t and v
// elements, or with text its own, without formulas (f) and phonetic readings (rPh), which
// Japanese files have beside the text. A formatted text has several t elements.
func (p *part) content(dst []byte, text bool) ([]byte, error) {
	for {
		t, err := p.token()
		if err != nil {
			return dst, err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return dst, nil
		case xml.CharData:
			if text {
				dst = append(dst, t...)
			}
		case xml.StartElement:
			before := len(dst)
			dst, err = p.content(dst, t.Name.Local == "t" || t.Name.Local == "v")
			if err != nil {
				return dst, err
			}
			if t.Name.Local == "rPh" || t.Name.Local == "f" {
				dst = dst[:before]
			}
		}
	}
}

// A Sheet reads the rows of one sheet.
type Sheet struct {
	*part
	Name   string
	book   *Workbook
	inRows bool  // in the table of rows
	row    int   // that Next returned, from 1
	begin  int64 // of it in the part
}

// A Row is a row of a sheet. It shares no memory with the sheet, so that rows can be kept
// while others are read.
type Row struct {
	Number int   // from 1
	Begin  int64 // position in the sheet
	// Values has "" for missing cells. Numbers are as shown, with leading zeros, and dates
	// are in ISO 8601.
	Values []string

	text  []byte // as it stands
	head  int    // end of its start tag in the text
	cells []cell
}

// A cell is the place of a cell in the text of its row.
type cell struct{ column, from, to int }

// Begin returns the position in the sheet of the row that Next returned. After the last row
// it is the end of the table of rows.
func (s *Sheet) Begin() int64 { return s.begin }

// Size returns the size of the sheet, in which Begin is a position.
func (s *Sheet) Size() int64 { return s.size }

// Close closes the sheet.
func (s *Sheet) Close() error { return s.file.Close() }

// fault names the row of an error, if there is one yet.
func (s *Sheet) fault(err error) error {
	if s.row == 0 {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return fmt.Errorf("%s:%d: %w", s.name, s.row, err)
}

// Next returns the next row. The error is io.EOF after the last one.
func (s *Sheet) Next() (r Row, err error) {
	for {
		s.drop()
		s.begin = s.from
		t, err := s.token()
		if err != nil {
			return r, s.fault(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			s.inRows = s.inRows || t.Name.Local == "sheetData"
			switch {
			case t.Name.Local != "row":
				continue
			case !s.inRows:
				err = errors.New("a row outside the table of rows")
			default:
				r, err = s.readRow(t)
			}
			if err != nil {
				return Row{}, s.fault(err)
			}
			return r, nil
		case xml.EndElement:
			if t.Name.Local == "sheetData" {
				// The ZIP reader verifies the checksum at the end of the part.
				if _, err := io.Copy(io.Discard, s.Reader); err != nil {
					return r, s.fault(err)
				}
				return r, io.EOF
			}
		}
	}
}

// readRow reads the cells of a row whose start tag was read.
func (s *Sheet) readRow(row xml.StartElement) (r Row, err error) {
	r = Row{Number: s.row + 1, Begin: s.begin, head: s.at()}
	// Numbers are optional, and ascend. A row out of order would change the order of the
	// table.
	if number := attribute(row, "r"); number != "" {
		if r.Number, err = strconv.Atoi(number); err != nil || r.Number <= s.row {
			return r, fmt.Errorf("row number %.60q after row %d", number, s.row)
		}
	}
	if r.Number > MaxRows {
		return r, fmt.Errorf("more than %d rows", MaxRows)
	}
	s.row = r.Number
	for {
		from := s.at()
		t, err := s.token()
		if err != nil {
			return r, err
		}
		switch t := t.(type) {
		case xml.EndElement: // from is before the end tag, or after a row without content
			r.text = slices.Clone(s.buf[:from])
			return r, nil
		case xml.StartElement:
			text, err := s.content(nil, false)
			if err == nil && t.Name.Local == "c" {
				err = s.add(&r, t, string(text), from)
			}
			if err != nil {
				return r, err
			}
		}
	}
}

// add adds a cell that has been read, and "" for the cells that the file leaves out before it.
func (s *Sheet) add(r *Row, t xml.StartElement, text string, from int) (err error) {
	c := cell{len(r.Values) + 1, from, s.at()}
	ref := attribute(t, "r")
	if ref != "" {
		c.column = columnOf(ref)
	}
	if c.column <= len(r.Values) || c.column > MaxColumns {
		return fmt.Errorf("cell %.60q after %d cells", ref, len(r.Values))
	}
	if text, err = s.book.value(text, attribute(t, "t"), attribute(t, "s")); err != nil {
		return err
	}
	r.cells = append(r.cells, c)
	r.Values = append(append(r.Values, slices.Repeat([]string{""}, c.column-len(r.Values)-1)...), text)
	return nil
}

// attribute returns the value of an attribute, or "".
func attribute(t xml.StartElement, name string) string {
	for i := range t.Attr {
		if t.Attr[i].Name.Local == name {
			return t.Attr[i].Value
		}
	}
	return ""
}

// spans are the columns of a row, which may have more cells in a copy.
var spans = regexp.MustCompile(`\s+spans\s*=\s*("[^"]*"|'[^']*')`)

// Prefix returns the prefix of the names of elements, such as "x:", or "".
func (r *Row) Prefix() string {
	name := r.text[1:bytes.IndexAny(r.text, "/> \t\r\n")]
	return string(bytes.TrimSuffix(name, []byte("row")))
}

// Raw appends the bytes of the row without its end: its start tag and the given number of
// cells. Missing cells are added as empty ones.
func (r *Row) Raw(dst []byte, columns int) []byte {
	head := bytes.TrimRight(r.text[:r.head], "/> \t\r\n")
	dst = append(append(dst, spans.ReplaceAll(head, nil)...), '>')
	cells := r.cells
	for i := range columns {
		if len(cells) > 0 && cells[0].column == i+1 {
			dst = append(dst, r.text[cells[0].from:cells[0].to]...)
			cells = cells[1:]
		} else {
			dst = fmt.Appendf(dst, "<%sc/>", r.Prefix())
		}
	}
	return dst
}

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
