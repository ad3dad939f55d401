package cli

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/lookup"
)

// codesInCmd is "postgeo codes-in".
type codesInCmd struct {
	Layer   string `arg:"" help:"Kind of area: county, cousub, place, tract, bg, cbsa, metdiv, cd, sldu, sldl, school; in Canada census-division, csd, ct, cma, er, fed."`
	GEOID   string `arg:"" optional:"" join:"text" help:"Code of the area: 06037 for a county, 0636 for a congressional district." name:"geoid"`
	Slivers bool   `help:"Every code that meets the area, however little."`

	dataFlag
	geoFormatFlag
}

// Help explains the formats.
func (codesInCmd) Help() string {
	return "json writes the area with its codes, jsonl, csv and tsv a code a line, geojson the codes with their areas, or points, as features. A code without an outline, such as a PO Box ZIP, is listed if the area contains its point; its basis is contains_point."
}

// Run writes the codes of the area.
func (c *codesInCmd) Run(ctx context.Context, env *Env) error {
	if c.GEOID == "" {
		return missingArea(c.Layer)
	}
	layer, err := parseLayer(c.Layer)
	if err != nil {
		return err
	}
	opts, err := c.options(env, shareView(layer))
	if err != nil {
		return err
	}
	db, _, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()

	f := &featurer{db: db}
	opts.Feature = f.feature
	in, err := db.CodesIn(ctx, layer, c.GEOID, postgeo.CodesInOptions{Slivers: c.Slivers})
	if err != nil {
		return failedArea(ctx, env, db, err)
	}
	if people(opts.Format) {
		env.say("%s %s: %s", strings.ReplaceAll(layer.String(), "_", " "), in.Area.GEOID, joinText(in.Area.Name, ", ", in.Area.State))
	}
	return answer(env, opts, f, in, in.Codes)
}

// shareView returns the columns of codes that share something with an area.
func shareView(layer postgeo.LayerID) view {
	return view{
		all: withoutShare(output.Columns[lookup.CodeShare](), layer),
		summary: withoutShare([]output.Column{
			output.PathColumn("code"),
			{Header: "type", Paths: []string{"code_type"}},
			output.PathColumn("city"),
			output.PathColumn("state"),
			{Header: "sq mi", Paths: []string{"intersection_sq_mi"}},
			{Header: "% of code", Paths: []string{"pct_of_zip", "pct_of_fsa"}},
			{Header: "% of area", Paths: []string{"pct_of_area"}},
		}, layer),
	}
}

// withoutShare leaves out the share that codes of the layer's country do not
// have.
func withoutShare(columns []output.Column, layer postgeo.LayerID) []output.Column {
	other := "pct_of_fsa"
	if layer.Country() == dataset.CA {
		other = "pct_of_zip"
	}
	kept := columns[:0]
	for _, c := range columns {
		if c.Header != other {
			kept = append(kept, c)
		}
	}
	return kept
}
