package table

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/plain"
)

const quote = '"'

// CSV is read by RFC 4180 with what programs write beyond it: any delimiter, LF alone, a byte
// order mark, a line sep=; and titles above the header. These are kept in front of the
// header. A quote within a cell is text. What could mean two things is an error, unless the
// option Lenient keeps it: a quote that is never closed, text after a closing quote, too few
// or too many cells.

// csvRowEnd returns the length of the first row with its line end, or 0 if the text ends
// before the row does. A quote opens a quoted cell only as the cell's first character.
func csvRowEnd(text []byte, comma byte) int { return new(rowScan).csv(text, comma) }

// A rowScan searches the end of a row again when its text has grown, and goes on where it
// ended before. A long row from a stream that gives few bytes a read takes a time
// proportional to its length that way.
type rowScan struct {
	at     int  // bytes that were searched
	quoted bool // the next byte is in a quoted cell
	within bool // it is in another cell, and not the first byte
}

// csv is csvRowEnd.
func (s *rowScan) csv(text []byte, comma byte) int {
	// Most rows have no quotes; two searches of IndexByte are faster than a loop over bytes.
	if s.at == 0 {
		if n := bytes.IndexByte(text, '\n'); n >= 0 && bytes.IndexByte(text[:n], quote) < 0 {
			return n + 1
		}
	}
	for ; s.at < len(text); s.at++ {
		switch c := text[s.at]; {
		case s.quoted:
			n := bytes.IndexByte(text[s.at:], quote)
			if n < 0 {
				s.at = len(text)
				return 0
			}
			switch s.at += n; {
			case s.at+1 == len(text): // a second quote may follow
				return 0
			case text[s.at+1] == quote:
				s.at++
			default:
				s.quoted, s.within = false, true
			}
		case c == quote && !s.within:
			s.quoted = true
		case c == '\n':
			return s.at + 1
		default:
			s.within = c != comma
		}
	}
	return 0
}

// quotedEnd returns the length of the quoted text that begins a text, or 0 if its end is
// missing.
func quotedEnd(text []byte) int {
	for i := 1; ; i += 2 {
		n := bytes.IndexByte(text[i:], quote)
		if n < 0 {
			return 0
		}
		if i += n; i+1 >= len(text) || text[i+1] != quote {
			return i + 1
		}
	}
}

// A csvSource reads separated values.
type csvSource struct {
	feed
	comma   byte
	lenient bool
	eol     string // of the header
	header  []string
	head    []byte // text before the header: a byte order mark, a line sep=;, titles
	named   *row   // the header; nil without one
}

func (s *csvSource) names() []string { return s.header }

func (s *csvSource) parse(r *row, b *block, i int) error {
	if err := s.split(r, b.row(i)); err != nil {
		return rowError(b.lineOf(i), err)
	}
	return nil
}

// split finds the cells of a row. Its errors have no position. It must agree with csvRowEnd
// about quotes, or a line end within a cell would end a row.
func (s *csvSource) split(r *row, text []byte) error {
	text, r.eol = lineEnd(text)
	r.raw, r.cells = text, r.cells[:0]
	for more := true; more; {
		var c cell
		end := bytes.IndexByte(text, s.comma)
		if len(text) > 0 && text[0] == quote {
			n := quotedEnd(text)
			switch {
			case n > 0 && (n == len(text) || text[n] == s.comma):
				end, c.kind = n, quotedCell
				if bytes.IndexByte(text[1:n-1], quote) >= 0 {
					c.kind = doubledCell
				}
			case n == 0 && !s.lenient:
				return errors.New("cell " + strconv.Itoa(len(r.cells)+1) + ": a quote is never closed")
			case !s.lenient:
				return errors.New("cell " + strconv.Itoa(len(r.cells)+1) + ": text follows a closing quote")
			case n == 0: // lenient: the cell as it stands
				end = len(text)
			default:
				if end = bytes.IndexByte(text[n:], s.comma); end >= 0 {
					end += n
				}
			}
		}
		if more = end >= 0 && end < len(text); more {
			c.raw, text = text[:end], text[end+1:]
		} else {
			c.raw = text
		}
		r.cells = append(r.cells, c)
	}
	// The header itself and rows that are read ahead have no header to compare with.
	if n := len(r.cells); s.header != nil && n != len(s.header) && !s.lenient {
		return cellsError{n, len(s.header)}
	}
	return nil
}

// openCSV reads the header. Without one, columns are named "1", "2" ….
func openCSV(f feed, opt Input) (*csvSource, error) {
	s := &csvSource{feed: f, comma: cmp.Or(opt.Delimiter, opt.Format.comma()), lenient: opt.Lenient, eol: "\n"}
	s.rowEnd = func(text []byte, scan *rowScan) int { return scan.csv(text, s.comma) }
	s.quoted = true
	s.keep = func(row []byte) bool { return len(s.header) == 1 || !blank(row) } // blank lines of one column are rows
	found, err := s.skipBOM()
	if found {
		s.head = []byte(byteBOM)
	}
	if err == nil && opt.Delimiter == 0 && opt.Format == CSV {
		err = s.findComma()
	}
	if err != nil {
		return nil, err
	}
	above := 0
	switch {
	case opt.NoHeader:
	case opt.HeaderRow > 0:
		above = opt.HeaderRow - 1 - bytes.Count(s.head, []byte{'\n'})
	default:
		above = headerAt(s.ahead(titled))
	}
	line := s.line
	text, err := s.next()
	for ; err == nil && (above > 0 || blank(text) && !opt.NoHeader); above-- { // lines before the header
		if above > 0 && !blank(text) { // a title
			s.head = append(s.head, text...)
		}
		line = s.line
		text, err = s.next()
	}
	if err != nil {
		return nil, emptyInput(err, opt.HeaderRow)
	}
	r := new(row) // stays as the header of the output, so the text is copied
	if err := s.split(r, bytes.Clone(text)); err != nil {
		return nil, rowError(line, err)
	}
	// Old programs of the Mac end lines with CR, which makes the file one row. It has no
	// CRLF, and a CR in a quoted cell is text.
	if bytes.IndexByte(r.raw, '\r') >= 0 && len(r.eol) < 2 && bytes.IndexByte(r.raw, quote) < 0 {
		return nil, &Error{Line: line, Reason: "lines end with CR alone; convert them to LF or CRLF"}
	}
	if len(r.eol) > 0 {
		s.eol = string(r.eol)
	}
	if s.header = numbers(len(r.cells)); opt.NoHeader {
		s.head = nil
		s.move(text, -1)
		return s, nil
	}
	for i := range s.header {
		s.header[i] = valid(r.text(i))
	}
	s.named = r
	return s, nil
}

