package cli

import (
	"errors"
	"os"
	"path/filepath"
)

// outputFlag names the file of a command that writes one.
type outputFlag struct {
	Output string `help:"File to write; - is standard output, the default." short:"o" default:"-" placeholder:"FILE" type:"path"`
}

// write writes the file, whole or not at all.
func (f outputFlag) write(env *Env, data []byte) error {
	if f.Output != "-" {
		return replaceFile(f.Output, data)
	}
	_, err := env.Stdout.Write(data)
	return err
}

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
