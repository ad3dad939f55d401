package command

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/edit"
)

// automatic is the default format: it follows standard output.
const automatic = "auto"

// Format is the format of the rows of a command.
type Format struct {
	Format string `help:"Format of the results: table, json, jsonl, csv, tsv or markdown. Default: table on a terminal, elsewhere jsonl, or csv with --columns." enum:"auto,table,json,jsonl,csv,tsv,markdown" default:"auto" placeholder:"FORMAT" short:"f"`
	Cells
}

// GeoFormat is the Format of rows that have a place.
type GeoFormat struct {
	Format string `help:"Format of the results: table, json, jsonl, csv, tsv, markdown or geojson. Default: table on a terminal, elsewhere jsonl, or csv with --columns." enum:"auto,table,json,jsonl,csv,tsv,markdown,geojson" default:"auto" placeholder:"FORMAT" short:"f"`
	Cells
}

// Cells are the flags of the columns of rows.
type Cells struct {
	Columns []string `help:"Columns of csv, tsv, table and markdown: the paths of their JSON keys (city,location.lat)." placeholder:"PATH"`
	Formulas
}

// Formulas is the flag of every command that writes CSV or TSV.
type Formulas struct {
	NeutralizeFormulas bool `help:"Prefix cells of csv and tsv that a spreadsheet would evaluate (= + - @) with an apostrophe."`
}

// A View is how items of one kind are shown.
type View struct {
	All     []output.Column // every column that the items can have
	Summary []output.Column // for tables of several items; none: upright
	Array   bool            // JSON is an array, and items repeat their inputs

	Similar func(column string) []string // columns beyond All that are similar; nil for none
}

// Table returns a View of several items with all their columns.
func Table(columns []output.Column) View { return View{All: columns, Summary: columns, Array: true} }

// A formatter is implemented by options that embed [Format] or [GeoFormat].
type formatter interface{ settle(c *Call) error }

func (f GeoFormat) settle(c *Call) error { return Format(f).settle(c) }

// settle decides the format.
func (f Format) settle(c *Call) error {
	o := output.Options{Format: output.Format(f.Format), NeutralizeFormulas: f.NeutralizeFormulas, Feature: c.Feature}
	chosen := len(f.Columns) > 0
	switch whole := o.Format == output.JSON || o.Format == output.JSONL || o.Format == output.GeoJSON; {
	case whole && chosen:
		return Usage(`--columns needs the format csv, tsv, table or markdown; %s has whole items`, f.Format)
	case f.Format != automatic:
	case c.StdoutTerminal:
		o.Format = output.Table
	case chosen:
		o.Format = output.CSV
	default:
		o.Format = output.JSONL
	}
	if o.Format == output.Table && !chosen { // chosen columns are not cut
		o.Width = c.Width
	}
	c.Output, c.columns = o, f.Columns
	return nil
}

// View sets the columns of the output.
func (c *Call) View(v View) error {
	o := &c.Output
	o.Array, o.Columns, o.TableColumns, c.Several = v.Array, v.All, v.Summary, v.Array
	if len(c.columns) > 0 {
		chosen, unknown := output.Find(v.All, c.columns)
		if unknown != "" {
			similar := similarColumns(unknown, output.Headers(v.All), 5)
			if len(similar) == 0 && v.Similar != nil {
				similar = v.Similar(unknown)
			}
			return unknownColumn(unknown, output.Headers(v.All), similar)
		}
		o.Columns, o.TableColumns = chosen, chosen
	}
	c.writer = output.NewWriter(c.Stdout, *o)
	return nil
}

// unknownColumn names all columns, or of many only the similar ones.
func unknownColumn(given string, headers, similar []string) error {
	const many = 30
	if len(headers) <= many {
		return Usage(`unknown column %q in --columns; available: %s`, given, strings.Join(headers, ","))
	}
	if len(similar) > 0 {
		return Usage(`unknown column %q in --columns; similar: %s; '--format csv' without --columns has all`, given, strings.Join(similar, ", "))
	}
	return Usage(`unknown column %q in --columns; '--format csv' without --columns has all %d`, given, len(headers))
}

// similarColumns returns columns that begin like an unknown one up to one of its dots,
// or similar ones.
func similarColumns(given string, headers []string, most int) []string {
	for part := given; ; {
		dot := strings.LastIndexByte(part, '.')
		if dot < 0 {
			return edit.NearPaths(given, headers, most)
		}
		if part = part[:dot]; slices.Contains(headers, part) {
			return []string{part} // a list, whose items have no columns
		}
	}
}

// Columns returns columns of paths under other headings: "lat", "location.lat".
func Columns(pairs ...string) []output.Column {
	var columns []output.Column
	for i := 0; i < len(pairs); i += 2 {
		columns = append(columns, output.Column{Header: pairs[i], Paths: strings.Split(pairs[i+1], " ")})
	}
	return columns
}

// Paths returns columns that are headed by their paths.
func Paths(paths ...string) []output.Column {
	var columns []output.Column
	for _, path := range paths {
		columns = append(columns, output.PathColumn(path))
	}
	return columns
}
