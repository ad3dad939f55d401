package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/postgeo/postgeo/internal/plain"
)

// checkOutput refuses an output that is one of the files that a command reads,
// by any name, standard output by another name than "-", one that no file can
// take the place of, and one without a name. "-" is a standard stream. Inputs
// that are "" are none.
func checkOutput(env *Env, output string, inputs ...string) error {
	var out fs.FileInfo
	var err error
	if output == "" {
		return wrongUse("the name of the output is empty; name a file, or give - for standard output")
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
		return wrongUse("%s is a device or a pipe; name a file, or write to standard output (-o -) and let the shell send it there", output)
	}
	if stdout := streamInfo(env.Stdout); output != "-" && stdout != nil && os.SameFile(stdout, out) {
		return wrongUse("%s is standard output itself; write to that with -o -", output)
	}
	for _, input := range inputs {
		in := streamInfo(env.Stdin)
		if input != "-" {
			if in, err = os.Stat(input); err != nil {
				continue // whoever reads it says so
			}
		}
		if in == nil || !os.SameFile(in, out) {
			continue
		}
		if output == "-" {
			return wrongUse("standard output is %s, which is read; send it to another file", input)
		}
		return wrongUse("%s is read itself; write to another file", output)
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
