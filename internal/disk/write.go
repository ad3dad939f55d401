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
	return finish(d, f, path, write)
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
		if f, err = d.Create(filepath.Join(filepath.Dir(path), name)); !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, err
}
