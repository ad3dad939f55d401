package format

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

// Bounds of the expansion of a compressed file, so that a small hostile download cannot
// fill the memory. They admit every official file: the text of the National Address
// Database has 41 GB.
const (
	maxSize   = 128 << 30 // bytes of a file or member, uncompressed
	maxRatio  = 250       // uncompressed over compressed,
	ratioFree = 64 << 20  // except for the first bytes
)

// OpenOptions selects a part of a file.
type OpenOptions struct {
	// Member names the member of a zip: its full name, or a pattern of
	// path.Match that only one member matches. "" takes the only file of the
	// zip. It is ignored for other files.
	Member string
	// MaxSize is the most bytes that a compressed file may hold uncompressed. Zero means
	// 128 GiB.
	MaxSize int64
}

// An Input is an open stream of uncompressed bytes with a name. It must be
// closed.
type Input struct {
	name    string
	r       *bufio.Reader
	closers []io.Closer
}

const inputBuffer = 1 << 16

// NewInput returns an Input over r for available bytes. Error messages contain
// the name.
func NewInput(name string, r io.Reader) *Input {
	return &Input{name: name, r: bufio.NewReaderSize(r, inputBuffer)}
}

// Open opens the file at the path: the member o.Member of a zip, a gzip file,
// or a plain file. The first bytes decide. Checksums of compressed files are
// verified as the end is read.
func Open(path string, o OpenOptions) (*Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := openFile(f, path, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	return in, nil
}

func openFile(f *os.File, path string, o OpenOptions) (*Input, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	var magic [4]byte
	n, err := f.ReadAt(magic[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var in *Input
	switch {
	case n == 4 && (string(magic[:]) == "PK\x03\x04" || string(magic[:]) == "PK\x05\x06"):
		var a *Archive
		if a, err = newArchive(f, st.Size(), path, o.MaxSize); err == nil {
			in, err = a.Open(o.Member)
		}
	case n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bufio.NewReaderSize(f, inputBuffer)); err != nil {
			return nil, &Error{File: path, Reason: "gzip header: " + err.Error(), Err: ErrTruncated}
		}
		in, err = newBounded(z, path, st.Size(), o.MaxSize), nil
	default:
		in, err = NewInput(path, f), nil
	}
	if err == nil {
		in.closers = append(in.closers, f)
	}
	return in, err
}

// Name returns the path, with the member's name if any, as in error messages.
func (in *Input) Name() string { return in.name }

// Read reads uncompressed bytes. Errors of the content are [*Error]s.
func (in *Input) Read(p []byte) (int, error) { return in.r.Read(p) }

// Close closes the stream and the file below it. It may be called again.
func (in *Input) Close() error {
	var first error
	for _, c := range in.closers {
		if err := c.Close(); err != nil && first == nil {
			first = err
		}
	}
	in.closers = nil
	return first
}

// bounded is a decompressing reader that refuses to give more than the limits
// allow and names the file in its errors.
type bounded struct {
	r                         io.Reader
	name                      string
	compressed, maxSize, read int64
	err                       error
}

func newBounded(r io.ReadCloser, name string, compressed, most int64) *Input {
	in := NewInput(name, &bounded{r: r, name: name, compressed: max(compressed, 1), maxSize: cmp.Or(most, maxSize)})
	in.closers = append(in.closers, r)
	return in
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.r.Read(p)
	b.read += int64(n)
	const bomb = "; the file is refused as a possible decompression bomb"
	switch {
	case b.read > b.maxSize:
		b.err = &Error{File: b.name, Reason: fmt.Sprintf("more than %d bytes uncompressed%s", b.maxSize, bomb), Err: ErrTooLarge}
	case b.read > ratioFree && b.read/b.compressed > maxRatio:
		b.err = &Error{File: b.name, Reason: fmt.Sprintf("expands more than %d times%s", maxRatio, bomb), Err: ErrTooLarge}
	case err == nil || errors.Is(err, io.EOF):
		b.err = err
		return n, err
	default:
		b.err = &Error{File: b.name, Reason: fmt.Sprintf("after %d bytes: %v; fetch the file again", b.read, err), Err: ErrTruncated}
		return n, b.err
	}
	return 0, b.err
}

// Peek returns the next bytes without reading them: at most n, and fewer with
// the error io.EOF if the input ends before.
func (in *Input) Peek(n int) ([]byte, error) { return in.r.Peek(n) }
