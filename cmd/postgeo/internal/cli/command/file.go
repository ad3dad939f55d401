package command

import (
	"io"

	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/plain"
)

// OutputFile is the flag of a command that writes one file.
type OutputFile struct {
	Output string `help:"File to write; - is standard output." short:"o" default:"-" placeholder:"FILE" type:"path"`
}

// Save writes the file, whole or not at all. read is the dataset's file.
func (f OutputFile) Save(env *Env, data []byte, read string) error {
	if f.Output != "-" {
		return ReplaceFile(env, f.Output, data, read)
	}
	_, err := env.Stdout.Write(data)
	return err
}

// ReplaceFile writes a file that gets its name only when it is complete. It never
// replaces a folder, a device, a pipe, or the dataset that was read.
func ReplaceFile(env *Env, path string, data []byte, read string) error {
	if err := CheckOutput(env, path, read); err != nil {
		return err
	}
	return disk.Write(disk.OS{}, path, func(w io.Writer) error {
		_, err := plain.NewWriter(w).Write(data)
		return err
	})
}
