package cli

import (
	"io"

	"github.com/postgeo/postgeo/internal/disk"
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

// replaceFile writes a file, which has its name only when it is whole.
func replaceFile(path string, data []byte) error {
	return disk.Write(disk.OS{}, path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
