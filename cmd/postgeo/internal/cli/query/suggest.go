package query

import (
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup/suggest"
)

type suggestOptions struct {
	Query     string   `arg:"" join:"text" help:"A name, a name and a state, a code, or the beginning of one. The last word is unfinished unless a space follows."`
	Limit     string   `help:"Maximum number of matches, 1 to 500. Default: 10." placeholder:"N" short:"n"`
	Include   []string `help:"Types of matches: zip, place, county, cbsa, fsa, state, school_district, ca_postal, uspscity. Default: all." placeholder:"TYPE" short:"i"`
	State     string   `help:"State or province of the matches." placeholder:"ST"`
	Country   string   `help:"Country of the matches: US or CA." placeholder:"CC"`
	Proximity string   `help:"Rank matches near this place first: latitude,longitude, a ZIP, an FSA, a state or province." placeholder:"PLACE"`
	Why       bool     `help:"Explain the rank of each match on standard error."`

	command.Data
	command.Format

	search postgeo.SuggestOptions
}

func suggestCommand() *command.Command {
	return command.New(command.Spec[suggestOptions, suggest.Match]{
		Name: "suggest", Group: codes, Short: "Find places, codes and areas by name, or complete a beginning.",
		Long: "json writes the item with its matches, jsonl, csv and tsv one match per line.",
		Examples: command.Examples(
			"postgeo suggest san francisco", "everything with this name",
			"postgeo suggest bev -i place,county -n 5", "places and counties with this beginning",
		),
		Check: (*suggestOptions).check,
		View: func(*suggestOptions, *command.Call) (command.View, error) {
			return command.View{
				All:     output.Columns[suggest.Match](),
				Summary: command.Columns("type", "type", "name", "name", "state", "state province", "city", "city", "county", "county", "population", "population"),
			}, nil
		},
		Run: (*suggestOptions).run,
	})
}

func (o *suggestOptions) check(*command.Env) (err error) {
	o.search = postgeo.SuggestOptions{State: o.State, Country: o.Country, Proximity: o.Proximity}
	if o.Limit != "" {
		if o.search.Limit, err = suggest.ParseLimit(o.Limit); err != nil {
			return err
		}
	}
	o.search.Include, err = suggest.ParseTypes(o.Include)
	return err
}

func (o *suggestOptions) run(c *command.Call) (command.Answer, error) {
	result, err := c.DB.Suggest(c.Context, o.Query, o.search)
	if err != nil {
		return c.Refuse(envelope.Input{}, err)
	}
	if o.Proximity != "" && slices.Contains(result.Notices, envelope.Normalized(o.Proximity, "")) {
		return command.Answer{}, command.Usage(message.InvalidValue, "--proximity", o.Proximity, message.Place)
	}
	if c.Output.Format != output.JSON {
		c.Notices(o.Query, result.Notices)
	}
	if o.Why {
		for _, m := range result.Matches {
			c.Report(message.RankOfMatch, m.Name, m.State, m.Province, m.Reason.Bucket, m.Reason.Prominence, m.Reason.Proximity)
		}
	}
	if len(result.Matches) == 0 {
		c.Incomplete(message.NoMatches, o.Query)
	}
	return command.Rows(result.Matches).Whole(result), nil
}
