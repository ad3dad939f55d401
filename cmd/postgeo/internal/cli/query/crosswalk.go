package query

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
)

type crosswalkOptions struct {
	From       string `arg:"" help:"zip or fsa, or a layer."`
	To         string `arg:"" help:"A layer, or zip or fsa. One of the two is a kind of code, the other a layer."`
	State      string `help:"Only codes of this state or province." placeholder:"XX"`
	Slivers    bool   `help:"Every pair that shares anything, however little."`
	Population bool   `help:"Add the residents of both, through census tracts; for all areas of the United States."`

	command.Data
	command.Format

	layer  postgeo.LayerID
	byArea bool // rows are in the order of the layer
}

func crosswalkCommand() *command.Command {
	return command.New(command.Spec[crosswalkOptions, postgeo.CrosswalkRow]{
		Name: "crosswalk", Group: areas, Short: "List the pairs of codes and areas that overlap, with their shares.",
		Long: "Writes a row for each pair that overlaps, ordered by the first kind, the largest part first. Percentages are of areas, with --population of residents too.",
		Examples: command.Examples(
			"postgeo crosswalk zip county -f csv", "each ZIP Code with its counties, the largest part first",
			"postgeo crosswalk cd zip --state CA --population", "each district with its ZIP Codes, by residents",
		),
		Check: (*crosswalkOptions).check,
		View: func(o *crosswalkOptions, _ *command.Call) (command.View, error) {
			return command.Table(slices.DeleteFunc(withoutShare(output.Columns[postgeo.CrosswalkRow](), o.layer), func(col output.Column) bool {
				return !o.Population && (strings.Contains(col.Header, "pop") || strings.Contains(col.Header, "people"))
			})), nil
		},
		Run: func(o *crosswalkOptions, c *command.Call) (command.Answer, error) {
			return command.Stream(c.DB.Crosswalk(c.Context, o.layer, postgeo.CrosswalkOptions{ByArea: o.byArea, State: o.State, Slivers: o.Slivers, Population: o.Population})), nil
		},
	})
}

// check finds the layer, and whether rows are in its order.
func (o *crosswalkOptions) check(*command.Env) (err error) {
	code, area := strings.ToLower(o.From), o.To
	if other := strings.ToLower(o.To); other == "zip" || other == "fsa" {
		code, area, o.byArea = other, o.From, true
	}
	if code != "zip" && code != "fsa" {
		return command.Usage(message.NoCodeKind, o.From, o.To)
	}
	if o.layer, err = command.ParseLayer(area); err != nil {
		return err
	}
	if country := o.layer.Country(); (country == dataset.CA) != (code == "fsa") {
		return command.Usage(message.OtherCountry, code, o.layer)
	}
	return nil
}
