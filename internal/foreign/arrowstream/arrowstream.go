// Package arrowstream checks streams of Arrow before a library reads them. Readers
// reserve as much memory as the metadata of a message claims, and too much ends the
// process.
package arrowstream

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits of a message.
const (
	mostMetadata = 16 << 20  // bytes of its metadata
	mostBody     = 256 << 20 // bytes of its data
	mostDecoded  = 64 << 20  // bytes of the names and metadata that it describes

	mostCompressed = 64 << 20 // rows of a compressed batch
)

// ErrMetadata is returned for a message whose metadata is damaged or too large.
var ErrMetadata = errors.New("the metadata of an Arrow message is damaged or too large")

// ErrColumn is returned for a column that is not of texts, bytes or numbers.
var ErrColumn = errors.New("a column of an Arrow stream has neither texts nor bytes nor numbers")

// Each calls evaluate for each stream of the input until it ends. If chunks is set, a line
// with the number of rows precedes each stream, as ClickHouse writes them.
func Each(in *bufio.Reader, chunks bool, evaluate func(stream io.Reader) (rows int64, err error)) error {
	for {
		if _, err := in.Peek(1); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		want := int64(-1)
		if chunks {
			line, err := in.ReadString('\n')
			if err != nil {
				return fmt.Errorf("read the number of rows: %w", err)
			}
			if want, err = strconv.ParseInt(strings.TrimSpace(line), 10, 64); err != nil || want < 0 {
				return fmt.Errorf("a chunk begins with %.40q; expected its number of rows", line)
			}
		}
		rows, err := evaluate(NewReader(in))
		switch {
		case err != nil:
			return err
		case want >= 0 && rows != want:
			return fmt.Errorf("a chunk of %d rows has %d", want, rows)
		}
	}
}

// NewReader returns a reader of the same bytes. It returns an error before the metadata
// of a message that is damaged, or has columns other than texts, bytes and numbers, also
// in dictionaries.
func NewReader(in io.Reader) io.Reader { return &reader{in: in} }

type reader struct {
	in   io.Reader
	head []byte // of a message, with its metadata
	body int64  // bytes that follow

	views map[int64]int // see checker
}

func (r *reader) Read(p []byte) (n int, err error) {
	if len(r.head) == 0 && r.body == 0 {
		if err := r.message(); err != nil {
			return 0, err
		}
	}
	if len(r.head) > 0 {
		n = copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	n, err = r.in.Read(p[:min(int64(len(p)), r.body)])
	r.body -= int64(n)
	return n, err
}

// message reads the beginning of a message. A length of 0 ends the stream.
func (r *reader) message() error {
	const word, continues = 4, 0xffffffff
	var head bytes.Buffer
	length := uint32(continues)
	for length == continues && head.Len() < 2*word {
		if err := r.copy(&head, word); err != nil {
			return err
		}
		length = binary.LittleEndian.Uint32(head.Bytes()[head.Len()-word:])
	}
	from := head.Len()
	if length > mostMetadata {
		return ErrMetadata
	}
	if err := r.copy(&head, int64(length)); err != nil {
		return err
	}
	r.head = head.Bytes()
	if length == 0 {
		return nil
	}
	c := checker{left: mostDecoded, views: r.views}
	err := c.message(r.head[from:])
	r.body, r.views = c.body, c.views
	return err
}

// copy reads bytes of a message. The memory grows with the bytes that arrive.
func (r *reader) copy(head *bytes.Buffer, n int64) error {
	_, err := io.CopyN(head, r.in, n)
	if errors.Is(err, io.EOF) && head.Len() > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}
