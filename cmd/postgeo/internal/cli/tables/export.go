package tables

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/export"
	"github.com/postgeo/postgeo/internal/plain"
)

// Messages of several places.
const (
	binaryTerminal = `%s is not written to a terminal; name a file with -o, or another format with --to`
	fileExists     = `%s already exists; choose another file or use --overwrite`
)

// exportFlags are the flags of the output of a table.
type exportFlags struct {
	Output    string `help:"File to write; - is standard output. The format follows its extension." short:"o" default:"-" placeholder:"FILE"`
	To        string `help:"Format: csv, tsv, ndjson, parquet or xlsx; areas also have geojson. Default: by the file extension, else csv." placeholder:"FORMAT"`
	Overwrite bool   `help:"Replace an existing file."`
	command.Formulas

	command.Data
}

type codesOptions struct {
	exportFlags
}

func (o *codesOptions) run(c *command.Call) error {
	return o.write(c, export.CodeFields(), func(w *table.Writer) (int64, error) { return export.Codes(c.Context, c.DB, w) }, nil)
}

type surveyOptions struct {
	Field  []string `help:"Fields, such as economic.income.median_household_income. Default: all." placeholder:"FIELD"`
	Year   []int    `help:"Years. Default: all of the dataset." placeholder:"YYYY"`
	Tracts bool     `help:"Census tracts instead of ZIP Code Tabulation Areas."`
	MOE    bool     `name:"moe" help:"With margins of error, in columns that end in _moe."`

	exportFlags
}

func (o *surveyOptions) run(c *command.Call) error {
	opt := export.SurveyOptions{Fields: o.Field, Years: o.Year, Tracts: o.Tracts, MOE: o.MOE}
	fields, err := export.SurveyFields(opt)
	if err != nil {
		return command.Usage("%s", command.Bare(err))
	}
	return o.write(c, fields, func(w *table.Writer) (int64, error) { return export.Survey(c.Context, c.DB, opt, w) }, nil)
}

type areasOptions struct {
	Kind []string `arg:"" help:"zip, fsa, state, or layers such as county, tract and cd."`

	exportFlags
}

func (o *areasOptions) run(c *command.Call) error {
	var kinds []string // each once
	for _, kind := range o.Kind {
		if kind != "zip" && kind != "fsa" && kind != "state" {
			id, err := command.ParseLayer(kind)
			if err != nil {
				return err
			}
			kind = string(id)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return o.write(c, export.AreaFields(),
		func(w *table.Writer) (int64, error) { return export.Areas(c.Context, c.DB, kinds, w) },
		func(w io.Writer) (int64, error) { return export.GeoJSON(c.Context, c.DB, kinds, plain.NewWriter(w)) })
}

// geoJSON is the format that only areas have.
const geoJSON = "geojson"

// format returns the format of the table; geojson needs areas.
func (f *exportFlags) format(areas bool) (table.Format, error) {
	named, _, err := table.FormatOf(f.Output)
	if strings.HasSuffix(strings.TrimSuffix(strings.ToLower(f.Output), ".gz"), "."+geoJSON) {
		named, err = geoJSON, nil
	}
	named = cmp.Or(named, table.CSV)
	if err != nil {
		return "", command.Usage("%s", command.Bare(err))
	}
	flag, given := "-o", f.Output
	if f.To != "" {
		flag, given, named = "--to", f.To, geoJSON
		if to := strings.ToLower(f.To); to != geoJSON {
			err = named.UnmarshalText([]byte(to))
		}
	}
	if err != nil || named == geoJSON && !areas {
		return "", command.Usage(command.InvalidValue, flag, given, `csv, tsv, ndjson, parquet or xlsx; areas also have geojson`)
	}
	return named, nil
}

// write writes a table in the format of the flags, and reports the number of rows in a file.
// geojson is nil if the table has no outlines.
func (f *exportFlags) write(c *command.Call, fields []table.Field, rows func(w *table.Writer) (int64, error), geojson func(w io.Writer) (int64, error)) error {
	format, err := f.format(geojson != nil)
	if err != nil {
		return err
	}
	if err := command.CheckOutput(c.Env, f.Output, c.Path); err != nil {
		return err
	}
	var n int64
	write := func(w io.Writer) (err error) {
		if format == geoJSON {
			n, err = geojson(w)
			return err
		}
		out, err := table.NewWriter(w, fields, table.Output{Format: format, NeutralizeFormulas: f.NeutralizeFormulas})
		if err == nil {
			n, err = rows(out)
		}
		if err != nil {
			return err
		}
		return out.Close()
	}
	switch {
	case f.Output == "-" && format.Binary() && c.StdoutTerminal:
		return command.Usage(binaryTerminal, format)
	case f.Output == "-":
		out := bufio.NewWriter(c.Table())
		if err := write(out); err != nil {
			return err
		}
		return out.Flush()
	case exists(f.Output) && !f.Overwrite:
		return command.Usage(fileExists, f.Output)
	}
	defer c.UntilStopped()()
	switch err := writeFile(f.Output, write); {
	case err == nil:
		c.Report(`%d rows in %s`, n, f.Output)
		return nil
	case errors.Is(err, context.Canceled):
		return c.Context.Err()
	default:
		return command.Failure(`write %s: %w`, f.Output, err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// writeFile writes a file, compressed if its name ends in .gz. It gets its name when it is
// complete and on disk.
func writeFile(path string, write func(w io.Writer) error) error {
	return disk.Write(path, func(w io.Writer) error {
		if !strings.HasSuffix(strings.ToLower(path), ".gz") {
			return write(w)
		}
		z := gzip.NewWriter(w)
		return errors.Join(write(z), z.Close())
	})
}
