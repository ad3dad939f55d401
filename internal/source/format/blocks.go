package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// Blocks reads the fixed-width records of a postal product. The records follow
// each other without line ends, or every one ends with LF or every one with CR
// LF. The first record shows which of the three.
type Blocks struct {
	in     *Input
	length int
	ending string
	record int
	buf    []byte
}

// A Block is one fixed-width record. It may be kept; so may the strings that it
// gives, but they keep the whole record in memory.
type Block struct {
	text   string
	file   string
	record int
}

// NewBlocks returns a reader of records of the length, in bytes without line
// end. It panics unless the length is positive.
func NewBlocks(in *Input, length int) *Blocks {
	if length <= 0 {
		panic("format: block length must be positive")
	}
	return &Blocks{in: in, length: length, buf: make([]byte, length+2)}
}

// All reads the records. The sequence ends with the file or after its first
// error, and can be run once. A last record that is cut off, and bytes that
// are not printable ASCII, are errors.
func (b *Blocks) All() iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		for {
			blk, err := b.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(blk, err) || err != nil {
				return
			}
		}
	}
}

func (b *Blocks) next() (Block, error) {
	rec := b.buf[:b.length]
	n, err := io.ReadFull(b.in, rec)
	b.record++
	blk := Block{file: b.in.name, record: b.record}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && n == 1 && rec[0] == 0x1a: // the end-of-file mark of DOS
		return Block{}, io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Block{}, blk.fault(ErrTruncated, "ends after %d of %d bytes; fetch the file again, or check that it is of this product", n, b.length)
	case err != nil:
		return Block{}, err
	}
	if i := bytes.IndexFunc(rec, func(c rune) bool { return c < ' ' || c > '~' }); i >= 0 {
		if rec[i] == '\n' || rec[i] == '\r' {
			return Block{}, blk.fault(ErrRagged, "line end at byte %d, expected records of %d bytes; check that the file is of this product", i+1, b.length)
		}
		return Block{}, blk.fault(ErrEncoding, "byte %d is 0x%02x, expected printable ASCII", i+1, rec[i])
	}
	blk.text = string(rec)
	if b.record == 1 { // shows the line ends
		next, _ := b.in.Peek(2)
		for _, ending := range []string{"\r\n", "\n"} {
			if b.ending == "" && strings.HasPrefix(string(next), ending) {
				b.ending = ending
			}
		}
	}
	end := b.buf[b.length : b.length+len(b.ending)]
	if n, err = io.ReadFull(b.in, end); n == 0 && errors.Is(err, io.EOF) {
		return blk, nil
	}
	if string(end[:n]) != b.ending {
		return Block{}, blk.fault(ErrRagged, "followed by %q, expected the line end %q", end[:n], b.ending)
	}
	return blk, nil
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

func (b Block) fault(cause error, format string, args ...any) error {
	return &Error{File: b.file, Record: b.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}
