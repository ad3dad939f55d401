package query

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type distanceOptions struct {
	Codes  []string         `arg:"" join:"codes" is:"code" name:"from> <to" help:"Codes or latitude,longitude: from the first to each of the others. - reads codes from standard input, one per line."`
	Matrix bool             `help:"From each code to each: a table of miles." xor:"form"`
	Within *operation.Miles `help:"The pairs of codes that are at most this many miles apart." placeholder:"MILES" xor:"form"`
	operation.Clock

	command.Data
	command.Format

	all []string // codes of a matrix or of pairs
}

func distanceCommand() *cobra.Command {
	return command.New(command.Spec[distanceOptions, radius.DistanceResult]{
		Name: "distance", Group: codes, Short: "Measure distances and bearings between codes or coordinates.",
		Examples: command.Examples(
			"postgeo distance 90210 10001", "miles, kilometers and bearing",
			"postgeo distance 34.1,-118.4 90210 60601", "from a point to each of the others",
			"postgeo distance --matrix 90210 10001 60601", "from each to each",
			"postgeo distance --within 25 - < codes.txt", "the pairs that are at most 25 miles apart",
		),
		Check: (*distanceOptions).check,
		View:  (*distanceOptions).view,
		Run: func(o *distanceOptions, c *command.Call) (command.Result, error) {
			switch {
			case o.Matrix:
				return o.matrix(c)
			case o.Within != nil:
				return o.pairs(c), nil
			default:
				return o.each(c)
			}
		},
	})
}

func (o *distanceOptions) check(*command.Env) error {
	if o.Within == nil && !o.Matrix && len(o.Codes) == 1 && o.Codes[0] != "-" {
		return command.UsageOf("postgeo distance", `a distance needs two codes; add a second one`)
	}
	return nil
}

func (o *distanceOptions) view(c *command.Call) (command.View, error) {
	if !o.Matrix && o.Within == nil {
		return command.View{
			All:     slices.DeleteFunc(output.Columns[radius.DistanceResult](), func(col output.Column) bool { return isOtherInput(col.Header, "from", "to") }),
			Summary: output.Columns[distanceLine](), Array: len(o.Codes) > 2 || slices.Contains(o.Codes, "-"),
		}, nil
	}
	for code, err := range c.Inputs(o.Codes) {
		if err != nil {
			return command.View{}, err
		}
		o.all = append(o.all, code)
	}
	if o.Within != nil {
		return command.Table(output.Columns[operation.Pair]()), nil
	}
	columns := append(command.Paths("from"), command.Paths(o.all...)...)
	return command.View{All: columns, Summary: columns}, nil
}

func (o *distanceOptions) each(c *command.Call) (command.Result, error) {
	from := ""
	others := func(yield func(string, error) bool) {
		for code, err := range c.Inputs(o.Codes) {
			if err == nil && from == "" {
				from = code
				continue
			}
			if !yield(code, err) {
				return
			}
		}
	}
	input := func(to string) envelope.Input { return envelope.Input{From: from, To: to} }
	return c.EachOf(others, input, func(to string) (any, []envelope.Notice, error) {
		result, err := (&operation.DistanceInput{Ends: operation.Ends{From: from, To: to}, Clock: o.Clock}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		if c.People() {
			c.Notices(from+" to "+to, result.Notices)
			if len(o.Columns) == 0 {
				return lineOf(result), nil, nil
			}
		}
		if c.Several {
			given := input(to)
			result.Input = &given
		}
		return result, nil, nil
	}), nil
}

func (o *distanceOptions) matrix(c *command.Call) (command.Result, error) {
	m, err := c.DB.DistanceMatrix(c.Context, o.all, o.all, radius.DistanceOptions{At: o.At})
	if err != nil {
		return command.Result{}, o.failed(c, err)
	}
	rows := make([]output.Row, len(o.all))
	for i, from := range o.all {
		rows[i] = output.Row{{Name: "from", Value: from}}
		for k, to := range o.all {
			if !slices.Contains(o.all[:k], to) {
				rows[i] = append(rows[i], output.Cell{Name: to, Value: m.Miles[i][k]})
			}
		}
	}
	return command.Rows(rows).Whole(m), nil
}

// failed reports why a list of codes cannot be measured.
func (o *distanceOptions) failed(c *command.Call, err error) error {
	if e := fault.As(err); e != nil && e.Kind == fault.InvalidParam {
		return command.Usage(`%s; must be %s`, e.Input, e.Range)
	}
	return c.FailInput(envelope.Input{}, err)
}

// pairs returns the pairs of codes that are near each other.
func (o *distanceOptions) pairs(c *command.Call) command.Result {
	in := operation.PairsInput{Codes: o.all, Max: *o.Within}
	return command.Stream(func(yield func(operation.Pair, error) bool) {
		for p, err := range in.All(c.Context, c.DB) {
			if err != nil {
				if err = o.failed(c, err); err != nil {
					yield(p, err)
				}
				return
			}
			if !yield(p, nil) {
				return
			}
		}
	})
}

// A distanceLine is a distance for people.
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
	code := cmp.Or(e.Code, e.Location.String())
	return placeName(code, e.City, e.State)
}
