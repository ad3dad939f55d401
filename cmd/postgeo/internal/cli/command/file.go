package command

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/postgeo/postgeo/internal/plain"
)

// CheckOutput refuses an output without a name, one that a command also reads,
// under any name, and a folder, device or pipe. "-" is a standard stream. Inputs that
// are "" are skipped.
//
// Files are compared by device and inode (os.SameFile). "enrich a.csv -o ./a.csv", or with a
// link, would replace the table that is read, and "enrich a.csv >> a.csv" would read its own
// rows without end. Devices are refused because a complete file is renamed to its name, which
// would replace /dev/null by a file.
func CheckOutput(env *Env, output string, inputs ...string) error {
	var out fs.FileInfo
	var err error
	if output == "" {
		return Usage(`-o is empty; name a file, or use - for standard output`)
	}
	if output == "-" {
		if out = streamInfo(env.Stdout); out == nil || !out.Mode().IsRegular() {
			return nil
		}
	} else if out, err = os.Stat(output); errors.Is(err, fs.ErrNotExist) {
		return CheckFolder(output)
	} else if err != nil {
		return err
	}
	switch {
	case output == "-" || out.Mode().IsRegular():
	case out.IsDir():
		return Usage(FileIsFolder, output)
	default:
		return Usage(`-o %s is a device or a pipe; name a file, or redirect standard output (-o -)`, output)
	}
	if stdout := streamInfo(env.Stdout); output != "-" && stdout != nil && os.SameFile(stdout, out) {
		return Usage(`-o %s is standard output; use -o -`, output)
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
			return Usage(`standard output is the input %s; redirect it to another file`, input)
		}
		return Usage(`-o %s is an input; write to another file`, output)
	}
	return nil
}

// CheckFolder refuses an output in a folder that does not exist.
func CheckFolder(output string) error {
	folder := filepath.Dir(output)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return Usage(NoOutputFolder, folder)
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
