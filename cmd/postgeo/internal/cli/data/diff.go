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
	Old string `arg:"" help:"Dataset file." type:"path"`
	New string `arg:"" help:"Dataset file to compare it with." type:"path"`

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
func differencePage(c *command.Call, d *store.Difference) error {
	p := &page{c: c}
	text := c.Output.Format.Text
	p.line(text(d.From) + " -> " + text(d.To))
	if d.Same() {
		p.line("\nThe datasets hold the same.")
		return p.err
	}
	var lines []changeLine
	var examples []property
	for _, k := range d.Kinds {
		var fields []string
		for _, f := range k.Fields {
			fields = append(fields, fmt.Sprintf("%s %d", f.Field, f.Count))
		}
		lines = append(lines, changeLine{k.Kind.String(), k.Added, k.Removed, k.Changed, strings.Join(fields, ", ")})
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
	below(p, lines)
	below(p, examples, "for example", "name", "codes", "value")
	below(p, sourceLines(d.Sources))
	return p.err
}
