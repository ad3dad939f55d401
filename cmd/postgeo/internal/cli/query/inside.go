package query

import (
	"github.com/paulmach/orb"
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type insideOptions struct {
	File string `arg:"" help:"GeoJSON file with one polygon or multipolygon; - is standard input." type:"path"`
	operation.InsideParams

	command.Data
	command.GeoFormat

	search radius.PolygonOptions
}

// swapped reports whether a box lies outside North America, and inside it if its
// coordinates are swapped.
func swapped(box orb.Bound) bool {
	within := func(lon, lat float64) bool { return lon >= -180 && lon <= -50 && lat >= 15 && lat <= 84 }
	return !within(box.Min[0], box.Min[1]) && within(box.Min[1], box.Min[0]) && within(box.Max[1], box.Max[0])
}

func insideCommand() *cobra.Command {
	return command.New(command.Spec[insideOptions, radius.Match]{
		Name: "inside", Group: areas, Short: operation.Inside.Summary,
		Long: operation.Inside.Detail + " The file has a geometry, a feature or a collection of one feature. The format json writes one object with its matches; jsonl, csv and tsv write one match per line. The format geojson writes matches as features.",
		Examples: command.Examples(
			"postgeo inside area.geojson", "codes with the share of each inside",
			"postgeo inside - --mode centroid -f csv < area.geojson", "codes with locations inside",
		),
		Check: func(o *insideOptions, _ *command.Env) error {
			var unknown []string
			o.search, unknown = o.Options()
			return checkInclude(operation.Inside, unknown)
		},
		View: func(o *insideOptions, _ *command.Call) (command.View, error) {
			return matchView(o.search.Timezone, o.search.Mode == radius.Spatial, o.search.Layers), nil
		},
		Run: func(o *insideOptions, c *command.Call) (command.Result, error) {
			polygon, err := command.ReadPolygon(o.File, c.Stdin)
			if err == nil && o.search.Mode == radius.Spatial {
				err = c.NeedAreas("--mode spatial")
			}
			if err != nil {
				return command.Result{}, err
			}
			result, err := c.DB.InPolygon(c.Context, polygon, o.search)
			wrong := swapped(polygon.Bound())
			switch {
			case err != nil && !wrong:
				return command.Result{}, err
			case err != nil:
				c.Missing("%s", command.Explain(err))
				result = &radius.PolygonResult{}
			case len(result.Matches) == 0:
				c.Incomplete(`not found: no code is inside the polygon`)
			}
			if wrong {
				c.Report(`hint: %s`, `the coordinates of the polygon seem to be swapped; GeoJSON has the longitude first: [-118.4, 34.1]`)
			}
			return command.Rows(result.Matches).Whole(result), nil
		},
	})
}