// numbers are the names of columns without a header: "1", "2" ….
func numbers(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	return names
}

// findComma sets the delimiter: that of a line such as sep=; for spreadsheets, which it
// passes, else the one that the first row with a delimiter has most of, outside quotes. A
// title has none.
func (s *csvSource) findComma() error {
	const enough = 1 << 16 // bytes that are searched for the first row
	var text []byte
	var scan rowScan
	for {
		text = bytes.TrimLeft(s.buf[s.at:], "\r\n")
		if scan.csv(text, s.comma) > 0 || s.eof || len(text) > enough {
			break
		}
		if err := s.more(); err != nil {
			return err
		}
	}
	// Equal counts keep the first of the list: a comma goes before the others.
	for most := 0; most == 0 && len(text) > 0; {
		n := csvRowEnd(text, s.comma)
		if n == 0 {
			n = len(text)
		}
		row := text[:n]
		if line, _ := lineEnd(row); len(line) == len("sep=;") && bytes.HasPrefix(line, []byte("sep=")) && line[4] != quote && line[4] < utf8.RuneSelf {
			s.comma, row = line[4], s.buf[s.at:len(s.buf)-len(text)+n]
			s.head = append(s.head, row...)
			s.move(row, 1)
			return nil
		}
		text = text[n:]
		for _, c := range []byte(",;\t|") {
			n, quoted := 0, false
			for _, b := range row {
				quoted = quoted != (b == quote)
				if b == c && !quoted {
					n++
				}
			}
			if n > most {
				most, s.comma = n, c
			}
		}
	}
	return nil
}

// ahead returns the first rows, as far as one read of the stream brings them, without
// passing them. They are read leniently, because parse reports their errors with their lines.
func (s *csvSource) ahead(most int) (rows [][]string) {
	text := s.buf[s.at:]
	look := csvSource{comma: s.comma, lenient: true}
	var r row
	for len(rows) < most {
		n := csvRowEnd(text, s.comma)
		if n == 0 || look.split(&r, text[:n]) != nil {
			break
		}
		cells := make([]string, len(r.cells))
		for i := range cells {
			cells[i] = r.text(i)
		}
		rows, text = append(rows, cells), text[n:]
	}
	return rows
}

// A csvWriter writes cells of separated values.
type csvWriter struct {
	comma   byte
	columns int  // of the source
	safe    bool // cells that a spreadsheet would take for formulas are made text
}

// csvText returns the writer of CSV or TSV. Rows of the same format keep their bytes and
// their delimiter.
func csvText(src *Source, f Format, safe bool) *textWriter {
	c := &csvWriter{f.comma(), len(src.Header()), safe}
	w := &textWriter{columns: c.columns, end: "\n", cell: c.cell}
	if s, ok := src.source.(*csvSource); ok {
		if w.end = s.eol; src.Format == f {
			c.comma, w.keep, w.head, w.named = s.comma, c.keep, s.head, s.named
		}
	}
	w.between = string(c.comma)
	return w
}

// keep appends the cells of a row as they are. Missing cells are added as empty ones, and
// surplus ones are left to textWriter.row, so that added cells stay below their names.
func (c *csvWriter) keep(dst []byte, r *row) ([]byte, error) {
	if !c.safe && len(r.cells) == c.columns {
		return append(dst, r.raw...), nil
	}
	for i := range c.columns {
		if i > 0 {
			dst = append(dst, c.comma)
		}
		if text := r.text(i); i < len(r.cells) && !(c.safe && plain.IsFormula(text)) {
			dst = append(dst, r.cells[i].raw...)
		} else {
			dst = c.text(dst, text)
		}
	}
	return dst, nil
}

// cell appends a cell. Hidden characters of added values are escaped.
func (c *csvWriter) cell(dst []byte, col int, v enrich.Value) ([]byte, error) {
	switch t := v.Type(); {
	case t == enrich.Int || t == enrich.Float || t == enrich.Bool:
		return v.AppendText(dst), nil
	case col >= c.columns:
		return c.text(dst, plain.Clean(v.String())), nil
	default:
		return c.text(dst, v.String()), nil
	}
}

// text appends a text, in quotes if it needs them.
func (c *csvWriter) text(dst []byte, s string) []byte {
	formula := c.safe && plain.IsFormula(s)
	if !formula && strings.IndexByte(s, c.comma) < 0 && !strings.ContainsAny(s, "\"\r\n") {
		return append(dst, s...)
	}
	dst = append(dst, quote)
	if formula {
		dst = append(dst, '\'')
	}
	return append(append(dst, strings.ReplaceAll(s, `"`, `""`)...), quote)
}
