package cli

import (
	"context"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// neighborsCmd is "postgeo neighbors".
type neighborsCmd struct {
	Code      string  `arg:"" join:"codes" help:"Code, or latitude,longitude in it."`
	Tolerance float64 `help:"How far apart the outlines of neighbours may be drawn, in metres, at most 1000." default:"50" placeholder:"METRES"`

	dataFlag
	geoFormatFlag
}

// Help explains the formats.
func (neighborsCmd) Help() string {
	return "json writes the code with its neighbours, jsonl, csv and tsv a neighbour a line, geojson the neighbours with their areas as features."
}

// Run writes the codes that touch the code.
func (c *neighborsCmd) Run(ctx context.Context, env *Env) error {
	if !(c.Tolerance > 0 && c.Tolerance <= float64(lookup.MaxTolerance)) {
		return wrongUse("--tolerance is %v; expected more than 0 and at most %v metres", c.Tolerance, float64(lookup.MaxTolerance))
	}
	opts, err := c.options(env, view{
		all: output.Columns[lookup.Neighbor](),
		summary: []output.Column{
			output.PathColumn("code"),
			{Header: "type", Paths: []string{"code_type"}},
			output.PathColumn("city"),
			output.PathColumn("state"),
			{Header: "shared miles", Paths: []string{"shared_mi"}},
			{Header: "% of border", Paths: []string{"pct_of_border"}},
			output.PathColumn("corner"),
		},
	})
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()

	if err := needAreas(db, path, "neighbours share"); err != nil {
		return err
	}
	f := &featurer{db: db}
	opts.Feature = f.feature
	n, err := db.Neighbors(ctx, c.Code, postgeo.NeighborOptions{Tolerance: geo.Meters(c.Tolerance)})
	if err != nil {
		return writeFailed(env, opts, &failures{env: env, sample: path == ""}, envelope.Input{Code: c.Code}, err)
	}
	if err := answer(env, opts, f, n, n.Codes); err != nil {
		return err
	}
	if n.BorderMi == 0 {
		env.say("not found: %s has no area in this dataset, and so no neighbours; 'postgeo nearest %s -n 5' finds codes by their points", n.Code, n.Code)
		return errReported
	}
	return nil
}
