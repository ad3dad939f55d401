package survey

import (
	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/internal/acs"
)

type seriesOptions struct {
	Areas []string `arg:"" join:"codes" name:"area" help:"ZIP Codes, or census tracts by their eleven digits; - reads them from standard input, one per line."`

	lineOptions
}

func seriesCommand() *command.Command {
	return command.New(command.Spec[seriesOptions, acs.Line]{
		Name: "series", Short: "Follow fields of ZIP Codes or tracts over the years, as rows or as a chart.",
		Long:     "json and jsonl write a line of years for each area and field, with notes on their comparability. csv, tsv and tables have a row for each year, or with --wide for each area. Without --year all years of the dataset are written; those without a figure have empty cells and a status.",
		Examples: command.Examples("postgeo acs series 90210 10001 --field economic.income.median_household_income --dollars newest", "in dollars of one year"),
		Check: func(o *seriesOptions, _ *command.Env) error {
			o.check()
			return nil
		},
		View: func(o *seriesOptions, c *command.Call) (command.View, error) {
			if err := checkSurvey(c); err != nil {
				return command.View{}, err
			}
			years := o.Years
			if len(years) == 0 {
				var err error
				if years, err = yearsOf(c, o.Areas); err != nil {
					return command.View{}, err
				}
			}
			v, err := o.view(years)
			v.Array = true
			return v, err
		},
		Run: func(o *seriesOptions, c *command.Call) (command.Result, error) {
			return o.result(c, func(yield func([]acs.Line, error) bool) {
				for area, err := range c.Inputs(o.Areas) {
					var lines []acs.Line
					if err == nil {
						lines, err = c.DB.ACSSeries(c.Context, []string{area}, o.Fields, postgeo.ACSSeriesOptions{FigureOptions: o.figures, Years: o.years})
						err = usage(err)
					}
					if !yield(lines, err) {
						return
					}
				}
			}), nil
		},
	})
}
