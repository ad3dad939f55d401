package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
)

// diffCmd is "postgeo dataset diff".
type diffCmd struct {
	Old string `arg:"" help:"Dataset file." type:"path"`
	New string `arg:"" help:"Dataset file to compare it with." type:"path"`

	formatFlag
}

// Help explains the formats.
func (diffCmd) Help() string {
	return "jsonl, csv and tsv list every change; json, table and markdown sum up, with examples. Datasets that differ are no failure: the exit code is 0."
}

// Run writes what leads from the old dataset to the new one.
func (c *diffCmd) Run(ctx context.Context, env *Env) error {
	opts, err := c.options(env, view{all: output.Columns[dataset.Change]()})
	if err != nil {
		return err
	}
	was, err := dataset.Open(c.Old)
	if err != nil {
		return err
	}
	defer was.Close()
	is, err := dataset.Open(c.New)
	if err != nil {
		return err
	}
	defer is.Close()

	if !people(opts.Format) && opts.Format != output.JSON {
		return writeChanges(env.Stdout, opts, dataset.Changes(ctx, was, is))
	}
	difference, err := dataset.Diff(ctx, was, is)
	if err != nil {
		return err
	}
	if people(opts.Format) {
		return differencePage(env.Stdout, difference, opts.Format)
	}
	return writeAll(env.Stdout, opts, []*dataset.Difference{difference})
}

func writeChanges(w io.Writer, opts output.Options, changes iter.Seq2[dataset.Change, error]) error {
	out := output.NewWriter(w, opts)
	for change, err := range changes {
		if err != nil {
			return err
		}
		if err := out.Write(change); err != nil {
			return err
		}
	}
	return out.Close()
}

// A changeLine is a kind's line on the page of a difference.
type changeLine struct {
	Kind    string `json:"kind"`
	Added   int64  `json:"added"`
	Removed int64  `json:"removed"`
	Changed int64  `json:"changed"`
	Fields  string `json:"changed fields"`
}

// A sourceLine is a source's line on the page of a difference.
type sourceLine struct {
	Source  string `json:"source"`
	Vintage string `json:"vintage"`
}

func sourceLines(changes []dataset.SourceChange) []sourceLine {
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

// pageExamples is how many codes the page shows of each operation.
const pageExamples = 5

// differencePage writes a difference for people.
func differencePage(w io.Writer, d *dataset.Difference, format output.Format) error {
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
		for op := dataset.Added; op <= dataset.Changed; op++ {
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
	columns := []output.Column{{Header: "for example", Paths: []string{"name"}}, {Header: "codes", Paths: []string{"value"}}}
	if err := writeBelow(w, output.Options{Format: format, TableColumns: columns}, examples); err != nil {
		return err
	}
	return writeBelow(w, opts, sourceLines(d.Sources))
}
