package query

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup/suggest"
)

type suggestOptions struct {
	operation.SuggestInput

	command.Data
	command.Format
}

func suggestCommand() *cobra.Command {
	return command.New[suggestOptions](
		command.Of(operation.Suggest, codes, "json writes the item with its matches, jsonl, csv and tsv one match per line."),
		"postgeo suggest san francisco", "everything with this name",
		"postgeo suggest -i address 350 5th av", "addresses with this beginning",
		"postgeo suggest bev -i place,county -n 5", "places and counties with this beginning",
	)
}

// Check implements the command.
func (o *suggestOptions) Check(*command.Env) error {
	_, err := o.Options()
	return err
}

// Run implements the command.
func (o *suggestOptions) Run(c *command.Call) error {
	v := command.View{
		All:     output.Columns[suggest.Match](),
		Summary: command.Columns("type", "type", "name", "name", "state", "state province", "city", "city", "county", "county", "population", "population"),
	}
	result, err := o.SuggestInput.Run(c.Context, c.DB)
	if err != nil {
		return c.Refuse(v, o.Echo(), err)
	}
	if o.Proximity != "" && slices.Contains(result.Notices, notice.Normalized(o.Proximity, "")) {
		return command.Usage(command.InvalidValue, "--proximity", o.Proximity, `latitude,longitude, a ZIP, an FSA, a state or a province of this dataset`)
	}
	if c.Output.Format != output.JSON {
		c.Notices(o.Query, result.Notices)
	}
	if len(result.Matches) == 0 {
		c.Incomplete(`no match for %q`, o.Query)
	}
	return command.Result(c, v, result, result.Matches)
}
