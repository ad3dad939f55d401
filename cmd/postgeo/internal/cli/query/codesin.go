package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

type codesInOptions struct {
	operation.CodesInArea

	command.Data
	command.GeoFormat

	layer lookup.Layer
}

func codesInCommand() *cobra.Command {
	return command.New(command.Spec[codesInOptions, lookup.CodeShare]{
		Name: "codes-in", Group: areas, Short: operation.CodesIn.Summary,
		Long: operation.CodesIn.Detail + " json writes the area with its codes, jsonl, csv and tsv one code per line, geojson the codes with their areas, or locations, as features.",
		Examples: command.Examples(
			"postgeo codes-in county 06037", "the ZIP Codes of Los Angeles County",
			"postgeo codes-in cd 0632 -f csv", "the ZIP Codes of a congressional district",
			`postgeo codes-in city "Austin, TX"`, "the ZIP Codes of a city",
			"postgeo codes-in state CA", "the ZIP Codes of a state",
		),
		Check: func(o *codesInOptions, _ *command.Env) (err error) {
			if o.GEOID == "" {
				return missingArea(o.Layer)
			}
			if !o.OfRecords() {
				o.layer, err = command.ParseLayer(o.Layer)
			}
			return err
		},
		View: func(o *codesInOptions, _ *command.Call) (command.View, error) {
			return command.View{
				All: withoutShare(output.Columns[lookup.CodeShare](), o.layer),
				Summary: withoutShare(command.Columns("code", "code", "type", "code_type", "city", "city", "state", "state",
					"sq mi", "intersection_sq_mi", "% of code", "pct_of_zip pct_of_fsa", "% of area", "pct_of_area", "% of people", "pct_of_people"), o.layer),
			}, nil
		},
		Run: func(o *codesInOptions, c *command.Call) (command.Result, error) {
			in, err := o.Find(c.Context, c.DB)
			if err != nil {
				return command.Result{}, failArea(c, err)
			}
			if c.People() {
				c.Report(`%s %s: %s`, strings.ReplaceAll(cmp.Or(in.Area.Kind, string(o.layer)), "_", " "), in.Area.GEOID, command.JoinText(in.Area.Name, ", ", in.Area.State))
			}
			return command.Rows(in.Codes).Whole(in), nil
		},
	})
}

// withoutShare removes the share that codes of the layer's country do not have.
func withoutShare(columns []output.Column, layer lookup.Layer) []output.Column {
	other := "pct_of_fsa"
	switch layer.Country() {
	case "": // a user-supplied layer may have both
		return columns
	case "CA":
		other = "pct_of_zip"
	default:
	}
	districts := layer == lookup.LayerCongressionalDistrict || layer == lookup.LayerStateUpper || layer == lookup.LayerStateLower
	return slices.DeleteFunc(columns, func(c output.Column) bool {
		return c.Header == other || !districts && slices.Contains([]string{"pct_of_people", "% of people", "is_split"}, c.Header)
	})
}
