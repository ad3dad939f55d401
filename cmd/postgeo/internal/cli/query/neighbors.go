package query

import (
	"fmt"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

type neighborsOptions struct {
	Code      string  `arg:"" join:"codes" help:"Code, or latitude,longitude in it."`
	Tolerance float64 `help:"Maximum gap between the outlines of neighbors, in meters, at most 1000." default:"50" placeholder:"METERS"`

	command.Data
	command.GeoFormat
}

func neighborsCommand() *command.Command {
	return command.New(command.Spec[neighborsOptions, lookup.Neighbor]{
		Name: "neighbors", Group: areas, Short: "List the codes whose areas touch the area of a code.",
		Long:     "json writes the code with its neighbors, jsonl, csv and tsv one neighbor per line, geojson the neighbors with their areas as features.",
		Examples: command.Examples("postgeo neighbors 90210", "the codes that touch it, and the miles of the common border"),
		Check: func(o *neighborsOptions, _ *command.Env) error {
			if !(o.Tolerance > 0 && o.Tolerance <= float64(lookup.MaxTolerance)) {
				return command.Usage(message.InvalidValue, "--tolerance", fmt.Sprint(o.Tolerance), fmt.Sprintf(message.MetersUpTo, float64(lookup.MaxTolerance)))
			}
			return nil
		},
		View: func(*neighborsOptions, *command.Call) (command.View, error) {
			return command.View{
				All: output.Columns[lookup.Neighbor](),
				Summary: command.Columns("code", "code", "type", "code_type", "city", "city", "state", "state",
					"shared miles", "shared_mi", "% of border", "pct_of_border", "corner", "corner"),
			}, nil
		},
		Run: func(o *neighborsOptions, c *command.Call) (command.Answer, error) {
			if err := c.NeedAreas("neighbors"); err != nil {
				return command.Answer{}, err
			}
			n, err := c.DB.Neighbors(c.Context, o.Code, postgeo.NeighborOptions{Tolerance: geo.Meters(o.Tolerance)})
			if err != nil {
				return c.Refuse(codeInput(o.Code), err)
			}
			if n.BorderMi == 0 {
				c.Missing(message.NoNeighbors, n.Code, n.Code)
			}
			return command.Rows(n.Codes).Whole(n), nil
		},
	})
}
