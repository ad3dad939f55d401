package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lineReader cuts an input into lines without their ends.
type lineReader struct {
	in    *Input
	limit int    // longest line in bytes
	line  int    // number of the line that next returned last
	long  []byte // a line that is longer than the input's buffer
	err   error
}

// next returns the next line without LF or CR LF, valid until the next call,
// and io.EOF after the last line.
func (l *lineReader) next() ([]byte, error) {
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
func (l *lineReader) rest(b []byte) ([]byte, error) {
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

func (l *lineReader) tooLong(line int) error {
	return &Error{File: l.in.name, Line: line, Reason: fmt.Sprintf("line of more than %d bytes", l.limit), Err: ErrTooLong}
}
