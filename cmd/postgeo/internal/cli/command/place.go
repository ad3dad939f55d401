package command

import (
	"errors"
	"io/fs"
	"os"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/plain"
)

// CheckOutput refuses an output without a name, one that a command also reads,
// under any name, and a device or pipe. "-" is a standard stream. Inputs that
// are "" are skipped.
func CheckOutput(env *Env, output string, inputs ...string) error {
	var out fs.FileInfo
	var err error
	if output == "" {
		return Usage(message.OutputWithoutName)
	}
	if output == "-" {
		if out = streamInfo(env.Stdout); out == nil || !out.Mode().IsRegular() {
			return nil
		}
	} else if out, err = os.Stat(output); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if output != "-" && !out.Mode().IsRegular() && !out.IsDir() {
		return Usage(message.OutputIsDevice, output)
	}
	if stdout := streamInfo(env.Stdout); output != "-" && stdout != nil && os.SameFile(stdout, out) {
		return Usage(message.OutputIsStdout, output)
	}
	for _, input := range inputs {
		in := streamInfo(env.Stdin)
		if input != "-" {
			if in, err = os.Stat(input); err != nil {
				continue // the reader reports it
			}
		}
		if in == nil || !os.SameFile(in, out) {
			continue
		}
		if output == "-" {
			return Usage(message.StdoutIsInput, input)
		}
		return Usage(message.OutputIsInput, output)
	}
	return nil
}

// streamInfo describes a standard stream; nil if it is not a file.
func streamInfo(stream any) fs.FileInfo {
	if w, ok := stream.(*plain.Writer); ok {
		stream = plain.Raw(w)
	}
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return info
}
