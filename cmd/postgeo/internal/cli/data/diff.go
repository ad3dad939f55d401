package data

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

type diffOptions struct {
	Old string `arg:"" help:"Dataset file."`
	New string `arg:"" help:"Dataset file to compare it with."`

	command.Format
}

func diffCommand() *cobra.Command {
	return command.New[diffOptions](command.About{
		Name: "diff", Short: "Compare two datasets.",
		Long: "jsonl, csv and tsv list every change; json, table and markdown sum up, with examples. Different datasets are not a failure: the exit code is 0.",
	}, "postgeo dataset diff old.db new.db", "the changes of a new version")
}

// Run writes the changes from the old dataset to the new one.
func (o *diffOptions) Run(c *command.Call) error {
	if err := c.View(command.View{All: output.Columns[store.Change]()}); err != nil {
		return err
	}
	was, err := sqlite.Open(o.Old)
	if err != nil {
		return command.Kind("dataset", err)
	}
	defer was.Close()
	is, err := sqlite.Open(o.New)
	if err != nil {
		return command.Kind("dataset", err)
	}
	defer is.Close()
	if !c.People() && c.Output.Format != output.JSON {
		return command.Stream(c, store.Changes(c.Context, was, is))
	}
	difference, err := store.Diff(c.Context, was, is)
	switch {
	case err != nil:
		return err
	case c.People():
		return differencePage(c, difference)
	default:
		return c.Write(difference)
	}
}

// A tableLine is the line of a table on the page of a difference.
type tableLine struct {
	Table   string `json:"table"`
	Added   int64  `json:"added"`
	Removed int64  `json:"removed"`
	Changed int64  `json:"changed"`
	Fields  string `json:"changed fields"`
}

// differencePage writes a difference for people.
func differencePage(c *command.Call, d *store.Difference) error {
	p := &page{c: c}
	text := c.Output.Format.Text
	p.line(text(d.From) + " -> " + text(d.To))
	if len(d.Tables) == 0 {
		p.line("\nThe datasets hold the same.")
		return p.err
	}
	var lines []tableLine
	var examples []property
	for _, t := range d.Tables {
		var fields []string
		for _, f := range t.Fields {
			fields = append(fields, fmt.Sprintf("%s %d", f.Field, f.Count))
		}
		lines = append(lines, tableLine{t.Table, t.Added, t.Removed, t.Changed, strings.Join(fields, ", ")})
		for _, c := range t.Examples[:min(len(t.Examples), 5)] {
			row := c.Key
			for _, f := range c.Fields[:min(len(c.Fields), 5)] {
				row += ", " + f.Field + " " + f.From + " -> " + f.To
			}
			examples = append(examples, property{t.Table + " " + c.Op, row})
		}
	}
	below(p, lines)
	below(p, examples, "for example", "name", "row", "value")
	return p.err
}
