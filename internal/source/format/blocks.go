package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// A Block is one fixed-width record. It may be kept; so may the strings that it
// gives, but they keep the whole record in memory.
type Block struct {
	text   string
	file   string
	record int
}

// Blocks reads the fixed-width records of a postal product, which have so many bytes.
// They follow each other without line ends, or every one ends with LF or every one with
// CR LF. The first record shows which of the three. The sequence ends with the file or
// after its first error, and can be run once. A last record that is cut off, and bytes
// that are not printable ASCII, are errors.
func Blocks(in *Input, length int) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		ending := -1 // bytes of a line end; -1 before the first
		room := make([]byte, length+len("\r\n"))
		for b := (Block{file: in.name, record: 1}); ; b.record++ {
			n, err := io.ReadFull(in, room[:length+max(ending, 0)])
			if n == 0 && errors.Is(err, io.EOF) || n == 1 && room[0] == 0x1a && errors.Is(err, io.ErrUnexpectedEOF) { // the end-of-file mark of DOS
				return
			}
			if ending < 0 && err == nil {
				next, _ := in.Peek(len("\r\n"))
				ending = 0
				for _, end := range []string{"\n", "\r\n"} {
					if strings.HasPrefix(string(next), end) {
						ending = len(end)
					}
				}
				_, _ = in.r.Discard(ending)
				copy(room[length:], next[:ending])
				n += ending
			}
			if b.text = string(room[:min(n, length)]); n == length && errors.Is(err, io.ErrUnexpectedEOF) { // the last line end is missing
				err = nil
			}
			if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
				err = b.check(room[min(n, length):n], length, ending, n)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// check returns the fault of a record of n bytes with its line end.
func (b *Block) check(end []byte, length, ending, n int) error {
	i := strings.IndexFunc(b.text, func(c rune) bool { return c < ' ' || c > '~' })
	switch {
	case n < length:
		return b.fault(ErrTruncated, "ends after %d of %d bytes; fetch the file again, or check that it is of this product", n, length)
	case i >= 0 && (b.text[i] == '\n' || b.text[i] == '\r'):
		return b.fault(ErrRagged, "line end at byte %d, expected records of %d bytes; check that the file is of this product", i+1, length)
	case i >= 0:
		return b.fault(ErrEncoding, "byte %d is 0x%02x, expected printable ASCII", i+1, b.text[i])
	case len(end) > 0 && !bytes.Equal(end, []byte("\r\n")[2-ending:]):
		return b.fault(ErrRagged, "followed by %q, expected the line end %q", end, "\r\n"[2-ending:])
	}
	return nil
}

// Field returns the text of a field without the spaces around it. start is the
// field's first byte, from 1, and n its length. It panics when the field is not
// within the record.
func (b Block) Field(start, n int) string {
	return strings.Trim(b.Raw(start, n), " ")
}

// Raw returns an unchanged field, with its spaces.
func (b Block) Raw(start, n int) string { return b.text[start-1 : start-1+n] }

// Byte returns the byte at the position, from 1.
func (b Block) Byte(pos int) byte { return b.text[pos-1] }

// Record returns the number of the record in its file, from 1.
func (b Block) Record() int { return b.record }

// Errorf returns an [*Error] about a field of the record that matches
// [ErrValue]. The format should have the found and the expected value.
func (b Block) Errorf(field, format string, args ...any) error {
	return &Error{File: b.file, Record: b.record, Column: field, Reason: fmt.Sprintf(format, args...), Err: ErrValue}
}

func (b *Block) fault(cause error, format string, args ...any) error {
	return &Error{File: b.file, Record: b.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}
