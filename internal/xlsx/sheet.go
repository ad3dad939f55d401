package xlsx

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A part reads the tags of an XML part and keeps their bytes.
type part struct {
	name  string
	size  int64 // in bytes
	file  io.ReadCloser
	in    *bufio.Reader
	max   int    // of buf
	row   int    // of the sheet, from 1; 0 elsewhere
	buf   []byte // since the caller emptied it
	at    int64  // position in the part behind buf
	depth int    // of elements
}

// A tag is a tag of an element, or other markup if it is neither a start nor an end.
type tag struct {
	text       []byte // with < and >
	prefix     []byte // of the name, such as "x:", or empty
	name       []byte // without the prefix
	start, end bool   // both for an empty element
}

func (t *tag) is(name string) bool { return string(t.name) == name }

func (p *part) fault(format string, args ...any) error {
	place := p.name
	if p.row > 0 {
		place += ":" + strconv.Itoa(p.row)
	}
	return fmt.Errorf("%s: %w", place, fmt.Errorf(format, args...))
}

// next reads the next tag and what precedes it.
func (p *part) next() (t tag, err error) {
	const maxDepth = 200
	if err := p.until('<'); err != nil {
		return t, err
	}
	from := len(p.buf) - 1
	if t.text, err = p.markup(from); err != nil || t.text[1] == '!' || t.text[1] == '?' {
		return t, err
	}
	t.end = t.text[1] == '/' || t.text[len(t.text)-2] == '/'
	t.start = t.text[1] != '/'
	t.name = bytes.TrimLeft(t.text, "</")
	t.name = t.name[:bytes.IndexAny(t.name, " \t\r\n/>")]
	colon := bytes.IndexByte(t.name, ':')
	t.prefix, t.name = t.name[:colon+1], t.name[colon+1:]
	switch {
	case !t.start:
		p.depth--
	case !t.end:
		p.depth++
	}
	if p.depth < 0 || p.depth > maxDepth {
		return t, p.fault("%d elements inside each other; expected at most %d", p.depth, maxDepth)
	}
	return t, nil
}

// until reads to the next c.
func (p *part) until(c byte) error {
	for {
		piece, err := p.in.ReadSlice(c)
		p.at += int64(len(piece))
		p.buf = append(p.buf, piece...)
		switch {
		case len(p.buf) > p.max:
			return p.fault("more than %d bytes without a row or text", p.max)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return p.fault("ends early; fetch the file again: %w", io.ErrUnexpectedEOF)
		default:
			return err
		}
	}
}

// markup reads to the end of the markup that begins at from.
func (p *part) markup(from int) ([]byte, error) {
	for {
		if err := p.until('>'); err != nil {
			return nil, err
		}
		text, end := p.buf[from:], ">"
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(text, []byte(cdata)):
			end = "]]>"
		case bytes.Count(text, []byte{'"'})%2 == 1: // within a value
			continue
		}
		if bytes.HasSuffix(text, []byte(end)) {
			return text, nil
		}
	}
}

// cdata begins text without entities.
const cdata = "<![CDATA["

// content reads to the end of the element of a start tag. It returns the texts of the t and
// v elements without formulas and phonetic readings.
func (p *part) content(of tag) (text string, err error) {
	if of.end {
		return "", nil
	}
	inText := false
	for depth := p.depth; p.depth >= depth; {
		from := len(p.buf)
		t, err := p.next()
		if err != nil {
			return "", err
		}
		if inText {
			text += plainText(p.buf[from : len(p.buf)-len(t.text)])
			if inner, ok := bytes.CutPrefix(t.text, []byte(cdata)); ok {
				text += string(inner[:len(inner)-len("]]>")])
			}
		}
		switch {
		case p.depth < depth && !bytes.Equal(t.name, of.name):
			return "", p.fault("%.60q does not end the element before", t.text)
		case t.is("t") || t.is("v"):
			inText = !t.end
		case (t.is("rPh") || t.is("f")) && t.start:
			if _, err := p.content(t); err != nil {
				return "", err
			}
		}
	}
	if len(text) > 4*MaxCellText { // bytes of UTF-8
		return "", p.fault("text of more than %d characters", MaxCellText)
	}
	return text, nil
}

// plainText returns character data with its entities and line ends resolved.
func plainText(raw []byte) string {
	text := html.UnescapeString(string(raw))
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// attribute returns the value of an attribute in a tag, or "".
func attribute(text []byte, name string) string {
	for {
		key, rest, ok := bytes.Cut(text, []byte{'='})
		if rest = bytes.TrimLeft(rest, " \t\r\n"); !ok || len(rest) == 0 {
			return ""
		}
		value, after, _ := bytes.Cut(rest[1:], rest[:1])
		key = bytes.TrimRight(key, " \t\r\n")
		if string(key[bytes.LastIndexAny(key, " \t\r\n")+1:]) == name {
			return string(value)
		}
		text = after
	}
}

// A Sheet reads the rows of one sheet.
type Sheet struct {
	*part
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

// Begin returns the position in the sheet of the row that Next returned. After the last row
// it is the end of the table of rows.
func (s *Sheet) Begin() int64 { return s.begin }

// Size returns the size of the sheet, in which Begin is a position.
func (s *Sheet) Size() int64 { return s.size }

// Prefix returns the prefix of the names of elements, such as "x:", or "". Next must have
// returned a row.
func (s *Sheet) Prefix() string { return s.prefix }

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
		s.begin = s.at - int64(len(t.text))
		switch {
		case t.is("sheetData") && t.end:
			if _, err := io.Copy(io.Discard, s.in); err != nil { // verify the checksum
				return nil, err
			}
			return nil, io.EOF
		case t.is("sheetData"):
			s.inRows = true
		case t.is("row") && t.start && s.inRows:
			return s.readRow(t)
		case t.is("row"):
			return nil, s.fault("a row outside the table of rows")
		}
	}
}

// readRow reads the cells of a row whose start tag was read.
func (s *Sheet) readRow(row tag) (values []string, err error) {
	n := s.row + 1
	if number := attribute(row.text, "r"); number != "" {
		if n, err = strconv.Atoi(number); err != nil || n <= s.row {
			return nil, s.fault("row number %.60q after row %d", number, s.row)
		}
	}
	if n > MaxRows {
		return nil, s.fault("more than %d rows", MaxRows)
	}
	s.prefix = string(row.prefix)
	s.buf = append(s.buf[:0], row.text...)
	s.row, s.head, s.cells = n, len(s.buf), s.cells[:0]
	for end := row.end; !end; {
		t, err := s.next()
		switch {
		case err != nil:
		case !t.start && t.end:
			if end = true; !t.is("row") {
				err = s.fault("%.60q does not end the element before", t.text)
			}
		case t.is("c"):
			values, err = s.readCell(values, t)
		case t.start:
			_, err = s.content(t)
		}
		if err != nil {
			return nil, err
		}
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
	text, err := s.content(t)
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
