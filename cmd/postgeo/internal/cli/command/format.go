package command

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/geo/svg"
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

func (f GeoFormat) options(env *Env, v View) (output.Options, error) {
	return Format(f).options(env, v)
}

func (f Format) options(env *Env, v View) (output.Options, error) {
	o := output.Options{Format: output.JSONL, Array: v.Array, Columns: v.All, TableColumns: v.Summary, NeutralizeFormulas: f.NeutralizeFormulas}
	if f.Format != automatic {
		o.Format = output.Format(f.Format)
	} else if env.StdoutTerminal {
		o.Format = output.Table
	}
	if o.Format == output.Table {
		o.Width = env.Width
	}
	if len(f.Columns) > 0 {
		if o.Format == output.JSON || o.Format == output.JSONL || o.Format == output.GeoJSON {
			if f.Format != automatic {
				return o, Usage(`--columns needs the format csv, tsv, table or markdown; %s has whole items`, f.Format)
			}
			o.Format = output.CSV
		}
		o.Width = 0 // chosen columns are not cut
		chosen, unknown := output.Find(v.All, f.Columns)
		if unknown != "" {
			similar := similarColumns(unknown, output.Headers(v.All), 5)
			if len(similar) == 0 && v.Similar != nil {
				similar = v.Similar(unknown)
			}
			return o, unknownColumn(unknown, output.Headers(v.All), similar)
		}
		o.Columns, o.TableColumns = chosen, chosen
	}
	return o, nil
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

// OpenTable opens a table in a file, or "-" for standard input. The end of the
// context ends the reading of a pipe.
func OpenTable(ctx context.Context, env *Env, path string, in table.Input) (*table.Source, error) {
	if path != "-" {
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() || info.IsDir() {
			src, err := table.Open(path, in)
			return src, Kind("table", err)
		}
	}
	if path == "-" {
		src, err := table.Read(Stoppable(ctx, env.Stdin), in)
		return src, Kind("table", err)
	}
	if f, zipped, known := table.FormatOf(path); known {
		in.Format = cmp.Or(in.Format, f)
		in.Gzip = in.Gzip || zipped
	}
	pipe, err := openPipe(ctx, path)
	if err != nil {
		return nil, err
	}
	src, err := table.Read(Stoppable(ctx, pipe), in)
	return src, Kind("table", err)
}

// Delimiter reads a delimiter, 0 for "".
func Delimiter(flag, text string) (byte, error) {
	switch {
	case text == "":
		return 0, nil
	case text == "tab" || text == `\t`:
		return '\t', nil
	case len(text) == 1 && !strings.ContainsAny(text, "\"\r\n"):
		return text[0], nil
	default:
		return 0, Usage(InvalidValue, flag, text, `one character such as ';' or '|', or tab`)
	}
}

// mapSources have the outlines and points of codes, and the outlines of states. They are
// the beginnings of identifiers.
var mapSources = []string{"geonames-", "zip-", "gazetteer-zcta", "cb-zctas", "cb-states", "statcan-lfsa", "statcan-da-points", "opcc-correspondence"}

// Attribution returns the attribution of the sources of a map, or of all
// if the dataset has none of them.
func Attribution(m dataset.Manifest) string {
	used := m.Sources[:0:0]
	for _, s := range m.Sources {
		if slices.ContainsFunc(mapSources, func(start string) bool { return strings.HasPrefix(s.ID, start) }) {
			used = append(used, s)
		}
	}
	if len(used) > 0 {
		m.Sources = used
	}
	text := ""
	if m.Sample {
		text = "Sample: a few hundred codes; ZIP+4 records and profiles are invented."
	}
	for _, a := range m.Attributions() {
		text = JoinText(text, " · ", a)
	}
	return text
}

// MapError makes a usage error of a map that the flags make impossible.
func MapError(err error) error {
	if errors.Is(err, svg.ErrInvalidMap) {
		return Usage("%v", err)
	}
	return err
}
