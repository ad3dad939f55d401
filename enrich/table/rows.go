package table

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// Reading is divided so that one goroutine does as little as possible. It only finds where
// rows end; workers split them into cells, in parallel. A row keeps its bytes and its cells
// refer to them, so that output in the same format is the input's bytes and the added cells:
// quotes, spaces and numbers such as 1.10 come out as they went in.
//
// That is why packages encoding/csv and encoding/json do not read tables: they return
// decoded values and no longer know how these were written.

const (
	blockRows  = 1024    // rows that are enriched at once
	blockBytes = 1 << 18 // bytes of text at which a block is full
)

// MaxRow is the maximum length of a row of text, in bytes. A quote that is never closed makes
// the rest of a table one row, which must end in an error and not in memory.
const MaxRow = 1 << 20

// A block is a run of rows. The content of a table decides how it is cut into blocks.
type block struct {
	rows    int // at which a block of text is full, if more than blockRows
	bytes   int // the same of its text
	n       int
	line    int64           // of the first row, from 1
	text    []byte          // CSV and NDJSON: the rows, line ends included; a copy, as the feed reads on
	ends    []int           // of each row in text
	sheet   []xlsx.Row      // XLSX
	columns []parquetColumn // Parquet
}

func (b *block) start(i int) int {
	if i == 0 {
		return 0
	}
	return b.ends[i-1]
}

func (b *block) row(i int) []byte { return b.text[b.start(i):b.ends[i]] }

func (b *block) lineOf(i int) int64 {
	switch {
	case len(b.sheet) > 0:
		return int64(b.sheet[i].Number)
	case len(b.ends) > 0: // counted only for errors: a row of CSV can have several lines
		return b.line + int64(bytes.Count(b.text[:b.start(i)], []byte{'\n'}))
	default:
		return b.line + int64(i)
	}
}

// A row is a row of a block. Each goroutine has its own, which [source.parse] sets.
type row struct {
	raw    []byte   // of text: the bytes that a writer of the same format keeps, without the end
	eol    []byte   // of CSV
	cells  []cell   // of text; may lack the last ones
	keys   []string // of NDJSON
	values [][]byte // of the keys
	misfit error    // the reason that only NDJSON can hold the row

	sheet   *xlsx.Row      // of XLSX
	parquet *parquetSource // nil for text
	block   *block         // of Parquet
	at      int            // in the block
}

// A cell is the text of a cell in its format.
type cell struct {
	raw  []byte
	kind cellKind
}

type cellKind uint8

const (
	plainCell   cellKind = iota
	quotedCell           // between quotes
	doubledCell          // with doubled quotes between quotes
	jsonCell             // a JSON value
)

// appendText appends the text of a cell, nothing if it is missing.
func (r *row) appendText(dst []byte, col int) []byte {
	if r.parquet != nil {
		return r.parquet.appendText(dst, r, col)
	}
	if col >= len(r.cells) {
		return dst
	}
	switch c := r.cells[col]; c.kind {
	case plainCell:
		return append(dst, c.raw...)
	case quotedCell:
		return append(dst, c.raw[1:len(c.raw)-1]...)
	case doubledCell:
		return append(dst, bytes.ReplaceAll(c.raw[1:len(c.raw)-1], []byte(`""`), []byte(`"`))...)
	default:
		return append(dst, jsonText(c.raw)...)
	}
}

func (r *row) text(col int) string { return string(r.appendText(nil, col)) }

// value returns a cell with its type.
func (r *row) value(col int) enrich.Value {
	if r.parquet != nil {
		return r.parquet.value(r, col)
	}
	if col < len(r.cells) && r.cells[col].kind == jsonCell {
		switch v := r.cells[col].raw; {
		case len(v) == 0 || v[0] == 'n':
			return enrich.Value{}
		case v[0] == 't' || v[0] == 'f':
			return enrich.ValueOf(v[0] == 't')
		case v[0] != '"': // also numbers, whose digits a float would change
			return enrich.ValueOf(json.RawMessage(valid(string(v))))
		}
	}
	return enrich.ValueOf(valid(r.text(col)))
}

