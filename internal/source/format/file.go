package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Bounds of the expansion of a compressed file, so that a small hostile download cannot
// fill the memory. They admit every official file: the text of the National Address
// Database has 41 GB. Files come from users and mirrors, too. The bytes that come are
// counted, because sizes in headers can lie. Deflate expands up to 1,032 times; files of
// agencies expand far less than 250 times, but a small one of equal rows may not.
const (
	maxSize   = 128 << 30 // bytes of a file or member, uncompressed
	maxRatio  = 250       // uncompressed over compressed,
	ratioFree = 64 << 20  // except for the first bytes
)

// A File names a file to read: plain, gzipped or in a zip. The first bytes decide.
type File struct {
	Path string
	// Member names the member of a zip: its full name, or a pattern of path.Match that
	// only one member matches. "" takes the only file of the zip. It is ignored for other
	// files.
	Member string
	// MaxSize is the most bytes that a compressed file may hold uncompressed. Zero means
	// 128 GiB.
	MaxSize int64
	// Content, if not nil, takes the place of the file at the path, which names it in errors.
	Content []byte
}

// An Input is an open stream of uncompressed bytes. It must be closed.
type Input struct {
	*bufio.Reader
	Name         string // path, with the member's name if any, as in error messages
	line, record int    // read last, for errors; 0 if they do not apply
	closers      []io.Closer
}

// fault returns an error at the place that was read last.
func (in *Input) fault(cause error, format string, args ...any) error {
	return &Error{File: in.Name, Line: in.line, Record: in.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}

const inputBuffer = 1 << 16

func newInput(name string, r io.Reader, closers ...io.Closer) *Input {
	return &Input{Reader: bufio.NewReaderSize(r, inputBuffer), Name: name, closers: closers}
}

// Close closes the stream and the file below it.
func (in *Input) Close() error {
	var first error
	for _, c := range in.closers {
		first = cmp.Or(first, c.Close())
	}
	return first
}

// Open opens the file. Checksums of compressed files are verified as the end is read.
// Errors of the content are [*Error]s.
func (f File) Open() (*Input, error) {
	if f.Content != nil {
		return newInput(f.Path, bytes.NewReader(f.Content)), nil
	}
	a, err := f.archive()
	if err != nil {
		return nil, err
	}
	in, err := a.open(f.Member)
	if err != nil {
		a.Close()
		return nil, err
	}
	in.closers = append(in.closers, a)
	return in, nil
}

// An archive is an open file. Nothing is written under the names of its members.
type archive struct {
	*os.File
	size, maxSize int64
	zip           *zip.Reader // nil unless the file is a zip
	gzip          bool
}

func (f File) archive() (*archive, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	a := &archive{File: file, maxSize: cmp.Or(f.MaxSize, maxSize)}
	if err := a.detect(); err != nil {
		file.Close()
		return nil, err
	}
	return a, nil
}

func (a *archive) detect() error {
	st, err := a.Stat()
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() { // a pipe can't be read at offsets, and a device never ends
		return fmt.Errorf("%s: not a regular file", a.Name())
	}
	a.size = st.Size()
	magic := make([]byte, 4)
	if n, err := a.ReadAt(magic, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	} else if magic = magic[:n]; string(magic) == "PK\x03\x04" || string(magic) == "PK\x05\x06" {
		// Paths that leave the folder are harmless, as nothing is written under them.
		if a.zip, err = zip.NewReader(a, a.size); err != nil && !errors.Is(err, zip.ErrInsecurePath) {
			return &Error{File: a.Name(), Reason: "zip directory: " + err.Error() + "; fetch the file again", Err: ErrTruncated}
		}
	}
	a.gzip = strings.HasPrefix(string(magic), "\x1f\x8b")
	return nil
}

// open opens the file itself, or a member of a zip.
func (a *archive) open(member string) (*Input, error) {
	switch {
	case a.zip != nil:
		return a.member(member, func(name string) bool {
			ok := member == "" || name == member
			if !ok && strings.ContainsAny(member, "*?[") {
				ok, _ = path.Match(member, name)
			}
			return ok
		})
	case a.gzip:
		z, err := gzip.NewReader(bufio.NewReaderSize(a, inputBuffer))
		if err != nil {
			return nil, &Error{File: a.Name(), Reason: "gzip header: " + err.Error(), Err: ErrTruncated}
		}
		return a.bounded(z, a.Name(), a.size), nil
	default:
		return newInput(a.Name(), a), nil
	}
}

// names returns the names of the files of a zip in the order of its directory. It leaves
// out folders and the resource forks that macOS adds.
func (a *archive) names() (names []string) {
	for _, f := range a.files() {
		names = append(names, f.Name)
	}
	return names
}

func (a *archive) files() (files []*zip.File) {
	if a.zip == nil {
		return nil
	}
	for _, f := range a.zip.File {
		if !f.Mode().IsDir() && !strings.HasPrefix(f.Name, "__MACOSX/") && !strings.HasPrefix(path.Base(f.Name), "._") {
			files = append(files, f)
		}
	}
	return files
}

// member opens the only member whose name fits. Otherwise the error matches [ErrMember]
// and lists the members.
func (a *archive) member(want string, fits func(name string) bool) (*Input, error) {
	var found []*zip.File
	for _, f := range a.files() {
		if fits(f.Name) {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		text := "exactly one file"
		if want != "" {
			text = "one member " + excerpt(want)
		}
		return nil, &Error{File: a.Name(), Reason: fmt.Sprintf("expected %s, found %d of it among %s", text, len(found), list(a.names())), Err: ErrMember}
	}
	f := found[0]
	name := a.Name() + ":" + f.Name
	r, err := f.Open()
	if err != nil {
		return nil, &Error{File: name, Reason: err.Error() + "; fetch the file again", Err: ErrTruncated}
	}
	// The size is of the zip's directory, which may be false: a large one allows more
	// expansion, up to the absolute limit.
	return a.bounded(r, name, int64(min(f.CompressedSize64, 1<<62))), nil
}

// withExtension opens the only member of a zip with the extension.
func (a *archive) withExtension(ext string) (*Input, error) {
	return a.member("*"+ext, func(name string) bool { return strings.EqualFold(path.Ext(name), ext) })
}

// Members returns the members of a zip with one of the extensions, in any letter case. A
// file that is not a readable zip has none.
func (f File) Members(extensions ...string) (names []string) {
	a, err := f.archive()
	if err != nil {
		return nil
	}
	defer a.Close()
	for _, n := range a.names() {
		for _, ext := range extensions {
			if strings.EqualFold(filepath.Ext(n), ext) {
				names = append(names, n)
			}
		}
	}
	return names
}

// bounded is a decompressing reader that refuses to give more than the limits allow and
// names the file in its errors. Its first error stays: whoever reads on after it would
// otherwise get another one, which hides the reason.
type bounded struct {
	r                         io.Reader
	name                      string
	compressed, maxSize, read int64
	err                       error
}

func (a *archive) bounded(r io.ReadCloser, name string, compressed int64) *Input {
	return newInput(name, &bounded{r: r, name: name, compressed: max(compressed, 1), maxSize: a.maxSize}, r)
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
