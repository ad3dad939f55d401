package query

import (
	"fmt"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

type nearestOptions struct {
	Center  string   `arg:"" join:"codes" help:"Code or latitude,longitude to start from."`
	Count   int      `help:"Number of codes, at most 10000." short:"n" default:"1" placeholder:"N"`
	Max     string   `help:"Maximum distance. Default: no limit." placeholder:"MILES"`
	Mode    string   `help:"centroid finds ZIPs and postal codes, spatial ZIPs and FSAs; both by their locations. Default: centroid." placeholder:"MODE"`
	Include []string `help:"Enrichments of the matches: timezone." placeholder:"FLAG" short:"i"`

	command.ClockedData
	command.GeoFormat

	search postgeo.NearestOptions
}

func nearestCommand() *command.Command {
	return command.New(command.Spec[nearestOptions, radius.Match]{
		Name: "nearest", Group: areas, Short: "Find the codes nearest to a code or coordinate.",
		Long:     "json writes the center with its matches, jsonl, csv and tsv one match per line, geojson the matches with their areas, or locations, as features.",
		Examples: command.Examples("postgeo nearest 34.1,-118.4 -n 5", "the five nearest codes"),
		Check:    (*nearestOptions).check,
		View: func(o *nearestOptions, _ *command.Call) (command.View, error) {
			return matchView(o.search.Timezone, false), nil
		},
		Run: func(o *nearestOptions, c *command.Call) (command.Answer, error) {
			result, err := c.DB.Nearest(c.Context, o.Center, o.search)
			if err != nil {
				return c.Refuse(codeInput(o.Center), err)
			}
			if c.People() {
				c.Notices(o.Center, result.Notices)
			}
			return command.Rows(result.Matches).Whole(result), nil
		},
	})
}

func (o *nearestOptions) check(*command.Env) error {
	include, unknown := radius.ParseInclude(o.Include)
	if err := checkInclude(unknown, "timezone"); err != nil {
		return err
	}
	o.search.Timezone, o.search.Count = include.Timezone, o.Count
	if o.Count < 1 || o.Count > radius.MaxMatches {
		return command.Usage(message.InvalidValue, "-n", fmt.Sprint(o.Count), fmt.Sprintf(message.WholeFromTo, 1, radius.MaxMatches))
	}
	var err error
	if o.search.Mode, err = radius.ParseMode(o.Mode); err == nil && o.Max != "" {
		o.search.Max, err = parseMiles("--max", o.Max)
	}
	return err
}

// parseMiles reads the miles of a flag without an automatic radius.
func parseMiles(flag, given string) (geo.Miles, error) {
	miles, auto, err := radius.ParseMax(given)
	if err != nil || auto != 0 {
		return 0, command.Usage(message.InvalidValue, flag, given, fmt.Sprintf(message.MilesUpTo, float64(radius.MaxCentroidMiles)))
	}
	return miles, nil
}
