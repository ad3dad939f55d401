// Package data holds the commands that build, publish, pull, inspect and compare
// datasets.
package data

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// Command returns "postgeo dataset".
func Command() *cobra.Command {
	return command.Group("dataset", "Datasets and this program", "Pull, build, publish, inspect and compare datasets.",
		pullCommand(), buildCommand(), addCommand(), infoCommand(), verifyCommand(), diffCommand(), doctorCommand(), checkCommand(),
		publishCommand(), keyCommand(),
	)
}

// fileArg names a dataset as an argument, or by --data and its defaults.
type fileArg struct {
	File string `arg:"" optional:"" help:"Dataset file. Default: the file of --data." type:"path"`

	command.DataFile
}

// dataset opens the dataset. The path is "" for the embedded sample.
func (f fileArg) dataset(env *command.Env) (d *store.Dataset, path string, err error) {
	path = f.File
	if path == "" {
		if path, err = f.Choose(env); err != nil {
			return nil, "", err
		}
	}
	if path == "" {
		env.Report(`using the embedded sample`)
		d, err = sqlite.OpenFS(sample.FS(), sample.Name)
		return d, "", err
	}
	d, err = sqlite.Open(path)
	return d, path, command.Kind("dataset", err)
}

// A property is a line of a page: a name and its value.
type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// write writes items. It is for pages of several tables.
func write[T any](w io.Writer, opts output.Options, items []T) error {
	out := output.NewWriter(w, opts)
	for _, item := range items {
		if err := out.Write(item); err != nil {
			return err
		}
	}
	return out.Close()
}

// writeBelow writes items, if there are any, as a further table of a page. By
// default it has all their columns.
func writeBelow[T any](w io.Writer, opts output.Options, items []T) error {
	if len(items) == 0 {
		return nil
	}
	if opts.TableColumns == nil {
		opts.TableColumns = output.Columns[T]()
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return write(w, opts, items)
}
