// Package data holds the commands that build, publish, pull, inspect and compare
// datasets.
package data

import (
	"cmp"
	"fmt"

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
	File string `arg:"" optional:"" help:"Dataset file. Default: the file of --data."`

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

// A page is a page of tables for people.
type page struct {
	c   *command.Call
	err error
}

// addTable adds a table of items, if there are any. Columns are pairs of a heading and a path,
// by default all of the items.
func addTable[T any](p *page, items []T, columns ...string) {
	if p.err != nil || len(items) == 0 {
		return
	}
	opts := output.Options{Format: p.c.Output.Format, TableColumns: command.Columns(columns...)}
	if len(columns) == 0 {
		opts.TableColumns = output.Columns[T]()
	}
	out := output.NewWriter(p.c.Stdout, opts)
	for i := range items {
		p.err = cmp.Or(p.err, out.Write(&items[i]))
	}
	p.err = cmp.Or(p.err, out.Close())
}

// line adds a line of text.
func (p *page) line(text string) {
	_, err := fmt.Fprintln(p.c.Stdout, text)
	p.err = cmp.Or(p.err, err)
}

// below adds a table after an empty line.
func below[T any](p *page, items []T, columns ...string) {
	if len(items) > 0 {
		p.line("")
		addTable(p, items, columns...)
	}
}
