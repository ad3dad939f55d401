// Package survey holds the commands of the American Community Survey.
package survey

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/operation"
)

// Command returns "postgeo acs".
func Command() *command.Command {
	return &command.Command{
		Name: "acs", Group: "The survey", Short: "Query the American Community Survey: series, sums, comparisons.",
		Commands: []*command.Command{fieldsCommand(), profileCommand(), seriesCommand(), aggregateCommand(), compareCommand()},
	}
}

// figureOptions are the flags that choose and compute figures.
type figureOptions struct {
	operation.FigureParams
	Interpolation string `help:"Method for medians from the counts of a distribution: linear or pareto." enum:"linear,pareto" default:"linear" placeholder:"METHOD"`
	Extras        bool   `help:"Include fields that are not part of the interface."`

	figures acs.FigureOptions
}

// check reads the flags.
func (o *figureOptions) check() {
	o.figures = o.Figures()
	o.figures.Extras = o.Extras
	o.figures.Interpolation, _ = acs.ParseInterpolation(o.Interpolation)
}

// usage turns errors about fields and years into usage errors.
func usage(err error) error {
	e := fault.As(err)
	switch {
	case e == nil || e.Op != "survey" && e.Op != "chart":
		return command.MapError(err)
	case e.Param == "fields":
		return command.Usage(message.InFlag, "--field", e.Detail)
	case e.Param == "Dollars":
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
	return command.Failure(message.NoSurvey, command.FileName(c.Path))
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

// parseProfile reads the name of a profile.
func parseProfile(name string) (acs.Profile, error) {
	p, ok := acs.ParseProfile(name)
	if !ok {
		return 0, command.Usage(message.InvalidValue, "--profile", name, message.AProfile)
	}
	return p, nil
}