func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// A feed cuts a stream of text into rows.
type feed struct {
	in   *bufio.Reader
	buf  []byte // of in
	at   int    // of the next byte in buf
	line int64  // of the next byte, from 1
	eof  bool   // buf has the end
	// rowEnd returns the length of the first row of the text with its line end, or 0 if
	// the text ends before the row does. It is then called again with the same scan.
	rowEnd func(text []byte, scan *rowScan) int
	keep   func(row []byte) bool // false for lines that are not rows
	quoted bool                  // rows may hold line ends in quotes
}

// piece is the number of bytes that are read at once.
const piece = 1 << 16

func newFeed(in io.Reader) feed { return feed{in: bufio.NewReaderSize(in, MaxRow+piece), line: 1} }

// more reads until buf has more bytes or the stream ends. It peeks for one more byte
// than there are, so it returns after one read of the stream and never waits for a full
// buffer. next calls it only with less than MaxRow bytes, so the buffer has room.
func (f *feed) more() (err error) {
	_, _ = f.in.Discard(f.at) // it has them
	_, err = f.in.Peek(f.in.Buffered() + 1)
	f.buf, _ = f.in.Peek(f.in.Buffered()) // it has them
	f.at, f.eof = 0, errors.Is(err, io.EOF)
	if err != nil && !f.eof {
		return fmt.Errorf("table: read the input: %w", err)
	}
	return nil
}

// skipBOM passes a byte order mark.
func (f *feed) skipBOM() (found bool, err error) {
	for len(f.buf) < len(byteBOM) && !f.eof && err == nil {
		err = f.more()
	}
	if found = bytes.HasPrefix(f.buf, []byte(byteBOM)); found {
		f.at = len(byteBOM)
	}
	return found, err
}

// next returns the next row with its line end, valid until the next call; io.EOF at the
// end.
func (f *feed) next() ([]byte, error) {
	var scan rowScan
	for {
		text, n := f.buf[f.at:], 0
		if len(text) > 0 {
			n = f.rowEnd(text, &scan)
		}
		if n == 0 && f.eof {
			if n = len(text); n == 0 {
				return nil, io.EOF
			}
		}
		switch {
		case n > MaxRow, n == 0 && len(text) >= MaxRow:
			reason := fmt.Sprintf("the row is longer than %d bytes", MaxRow)
			if f.quoted {
				reason += "; is a quote never closed?"
			}
			return nil, &Error{Line: f.line, Reason: reason}
		case n > 0:
			f.move(text[:n], 1)
			return text[:n], nil
		}
		if err := f.more(); err != nil {
			return nil, err
		}
	}
}

// move passes a row, or with -1 returns to its beginning: a first row that names the columns
// of NDJSON, or of CSV without a header, is read again as a row.
func (f *feed) move(row []byte, way int) {
	f.at += way * len(row)
	f.line += int64(way * bytes.Count(row, []byte{'\n'}))
}

func (f *feed) read(b *block) error {
	b.n, b.line, b.text, b.ends = 0, f.line, b.text[:0], b.ends[:0]
	for b.n < max(b.rows, blockRows) && len(b.text) < max(b.bytes, blockBytes) {
		row, err := f.next()
		switch {
		case err != nil:
			return err
		case f.keep(row):
			b.text = append(b.text, row...)
			b.ends = append(b.ends, len(b.text))
			b.n++
		case b.n > 0:
			return nil // so that the lines of a block are counted in its text
		default:
			b.line = f.line
		}
	}
	return nil
}

// emptyInput replaces io.EOF before the header, whose row may be given, with a clear error.
func emptyInput(err error, header int) error {
	switch {
	case !errors.Is(err, io.EOF):
		return err
	case header > 1:
		return fmt.Errorf("table: the input ends before row %d, which was to be the header", header)
	default:
		return errors.New("table: the input is empty; expected a header or a row")
	}
}

// lineEnd divides the line end from a row. A carriage return at the end of the input is
// left out: the last row gets a complete line end in the output.
func lineEnd(row []byte) (text, end []byte) {
	text, found := bytes.CutSuffix(row, []byte{'\n'})
	text = bytes.TrimSuffix(text, []byte{'\r'})
	if found {
		end = row[len(text):]
	}
	return text, end
}

func blank(row []byte) bool {
	text, _ := lineEnd(row)
	return len(text) == 0
}
