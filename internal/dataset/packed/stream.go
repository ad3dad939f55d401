package packed

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// window is the largest distance of a match in a pack, in bytes. It bounds the
// memory of a pull.
const window = 8 << 20

// errStream is returned for bytes that no publisher wrote.
var errStream = errors.New("the stream is malformed")

// A reader reads numbers and bytes and keeps the first error.
type reader struct {
	*bufio.Reader
	err error
}

func (r *reader) uint(most uint64) uint64 {
	if r.err != nil {
		return 0
	}
	v, err := binary.ReadUvarint(r.Reader)
	if err == nil && v > most {
		err = errStream
	}
	if err != nil {
		r.err = err
		return 0
	}
	return v
}

func (r *reader) int() int64 {
	v := r.uint(1<<64 - 1)
	return int64(v>>1) ^ -int64(v&1)
}

// fill reads so many bytes.
func (r *reader) fill(b []byte) {
	if r.err == nil {
		_, r.err = io.ReadFull(r.Reader, b)
	}
}

// take reads n bytes into a new slice. It allocates as bytes arrive.
func (r *reader) take(n int) []byte {
	const step = 1 << 20
	if n <= step {
		b := make([]byte, n)
		r.fill(b)
		return b
	}
	b := bytes.NewBuffer(make([]byte, 0, step))
	if r.err == nil {
		_, r.err = io.CopyN(b, r.Reader, int64(n))
	}
	return b.Bytes()
}

// end reports the first error, or bytes behind the last value.
func (r *reader) end() error {
	if r.err == nil {
		if _, err := r.ReadByte(); err == nil {
			r.err = errStream
		} else if !errors.Is(err, io.EOF) {
			r.err = err
		}
	}
	return r.fault()
}

// fault returns the first error. An early end is a malformed stream.
func (r *reader) fault() error {
	if errors.Is(r.err, io.EOF) || errors.Is(r.err, io.ErrUnexpectedEOF) {
		return errStream
	}
	return r.err
}

// unpack returns a reader of a compressed stream.
func unpack(in io.Reader) (r *reader, closer func(), err error) {
	d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window), zstd.WithDecoderMaxMemory(maxRow))
	if err != nil {
		return nil, nil, err
	}
	return &reader{Reader: bufio.NewReaderSize(d, 1<<16)}, d.Close, nil
}

// A coder compresses. It makes its encoders once, since the tables of one are larger
// than most columns.
type coder struct {
	packer, sizer *zstd.Encoder
	out           []byte
}

// pack compresses what write writes. The same input gives the same bytes.
func (c *coder) pack(w io.Writer, write func(*zstd.Encoder) error) (err error) {
	if c.packer == nil {
		c.packer, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window), zstd.WithEncoderCRC(false))
		if err != nil {
			return err
		}
	}
	c.packer.Reset(w)
	if err := write(c.packer); err != nil {
		return err
	}
	return c.packer.Close()
}

// size estimates the size of bytes after compression.
func (c *coder) size(b []byte) int {
	if c.sizer == nil {
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return len(b)
		}
		c.sizer = z
	}
	c.out = c.sizer.EncodeAll(b, c.out[:0])
	return len(c.out)
}

// newReader returns a reader of bytes in memory.
func newReader(b []byte) *reader { return &reader{Reader: bufio.NewReader(bytes.NewReader(b))} }
