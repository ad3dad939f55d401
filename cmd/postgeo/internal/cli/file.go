package cli

import (
	"io"

	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/plain"
)

// outputFlag names the file of a command that writes one.
type outputFlag struct {
	Output string `help:"File to write; - is standard output, the default." short:"o" default:"-" placeholder:"FILE" type:"path"`
}

// write writes the file, whole or not at all. read is the dataset's file.
func (f outputFlag) write(env *Env, data []byte, read string) error {
	if f.Output != "-" {
		return replaceFile(env, f.Output, data, read)
	}
	_, err := env.Stdout.Write(data)
	return err
}

// replaceFile writes a file, which has its name only when it is whole. It takes
// the place of no folder, device or pipe, nor of the dataset that was read.
func replaceFile(env *Env, path string, data []byte, read string) error {
	if err := checkOutput(env, path, read); err != nil {
		return err
	}
	return disk.Write(disk.OS{}, path, func(w io.Writer) error {
		_, err := plain.NewWriter(w).Write(data)
		return err
	})
}
