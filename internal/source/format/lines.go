package format

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Lines cuts an input into lines without their ends.
type Lines struct {
	in    *Input
	limit int    // longest line in bytes
	line  int    // number of the line that Next returned last
	long  []byte // a line that is longer than the input's buffer
	err   error
}

// NewLines returns a reader of lines of at most so many bytes.
func NewLines(in *Input, limit int) *Lines { return &Lines{in: in, limit: limit} }

// Line returns the number of the line that Next returned last, from 1.
func (l *Lines) Line() int { return l.line }

// Next returns the next line without LF or CR LF, valid until the next call,
// and io.EOF after the last line. A byte order mark is left out.
func (l *Lines) Next() ([]byte, error) {
	if l.err != nil {
		return nil, l.err
	}
	b, err := l.in.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		b, err = l.rest(b)
	}
	l.err = err
	if err != nil && !errors.Is(err, io.EOF) {
		var e *Error
		if errors.As(err, &e) && e.Line == 0 {
			at := *e
			at.Line = l.line + 1
			l.err = &at
		}
		return nil, l.err
	}
	if err != nil && len(b) == 0 {
		return nil, io.EOF
	}
	l.line++
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	if len(b) > l.limit {
		l.err = l.tooLong(l.line)
		return nil, l.err
	}
	if l.line == 1 {
		b = bytes.TrimPrefix(b, byteOrderMark)
	}
	return b, nil
}

var byteOrderMark = []byte("\ufeff")

// rest reads on to the end of a line whose beginning fills the buffer.
func (l *Lines) rest(b []byte) ([]byte, error) {
	l.long = append(l.long[:0], b...)
	for {
		if len(l.long) > l.limit+2 {
			return nil, l.tooLong(l.line + 1)
		}
		more, err := l.in.r.ReadSlice('\n')
		l.long = append(l.long, more...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
	}
}

func (l *Lines) tooLong(line int) error {
	return &Error{File: l.in.name, Line: line, Reason: fmt.Sprintf("line of more than %d bytes", l.limit), Err: ErrTooLong}
}

// quotedReader reads comma separated values with quotes (RFC 4180). To
// encoding/csv it adds a bound on the length of a row, the encoding, and the
// refusal of empty lines within the data.
type quotedReader struct {
	in   *Input
	o    TableOptions
	csv  *csv.Reader
	gate *gate
	at   int64 // offset of the end of the last row
	line int   // last line of the last row
}

func newQuotedReader(in *Input, o TableOptions) *quotedReader {
	if head, _ := in.r.Peek(len(byteOrderMark)); bytes.Equal(head, byteOrderMark) {
		_, _ = in.r.Discard(len(byteOrderMark))
	}
	g := &gate{r: in}
	r := csv.NewReader(g)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = rune(o.Delimiter), -1, true
	return &quotedReader{in: in, o: o, csv: r, gate: g}
}

// next returns the fields of the next row, valid until the next call, and the
// number of its first line. io.EOF after the last row.
func (q *quotedReader) next() (fields []string, line int, err error) {
	const lineEnd = 2
	q.gate.left = int64(q.o.MaxLine) + lineEnd + 1
	fields, err = q.csv.Read()
	from := q.at
	q.at = q.csv.InputOffset()
	switch {
	case errors.Is(err, io.EOF):
		return nil, 0, io.EOF
	case err != nil:
		return nil, 0, q.failed(err)
	}
	line, _ = q.csv.FieldPos(0)
	if q.at-from > int64(q.o.MaxLine)+lineEnd {
		return nil, 0, q.tooLong(line)
	}
	if line > q.line+1 {
		return nil, 0, &Error{File: q.in.name, Line: q.line + 1, Reason: "empty line within the data", Err: ErrRagged}
	}
	for i, f := range fields {
		s, reason := q.o.Encoding.decode(f)
		if reason != "" {
			return nil, 0, &Error{File: q.in.name, Line: line, Reason: fmt.Sprintf("field %d: %s", i+1, reason), Err: ErrEncoding}
		}
		fields[i] = s
	}
	last := len(fields) - 1
	q.line, _ = q.csv.FieldPos(last)
	q.line += strings.Count(fields[last], "\n")
	return fields, line, nil
}

// failed adds the place and the reason to a reading error.
func (q *quotedReader) failed(err error) error {
	var e *Error
	var syntax *csv.ParseError
	switch {
	case errors.As(err, &e):
		at := *e
		if at.Line == 0 {
			at.Line = q.line + 1
		}
		return &at
	case errors.Is(err, errGate):
		return q.tooLong(q.line + 1)
	case errors.As(err, &syntax):
		return &Error{File: q.in.name, Line: syntax.StartLine, Reason: syntax.Err.Error(), Err: ErrSyntax}
	default:
		return err
	}
}

func (q *quotedReader) tooLong(line int) error {
	return &Error{File: q.in.name, Line: line, Reason: fmt.Sprintf("row of more than %d bytes; a quoted field may lack its closing quote", q.o.MaxLine), Err: ErrTooLong}
}
