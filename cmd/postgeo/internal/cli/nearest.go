package cli

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// nearestCmd is "postgeo nearest".
type nearestCmd struct {
	Center  string   `arg:"" join:"codes" help:"Code or latitude,longitude to start from."`
	Count   int      `help:"How many codes, at most 10000." short:"n" default:"1" placeholder:"N"`
	Max     string   `help:"The farthest that they may be. Default: anywhere." placeholder:"MILES"`
	Mode    string   `help:"centroid finds ZIPs and postal codes, spatial ZIPs and FSAs; both by their points. Default: centroid." placeholder:"MODE"`
	Include []string `help:"What to add to matches: timezone." placeholder:"FLAG" short:"i"`

	clockedDataFlag
	geoFormatFlag
}

// Help explains the formats.
func (nearestCmd) Help() string {
	return "json writes the center with its matches, jsonl, csv and tsv a match a line, geojson the matches with their areas, or points, as features."
}

// Run writes the codes whose points are nearest.
func (c *nearestCmd) Run(ctx context.Context, env *Env) error {
	o, err := c.nearest()
	if err != nil {
		return err
	}
	opts, err := c.options(env, matchView(output.Columns[radius.Match](), o.Timezone, false))
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()

	f := &featurer{db: db}
	opts.Feature = f.feature
	result, err := db.Nearest(ctx, c.Center, o)
	if err != nil {
		return writeFailed(env, opts, &failures{env: env, sample: path == ""}, envelope.Input{Code: c.Center}, err)
	}
	if people(opts.Format) {
		env.note(c.Center, result.Notices)
	}
	return answer(env, opts, f, result, result.Matches)
}

// nearest reads the flags.
func (c *nearestCmd) nearest() (o postgeo.NearestOptions, err error) {
	include, unknown := radius.ParseInclude(c.Include)
	if len(unknown) > 0 {
		return o, wrongUse("--include has no %q; this version knows %s", unknown[0], strings.Join(knownFlags, ", "))
	}
	o.Timezone = include.Timezone
	if o.Count = c.Count; o.Count < 1 || o.Count > radius.MaxMatches {
		return o, wrongUse("-n is %d; expected a whole number from 1 to %d", c.Count, radius.MaxMatches)
	}
	if o.Mode, err = radius.ParseMode(c.Mode); err == nil && c.Max != "" {
		o.Max, err = parseMiles("--max", c.Max)
	}
	return o, err
}

// parseMiles reads the miles of a flag that takes no automatic radius.
func parseMiles(flag, given string) (geo.Miles, error) {
	miles, auto, err := radius.ParseMax(given)
	if err != nil || auto != 0 {
		return 0, wrongUse("%s is %q; expected miles, above 0 and at most %v", flag, given, float64(radius.MaxCentroidMiles))
	}
	return miles, nil
}
