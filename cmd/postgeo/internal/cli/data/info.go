package data

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store/diff"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// A property is a line of a page: a name and its value.
type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A page is a page of tables for people.
type page struct {
	c     *command.Call
	begun bool
	err   error
}

// addTable adds a table of items, if there are any. Columns are pairs of a heading and a
// path, by default all of the items.
func addTable[T any](p *page, items []T, columns ...string) {
	if p.err != nil || len(items) == 0 {
		return
	}
	opts := output.Options{Format: p.c.Output.Format, TableColumns: command.Columns(columns...)}
	if len(columns) == 0 {
		opts.TableColumns = output.Columns[T]()
	}
	if p.begun {
		p.line("")
	}
	p.begun = true
	out := output.NewWriter(p.c.Stdout, opts)
	for i := range items {
		p.err = cmp.Or(p.err, out.Write(&items[i]))
	}
	p.err = cmp.Or(p.err, out.Close())
}

// line adds a line of text.
func (p *page) line(text string) {
	_, err := fmt.Fprintln(p.c.Stdout, text)
	p.begun, p.err = true, cmp.Or(p.err, err)
}

type infoOptions struct {
	fileArg
	command.Format
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
}

func (o *infoOptions) run(c *command.Call) error {
	d, path, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	m := d.Manifest()
	if err := c.View(command.View{All: output.Columns[dataset.Source](), Summary: command.Columns(sourceColumns...)}); err != nil {
		return err
	}
	switch format := c.Output.Format; {
	case format == output.CSV || format == output.TSV || c.People() && len(o.Columns) > 0:
		return command.More(c, m.Sources)
	case !c.People():
		return c.Write(datasetInfo{
			File: path, Version: m.Version, Sample: m.Sample, Built: m.Built.UTC().Format(time.RFC3339), Builder: m.Builder, Layers: append([]string{}, m.Layers...),
			ZIPs: d.NumZIPs(), FSAs: d.NumFSAs(), PostalCodes: d.NumPostalCodes(), Sources: append([]dataset.Source{}, m.Sources...), Gaps: append([]dataset.Gap{}, m.Gaps...),
		})
	}
	kind := "published data"
	if m.Sample {
		kind = "sample: a few hundred codes; ZIP+4 records and profiles are invented"
	}
	p := &page{c: c}
	addTable(p, []property{
		{"file", cmp.Or(path, "(embedded)")},
		{"version", m.Version},
		{"kind", kind},
		{"built", m.Built.UTC().Format(time.RFC3339)},
		{"builder", m.Builder},
		{"layers", strings.Join(m.Layers, ", ")},
		{"ZIPs", fmt.Sprint(d.NumZIPs())},
		{"FSAs", fmt.Sprint(d.NumFSAs())},
		{"postal codes", fmt.Sprint(d.NumPostalCodes())},
	}, "dataset", "name", "value", "value")
	addTable(p, byYear(m.Sources), sourceColumns...)
	addTable(p, m.Gaps, "known gap", "name", "count", "count")
	var lines []property
	for _, text := range m.Attributions() {
		lines = append(lines, property{Value: text})
	}
	addTable(p, lines, "attribution", "value")
	return p.err
}

// byYear merges the files of a source that have the same year: "acs", "acs-2",
// "acs-3" and so on are the builder's names for the tables of one flag.
func byYear(sources []dataset.Source) (lines []dataset.Source) {
	type release struct{ id, vintage string }
	at, files := map[release]int{}, map[release]int{}
	known := ""
	for _, s := range sources {
		r := release{s.ID, s.Vintage}
		if base := strings.TrimRight(s.ID, "0123456789"); base == known+"-" {
			r.id = known
		} else {
			known = s.ID
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

func (o *verifyOptions) run(c *command.Call) error {
	d, path, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Verify(c.Context); err != nil {
		return err
	}
	return command.Row(c, &verification{path, d.Manifest().Version, true, d.NumZIPs(), d.NumFSAs(), d.NumPostalCodes()})
}

type doctorOptions struct {
	fileArg
	command.Format
	Limit int `help:"Maximum number of findings; 0 for all. Default: 25 in a table, all in other formats." default:"-1" placeholder:"N"`
}

func (o *doctorOptions) run(c *command.Call) error {
	limit := o.Limit
	if limit < 0 && c.People() {
		limit = 25
	}
	d, _, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	findings, err := examine(c.Context, d)
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
	return command.Rows(c, command.View{All: output.Columns[finding](), Summary: command.Paths("people", "code", "city", "state", "problem", "detail"), Array: true}, shown)
}

type checkOptions struct {
	fileArg
	command.Format
	Mirror string `help:"Folder or URL instead of the official hosts, as of dataset build." placeholder:"DIR|URL"`
	Cache  string `help:"Folder with the downloads of dataset build. Default: the user's cache folder." placeholder:"DIR"`
}

func (o *checkOptions) run(c *command.Call) error {
	defer c.UntilStopped()()
	opt := builder.Options{Mirror: o.Mirror, Cache: cmp.Or(o.Cache, c.CacheDir)}
	if opt.Cache == "" && o.Mirror == "" {
		return command.Usage(noCacheFolder)
	}
	d, _, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	rows := shown(c)
	list, err := builder.CheckSources(c.Context, opt, d.Manifest().Sources, func(done, total int) { rows.Rows(int64(done), float64(done)/float64(total)) })
	rows.Close()
	if err != nil {
		return err
	}
	changed := 0
	for _, f := range list {
		if f.State == builder.Changed {
			changed++
		}
	}
	if err := command.Rows(c, command.View{Array: true, All: output.Columns[builder.Freshness](), Summary: command.Paths("source", "vintage", "state", "modified", "note")}, list); err != nil || changed == 0 {
		return err
	}
	c.Report(`%d of %d sources changed; run dataset build again`, changed, len(list))
	return command.ErrReported
}

type diffOptions struct {
	Old string `arg:"" help:"Dataset file."`
	New string `arg:"" help:"Dataset file to compare it with."`

	command.Format
}

// run writes the changes from the old dataset to the new one.
func (o *diffOptions) run(c *command.Call) error {
	if err := c.View(command.View{All: output.Columns[diff.Change]()}); err != nil {
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
		return command.Stream(c, diff.Changes(c.Context, was, is))
	}
	difference, err := diff.Summarize(c.Context, was, is)
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
func differencePage(c *command.Call, d *diff.Difference) error {
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
	addTable(p, lines)
	addTable(p, examples, "for example", "name", "row", "value")
	return p.err
}
