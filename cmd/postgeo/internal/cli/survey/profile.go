package survey

import (
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

type profileOptions struct {
	Area    string   `arg:"" name:"area" help:"ZIP Code, or census tract by its eleven digits."`
	Profile []string `help:"Profiles: demographic, social, economic, housing. Default: all." placeholder:"PROFILE"`
	Year    int      `least:"1" most:"9999" help:"Last of the five years. Default: the newest of the dataset." placeholder:"YEAR"`

	figureOptions
	command.Data
	command.Format

	profiles []acs.Profile
}

func profileCommand() *cobra.Command {
	return command.New(command.Spec[profileOptions, acs.Figure]{
		Name: "profile", Short: "Show the profiles of a ZIP Code or tract with margins of error.",
		Long:     "json writes the published year block of /v2/zip. The other formats write a row for each field, with its coefficient of variation. Medians have the median of the distribution.",
		Examples: command.Examples("postgeo acs profile 90210 --profile economic", "with margins of error"),
		Check:    (*profileOptions).checkProfiles,
		View: func(*profileOptions, *command.Call) (command.View, error) {
			return command.View{All: output.Columns[acs.Figure](), Summary: command.Columns("field", "field", "estimate", "est", "± moe", "moe", "%", "pct", "± %", "pct_moe",
				"cv %", "cv_pct", "reliability", "reliability", "of brackets", "bracket_median.est", "annotation", "annotation")}, nil
		},
		Run: (*profileOptions).run,
	})
}

func (o *profileOptions) checkProfiles(*command.Env) error {
	for _, name := range o.Profile {
		p, err := parseProfile(name)
		if err != nil {
			return err
		}
		o.profiles = append(o.profiles, p)
	}
	if all := acs.AllProfiles(); len(o.Profile) == 0 {
		o.profiles = all[:]
	}
	o.check()
	return nil
}

func (o *profileOptions) run(c *command.Call) (command.Result, error) {
	if err := checkSurvey(c); err != nil {
		return command.Result{}, err
	}
	years, err := yearsOf(c, []string{o.Area})
	if err != nil {
		return command.Result{}, err
	}
	year := o.Year
	if year == 0 && len(years) > 0 {
		year = years[len(years)-1]
	}
	if c.Output.Format == output.JSON {
		return o.block(c, year)
	}
	var keys []string
	for _, p := range o.profiles {
		for _, f := range acs.Fields(acs.Query{Profile: p, Served: !o.Extras}) {
			keys = append(keys, f.Key())
		}
	}
	lines, err := c.DB.ACSSeries(c.Context, []string{o.Area}, keys, acs.SeriesOptions{FigureOptions: o.figures, Years: []int{year}})
	if err != nil {
		return command.Result{}, usage(err)
	}
	var figures []acs.Figure
	found := false
	for i := range lines {
		f := lines[i].Points[0]
		if f.Status != acs.NotServed {
			figures = append(figures, f)
		}
		found = found || f.Status == acs.Available
	}
	if !found {
		c.Missing(`not found: %s has no figure of %d; the dataset has %s`, o.Area, year, spans(years))
		return command.Result{}, nil
	}
	return command.Rows(figures), nil
}

// block returns the year as it was published.
func (o *profileOptions) block(c *command.Call, year int) (command.Result, error) {
	var tags []acs.Tag
	for _, p := range o.profiles {
		tags = append(tags, acs.Tag{Profile: p, Year: uint16(year)})
	}
	res, err := c.DB.ACSProfile(c.Context, o.Area, tags, o.figures.Options)
	if err != nil {
		return command.Result{}, usage(err)
	}
	if len(res.Delivered) == 0 {
		c.Missing(`not found: %s has no figure of %d`, o.Area, year)
	}
	return command.Row(res.Years)
}
