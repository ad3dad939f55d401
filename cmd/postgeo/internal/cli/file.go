package cli

import (
	"errors"
	"os"
	"path/filepath"
)

// replaceFile writes a file beside its place and moves it there when it is
// whole.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	const mode = 0o644 // what the user's mask leaves of it, CreateTemp is stricter
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
