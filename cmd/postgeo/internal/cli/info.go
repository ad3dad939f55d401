package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
)

// infoCmd is "postgeo dataset info".
type infoCmd struct {
	fileArg
	formatFlag
	All bool `help:"List every file of the American Community Survey in tables, not one line for each of its years."`
}

// A datasetInfo is what "dataset info" tells of a dataset.
type datasetInfo struct {
	File        string       `json:"file,omitzero"` // absent for the embedded sample
	Version     string       `json:"version"`
	Sample      bool         `json:"sample"`
	Built       string       `json:"built"` // RFC 3339
	Builder     string       `json:"builder"`
	Layers      []string     `json:"layers"`
	ZIPs        int          `json:"zips"`
	FSAs        int          `json:"fsas"`
	PostalCodes int          `json:"postal_codes"`
	Sources     []sourceInfo `json:"sources"`
	Gaps        []gapInfo    `json:"gaps"`

	attributions []string // the sentences of all sources, each once
}

type sourceInfo struct {
	ID           string `json:"id"`
	Title        string `json:"title"`
	URL          string `json:"url,omitzero"`
	Vintage      string `json:"vintage"`
	Licence      string `json:"licence"`
	Attribution  string `json:"attribution,omitzero"`
	Refresh      string `json:"refresh,omitzero"`
	UserSupplied bool   `json:"user_supplied,omitzero"`
	Note         string `json:"note,omitzero"`
	Rows         int64  `json:"rows"`
	SHA256       string `json:"sha256,omitzero"`
}

type gapInfo struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

func describe(d *dataset.Dataset, path string) datasetInfo {
	m := d.Manifest()
	info := datasetInfo{
		File: path, Version: m.Version, Sample: m.Sample, Built: m.Built.UTC().Format(time.RFC3339), Builder: m.Builder,
		Layers: append([]string{}, m.Layers...),
		ZIPs:   d.NumZIPs(), FSAs: d.NumFSAs(), PostalCodes: d.NumPostalCodes(),
		Sources: []sourceInfo{}, Gaps: []gapInfo{}, attributions: m.Attributions(),
	}
	for _, s := range m.Sources {
		info.Sources = append(info.Sources, sourceInfo{
			ID: s.ID, Title: s.Title, URL: s.URL, Vintage: s.Vintage, Licence: s.Licence, Attribution: s.Attribution,
			Refresh: s.Refresh, UserSupplied: s.UserSupplied, Note: s.Note, Rows: s.Rows, SHA256: s.SHA256,
		})
	}
	for _, g := range m.Gaps {
		info.Gaps = append(info.Gaps, gapInfo{Name: g.Name, Count: g.Count})
	}
	return info
}

// Run writes the dataset's description: as one object in JSON, as one row a
// source in separated values, and as a page for people.
func (c *infoCmd) Run(env *Env) error {
	opts, err := c.options(env, view{all: output.Columns[sourceInfo](), summary: sourceColumns})
	if err != nil {
		return err
	}
	d, path, err := c.openFile(env)
	if err != nil {
		return err
	}
	defer d.Close()
	info := describe(d, path)

	switch opts.Format {
	case output.CSV, output.TSV:
		return writeAll(env.Stdout, opts, info.Sources)
	case output.Table, output.Markdown:
		if !c.All {
			info.Sources = byYear(info.Sources)
		}
		return info.page(env.Stdout, opts)
	default:
		return writeAll(env.Stdout, opts, []datasetInfo{info})
	}
}

// byYear makes one line of the files of a source that are of the same year: of
// "acs" and "acs-2", "acs-3" and so on, as the builder calls what was given
// together.
func byYear(sources []sourceInfo) []sourceInfo {
	ids := map[string]bool{}
	for _, s := range sources {
		ids[s.ID] = true
	}
	type release struct{ id, vintage string }
	var lines []sourceInfo
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

var sourceColumns = []output.Column{
	{Header: "source", Paths: []string{"id"}},
	output.PathColumn("vintage"),
	output.PathColumn("refresh"),
	output.PathColumn("licence"),
	output.PathColumn("rows"),
}

// page writes the description for people.
func (i datasetInfo) page(w io.Writer, opts output.Options) error {
	kind := "published data"
	if i.Sample {
		kind = "sample: invented data around real codes"
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
	columns := []output.Column{{Header: "dataset", Paths: []string{"name"}}, output.PathColumn("value")}
	if err := writeAll(w, output.Options{Format: opts.Format, TableColumns: columns}, properties); err != nil {
		return err
	}
	if err := writeBelow(w, opts, i.Sources); err != nil {
		return err
	}
	gaps := output.Options{Format: opts.Format, TableColumns: []output.Column{{Header: "known gap", Paths: []string{"name"}}, output.PathColumn("count")}}
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

// A property is a line of a page: a name and its value.
type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
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
	return writeAll(w, opts, items)
}

// writeAll writes the items and ends the output.
func writeAll[T any](w io.Writer, opts output.Options, items []T) error {
	out := output.NewWriter(w, opts)
	for _, item := range items {
		if err := out.Write(item); err != nil {
			return err
		}
	}
	return out.Close()
}
