package cli

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/export"
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
	Output    string `help:"File to write; - is standard output. Its name tells the format." short:"o" default:"-" placeholder:"FILE"`
	To        string `help:"Format: csv, tsv, ndjson or parquet, of areas also geojson. Default: by the file's name, else csv." placeholder:"FORMAT"`
	Overwrite bool   `help:"Replace the file if it is there."`

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
// many rows it has. A file has its name only when it is whole.
func (f *exportFlags) write(env *Env, rows func(db *postgeo.DB, w io.Writer) (int64, error)) (err error) {
	db, _, err := f.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	if f.Output == "-" {
		out := bufio.NewWriter(env.Stdout)
		if _, err := rows(db, out); err != nil {
			return err
		}
		return out.Flush()
	}
	if _, err := os.Stat(f.Output); err == nil && !f.Overwrite {
		return wrongUse("%s exists already; name another file, or give --overwrite", f.Output)
	}
	file, err := os.CreateTemp(filepath.Dir(f.Output), "."+filepath.Base(f.Output)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	out := bufio.NewWriterSize(file, 1<<18)
	n, err := f.zipped(db, out, rows)
	if err != nil {
		return err
	}
	const mode = 0o644
	if err = errors.Join(out.Flush(), file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", f.Output, err)
	}
	if err = os.Rename(file.Name(), f.Output); err != nil {
		return err
	}
	env.say("%d rows in %s", n, f.Output)
	return nil
}

func (f *exportFlags) zipped(db *postgeo.DB, out io.Writer, rows func(db *postgeo.DB, w io.Writer) (int64, error)) (int64, error) {
	if !strings.HasSuffix(strings.ToLower(f.Output), ".gz") {
		return rows(db, out)
	}
	z := gzip.NewWriter(out)
	n, err := rows(db, z)
	return n, errors.Join(err, z.Close())
}

// table writes rows of some columns.
func (f *exportFlags) table(env *Env, fields []table.Field, rows func(db *postgeo.DB, w *table.Writer) (int64, error)) error {
	format, _, err := f.format(false)
	if err != nil {
		return err
	}
	if format == table.Parquet && f.Output == "-" && env.StdoutTerminal {
		return wrongUse("Parquet is not written to a terminal; name a file with -o")
	}
	return f.write(env, func(db *postgeo.DB, w io.Writer) (int64, error) { return tableRows(db, w, format, fields, rows) })
}

func tableRows(db *postgeo.DB, w io.Writer, format table.Format, fields []table.Field, rows func(db *postgeo.DB, w *table.Writer) (int64, error)) (int64, error) {
	t, err := table.NewWriter(w, format, fields)
	if err != nil {
		return 0, err
	}
	n, err := rows(db, t)
	if err != nil {
		return n, err
	}
	return n, t.Close()
}

// exportCodesCmd is "postgeo export codes".
type exportCodesCmd struct{ exportFlags }

// Run writes the codes.
func (c *exportCodesCmd) Run(ctx context.Context, env *Env) error {
	return c.table(env, export.CodeFields(), func(db *postgeo.DB, w *table.Writer) (int64, error) { return export.Codes(ctx, db, w) })
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
	return c.table(env, export.CrosswalkFields(c.Population), func(db *postgeo.DB, w *table.Writer) (int64, error) {
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
	return c.table(env, fields, func(db *postgeo.DB, w *table.Writer) (int64, error) { return export.Survey(ctx, db, opt, w) })
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
	format, name, err := c.format(true)
	if err != nil {
		return err
	}
	if format == table.Parquet && c.Output == "-" && env.StdoutTerminal {
		return wrongUse("Parquet is not written to a terminal; name a file with -o")
	}
	return c.write(env, func(db *postgeo.DB, w io.Writer) (int64, error) {
		if name == geoJSON {
			return export.GeoJSON(ctx, db, kinds, w)
		}
		return tableRows(db, w, format, export.AreaFields(), func(db *postgeo.DB, t *table.Writer) (int64, error) { return export.Areas(ctx, db, kinds, t) })
	})
}
