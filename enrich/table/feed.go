package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	blockRows  = 1024    // rows that are worked at once
	blockBytes = 1 << 18 // bytes of text at which a block is full

	// MaxRow is the longest row of text that is read unless it is said
	// otherwise, in bytes.
	MaxRow = 1 << 20
)

// A block is a run of rows. How a table is cut into blocks depends on nothing
// but its content.
type block struct {
	text    []byte // text formats: the rows, line ends included
	ends    []int  // where each row ends in text
	parquet parquetBlock
	sheet   []sheetRow
	line    int64 // of the first row, from 1
}

func (b *block) len() int { return max(len(b.ends), b.parquet.n, len(b.sheet)) }

func (b *block) row(i int) []byte {
	if i == 0 {
		return b.text[:b.ends[0]]
	}
	return b.text[b.ends[i-1]:b.ends[i]]
}

func (b *block) lineOf(i int) int64 {
	if len(b.sheet) > 0 {
		return b.sheet[i].line
	}
	if i == 0 || len(b.ends) == 0 {
		return b.line + int64(i)
	}
	return b.line + int64(bytes.Count(b.text[:b.ends[i-1]], []byte{'\n'}))
}

func (b *block) reset() {
	b.text, b.ends, b.sheet, b.parquet.n = b.text[:0], b.ends[:0], b.sheet[:0], 0
}

// A feed cuts a stream of text into rows.
type feed struct {
	in     io.Reader
	buf    []byte
	at     int   // of the next byte in buf
	offset int64 // of the next byte in the stream
	line   int64 // of the next byte, from 1
	eof    bool
	max    int
	rows   int // in a block
	bytes  int // of a block
	// rowEnd returns the length of the first row of the text with its line end,
	// or 0 if the text ends before the row does.
	rowEnd func(text []byte) int
	quoted bool  // rows may hold line ends in quotes
	failed error // met after the delivered rows
}

// more reads until there is more to look at or the stream ends.
func (f *feed) more() error {
	const piece = 1 << 16
	if f.at > 0 {
		f.buf = f.buf[:copy(f.buf, f.buf[f.at:])]
		f.at = 0
	}
	if cap(f.buf)-len(f.buf) < piece {
		f.buf = append(make([]byte, 0, 2*cap(f.buf)+2*piece), f.buf...)
	}
	for range 100 {
		n, err := f.in.Read(f.buf[len(f.buf):cap(f.buf)])
		f.buf = f.buf[:len(f.buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			f.eof = true
			return nil
		case err != nil:
			return fmt.Errorf("table: read the input behind byte %d: %w", f.offset+int64(len(f.buf)), err)
		case n > 0:
			return nil
		}
	}
	return fmt.Errorf("table: read the input: %w", io.ErrNoProgress)
}

// row returns the next row with its line end, valid until the next call;
// io.EOF at the end.
func (f *feed) row() ([]byte, error) {
	if f.failed != nil {
		return nil, f.failed
	}
	for {
		text := f.buf[f.at:]
		n := 0
		if len(text) > 0 {
			n = f.rowEnd(text)
		}
		if n == 0 && f.eof {
			if len(text) == 0 {
				return nil, io.EOF
			}
			n = len(text)
		}
		if n > f.max || n == 0 && len(text) > f.max {
			return nil, &RowError{Line: f.line, Reason: f.tooLong()}
		}
		if n > 0 {
			row := text[:n]
			f.at += n
			f.offset += int64(n)
			f.line += int64(bytes.Count(row, []byte{'\n'}))
			return row, nil
		}
		if err := f.more(); err != nil {
			return nil, err
		}
	}
}

func (f *feed) tooLong() string {
	s := fmt.Sprintf("the row is longer than %d bytes", f.max)
	if f.quoted {
		s += "; is a quote never closed?"
	}
	return s
}

// peek returns the first bytes of the stream, at most n.
func (f *feed) peek(n int) ([]byte, error) {
	for len(f.buf)-f.at < n && !f.eof {
		if err := f.more(); err != nil {
			return nil, err
		}
	}
	return f.buf[f.at:min(len(f.buf), f.at+n)], nil
}

// fill puts rows into a block and returns io.EOF if none are left. It drops
// rows if keep returns false.
func (f *feed) fill(b *block, keep func(row []byte) bool) error {
	b.reset()
	b.line = f.line
	for len(b.ends) < f.rows && len(b.text) < f.bytes {
		row, err := f.row()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if len(b.ends) > 0 { // what came before it is worked first
				f.failed = err
				break
			}
			return err
		}
		if !keep(row) {
			if len(b.ends) == 0 {
				b.line = f.line
				continue
			}
			break // so that the lines of a block are counted in its text
		}
		b.text = append(b.text, row...)
		b.ends = append(b.ends, len(b.text))
	}
	if len(b.ends) == 0 {
		return io.EOF
	}
	return nil
}

// lineEnd divides the line end from a row. A carriage return at the end of the
// input belongs to none, and is left out.
func lineEnd(row []byte) (text, end []byte) {
	text, end = row, nil
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text, end = text[:n-1], row[n-1:]
	}
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
		if end != nil {
			end = row[n-1:]
		}
	}
	return text, end
}
