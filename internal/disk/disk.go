// Package disk is the interface between writers of files and the file system.
// Tests replace it by one that is full, fails, or loses data that is not
// durable.
//
// # Usage
//
//	err := disk.Write(disk.OS{}, "codes.csv", func(w io.Writer) error { … })
//
// # Concurrency
//
// An [OS] is safe for concurrent use, a [File] is not.
//
// # Errors
//
// Errors come from the os package and name the file.
package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// Replace creates an empty file, replacing an existing one. For a moment the
// file does not exist, so it is only for files without other readers.
func Replace(d Disk, path string) (File, error) {
	if err := d.RemoveAll(path); err != nil {
		return nil, err
	}
	return d.Create(path)
}

// ReadFile returns the contents of a file.
func ReadFile(d Disk, path string) ([]byte, error) {
	f, err := d.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(f, 0, size))
}

// Settle renames a complete and synced file, and makes the name durable.
func Settle(d Disk, from, to string) error {
	if err := d.Rename(from, to); err != nil {
		return err
	}
	return d.Sync(filepath.Dir(to))
}

// Write writes a temporary file and renames it when it is complete and durable.
// After an error the former file or the new one exists, and no temporary file.
// Only a killed process leaves a file ".NAME.number". Devices, pipes and an
// empty name are refused, because a file would replace them.
func Write(d Disk, path string, write func(w io.Writer) error) error {
	if path == "" {
		return errors.New("the name of the file to write is empty")
	}
	if info, err := d.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file but %s, which no file can take the place of", path, kind(info.Mode()))
	}
	f, err := beside(d, path)
	if err != nil {
		return err
	}
	return named(finish(d, f, path, write), f.Name(), path)
}

// named returns an error with the path in place of a temporary name, which the
// caller does not know.
func named(err error, temporary, path string) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) && (e.Path == temporary || temporary == "") {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) && e.Old == temporary {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	return err
}

func kind(mode fs.FileMode) string {
	if mode.IsDir() {
		return "a folder"
	}
	return "a device or a pipe"
}

// WriteBy is like Write with a given temporary name, replacing the file of a
// killed process.
func WriteBy(d Disk, name, path string, write func(w io.Writer) error) error {
	f, err := Replace(d, name)
	if err != nil {
		return err
	}
	return finish(d, f, path, write)
}

func finish(d Disk, f File, path string, write func(w io.Writer) error) (err error) {
	open := true
	defer func() {
		if open {
			f.Close()
		}
		if err != nil {
			err = errors.Join(err, d.RemoveAll(f.Name()))
		}
	}()
	const size = 1 << 18
	out := bufio.NewWriterSize(f, size)
	if err := write(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	open = false
	if err := f.Close(); err != nil {
		return err
	}
	return Settle(d, f.Name(), path)
}

// beside creates a file in the same folder, with a unique name.
func beside(d Disk, path string) (File, error) {
	const tries = 100
	var err error
	for range tries {
		var f File
		name := fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32())
		f, err = d.Create(filepath.Join(filepath.Dir(path), name))
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return nil, named(err, "", path)
}
