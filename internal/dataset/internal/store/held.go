package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"modernc.org/sqlite/vfs"
)

// A readable is a file that can be read at any place by several goroutines.
type readable interface {
	fs.File
	io.ReaderAt
}

// A heldFile is the one file of a file system that SQLite opens for every
// Connection. All connections read the file that Open opened, also when its
// path names another file by then, or none.
type heldFile struct{ f readable }

// heldName is the file's name in its file system.
const heldName = "dataset"

// hold registers the file with SQLite. done takes back the registration and
// closes the file; it is to be called after the last Connection was closed.
func hold(f readable) (dsn string, done func() error, err error) {
	name, registered, err := vfs.New(heldFile{f})
	if err != nil {
		return "", nil, fmt.Errorf("dataset: cannot register the file with SQLite: %w", err)
	}
	done = func() error { return errors.Join(registered.Close(), f.Close()) }
	return vfsDSN(heldName, name), done, nil
}

// Open implements fs.FS.
func (h heldFile) Open(name string) (fs.File, error) {
	if name != heldName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &heldReader{f: h.f}, nil
}

// A heldReader is a place in a held file.
type heldReader struct {
	f  readable
	at int64
}

// Stat implements fs.File.
func (r *heldReader) Stat() (fs.FileInfo, error) { return r.f.Stat() }

// Read implements fs.File.
func (r *heldReader) Read(b []byte) (int, error) {
	n, err := r.f.ReadAt(b, r.at)
	r.at += int64(n)
	return n, err
}

// Seek implements io.Seeker. SQLite's files know no other whence.
func (r *heldReader) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return r.at, errors.ErrUnsupported
	}
	r.at = offset
	return offset, nil
}

// Close implements fs.File. The file itself stays open.
func (r *heldReader) Close() error { return nil }

// ErrReplaced is returned by [Reader.Moved] if another file has been put in
// the place of the open one.
var ErrReplaced = errors.New("dataset: another file is in its place")

// Moved returns nil while the path still names the open file, else an error that
// matches [fs.ErrNotExist] or [ErrReplaced].
func (f *File) Moved() error {
	if f.check == nil || f.check.path == "" {
		return nil
	}
	now, err := os.Stat(f.check.path)
	if err != nil {
		return fmt.Errorf("dataset: %s: %w", f.Path, err)
	}
	if !os.SameFile(now, f.check.opened) {
		return fmt.Errorf("%w: %s", ErrReplaced, f.Path)
	}
	return nil
}
