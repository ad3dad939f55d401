package cli

import (
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// formatFlag chooses how results are written.
type formatFlag struct {
	Format string `help:"How to write results: table, json, jsonl, csv, tsv or markdown. Default: table on a terminal, jsonl elsewhere." enum:"auto,table,json,jsonl,csv,tsv,markdown" default:"auto" placeholder:"FORMAT" short:"f"`
	columnFlags
}

// geoFormatFlag is a formatFlag of results that have a place.
type geoFormatFlag struct {
	Format string `help:"How to write results: table, json, jsonl, csv, tsv, markdown or geojson. Default: table on a terminal, jsonl elsewhere." enum:"auto,table,json,jsonl,csv,tsv,markdown,geojson" default:"auto" placeholder:"FORMAT" short:"f"`
	columnFlags
}

// columnFlags are about the cells of results.
type columnFlags struct {
	Columns []string `help:"Columns of csv, tsv, table and markdown, by the path of their JSON keys (city,location.lat)." placeholder:"PATH"`
	formulaFlag
}

// formulaFlag is the flag of every command that writes CSV or TSV.
type formulaFlag struct {
	NeutralizeFormulas bool `help:"Write an apostrophe before cells of csv and tsv that a spreadsheet would take for formulas (= + - @)."`
}

// options is that of formatFlag.
func (f geoFormatFlag) options(env *Env, v view) (output.Options, error) {
	return formatFlag(f).options(env, v)
}

// format returns the format for the streams of env.
func (f formatFlag) format(env *Env) (output.Format, error) {
	if f.Format == "auto" {
		if env.StdoutTerminal {
			return output.Table, nil
		}
		return output.JSONL, nil
	}
	format, err := output.ParseFormat(f.Format)
	if err != nil {
		return 0, wrongUse("%v", err)
	}
	return format, nil
}

// A view says how items of one kind are shown.
type view struct {
	all     []output.Column // everything that the items can have
	summary []output.Column // for tables of several items; none: upright
	array   bool            // several items
}

// options returns the writer's options for a view.
func (f formatFlag) options(env *Env, v view) (output.Options, error) {
	format, err := f.format(env)
	if err != nil {
		return output.Options{}, err
	}
	o := output.Options{Format: format, Array: v.array, Columns: v.all, TableColumns: v.summary, NeutralizeFormulas: f.NeutralizeFormulas}
	if format == output.Table {
		o.Width = env.Width
	}
	if len(f.Columns) > 0 {
		o.Width = 0 // they were asked for
		chosen, unknown := output.Find(v.all, f.Columns)
		if unknown != "" {
			return output.Options{}, wrongUse("--columns has no %q; choose from %s", unknown, strings.Join(output.Headers(v.all), ","))
		}
		o.Columns, o.TableColumns = chosen, chosen
	}
	return o, nil
}
