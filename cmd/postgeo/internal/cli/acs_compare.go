package cli

import (
	"context"
	"errors"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/fault"
)

// acsCompareCmd is "postgeo acs compare".
type acsCompareCmd struct {
	Areas []string `arg:"" join:"codes" name:"area" help:"One or two ZIP Codes, or census tracts by their eleven digits."`
	Field string   `required:"" help:"Full name of a field; 'postgeo acs fields' lists them." placeholder:"NAME"`
	Year  []int    `help:"Last of the five years: one for both areas, or the first and the second side's. Default: the newest of the dataset." placeholder:"YEAR"`
	Pct   bool     `help:"Compare percentages, of fields that have both." name:"pct"`

	surveyFlags
	dataFlag
	formatFlag
}

// Help explains the test.
func (acsCompareCmd) Help() string {
	return "Two areas are compared in one year, one area in two years. A difference is significant at 90, 95 or 99 percent where it is at least 1.645, 1.96 or 2.576 standard errors. Of one area in years whose periods overlap, the error of the difference allows for the common part of the samples. Amounts of money of two years need --dollars."
}

// Run writes the comparison.
func (c *acsCompareCmd) Run(ctx context.Context, env *Env) error {
	a, b, err := c.sides()
	if err != nil {
		return err
	}
	opt, err := c.surveyFlags.options()
	if err != nil {
		return err
	}
	opts, err := c.formatFlag.options(env, c.view())
	if err != nil {
		return err
	}
	if f, ok := acs.FieldByKey(c.Field); ok && f.Dollars() && a.Year != b.Year && opt.Dollars == 0 {
		return wrongUse("%s of two years is in different dollars; bring it to those of one with --dollars YEAR or --dollars newest", c.Field)
	}
	db, _, err := c.openSurvey(env)
	if err != nil {
		return err
	}
	defer db.Close()
	comparison, err := db.CompareSurvey(ctx, a, b, c.Field, c.Pct, opt)
	if errors.Is(err, acs.ErrNotComparable) {
		env.say("%s", fault.As(err).Detail)
		return errReported
	}
	if err != nil {
		return surveyError(err)
	}
	if people(opts.Format) {
		for _, n := range comparison.Notes {
			env.say("note: %s", n)
		}
	}
	return writeAll(env.Stdout, opts, []*postgeo.SurveyComparison{comparison})
}

// view returns the columns of a comparison.
func (c *acsCompareCmd) view() view {
	value, margin := "est", "moe"
	if f, ok := acs.FieldByKey(c.Field); c.Pct || ok && f.Kind == acs.PercentOnly {
		value, margin = "pct", "pct_moe"
	}
	v := view{all: output.Columns[postgeo.SurveyComparison]()}
	for _, side := range [...]string{"a", "b"} {
		v.summary = append(v.summary,
			output.Column{Header: side + " year", Paths: []string{side + ".year"}},
			output.Column{Header: side, Paths: []string{side + "." + value}},
			output.Column{Header: "±", Paths: []string{side + "." + margin}})
	}
	for _, column := range [][2]string{{"b - a", "difference"}, {"±", "difference_moe"}, {"z", "z"}, {"at 90 %", "significant_90"}, {"at 95 %", "significant_95"}, {"at 99 %", "significant_99"}} {
		v.summary = append(v.summary, output.Column{Header: column[0], Paths: []string{column[1]}})
	}
	return v
}

// sides reads the arguments and the years.
func (c *acsCompareCmd) sides() (a, b postgeo.SurveySide, err error) {
	if len(c.Areas) > 2 || len(c.Year) > 2 {
		return a, b, wrongUse("%d areas and %d years are given; a comparison has two sides", len(c.Areas), len(c.Year))
	}
	if len(c.Areas) == 1 && len(c.Year) != 2 {
		return a, b, wrongUse("give a second area, or --year twice for two years of %s", c.Areas[0])
	}
	a.Area, b.Area = c.Areas[0], c.Areas[len(c.Areas)-1]
	if len(c.Year) > 0 {
		a.Year, b.Year = c.Year[0], c.Year[len(c.Year)-1]
	}
	return a, b, nil
}
