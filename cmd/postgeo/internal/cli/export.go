package cli

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/export"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/plain"
)

// exportCmd is "postgeo export".
type exportCmd struct {
	Codes     exportCodesCmd     `cmd:"" help:"Every ZIP, FSA and postal code with what identifies it."`
	Crosswalk exportCrosswalkCmd `cmd:"" aliases:"overlaps" help:"Which codes and which areas share something, and how much."`
	ACS       exportACSCmd       `cmd:"" name:"acs" help:"The American Community Survey: a row for each area and year, a column for each field."`
	Areas     exportAreasCmd     `cmd:"" help:"Areas with their outlines, as GeoParquet, GeoJSON or well-known binary in CSV."`
}

// exportFlags say where a table goes.
type exportFlags struct {
	Output    string `help:"File to write; - is standard output. The format follows its extension." short:"o" default:"-" placeholder:"FILE"`
	To        string `help:"Format: csv, tsv, ndjson or parquet, of areas also geojson. Default: by the file's name, else csv." placeholder:"FORMAT"`
	Overwrite bool   `help:"Replace the file if it is there."`
	formulaFlag

	dataFlag
}

// geoJSON is the format that only areas have.
const geoJSON = "geojson"

// format returns the format, or "geojson".
func (f *exportFlags) format(areas bool) (table.Format, string, error) {
	if err := table.CheckName(f.Output); err != nil {
		return 0, "", wrongUse("%v", err)
	}
	name := strings.ToLower(f.To)
	if name == "" {
		path := strings.TrimSuffix(strings.ToLower(f.Output), ".gz")
		if strings.HasSuffix(path, "."+geoJSON) {
			name = geoJSON
		} else if format, _, ok := table.FormatOf(f.Output); ok {
			return format, format.String(), nil
		} else {
			return table.CSV, "csv", nil
		}
	}
	if name == geoJSON && areas {
		return 0, geoJSON, nil
	}
	format, err := table.ParseFormat(name)
	if err != nil || name == geoJSON {
		return 0, "", wrongUse("%q is no format of this table; expected csv, tsv, ndjson or parquet, of areas also geojson", name)
	}
	return format, name, nil
}

// write opens the dataset and the output, has the table written, and says how
// many rows it has. A file has its name only when it is whole, and is on disk
// then.
func (f *exportFlags) write(ctx context.Context, env *Env, rows exportRows) error {
	db, path, err := f.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := checkOutput(env, f.Output, path); err != nil {
		return err
	}
	if f.Output == "-" {
		out := bufio.NewWriter(env.table())
		if _, err := rows(ctx, db, out); err != nil {
			return err
		}
		return out.Flush()
	}
	if _, err := os.Stat(f.Output); err == nil && !f.Overwrite {
		return wrongUse("%s exists already; name another file, or give --overwrite", f.Output)
	}
	ctx, stop := untilStopped(ctx)
	defer stop()
	var n int64
	err = disk.Write(disk.OS{}, f.Output, func(w io.Writer) (err error) {
		n, err = f.zipped(ctx, db, w, rows)
		return err
	})
	switch {
	case errors.Is(err, context.Canceled):
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("write %s: %w", f.Output, err)
	}
	env.say("%d rows in %s", n, f.Output)
	return nil
}

// exportRows writes a table and returns how many rows it has.
type exportRows func(ctx context.Context, db *postgeo.DB, w io.Writer) (int64, error)

func (f *exportFlags) zipped(ctx context.Context, db *postgeo.DB, out io.Writer, rows exportRows) (int64, error) {
	if !strings.HasSuffix(strings.ToLower(f.Output), ".gz") {
		return rows(ctx, db, out)
	}
	z := gzip.NewWriter(out)
	n, err := rows(ctx, db, z)
	return n, errors.Join(err, z.Close())
}

// tableRows writes a table to a writer of its format.
type tableRows func(ctx context.Context, db *postgeo.DB, w *table.Writer) (int64, error)

// table writes rows of some columns.
func (f *exportFlags) table(ctx context.Context, env *Env, fields []table.Field, rows tableRows) error {
	format, _, err := f.format(false)
	if err != nil {
		return err
	}
	if format == table.Parquet && f.Output == "-" && env.StdoutTerminal {
		return wrongUse("Parquet is not written to a terminal; name a file with -o")
	}
	return f.write(ctx, env, rows.as(format, fields, f.NeutralizeFormulas))
}

