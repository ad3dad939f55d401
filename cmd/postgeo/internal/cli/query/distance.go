package query

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type distanceOptions struct {
	Codes []string `arg:"" join:"codes" is:"code" name:"from> <to" help:"Codes or latitude,longitude: from the first to each of the others. - reads codes from standard input, one per line."`
	operation.Clock

	command.Data
	command.Format
}

func distanceCommand() *cobra.Command {
	return command.New[distanceOptions](
		command.About{Name: "distance", Group: codes, Short: "Measure distances and bearings between codes or coordinates."},
		"postgeo distance 90210 10001", "miles, kilometers and bearing",
		"postgeo distance 34.1,-118.4 90210 60601", "from a point to each of the others",
		"postgeo distance 90210 - < codes.txt", "to the codes in a file",
	)
}

// Check implements the command.
func (o *distanceOptions) Check(*command.Env) error {
	if len(o.Codes) == 1 && o.Codes[0] != "-" {
		return command.UsageOf("postgeo distance", `a distance needs two codes; add a second one`)
	}
	return nil
}

// Run implements the command.
func (o *distanceOptions) Run(c *command.Call) error {
	if err := c.View(command.View{
		All:     inputs(output.Columns[radius.DistanceResult](), "from", "to"),
		Summary: command.Paths("from", "to", "miles", "km", "bearing"), Array: len(o.Codes) > 2 || slices.Contains(o.Codes, "-"),
	}); err != nil {
		return err
	}
	from := ""
	others := func(yield func(string, error) bool) {
		for code, err := range c.Inputs(o.Codes) {
			if err == nil && from == "" {
				from = code
				continue
			}
			if !yield(code, err) {
				return
			}
		}
	}
	input := func(to string) envelope.Input { return envelope.Input{From: from, To: to} }
	return c.Each(others, input, func(to string) (any, []envelope.Notice, error) {
		r, err := (&operation.DistanceInput{Ends: operation.Ends{From: from, To: to}, Clock: o.Clock}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		if c.People() {
			c.Notices(from+" to "+to, r.Notices)
			if len(o.Columns) == 0 {
				return output.Row{
					output.Named("from", endText(&r.From)), output.Named("to", endText(&r.To)),
					output.Named("miles", r.Distance.Miles), output.Named("km", r.Distance.Km), output.Named("bearing", r.Bearing),
				}, nil, nil
			}
		}
		if c.Several {
			given := input(to)
			r.Input = &given
		}
		return r, nil, nil
	})
}

// endText names an end: its code, or its coordinate, and its place.
func endText(e *radius.End) string {
	return placeName(cmp.Or(e.Code, e.Location.String()), e.City, e.State)
}
