package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/radius"
)

// radiusCmd is "postgeo radius".
type radiusCmd struct {
	Center  string   `arg:"" join:"codes" help:"Code or latitude,longitude to search around. A ZIP+4 searches from its ZIP."`
	Max     string   `required:"" help:"Radius in miles: at most 500, or 250 in spatial mode; or auto, or auto-commute." placeholder:"MILES"`
	Min     string   `help:"Leave out what lies within this many miles." placeholder:"MILES"`
	Mode    string   `help:"centroid finds ZIPs and postal codes by their points; spatial finds ZIPs and FSAs by their areas, with the share inside. Default: centroid." placeholder:"MODE"`
	Limit   string   `help:"The most matches, the nearest first." placeholder:"N"`
	Include []string `help:"What to add: timezone to matches; acs_{profile}[_{year}] sums the survey up over all US ZIP Codes inside." placeholder:"FLAG" short:"i"`
	SVG     string   `help:"Draw the matches as a map into this file too." placeholder:"FILE" type:"path" name:"svg"`

	clockedDataFlag
	geoFormatFlag
}

// Help explains the formats.
func (radiusCmd) Help() string {
	return "json writes the search with its matches and aggregates, jsonl, csv and tsv a match a line. geojson writes the circle and the matches with their areas, or points, as features."
}

// Run searches and writes the matches.
func (c *radiusCmd) Run(ctx context.Context, env *Env) error {
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	search, err := c.search(db.LastACSYear())
	if err != nil {
		return err
	}
	if search.Mode == radius.Spatial {
		if err := needAreas(db, path, "a spatial search goes by"); err != nil {
			return err
		}
	}
	opts, err := c.options(env, matchView(output.Columns[radius.Match](), search.Include.Timezone, search.Mode == radius.Spatial))
	if err != nil {
		return err
	}

	f := &featurer{db: db}
	opts.Feature = f.feature
	fails := failures{env: env, sample: path == ""}
	result, err := db.Radius(ctx, c.Center, search)
	if err != nil {
		return writeFailed(env, opts, &fails, envelope.Input{Code: c.Center}, err)
	}
	if opts.Format != output.JSON && opts.Format != output.GeoJSON {
		env.note(c.Center, result.Notices)
		if result.Stats != nil {
			for i := range result.Stats.ACS {
				a := &result.Stats.ACS[i]
				env.say("note: %s: %s: %d of %d US ZIP Codes have figures; --format json or geojson writes what they come to",
					c.Center, acs.Vintage(a.Year), a.WithData, a.WithData+a.WithoutData)
			}
		}
	}
	if people(opts.Format) && search.Auto != 0 {
		env.say("note: %s: the automatic radius is %v miles", c.Center, float64(result.Search.Max))
	}
	if err := c.write(env, opts, result); err != nil {
		return errors.Join(err, f.err)
	}
	if c.SVG != "" {
		m, err := radiusMap(f, result)
		if err != nil {
			return err
		}
		return errors.Join(f.err, saveMap(env, c.SVG, m, path))
	}
	return f.err
}

// search reads the flags; those of the survey may name years up to last.
func (c *radiusCmd) search(last int) (o postgeo.RadiusOptions, err error) {
	var unknown []string
	o.Include, unknown = radius.ParseIncludeUntil(c.Include, last)
	if len(unknown) > 0 {
		return o, wrongUse("--include has no %q; this version knows timezone, acs_{profile} and acs_{profile}_{year}", unknown[0])
	}
	if o.Mode, err = radius.ParseMode(c.Mode); err == nil {
		o.Max, o.Auto, err = radius.ParseMax(c.Max)
	}
	if err == nil && c.Min != "" {
		o.Min, err = radius.ParseMin(c.Min)
	}
	if err == nil && c.Limit != "" {
		o.Limit, err = radius.ParseLimit(c.Limit)
	}
	if c.SVG == "-" {
		return o, wrongUse("--svg names no file; standard output is for the matches")
	}
	return o, err
}

// write writes the result in its format.
func (c *radiusCmd) write(env *Env, opts output.Options, r *radius.Result) error {
	w := output.NewWriter(env.Stdout, opts)
	switch opts.Format {
	case output.JSON:
		if err := w.Write(r); err != nil {
			return err
		}
	case output.GeoJSON:
		features, err := circles(r)
		if err != nil {
			return err
		}
		for _, s := range features {
			if err := w.Write(s); err != nil {
				return err
			}
		}
		fallthrough
	default:
		if err := writeRows(w, r.Matches); err != nil {
			return err
		}
	}
	return w.Close()
}

// matchView returns the columns of matches.
func matchView(all []output.Column, timezone, spatial bool) view {
	v := view{
		all: slices.DeleteFunc(all, func(col output.Column) bool {
			return !timezone && strings.HasPrefix(col.Header, "timezone") || !spatial && (col.Header == "pct_inside" || col.Header == "area_sq_mi")
		}),
		summary: []output.Column{
			output.PathColumn("code"),
			{Header: "type", Paths: []string{"code_type"}},
			output.PathColumn("city"),
			output.PathColumn("state"),
			{Header: "class", Paths: []string{"classification_name"}},
			{Header: "miles", Paths: []string{"distance_miles"}},
		},
	}
	if spatial {
		v.summary = append(v.summary, output.Column{Header: "% inside", Paths: []string{"pct_inside"}}, output.Column{Header: "sq mi", Paths: []string{"area_sq_mi"}})
	}
	if timezone {
		v.summary = append(v.summary, output.Column{Header: "timezone", Paths: []string{"timezone.iana_name"}})
	}
	return v
}
