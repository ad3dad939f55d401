package survey

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/operation"
)

type compareOptions struct {
	Areas []string `arg:"" join:"codes" name:"area" help:"One or two ZIP Codes, or census tracts by their eleven digits."`
	Year  []int    `help:"Last of the five years: one for two areas, both for one. Default: the newest of the dataset." placeholder:"YEAR"`
	operation.CompareParams

	figureOptions
	command.Data
	command.Format

	a, b acs.Side
}

func compareCommand() *cobra.Command {
	return command.New(command.Spec[compareOptions, acs.Comparison]{
		Name: "compare", Short: "Test whether two areas or two years differ.",
		Long:     "Two areas are compared in one year, one area in two years. A difference is significant at 90, 95 or 99 percent if it is at least 1.645, 1.96 or 2.576 standard errors. For one area in years whose periods overlap, the error of the difference allows for the common part of the samples. Amounts of money of two years need --dollars.",
		Examples: command.Examples("postgeo acs compare 90210 10001 --field economic.income.median_household_income", "whether two areas differ"),
		Check:    (*compareOptions).checkSides,
		View:     (*compareOptions).view,
		Run: func(o *compareOptions, c *command.Call) (command.Result, error) {
			if err := checkSurvey(c); err != nil {
				return command.Result{}, err
			}
			comparison, err := c.DB.CompareACS(c.Context, o.a, o.b, o.Field, o.Percent, o.figures)
			switch {
			case errors.Is(err, acs.ErrNotComparable):
				c.Missing("%s", fault.As(err).Detail)
				return command.Result{}, nil
			case err != nil:
				return command.Result{}, usage(err)
			}
			if c.People() {
				for _, n := range comparison.Notes {
					c.Report(`note: %s`, n)
				}
			}
			return command.Row(comparison)
		},
	})
}

func (o *compareOptions) view(*command.Call) (command.View, error) {
	value, margin := "est", "moe"
	if f, ok := acs.FieldByKey(o.Field); o.Percent || ok && f.Kind == acs.PercentOnly {
		value, margin = "pct", "pct_moe"
	}
	v := command.View{All: output.Columns[acs.Comparison]()}
	for _, side := range [...]string{"a", "b"} {
		v.Summary = append(v.Summary, command.Columns(side+" year", side+".year", side, side+"."+value, "±", side+"."+margin)...)
	}
	v.Summary = append(v.Summary, command.Columns("b - a", "difference", "±", "difference_moe", "z", "z",
		"at 90 %", "significant_90", "at 95 %", "significant_95", "at 99 %", "significant_99")...)
	return v, nil
}

func (o *compareOptions) checkSides(*command.Env) error {
	switch {
	case len(o.Areas) > 2 || len(o.Year) > 2:
		return command.Usage(`%d areas and %d years; a comparison has two sides`, len(o.Areas), len(o.Year))
	case len(o.Areas) == 2 && len(o.Year) == 2:
		return command.Usage(`two areas and two years; compare two areas in one year, or one area in two years`)
	case len(o.Areas) == 1 && len(o.Year) != 2:
		return command.Usage(`missing second area; for two years of %s, repeat --year`, o.Areas[0])
	}
	o.check()
	o.a.Area, o.b.Area = o.Areas[0], o.Areas[len(o.Areas)-1]
	if len(o.Year) > 0 {
		o.a.Year, o.b.Year = o.Year[0], o.Year[len(o.Year)-1]
	}
	if f, ok := acs.FieldByKey(o.Field); ok && f.Dollars() && o.a.Year != o.b.Year && o.figures.Dollars == 0 {
		return command.Usage(`%s of two years is in different dollars; use --dollars YEAR or --dollars newest`, o.Field)
	}
	return nil
}
