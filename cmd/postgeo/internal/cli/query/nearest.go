package query

import (
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type nearestOptions struct {
	operation.NearestInput

	command.Data
	command.GeoFormat

	timezone bool
}

func nearestCommand() *cobra.Command {
	return command.New(command.Spec[nearestOptions, radius.Match]{
		Name: "nearest", Group: areas, Short: operation.Nearest.Summary,
		Long:     operation.Nearest.Detail + " json writes the center with its matches, jsonl, csv and tsv one match per line, geojson the matches with their areas, or locations, as features.",
		Examples: command.Examples("postgeo nearest 34.1,-118.4 -n 5", "the five nearest codes"),
		Check: func(o *nearestOptions, _ *command.Env) error {
			search, unknown := o.Options()
			o.timezone = search.Timezone
			return checkInclude(operation.Nearest, unknown)
		},
		View: func(o *nearestOptions, _ *command.Call) (command.View, error) {
			return matchView(o.timezone, false, nil), nil
		},
		Run: func(o *nearestOptions, c *command.Call) (command.Result, error) {
			result, err := o.Run(c.Context, c.DB)
			if err != nil {
				return c.Refuse(o.Echo(), err)
			}
			if c.People() {
				c.Notices(o.Code, result.Notices)
			}
			return command.Rows(result.Matches).Whole(result), nil
		},
	})
}
