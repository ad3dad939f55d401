// Package survey holds the commands of the American Community Survey.
package survey

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/operation"
)

// Command returns "postgeo acs".
func Command() *cobra.Command {
	return command.Group("acs", "The survey", "Query the American Community Survey: series, sums, comparisons.", fieldsCommand(), profileCommand(), seriesCommand(), aggregateCommand(), compareCommand())
}

// figureOptions are the flags that choose and compute figures.
type figureOptions struct {
	operation.FigureParams
	Interpolation string `help:"Method for medians from the counts of a distribution: linear or pareto." enum:"linear,pareto" default:"linear" placeholder:"METHOD"`
	Extras        bool   `help:"Include fields that are not part of the interface."`

	figures acs.FigureOptions
}

func (o *figureOptions) check() {
	o.figures = o.Figures()
	o.figures.Extras = o.Extras
	o.figures.Interpolation = acs.Interpolation(o.Interpolation)
}

// usage turns errors about fields and years into usage errors.
func usage(err error) error {
	e := fault.As(err)
	switch {
	case e == nil || e.Op != "survey":
		return command.MapError(err)
	case e.Param == "fields":
		return command.Usage(`%s: %s`, "--field", e.Detail)
	case e.Param == "dollars":
		_, years, _ := strings.Cut(e.Detail, "no price index")
		return command.Usage("%s", "no price index"+years)
	default:
		return command.Usage("%s", e.Detail)
	}
}

// checkSurvey returns an error if the dataset has no tables of the survey.
func checkSurvey(c *command.Call) error {
	for _, level := range [...]acs.Level{acs.ZCTA, acs.Tract} {
		if years, err := c.DB.ACSYears(c.Context, level); err != nil || len(years) > 0 {
			return err
		}
	}
	return command.Failure(`%s has no tables of the American Community Survey; add them with 'postgeo dataset build --acs PATH'`, command.FileName(c.Path))
}

// yearsOf returns the years that the dataset has for the level of some areas,
// ascending.
func yearsOf(c *command.Call, areas []string) ([]int, error) {
	level := acs.ZCTA
	if len(areas) > 0 {
		if l, _, err := acs.ParseArea(areas[0]); err == nil {
			level = l
		}
	}
	years, err := c.DB.ACSYears(c.Context, level)
	slices.Sort(years)
	return years, err
}

func parseProfile(name string) (acs.Profile, error) {
	p, ok := acs.ParseProfile(name)
	if !ok {
		return 0, command.Usage(command.InvalidValue, "--profile", name, `demographic, social, economic or housing`)
	}
	return p, nil
}

type seriesOptions struct {
	Areas []string `arg:"" join:"codes" name:"area" help:"ZIP Codes, or census tracts by their eleven digits; - reads them from standard input, one per line."`

	lineOptions
}

func seriesCommand() *cobra.Command {
	return command.New(command.Spec[seriesOptions, acs.Line]{
		Name: "series", Short: "Follow fields of ZIP Codes or tracts over the years.",
		Long:     "The formats json and jsonl write a line of years for each area and field, with notes on comparability. Other formats have a row for each year, or with --wide for each area. Without --year all years of the dataset are written; those without a figure have empty cells and a status.",
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
						lines, err = c.DB.ACSSeries(c.Context, []string{area}, o.Fields, acs.SeriesOptions{FigureOptions: o.figures, Years: o.years})
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
