// Package disk replaces files whole: after a crash or a power failure the former file or
// the new one exists.
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

// Write writes a temporary file beside path and renames it when it is complete and
// durable. After an error the former file exists, and no temporary one. Only a killed
// process leaves a file ".NAME.number". Devices, pipes and an empty name are refused,
// because a file would replace them.
func Write(path string, write func(w io.Writer) error) (err error) {
	if path == "" {
		return errors.New("the name of the file to write is empty")
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		kind := "a device or a pipe"
		if info.IsDir() {
			kind = "a folder"
		}
		return fmt.Errorf("%s is not a file but %s, which no file can take the place of", path, kind)
	}
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return named(err, temporary, path)
	}
	defer func() {
		if err != nil {
			f.Close() // without effect on a closed file
			err = named(errors.Join(err, os.RemoveAll(temporary)), temporary, path)
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
	if err := f.Close(); err != nil {
		return err
	}
	return Settle(temporary, path)
}

// Settle renames a complete and synced file, and makes the name durable.
func Settle(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // where names are durable
		return nil
	}
	folder, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	err = errors.Join(folder.Sync(), folder.Close())
	if err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("make the names in %s durable: %w", folder.Name(), err)
	}
	return nil
}

// named returns an error with the path in place of the temporary name, which the caller
// does not know.
func named(err error, temporary, path string) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) && e.Path == temporary {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) && e.Old == temporary {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	return err
}
