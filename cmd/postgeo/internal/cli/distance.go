package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// distanceCmd is "postgeo distance".
type distanceCmd struct {
	From string `arg:"" help:"Code or latitude,longitude to start from."`
	To   string `arg:"" help:"Code or latitude,longitude to end at."`

	dataFlag
	formatFlag
}

// Run writes the distance between the two ends.
func (c *distanceCmd) Run(ctx context.Context, env *Env) error {
	all := slices.DeleteFunc(output.Columns[radius.DistanceResult](), func(col output.Column) bool {
		return strings.HasPrefix(col.Header, "input.") && col.Header != "input.from" && col.Header != "input.to"
	})
	opts, err := c.options(env, view{all: all, summary: output.Columns[distanceLine]()})
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()

	w := output.NewWriter(env.Stdout, opts)
	fails := failures{env: env, sample: path == ""}
	result, err := db.Distance(ctx, c.From, c.To)
	switch {
	case err == nil && people(opts.Format) && len(c.Columns) == 0:
		env.note(c.From+" to "+c.To, result.Notices)
		err = w.Write(lineOf(result))
	case err == nil:
		err = w.Write(result)
	default:
		item, ok := fails.item(envelope.Input{From: c.From, To: c.To}, err)
		if !ok {
			return err
		}
		err = nil
		if !people(opts.Format) {
			err = w.Write(item)
		}
	}
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return fails.result()
}

// A distanceLine is what people see of a distance.
type distanceLine struct {
	From    string         `json:"from"`
	To      string         `json:"to"`
	Miles   geo.Miles      `json:"miles"`
	Km      geo.Kilometers `json:"km"`
	Bearing float64        `json:"bearing"`
}

func lineOf(r *radius.DistanceResult) distanceLine {
	return distanceLine{
		From: endText(&r.From), To: endText(&r.To),
		Miles: r.Distance.Miles, Km: r.Distance.Km, Bearing: r.Bearing,
	}
}

// endText names an end: its code, or its coordinate, and its place.
func endText(e *radius.End) string {
	text := e.Code
	if text == "" {
		text = e.Location.String()
	}
	if e.City != "" {
		text += " " + e.City
		if e.State != "" {
			text += ", " + e.State
		}
	}
	return text
}