// as returns what writes the rows in a format.
func (rows tableRows) as(format table.Format, fields []table.Field, neutral bool) exportRows {
	return func(ctx context.Context, db *postgeo.DB, w io.Writer) (int64, error) {
		t, err := table.NewWriter(w, format, fields)
		if err != nil {
			return 0, err
		}
		if neutral {
			t.NeutralizeFormulas()
		}
		n, err := rows(ctx, db, t)
		if err != nil {
			return n, err
		}
		return n, t.Close()
	}
}

// exportCodesCmd is "postgeo export codes".
type exportCodesCmd struct{ exportFlags }

// Run writes the codes.
func (c *exportCodesCmd) Run(ctx context.Context, env *Env) error {
	return c.table(ctx, env, export.CodeOptions{}.Fields(), func(ctx context.Context, db *postgeo.DB, w *table.Writer) (int64, error) {
		return export.Codes(ctx, db, w, export.CodeOptions{})
	})
}

// exportCrosswalkCmd is "postgeo export crosswalk".
type exportCrosswalkCmd struct {
	Layer      []string `help:"Kinds of areas. Default: all that the dataset has. ${layers}." placeholder:"LAYER"`
	State      string   `help:"Only codes of this state or province." placeholder:"XX"`
	Slivers    bool     `help:"Every pair that shares anything, however little."`
	Population bool     `help:"Add the residents that both have, through census tracts."`

	exportFlags
}

// Run writes the pairs.
func (c *exportCrosswalkCmd) Run(ctx context.Context, env *Env) error {
	var layers []postgeo.LayerID
	for _, name := range c.Layer {
		id, err := parseLayer(name)
		if err != nil {
			return err
		}
		if !slices.Contains(layers, id) {
			layers = append(layers, id)
		}
	}
	opt := postgeo.CrosswalkOptions{State: c.State, Slivers: c.Slivers, Population: c.Population}
	return c.table(ctx, env, export.CrosswalkFields(c.Population), func(ctx context.Context, db *postgeo.DB, w *table.Writer) (int64, error) {
		if layers == nil {
			var err error
			if layers, err = export.CrosswalkLayers(db); err != nil {
				return 0, err
			}
		}
		return export.Crosswalk(ctx, db, layers, opt, w)
	})
}

// exportACSCmd is "postgeo export acs".
type exportACSCmd struct {
	Field  []string `help:"Fields, e.g. economic.income.median_household_income. Default: all." placeholder:"FIELD"`
	Year   []int    `help:"Years. Default: all that the dataset has." placeholder:"YYYY"`
	Tracts bool     `help:"Census tracts instead of ZIP Code Tabulation Areas."`
	MOE    bool     `name:"moe" help:"With margins of error, in columns that end in _moe."`

	exportFlags
}

// Run writes the survey.
func (c *exportACSCmd) Run(ctx context.Context, env *Env) error {
	opt := export.SurveyOptions{Fields: c.Field, Years: c.Year, Tracts: c.Tracts, MOE: c.MOE}
	fields, err := export.SurveyFields(opt)
	if err != nil {
		return wrongUse("%s", strings.TrimPrefix(err.Error(), "export: "))
	}
	return c.table(ctx, env, fields, func(ctx context.Context, db *postgeo.DB, w *table.Writer) (int64, error) {
		return export.Survey(ctx, db, opt, w)
	})
}

// exportAreasCmd is "postgeo export areas".
type exportAreasCmd struct {
	Kind []string `arg:"" help:"zip, fsa, state, or kinds of areas: ${layers}."`

	exportFlags
}

// Run writes the areas.
func (c *exportAreasCmd) Run(ctx context.Context, env *Env) error {
	var kinds []string // each once, whatever it is called
	for _, kind := range c.Kind {
		if kind != "zip" && kind != "fsa" && kind != "state" {
			id, err := parseLayer(kind)
			if err != nil {
				return err
			}
			kind = id.String()
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	_, name, err := c.format(true)
	if err != nil {
		return err
	}
	if name == geoJSON {
		return c.write(ctx, env, func(ctx context.Context, db *postgeo.DB, w io.Writer) (int64, error) {
			return export.GeoJSON(ctx, db, kinds, plain.NewWriter(w))
		})
	}
	return c.table(ctx, env, export.AreaFields(), func(ctx context.Context, db *postgeo.DB, w *table.Writer) (int64, error) {
		return export.Areas(ctx, db, kinds, w)
	})
}
