package data

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

type diffOptions struct {
	Old string `arg:"" help:"Dataset file." type:"path"`
	New string `arg:"" help:"Dataset file to compare it with." type:"path"`

	command.Format
}

func diffCommand() *cobra.Command {
	return command.New(command.Spec[diffOptions, store.Change]{
		Name: "diff", Short: "Compare two datasets.",
		Long:     "jsonl, csv and tsv list every change; json, table and markdown sum up, with examples. Different datasets are not a failure: the exit code is 0.",
		Examples: command.Examples("postgeo dataset diff old.db new.db", "the changes of a new version"),
		Run:      (*diffOptions).run,
	})
}

// run returns the changes from the old dataset to the new one.
func (o *diffOptions) run(c *command.Call) (a command.Result, err error) {
	was, err := sqlite.Open(o.Old)
	if err != nil {
		return a, command.Kind("dataset", err)
	}
	defer was.Close()
	is, err := sqlite.Open(o.New)
	if err != nil {
		return a, command.Kind("dataset", err)
	}
	defer is.Close()

	if !c.People() && c.Output.Format != output.JSON {
		return a, c.Write(command.Stream(store.Changes(c.Context, was, is)))
	}
	difference, err := store.Diff(c.Context, was, is)
	switch {
	case err != nil:
		return a, err
	case c.People():
		return a, differencePage(c.Stdout, difference, c.Output.Format)
	default:
		return command.Row(difference)
	}
}

// A changeLine is the line of a kind on the page of a difference.
type changeLine struct {
	Kind    string `json:"kind"`
	Added   int64  `json:"added"`
	Removed int64  `json:"removed"`
	Changed int64  `json:"changed"`
	Fields  string `json:"changed fields"`
}

// A sourceLine is the line of a source on the page of a difference.
type sourceLine struct {
	Source  string `json:"source"`
	Vintage string `json:"vintage"`
}

func sourceLines(changes []store.SourceChange) []sourceLine {
	lines := make([]sourceLine, 0, len(changes))
	for _, c := range changes {
		line := sourceLine{Source: c.ID}
		switch {
		case c.FromSHA256 == "":
			line.Vintage = c.To + " (new)"
		case c.ToSHA256 == "":
			line.Vintage = c.From + " (gone)"
		case c.From == c.To:
			line.Vintage = c.To + " (other content)"
		default:
			line.Vintage = c.From + " -> " + c.To
		}
		lines = append(lines, line)
	}
	return lines
}

// pageExamples is the number of codes of each operation on the page.
const pageExamples = 5

// differencePage writes a difference for people.
func differencePage(w io.Writer, d *store.Difference, format output.Format) error {
	if _, err := fmt.Fprintf(w, "%s -> %s\n", format.Text(d.From), format.Text(d.To)); err != nil {
		return err
	}
	if d.Same() {
		_, err := fmt.Fprintln(w, "\nThe datasets hold the same.")
		return err
	}
	opts := output.Options{Format: format}
	var lines []changeLine
	var examples []property
	for _, k := range d.Kinds {
		line := changeLine{Kind: k.Kind.String(), Added: k.Added, Removed: k.Removed, Changed: k.Changed}
		var fields []string
		for _, f := range k.Fields {
			fields = append(fields, fmt.Sprintf("%s %d", f.Field, f.Count))
		}
		line.Fields = strings.Join(fields, ", ")
		lines = append(lines, line)
		for op := store.Added; op <= store.Changed; op++ {
			var codes []string
			for _, change := range k.Examples {
				if change.Op == op && len(codes) < pageExamples {
					codes = append(codes, change.Code)
				}
			}
			if len(codes) > 0 {
				examples = append(examples, property{k.Kind.String() + " " + op.String(), strings.Join(codes, ", ")})
			}
		}
	}
	if err := writeBelow(w, opts, lines); err != nil {
		return err
	}
	columns := command.Columns("for example", "name", "codes", "value")
	if err := writeBelow(w, output.Options{Format: format, TableColumns: columns}, examples); err != nil {
		return err
	}
	return writeBelow(w, opts, sourceLines(d.Sources))
}
