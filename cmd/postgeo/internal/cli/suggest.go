package cli

import (
	"context"
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// suggestCmd is "postgeo suggest".
type suggestCmd struct {
	Query     string   `arg:"" join:"text" help:"What was typed so far: a name, a name and a state, a code, or the beginning of one. Its last word is unfinished unless a blank follows."`
	Limit     string   `help:"The most matches, 1 to 500. Default: 10." placeholder:"N" short:"n"`
	Include   []string `help:"Types of matches: zip, place, county, cbsa, fsa, state, school_district, ca_postal, uspscity. Default: all." placeholder:"TYPE" short:"i"`
	State     string   `help:"State or province that matches lie in." placeholder:"ST"`
	Country   string   `help:"Country that matches lie in: US or CA." placeholder:"CC"`
	Proximity string   `help:"What is near comes first: latitude,longitude, a ZIP, an FSA, a state or province." placeholder:"PLACE"`
	Why       bool     `help:"Explain the rank of each match on standard error."`

	dataFlag
	formatFlag
}

// Help explains the formats.
func (suggestCmd) Help() string {
	return "json writes the item with its matches, jsonl, csv and tsv a match a line."
}

// Run writes what the query may mean.
func (c *suggestCmd) Run(ctx context.Context, env *Env) error {
	o, err := c.suggestions()
	if err != nil {
		return err
	}
	all := output.Columns[suggest.Match]()
	summary := []output.Column{
		output.PathColumn("type"), output.PathColumn("name"),
		{Header: "state", Paths: []string{"state", "province"}},
		output.PathColumn("city"), output.PathColumn("county"), output.PathColumn("population"),
	}
	opts, err := c.options(env, view{all: all, summary: summary})
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()

	fails := failures{env: env, sample: path == ""}
	result, err := db.Suggest(ctx, c.Query, o)
	if err != nil {
		return writeFailed(env, opts, &fails, envelope.Input{}, err)
	}
	if c.Proximity != "" && slices.Contains(result.Notices, envelope.Normalized(c.Proximity, "")) {
		return wrongUse("--proximity is %q, which is no place of this dataset; expected latitude,longitude, a ZIP, an FSA, a state or province", c.Proximity)
	}
	if opts.Format != output.JSON {
		env.note(c.Query, result.Notices)
	}
	if c.Why {
		for _, m := range result.Matches {
			env.say("%s, %s%s: %s, %.1f doublings of residents, %.1f more for being near", m.Name, m.State, m.Province, m.Reason.Bucket, m.Reason.Prominence, m.Reason.Proximity)
		}
	}
	if err := answer(env, opts, nil, result, result.Matches); err != nil {
		return err
	}
	if len(result.Matches) == 0 {
		env.say("nothing matches %q", c.Query)
		fails.n, fails.missing = 1, true
		return fails.result()
	}
	return nil
}

// suggestions reads the flags.
func (c *suggestCmd) suggestions() (o postgeo.SuggestOptions, err error) {
	o = postgeo.SuggestOptions{State: c.State, Country: c.Country, Proximity: c.Proximity}
	if c.Limit != "" {
		if o.Limit, err = suggest.ParseLimit(c.Limit); err != nil {
			return o, err
		}
	}
	o.Include, err = suggest.ParseTypes(c.Include)
	return o, err
}
