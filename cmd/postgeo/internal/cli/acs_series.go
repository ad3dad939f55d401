package cli

import (
	"context"
	"errors"

	"github.com/postgeo/postgeo"
)

// acsSeriesCmd is "postgeo acs series".
type acsSeriesCmd struct {
	Areas []string `arg:"" join:"codes" name:"area" help:"ZIP Codes, or census tracts by their eleven digits; - reads them from standard input, one a line."`

	lineFlags
}

// Help explains the formats.
func (acsSeriesCmd) Help() string {
	return "json and jsonl write a line of years for each area and field, with notes on what hinders comparing the years; csv, tsv and tables a row for each year, or with --wide for each area. Without --year all years of the dataset are written; those without a figure have empty cells and a status."
}

// Run writes the series.
func (c *acsSeriesCmd) Run(ctx context.Context, env *Env) error {
	opt, err := c.surveyFlags.options()
	if err != nil {
		return err
	}
	db, path, err := c.openSurvey(env)
	if err != nil {
		return err
	}
	defer db.Close()
	years := c.Year
	if len(years) == 0 {
		years = surveyYears(db, c.Areas)
	}
	w, err := c.writer(env, years, true)
	if err != nil {
		return err
	}
	for area, err := range inputCodes(c.Areas, env.Stdin, w.w.Flush) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return errors.Join(err, w.w.Close())
		}
		lines, err := db.SurveySeries(ctx, []string{area}, c.Field, postgeo.SeriesOptions{FigureOptions: opt, Years: years})
		if err != nil {
			return surveyError(err)
		}
		if err := w.write(lines); err != nil {
			return err
		}
	}
	return w.close(db, path)
}
