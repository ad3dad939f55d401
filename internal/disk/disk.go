package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// A Disk is a file system. Data is durable after a sync of its file, a name
// after a sync of its folder.
type Disk interface {
	// Create makes a file, which must not exist.
	Create(path string) (File, error)
	// Open opens a file that exists for reading and writing, at its beginning.
	Open(path string) (File, error)
	// Stat describes a file, through links.
	Stat(path string) (fs.FileInfo, error)
	// Mkdir makes a folder, which must not exist.
	Mkdir(path string) error
	// Rename gives a file another name, in place of the file that has it.
	Rename(from, to string) error
	// RemoveAll removes a file, or a folder with its contents, if it exists.
	RemoveAll(path string) error
	// Sync makes the names in a folder durable.
	Sync(folder string) error
}

// A File is an open file. Writes are sequential.
type File interface {
	io.Writer
	io.ReaderAt
	io.Closer
	// Name returns the path that the file was opened by.
	Name() string
	// Size returns the number of bytes.
	Size() (int64, error)
	// Truncate cuts the file. Writes continue there.
	Truncate(size int64) error
	// Sync makes the written data durable.
	Sync() error
}

// OS is the operating system's file system.
type OS struct{}

const (
	fileMode   = 0o644
	folderMode = 0o755
)

// Create implements [Disk].
func (OS) Create(path string) (File, error) {
	return open(path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

// Open implements [Disk].
func (OS) Open(path string) (File, error) { return open(path, os.O_RDWR) }

func open(path string, flags int) (File, error) {
	f, err := os.OpenFile(path, flags, fileMode)
	if err != nil {
		return nil, err
	}
	return file{f}, nil
}

// Stat implements [Disk].
func (OS) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// Mkdir implements [Disk].
func (OS) Mkdir(path string) error { return os.Mkdir(path, folderMode) }

// Rename implements [Disk].
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// RemoveAll implements [Disk].
func (OS) RemoveAll(path string) error { return os.RemoveAll(path) }

// Sync implements [Disk]. On Windows it does nothing, because names are durable
// there.
func (OS) Sync(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("make the names in %s durable: %w", folder, err)
	}
	return nil
}

// A file is one of the operating system.
type file struct{ *os.File }

// Size implements [File].
func (f file) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Truncate implements [File].
func (f file) Truncate(size int64) error {
	if err := f.File.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}
