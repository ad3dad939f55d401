// Package tables holds the commands that enrich and export tables.
package tables

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/export"
	"github.com/postgeo/postgeo/internal/plain"
)

// group is the heading of the commands in the help.
const group = "Tables"

// Commands returns "postgeo enrich", "postgeo apportion" and "postgeo export".
func Commands() []*cobra.Command {
	return []*cobra.Command{
		enrichCommand(), apportionCommand(), command.Group("export", group, "Write codes, the survey and areas as plain tables.",
			command.New[codesOptions](command.About{Name: "codes", Short: "Every ZIP, FSA and postal code with its identity."},
				"postgeo export codes -o codes.parquet", "every code"),
			command.New[surveyOptions](command.About{Name: "acs", Short: "The American Community Survey: a row for each area and year, a column for each field."},
				"postgeo export acs --year 2024 --moe -o acs2024.parquet", "a year of the survey, with margins"),
			command.New[areasOptions](command.About{Name: "areas", Short: "Areas with their outlines, as GeoParquet, GeoJSON or well-known binary in CSV."},
				"postgeo export areas zip county -o areas.geojson", "outlines of ZIP Codes and counties"),
		),
	}
}

type codesOptions struct {
	exportFlags
}

// Check implements the command.
func (o *codesOptions) Check(env *command.Env) error {
	return o.settle(env, exported{fields: export.CodeFields(), rows: func(c *command.Call, w *table.Writer) (int64, error) {
		return export.Codes(c.Context, c.DB, w)
	}})
}

type surveyOptions struct {
	Field  []string `help:"Fields, such as economic.income.median_household_income. Default: all." placeholder:"FIELD"`
	Year   []int    `help:"Years. Default: all of the dataset." placeholder:"YYYY"`
	Tracts bool     `help:"Census tracts instead of ZIP Code Tabulation Areas."`
	MOE    bool     `name:"moe" help:"With margins of error, in columns that end in _moe."`

	exportFlags
}

// Check implements the command.
func (o *surveyOptions) Check(env *command.Env) error {
	opt := export.SurveyOptions{Fields: o.Field, Years: o.Year, Tracts: o.Tracts, MOE: o.MOE}
	fields, err := export.SurveyFields(opt)
	if err != nil {
		return command.Usage("%s", command.Bare(err))
	}
	return o.settle(env, exported{fields: fields, rows: func(c *command.Call, w *table.Writer) (int64, error) {
		return export.Survey(c.Context, c.DB, opt, w)
	}})
}

type areasOptions struct {
	Kind []string `arg:"" help:"zip, fsa, state, or layers such as county, tract and cd."`

	exportFlags
}

// Check implements the command.
func (o *areasOptions) Check(env *command.Env) error {
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
	return o.settle(env, exported{
		fields: export.AreaFields(),
		rows:   func(c *command.Call, w *table.Writer) (int64, error) { return export.Areas(c.Context, c.DB, kinds, w) },
		geojson: func(c *command.Call, w io.Writer) (int64, error) {
			return export.GeoJSON(c.Context, c.DB, kinds, plain.NewWriter(w))
		},
	})
}

// optionFlags maps the options of package enrich to flags. Flags of an option with
// several parts have a common beginning.
var optionFlags = map[string]string{
	"Radius": "--within", "Places": "--nearest-from", "Areas": "--areas-from", "Nearest": "--nearest-", "Plans": "--",
	"Address": "--address",
}

// reason makes a usage error of an error about a name or an option.
func reason(err error) error {
	var field *enrich.FieldError
	var column *table.ColumnError
	var keys *table.KeyError
	var option *enrich.OptionError
	var text string
	switch {
	case errors.As(err, &option):
		return optionError(option)
	case errors.As(err, &field):
		text = field.Text(optionFlags[field.Option])
		if len(field.Near) > 0 {
			return command.Usage(`%s; to search, run 'postgeo enrich --list-fields --word WORD'`, text)
		}
	case errors.As(err, &column) && len(column.Options) > 0:
		var flags []string
		for i, option := range column.Options {
			flags = append(flags, fmt.Sprintf("--%s-column %s_2", strings.ToLower(option), column.Names[i]))
		}
		return command.Usage(`the table has %s already; name the new columns: %s`, strings.Join(column.Names, ", "), strings.Join(flags, " "))
	case errors.As(err, &column), errors.As(err, &keys):
		text = command.Bare(err)
	default:
		return err
	}
	return command.UsageOf("postgeo enrich", "%s", text)
}

func optionError(e *enrich.OptionError) error {
	flag := optionFlags[e.Option]
	param := envelope.AsFailure(e.Err)
	switch {
	case param != nil && param.Kind == envelope.KindInvalidParam && e.Option == "Plans":
		return command.Usage(command.InvalidValue, flag+strings.ReplaceAll(param.Param, "_", "-"), param.Input, param.Range)
	case param != nil && param.Kind == envelope.KindInvalidParam:
		return command.Usage(command.InvalidValue, strings.TrimSuffix(flag, "-")+": "+param.Param, param.Input, command.Expected(param))
	default:
		return command.Usage(`invalid %s: %s`, flag, e.Err.Error())
	}
}
