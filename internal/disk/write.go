package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
)

// Replace makes an empty file, in place of one that is there. Only files that
// nobody else looks at are replaced so: there is a moment without one.
func Replace(d Disk, path string) (File, error) {
	if err := d.RemoveAll(path); err != nil {
		return nil, err
	}
	return d.Create(path)
}

// ReadFile returns what is in a file.
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

// Settle gives a file that is whole and synced the name that it is to have, and
// makes the name durable.
func Settle(d Disk, from, to string) error {
	if err := d.Rename(from, to); err != nil {
		return err
	}
	return d.Sync(filepath.Dir(to))
}

// Write has a file written beside its place, which it takes when it is whole
// and durable. Whatever fails, there is the former file or the new one under
// the name, and nothing is left beside it; only a process that is killed leaves
// a file ".NAME.number". A device or a pipe, which a file would take the place
// of, is refused, and so is an empty name.
func Write(d Disk, path string, write func(w io.Writer) error) error {
	if path == "" {
		return errors.New("the name of the file to write is empty")
	}
	if info, err := d.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file but %s, which no file can take the place of", path, kind(info.Mode()))
	}
	f, err := beside(d, path)
	if err != nil {
		return err
	}
	return finish(d, f, path, write)
}

func kind(mode fs.FileMode) string {
	if mode.IsDir() {
		return "a folder"
	}
	return "a device or a pipe"
}

// WriteBy does so through a file of a given name, in place of one that a killed
// process has left there.
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

// beside makes a file in the same folder, with a name of its own.
func beside(d Disk, path string) (File, error) {
	const tries = 100
	var err error
	for range tries {
		var f File
		name := fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32())
		if f, err = d.Create(filepath.Join(filepath.Dir(path), name)); !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, err
}
