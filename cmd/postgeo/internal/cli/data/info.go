package data

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
)

type infoOptions struct {
	fileArg
	command.Format
	All bool `help:"List every file of the American Community Survey in tables, instead of one line for each year."`
}

func infoCommand() *cobra.Command {
	return command.New(command.Spec[infoOptions, dataset.Source]{
		Name: "info", Short: "Show the contents and the sources of a dataset.",
		Examples: command.Examples("postgeo dataset info", "the current dataset", "postgeo dataset info new.db", "a file"),
		View: func(*infoOptions, *command.Call) (command.View, error) {
			return command.View{All: output.Columns[dataset.Source](), Summary: sourceColumns}, nil
		},
		Run: func(o *infoOptions, c *command.Call) (command.Result, error) {
			d, path, err := o.dataset(c.Env)
			if err != nil {
				return command.Result{}, err
			}
			defer d.Close()
			info := describe(d, path)
			switch format := c.Output.Format; {
			case format == output.CSV || format == output.TSV:
				return command.Rows(info.Sources), nil
			case c.People():
				if !o.All {
					info.Sources = byYear(info.Sources)
				}
				return command.Result{}, info.page(c.Stdout, c.Output)
			default:
				return command.Row(info)
			}
		},
	})
}

// A datasetInfo describes a dataset.
type datasetInfo struct {
	File        string           `json:"file,omitzero"` // absent for the embedded sample
	Version     string           `json:"version"`
	Sample      bool             `json:"sample"`
	Built       string           `json:"built"` // RFC 3339
	Builder     string           `json:"builder"`
	Layers      []string         `json:"layers"`
	ZIPs        int              `json:"zips"`
	FSAs        int              `json:"fsas"`
	PostalCodes int              `json:"postal_codes"`
	Sources     []dataset.Source `json:"sources"`
	Gaps        []dataset.Gap    `json:"gaps"`

	attributions []string // of all sources, each once
}

// describe returns the description of a dataset.
func describe(d *store.Dataset, path string) datasetInfo {
	m := d.Manifest()
	return datasetInfo{
		File: path, Version: m.Version, Sample: m.Sample, Built: m.Built.UTC().Format(time.RFC3339), Builder: m.Builder,
		Layers: append([]string{}, m.Layers...),
		ZIPs:   d.NumZIPs(), FSAs: d.NumFSAs(), PostalCodes: d.NumPostalCodes(),
		Sources: append([]dataset.Source{}, m.Sources...), Gaps: append([]dataset.Gap{}, m.Gaps...), attributions: m.Attributions(),
	}
}

// byYear merges the files of a source that have the same year: "acs", "acs-2",
// "acs-3" and so on are the builder's names for the tables of one flag.
func byYear(sources []dataset.Source) []dataset.Source {
	ids := map[string]bool{}
	for _, s := range sources {
		ids[s.ID] = true
	}
	type release struct{ id, vintage string }
	var lines []dataset.Source
	at, files := map[release]int{}, map[release]int{}
	for _, s := range sources {
		r := release{s.ID, s.Vintage}
		if i := strings.LastIndexByte(s.ID, '-'); i > 0 && ids[s.ID[:i]] && strings.Trim(s.ID[i+1:], "0123456789") == "" {
			r.id = s.ID[:i]
		}
		if files[r]++; files[r] == 1 {
			at[r] = len(lines)
			lines = append(lines, s)
			continue
		}
		line := &lines[at[r]]
		line.ID = fmt.Sprintf("%s (%d files)", r.id, files[r])
		line.Rows += s.Rows
	}
	return lines
}

var sourceColumns = command.Columns("source", "id", "vintage", "vintage", "refresh", "refresh", "licence", "licence", "redistribution", "redistribution", "rows", "rows")

// page writes the description for people.
func (i datasetInfo) page(w io.Writer, opts output.Options) error {
	kind := "published data"
	if i.Sample {
		kind = "sample: a few hundred codes; ZIP+4 records and profiles are invented"
	}
	properties := []property{
		{"file", i.File},
		{"version", i.Version},
		{"kind", kind},
		{"built", i.Built},
		{"builder", i.Builder},
		{"layers", strings.Join(i.Layers, ", ")},
		{"ZIPs", fmt.Sprint(i.ZIPs)},
		{"FSAs", fmt.Sprint(i.FSAs)},
		{"postal codes", fmt.Sprint(i.PostalCodes)},
	}
	if i.File == "" {
		properties[0].Value = "(embedded)"
	}
	columns := command.Columns("dataset", "name", "value", "value")
	if err := write(w, output.Options{Format: opts.Format, TableColumns: columns}, properties); err != nil {
		return err
	}
	if err := writeBelow(w, opts, i.Sources); err != nil {
		return err
	}
	gaps := output.Options{Format: opts.Format, TableColumns: command.Columns("known gap", "name", "count", "count")}
	if err := writeBelow(w, gaps, i.Gaps); err != nil {
		return err
	}
	type line struct {
		Text string `json:"attribution"`
	}
	var lines []line
	for _, text := range i.attributions {
		lines = append(lines, line{text})
	}
	return writeBelow(w, output.Options{Format: opts.Format}, lines)
}
