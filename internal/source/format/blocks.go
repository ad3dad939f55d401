package format

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// blocks reads the fixed-width records of a postal product. They follow each other without
// line ends, or every one ends with LF or every one with CR LF. The first record shows
// which of the three. A last record that is cut off, and bytes that are not printable
// ASCII, are errors. A row has the record as its only field.
//
// A file of another product of the same publisher has records of another length. All its
// bytes would parse as something. The first sign of it is a line end within a record, or
// a detail code that does not exist.
type blocks struct {
	*Input
	header *header
	length int
	ending int // bytes of a line end; -1 before the first
	room   []byte
}

func newBlocks(in *Input, length int) *blocks {
	return &blocks{Input: in, header: &header{file: in.Name, records: true}, length: length, ending: -1, room: make([]byte, length+len("\r\n"))}
}

func (b *blocks) next() (Row, error) {
	n, err := io.ReadFull(b, b.room[:b.length+max(b.ending, 0)])
	short := errors.Is(err, io.ErrUnexpectedEOF)
	if n == 0 && errors.Is(err, io.EOF) || n == 1 && b.room[0] == 0x1a && short { // the end-of-file mark of DOS
		return Row{}, io.EOF
	}
	b.record++
	if err != nil && !short {
		return Row{}, err
	}
	if b.ending < 0 && !short {
		next, _ := b.Peek(len("\r\n"))
		b.ending = 0
		for _, end := range []string{"\n", "\r\n"} {
			if strings.HasPrefix(string(next), end) {
				b.ending = len(end)
			}
		}
		n += copy(b.room[b.length:], next[:b.ending])
		_, _ = b.Discard(b.ending)
	}
	text, end := string(b.room[:min(n, b.length)]), b.room[min(n, b.length):n] // the last line end may be missing
	i := strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
	switch {
	case n < b.length:
		return Row{}, b.fault(ErrTruncated, "ends after %d of %d bytes; fetch the file again, or check that it is of this product", n, b.length)
	case i >= 0 && (text[i] == '\n' || text[i] == '\r'):
		return Row{}, b.fault(ErrRagged, "line end at byte %d, expected records of %d bytes; check that the file is of this product", i+1, b.length)
	case i >= 0:
		return Row{}, b.fault(ErrEncoding, "byte %d is 0x%02x, expected printable ASCII", i+1, text[i])
	case len(end) > 0 && !bytes.Equal(end, []byte("\r\n")[2-b.ending:]):
		return Row{}, b.fault(ErrRagged, "followed by %q, expected the line end %q", end, "\r\n"[2-b.ending:])
	}
	return Row{header: b.header, fields: []string{text}, Number: b.record}, nil
}
