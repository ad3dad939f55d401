package survey

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type aggregateOptions struct {
	Codes   []string        `help:"ZIP Codes, or census tracts by their eleven digits." placeholder:"CODE"`
	Polygon string          `help:"GeoJSON file with one polygon or multipolygon; - is standard input." placeholder:"FILE" type:"path"`
	Around  string          `help:"Center of a circle: a code or latitude,longitude." placeholder:"CENTER"`
	Radius  operation.Reach `help:"Miles around the center: at most 250, or 500 in centroid mode; or auto, or auto-commute." placeholder:"MILES"`
	Mode    radius.Mode     `help:"spatial counts ZIP Codes by the share of their area inside, centroid fully if their location is inside." default:"spatial" placeholder:"MODE"`

	lineOptions

	areas radius.Areas
}

func aggregateCommand() *cobra.Command {
	return command.New(command.Spec[aggregateOptions, acs.Line]{
		Name: "aggregate", Short: "Compute fields of several areas together: codes, a polygon or a circle.",
		Long: "Counts are summed, medians and means weighted, percentages and rates recomputed from the sums. Margins of error follow from those of the areas: their basis is sum for whole areas, upper_bound if shares, weights or quotients are involved. A weighted median comes with the median of its distribution. Without --year the newest year of the dataset is written. A single area by its code has its published figures.",
		Examples: command.Examples(
			"postgeo acs aggregate --codes 90210,90211 --field demographic.sex_and_age.total_population", "two ZIP Codes together",
			"postgeo acs aggregate --around 90210 --radius 5 --field economic.income.median_household_income", "a circle of 5 miles",
		),
		Check: (*aggregateOptions).checkAreas,
		View: func(o *aggregateOptions, c *command.Call) (command.View, error) {
			if err := checkSurvey(c); err != nil {
				return command.View{}, err
			}
			years := o.Years
			all, err := yearsOf(c, o.Codes)
			if err != nil {
				return command.View{}, err
			}
			if len(years) == 0 && len(all) > 0 {
				years = all[len(all)-1:]
			}
			return o.view(years)
		},
		Run: (*aggregateOptions).run,
	})
}

func (o *aggregateOptions) run(c *command.Call) (command.Result, error) {
	a, err := c.DB.ACSAggregate(c.Context, o.areas, o.Fields, acs.SeriesOptions{FigureOptions: o.figures, Years: o.years})
	if o.Around != "" && (errors.Is(err, postgeo.ErrNotFound) || errors.Is(err, postgeo.ErrInvalidCode)) {
		return c.Refuse(envelope.Input{Code: o.Around}, err)
	}
	if err != nil {
		return command.Result{}, usage(ofRadius(err))
	}
	if c.People() && len(a.Lines) > 0 {
		for i := range a.Lines[0].Points {
			p := &a.Lines[0].Points[i]
			covered := ""
			if p.Covered.IsNumber() {
				covered = fmt.Sprintf(`, with %s %% of the people`, p.Covered.AppendJSON(nil))
			}
			c.Report(`note: %s, %d: %d of %d areas have figures%s`, a.Name, p.Year, p.With, p.With+p.Without, covered)
		}
	}
	if c.Output.Format == output.JSON { // one object with the lines in it
		o.look(c, a.Lines)
		return command.Result{}.Whole(a), nil
	}
	return o.result(c, func(yield func([]acs.Line, error) bool) { yield(a.Lines, nil) }), nil
}

func (o *aggregateOptions) checkAreas(env *command.Env) (err error) {
	o.check()
	ways := 0
	for _, given := range [...]bool{len(o.Codes) > 0, o.Polygon != "", o.Around != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways != 1:
		return command.Usage(`missing areas; use --codes, or --polygon, or --around with --radius`)
	case (o.Around != "") != (o.Radius != (operation.Reach{})):
		return command.Usage(`--around and --radius must be used together`)
	}
	o.areas.Codes = o.Codes
	switch {
	case o.Polygon != "":
		o.areas.Mode = o.Mode
		o.areas.Polygon, err = command.ReadPolygon(o.Polygon, env.Stdin)
	case o.Around != "":
		o.areas.Center = o.Around
		o.areas.Radius = radius.Options{Mode: o.Mode, Max: o.Radius.Miles, Auto: o.Radius.Auto}
	}
	return err
}

// ofRadius puts an error about the miles of a circle under the flag's name.
func ofRadius(err error) error {
	if e := fault.As(err); e != nil && e.Op == "radius" && e.Param == "max" {
		return command.Usage(command.InvalidValue, "--radius", e.Input, command.Expected(e))
	}
	return err
}
