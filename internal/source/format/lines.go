package format

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// gate lets through so many bytes until it is opened again.
type gate struct {
	r    io.Reader
	left int64
}

var errGate = errors.New("gate is shut")

func (g *gate) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, errGate
	}
	n, err := g.r.Read(p[:min(int64(len(p)), g.left)])
	g.left -= int64(n)
	return n, err
}

// Lines cuts an input into lines without their ends.
type Lines struct {
	name  string
	gate  *gate
	r     *bufio.Reader
	limit int // longest line in bytes
	line  int // number of the line that Next returned last
}

// NewLines returns a reader of lines of at most so many bytes.
func NewLines(in *Input, limit int) *Lines {
	g := &gate{r: in}
	return &Lines{name: in.name, gate: g, r: bufio.NewReaderSize(g, inputBuffer), limit: limit}
}

// Line returns the number of the line that Next returned last, from 1.
func (l *Lines) Line() int { return l.line }

// Next returns the next line without LF or CR LF, and io.EOF after the last line. A
// byte order mark is left out.
func (l *Lines) Next() (string, error) {
	l.gate.left = int64(l.limit) + inputBuffer
	text, err := l.r.ReadString('\n')
	if text == "" && errors.Is(err, io.EOF) {
		return "", io.EOF
	}
	l.line++
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errGate) {
		return "", atLine(err, l.line)
	}
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if len(text) > l.limit {
		return "", &Error{File: l.name, Line: l.line, Reason: fmt.Sprintf("line of more than %d bytes", l.limit), Err: ErrTooLong}
	}
	if l.line == 1 {
		text = strings.TrimPrefix(text, byteOrderMark)
	}
	return text, nil
}

const byteOrderMark = "\ufeff"

// atLine adds the line to an error of the content.
func atLine(err error, line int) error {
	var e *Error
	if errors.As(err, &e) && e.Line == 0 {
		at := *e
		at.Line = line
		return &at
	}
	return err
}

// quotedReader reads comma separated values with quotes (RFC 4180). To
// encoding/csv it adds a bound on the length of a row and the refusal of empty
// lines within the data.
type quotedReader struct {
	name string
	most int // bytes of a row
	csv  *csv.Reader
	gate *gate
	at   int64 // offset of the end of the last row
	line int   // last line of the last row
}

func newQuotedReader(in *Input, o TableOptions) *quotedReader {
	if head, _ := in.r.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
		_, _ = in.r.Discard(len(byteOrderMark))
	}
	g := &gate{r: in}
	r := csv.NewReader(g)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = rune(o.Delimiter), -1, true
	return &quotedReader{name: in.name, most: o.MaxLine, csv: r, gate: g}
}

// next returns the fields of the next row, valid until the next call, and the
// number of its first line. io.EOF after the last row.
func (q *quotedReader) next() (fields []string, line int, err error) {
	const lineEnd = 2
	q.gate.left = int64(q.most) + lineEnd + 1
	fields, err = q.csv.Read()
	line = q.line + 1
	from := q.at
	q.at = q.csv.InputOffset()
	var syntax *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return nil, 0, io.EOF
	case errors.Is(err, errGate) || err == nil && q.at-from > int64(q.most)+lineEnd:
		return nil, 0, &Error{File: q.name, Line: line, Reason: fmt.Sprintf("row of more than %d bytes; a quoted field may lack its closing quote", q.most), Err: ErrTooLong}
	case errors.As(err, &syntax):
		return nil, 0, &Error{File: q.name, Line: syntax.StartLine, Reason: syntax.Err.Error(), Err: ErrSyntax}
	case err != nil:
		return nil, 0, atLine(err, line)
	}
	if first, _ := q.csv.FieldPos(0); first > line {
		return nil, 0, &Error{File: q.name, Line: line, Reason: "empty line within the data", Err: ErrRagged}
	}
	last := len(fields) - 1
	q.line, _ = q.csv.FieldPos(last)
	q.line += strings.Count(fields[last], "\n")
	return fields, line, nil
}
