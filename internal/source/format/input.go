package format

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

// Limits bound the expansion of a compressed file, so that a small hostile
// download cannot fill the memory or the disk. The zero value admits every
// official file.
type Limits struct {
	// MaxSize is the most bytes that one file or member may hold uncompressed.
	// Zero means 16 GiB.
	MaxSize int64
	// MaxRatio is the largest expansion of a file or member, uncompressed over
	// compressed. It does not apply to the first 64 MiB. Zero means 250.
	MaxRatio int64
	// MaxMembers is the most members that a zip may have. Zero means 10,000.
	MaxMembers int
}

const ratioFree = 64 << 20

func (l Limits) withDefaults() Limits {
	if l.MaxSize <= 0 {
		l.MaxSize = 16 << 30
	}
	if l.MaxRatio <= 0 {
		l.MaxRatio = 250
	}
	if l.MaxMembers <= 0 {
		l.MaxMembers = 10_000
	}
	return l
}

// OpenOptions selects a part of a file.
type OpenOptions struct {
	// Member names the member of a zip: its full name, or a pattern of
	// path.Match that only one member matches. "" takes the only file of the
	// zip. It is ignored for other files.
	Member string
	// Limits bound the expansion; the zero value is a good choice.
	Limits Limits
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
	switch {
	case n == 4 && (string(magic[:]) == "PK\x03\x04" || string(magic[:]) == "PK\x05\x06"):
		a, err := newArchive(f, st.Size(), path, o.Limits)
		if err != nil {
			return nil, err
		}
		in, err := a.Open(o.Member)
		if err != nil {
			return nil, err
		}
		in.closers = append(in.closers, f)
		return in, nil
	case n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		in, err := newGzip(bufio.NewReaderSize(f, inputBuffer), st.Size(), path, o.Limits)
		if err != nil {
			return nil, err
		}
		in.closers = append(in.closers, f)
		return in, nil
	default:
		in := NewInput(path, f)
		in.closers = append(in.closers, f)
		return in, nil
	}
}

func newGzip(r io.Reader, size int64, name string, l Limits) (*Input, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, &Error{File: name, Reason: "gzip header: " + err.Error(), Err: ErrTruncated}
	}
	in := NewInput(name, newBounded(z, name, size, l))
	in.closers = append(in.closers, z)
	return in, nil
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
	r          io.Reader
	name       string
	compressed int64
	read       int64
	limits     Limits
	err        error
}

func newBounded(r io.Reader, name string, compressed int64, l Limits) *bounded {
	return &bounded{r: r, name: name, compressed: max(compressed, 1), limits: l.withDefaults()}
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.r.Read(p)
	b.read += int64(n)
	switch {
	case b.read > b.limits.MaxSize:
		b.err = tooLarge(b.name, fmt.Sprintf("more than %d bytes uncompressed", b.limits.MaxSize))
	case b.read > ratioFree && b.read/b.compressed > b.limits.MaxRatio:
		b.err = tooLarge(b.name, fmt.Sprintf("expands more than %d times", b.limits.MaxRatio))
	case err == nil || errors.Is(err, io.EOF):
		b.err = err
		return n, err
	default:
		b.err = &Error{File: b.name, Reason: fmt.Sprintf("after %d bytes: %v; fetch the file again", b.read, err), Err: ErrTruncated}
		return n, b.err
	}
	return 0, b.err
}

func tooLarge(name, reason string) error {
	return &Error{File: name, Reason: reason + "; the file is refused as a possible decompression bomb", Err: ErrTooLarge}
}

// Peek returns the next bytes without reading them: at most n, and fewer with
// the error io.EOF if the input ends before.
func (in *Input) Peek(n int) ([]byte, error) { return in.r.Peek(n) }
