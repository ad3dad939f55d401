package query

import (
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/operation"
)

type crosswalkOptions struct {
	From string `arg:"" help:"zip or fsa, or a layer."`
	To   string `arg:"" help:"A layer, or zip or fsa. One of the two is a kind of code, the other a layer."`
	operation.CrosswalkParams

	command.Data
	command.Format

	layer  postgeo.LayerID
	kind   postgeo.CodeType
	byArea bool // rows are in the order of the layer
}

func crosswalkCommand() *command.Command {
	return command.New(command.Spec[crosswalkOptions, postgeo.CrosswalkRow]{
		Name: "crosswalk", Group: areas, Short: operation.Crosswalk.Summary,
		Long: operation.Crosswalk.Detail + " Rows are ordered by the first kind. Percentages are of areas, with --population of residents too.",
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
		Run: func(o *crosswalkOptions, c *command.Call) (command.Result, error) {
			return command.Stream(o.ofKind(o.All(c.Context, c.DB, o.layer, o.byArea))), nil
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
	if o.kind = postgeo.ZIP; code == "fsa" {
		o.kind = postgeo.FSA
	}
	if country := o.layer.Country(); country != 0 && (country == dataset.CA) != (code == "fsa") {
		return command.Usage(message.OtherCountry, code, o.layer)
	}
	return nil
}

// ofKind leaves out the codes of the other country, which a user-supplied layer may
// have.
func (o *crosswalkOptions) ofKind(rows iter.Seq2[postgeo.CrosswalkRow, error]) iter.Seq2[postgeo.CrosswalkRow, error] {
	return func(yield func(postgeo.CrosswalkRow, error) bool) {
		for row, err := range rows {
			if (err != nil || row.CodeType == o.kind) && !yield(row, err) {
				return
			}
		}
	}
}
