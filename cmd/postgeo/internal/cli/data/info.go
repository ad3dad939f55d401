package data

import (
	"cmp"
	"fmt"
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
}

func infoCommand() *cobra.Command {
	return command.New[infoOptions](command.About{Name: "info", Short: "Show the contents and the sources of a dataset."},
		"postgeo dataset info", "the current dataset", "postgeo dataset info new.db", "a file")
}

// Run implements the command.
func (o *infoOptions) Run(c *command.Call) error {
	d, path, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	info := describe(d, path)
	if err := c.View(command.View{All: output.Columns[dataset.Source](), Summary: command.Columns(sourceColumns...)}); err != nil {
		return err
	}
	switch format := c.Output.Format; {
	case format == output.CSV || format == output.TSV:
		return command.More(c, info.Sources)
	case c.People():
		info.Sources = byYear(info.Sources)
		return info.page(c)
	default:
		return c.Write(info)
	}
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

var sourceColumns = []string{"source", "id", "vintage", "vintage", "refresh", "refresh", "license", "license", "redistribution", "redistribution", "rows", "rows"}

// page writes the description for people.
func (i datasetInfo) page(c *command.Call) error {
	kind, file := "published data", i.File
	if i.Sample {
		kind = "sample: a few hundred codes; ZIP+4 records and profiles are invented"
	}
	if file == "" {
		file = "(embedded)"
	}
	p := &page{c: c}
	addTable(p, []property{
		{"file", file},
		{"version", i.Version},
		{"kind", kind},
		{"built", i.Built},
		{"builder", i.Builder},
		{"layers", strings.Join(i.Layers, ", ")},
		{"ZIPs", fmt.Sprint(i.ZIPs)},
		{"FSAs", fmt.Sprint(i.FSAs)},
		{"postal codes", fmt.Sprint(i.PostalCodes)},
	}, "dataset", "name", "value", "value")
	if len(i.Sources) > 0 {
		p.line("")
		p.err = cmp.Or(p.err, command.More(c, i.Sources), c.Flush())
	}
	below(p, i.Gaps, "known gap", "name", "count", "count")
	type line struct {
		Text string `json:"attribution"`
	}
	var lines []line
	for _, text := range i.attributions {
		lines = append(lines, line{text})
	}
	below(p, lines)
	return p.err
}

type verifyOptions struct {
	fileArg
	command.Format
}

// A verification is the result for an undamaged dataset.
type verification struct {
	File        string `json:"file,omitzero"` // absent for the embedded sample
	Version     string `json:"version"`
	OK          bool   `json:"ok"`
	ZIPs        int    `json:"zips"`
	FSAs        int    `json:"fsas"`
	PostalCodes int    `json:"postal_codes"`
}

func verifyCommand() *cobra.Command {
	return command.New[verifyOptions](command.About{Name: "verify", Short: "Check every byte of a dataset against its checksums."},
		"postgeo dataset verify new.db", "before its use")
}

// Run implements the command.
func (o *verifyOptions) Run(c *command.Call) error {
	d, path, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Verify(c.Context); err != nil {
		return err
	}
	return command.Row(c, &verification{
		File: path, Version: d.Manifest().Version, OK: true,
		ZIPs: d.NumZIPs(), FSAs: d.NumFSAs(), PostalCodes: d.NumPostalCodes(),
	})
}

type doctorOptions struct {
	fileArg
	command.Format
	Limit int `help:"Maximum number of findings; 0 for all. Default: 25 in a table, all in other formats." default:"-1" placeholder:"N"`
}

func doctorCommand() *cobra.Command {
	return command.New[doctorOptions](command.About{
		Name: "doctor", Short: "List missing, inferred and doubtful data of a dataset.",
		Long: "Findings that affect most people come first. Findings are not a failure: the exit code is 0.",
	}, "postgeo dataset doctor --limit 5", "the five weaknesses that affect most people")
}

// Run implements the command.
func (o *doctorOptions) Run(c *command.Call) error {
	limit := o.Limit
	if limit < 0 && c.People() {
		limit = 25
	}
	d, _, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	findings, err := d.Examine(c.Context)
	if err != nil {
		return err
	}
	shown := findings
	if limit > 0 {
		shown = findings[:min(limit, len(findings))]
	}
	if rest := len(findings) - len(shown); c.People() && rest > 0 {
		c.Report(`%d more findings; see --limit`, rest)
	}
	return command.Rows(c, command.View{All: output.Columns[store.Finding](), Summary: command.Paths("people", "code", "city", "state", "problem", "detail"), Array: true}, shown)
}
