package query

import (
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

type neighborsOptions struct {
	operation.NeighborsInput

	command.Data
	command.GeoFormat
}

func neighborsCommand() *cobra.Command {
	return command.New(command.Spec[neighborsOptions, lookup.Neighbor]{
		Name: "neighbors", Group: areas, Short: operation.Neighbors.Summary,
		Long: operation.Neighbors.Detail + " json writes the code with its neighbors, jsonl, csv and tsv one neighbor per line, geojson the neighbors with their areas as features.",
		Examples: command.Examples(
			"postgeo neighbors 90210", "the codes that touch it, and the miles of the common border",
			"postgeo neighbors 06037 --layer county", "the counties that touch Los Angeles County",
		),
		View: func(*neighborsOptions, *command.Call) (command.View, error) {
			return command.View{
				All: output.Columns[lookup.Neighbor](),
				Summary: command.Columns("code", "code", "type", "code_type", "city", "city name", "state", "state",
					"shared miles", "shared_mi", "% of border", "pct_of_border", "corner", "corner"),
			}, nil
		},
		Run: func(o *neighborsOptions, c *command.Call) (command.Result, error) {
			if err := c.NeedAreas("neighbors"); err != nil {
				return command.Result{}, err
			}
			n, err := o.Run(c.Context, c.DB)
			if err != nil {
				return c.Refuse(o.Echo(), err)
			}
			if n.BorderMi == 0 {
				c.Missing(`not found: %s has no area in this dataset, and so no neighbors; to find near codes, run 'postgeo nearest %s -n 5'`, n.Code, n.Code)
			}
			return command.Rows(n.Codes).Whole(n), nil
		},
	})
}
