package tables

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/disk"
)

// Messages of several places.
const (
	exportFormat   = `csv, tsv, ndjson, parquet or xlsx; areas also have geojson`
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

	rows writeRows
}

// settle decides how a table is written.
func (f *exportFlags) settle(env *command.Env, t exported) (err error) {
	f.rows, err = f.writer(t, env.StdoutTerminal)
	return err
}

// writeRows writes a table and returns the number of its rows.
type writeRows func(c *command.Call, w io.Writer) (int64, error)

// An exported table has columns and rows.
type exported struct {
	fields  []table.Field
	rows    func(c *command.Call, w *table.Writer) (int64, error)
	geojson writeRows // nil if the table has no outlines
}

// geoJSON is the format that only areas have.
const geoJSON = "geojson"

// format returns the format, "" for GeoJSON.
func (f *exportFlags) format() (table.Format, error) {
	named := strings.HasSuffix(strings.TrimSuffix(strings.ToLower(f.Output), ".gz"), "."+geoJSON)
	if err := table.CheckName(f.Output); err != nil && !named {
		return "", command.Usage("%s", command.Bare(err))
	}
	switch name := strings.ToLower(f.To); name {
	case geoJSON:
		return "", nil
	case "":
		if named {
			return "", nil
		}
		if format, _, ok := table.FormatOf(f.Output); ok {
			return format, nil
		}
		return table.CSV, nil
	default:
		format, err := table.ParseFormat(name)
		if err != nil {
			return "", command.Usage(command.InvalidValue, "--to", f.To, exportFormat)
		}
		return format, nil
	}
}

// writer returns the function that writes a table in the format of the flags.
func (f *exportFlags) writer(t exported, terminal bool) (writeRows, error) {
	format, err := f.format()
	switch {
	case err != nil:
		return nil, err
	case format == "" && t.geojson == nil && f.To == "":
		return nil, command.Usage(command.InvalidValue, "-o", f.Output, exportFormat)
	case format == "" && t.geojson == nil:
		return nil, command.Usage(command.InvalidValue, "--to", f.To, exportFormat)
	case format == "":
		return t.geojson, nil
	case format.Binary() && f.Output == "-" && terminal:
		return nil, command.Usage(binaryTerminal, format)
	}
	return func(c *command.Call, w io.Writer) (int64, error) {
		out, err := table.NewWriter(w, t.fields, table.Output{Format: format, NeutralizeFormulas: f.NeutralizeFormulas})
		if err != nil {
			return 0, err
		}
		n, err := t.rows(c, out)
		if err != nil {
			return n, err
		}
		return n, out.Close()
	}, nil
}

// Run writes the output and reports the number of rows in a file.
func (f *exportFlags) Run(c *command.Call) error {
	if err := command.CheckOutput(c.Env, f.Output, c.Path); err != nil {
		return err
	}
	if f.Output == "-" {
		out := bufio.NewWriter(c.Table())
		if _, err := f.rows(c, out); err != nil {
			return err
		}
		return out.Flush()
	}
	if exists(f.Output) && !f.Overwrite {
		return command.Usage(fileExists, f.Output)
	}
	defer c.UntilStopped()()
	var n int64
	err := writeFile(f.Output, func(w io.Writer) (err error) {
		n, err = f.rows(c, w)
		return err
	})
	switch {
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
