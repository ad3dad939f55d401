package cli

import (
	"context"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// acsProfileCmd is "postgeo acs profile".
type acsProfileCmd struct {
	Area    string   `arg:"" name:"area" help:"ZIP Code, or census tract by its eleven digits."`
	Profile []string `help:"Profiles: demographic, social, economic, housing. Default: all." placeholder:"PROFILE"`
	Year    int      `help:"Last of the five years. Default: the newest of the dataset." placeholder:"YEAR"`

	surveyFlags
	dataFlag
	formatFlag
}

// Help explains the formats.
func (acsProfileCmd) Help() string {
	return "json writes the year block as /v2/zip has it, as published; the other formats a row for each field, with its coefficient of variation and, for medians, what the counts of the distribution come to."
}

// Run writes the profiles.
func (c *acsProfileCmd) Run(ctx context.Context, env *Env) error {
	opt, err := c.surveyFlags.options()
	if err != nil {
		return err
	}
	if c.Year < 0 || c.Year > 9999 {
		return wrongUse("--year is %d; expected a year such as %d", c.Year, acs.LastYear)
	}
	profiles := acs.AllProfiles()
	wanted := profiles[:]
	if len(c.Profile) > 0 {
		wanted = nil
		for _, name := range c.Profile {
			p, ok := acs.ParseProfile(name)
			if !ok {
				return wrongUse("--profile is %q; expected demographic, social, economic or housing", name)
			}
			wanted = append(wanted, p)
		}
	}
	opts, err := c.formatFlag.options(env, view{all: output.Columns[acs.Figure](), summary: profileColumns()})
	if err != nil {
		return err
	}
	db, _, err := c.openSurvey(env)
	if err != nil {
		return err
	}
	defer db.Close()
	years := surveyYears(db, []string{c.Area})
	year := c.Year
	if year == 0 && len(years) > 0 {
		year = years[len(years)-1]
	}
	if opts.Format == output.JSON {
		return c.block(ctx, env, db, opts, wanted, year, opt)
	}
	var keys []string
	for _, p := range wanted {
		for _, f := range acs.Fields(acs.Query{Profile: p, Served: !c.Extras}) {
			keys = append(keys, f.Key())
		}
	}
	lines, err := db.SurveySeries(ctx, []string{c.Area}, keys, postgeo.SeriesOptions{FigureOptions: opt, Years: []int{year}})
	if err != nil {
		return surveyError(err)
	}
	var figures []*acs.Figure
	found := false
	for i := range lines {
		f := &lines[i].Points[0]
		if f.Status != acs.NotServed {
			figures = append(figures, f)
		}
		found = found || f.Status == acs.Available
	}
	if !found {
		env.say("not found: %s has no figure of %d; the dataset holds %s", c.Area, year, spans(years))
		return errReported
	}
	return writeAll(env.Stdout, opts, figures)
}

// block writes the year as it was published.
func (c *acsProfileCmd) block(ctx context.Context, env *Env, db *postgeo.DB, opts output.Options, wanted []acs.Profile, year int, opt acs.FigureOptions) error {
	var tags []acs.Tag
	for _, p := range wanted {
		tags = append(tags, acs.Tag{Profile: p, Year: uint16(year)})
	}
	res, err := db.SurveyProfile(ctx, c.Area, tags, opt.Options)
	if err != nil {
		return surveyError(err)
	}
	if len(res.Delivered) == 0 {
		env.say("not found: %s has no figure of %d", c.Area, year)
	}
	if err := writeAll(env.Stdout, opts, []acs.Years{res.Years}); err != nil {
		return err
	}
	if len(res.Delivered) == 0 {
		return errReported
	}
	return nil
}

// profileColumns are those of a table for people.
func profileColumns() []output.Column {
	return []output.Column{
		output.PathColumn("field"),
		{Header: "estimate", Paths: []string{"est"}},
		{Header: "± moe", Paths: []string{"moe"}},
		{Header: "%", Paths: []string{"pct"}},
		{Header: "± %", Paths: []string{"pct_moe"}},
		{Header: "cv %", Paths: []string{"cv_pct"}},
		output.PathColumn("reliability"),
		{Header: "of brackets", Paths: []string{"bracket_median.est"}},
		output.PathColumn("annotation"),
	}
}
