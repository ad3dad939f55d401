package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// distanceCmd is "postgeo distance".
type distanceCmd struct {
	Codes  []string `arg:"" join:"codes" name:"from> <to" help:"Codes or latitude,longitude: from the first to each of the others. - reads codes from standard input, one a line."`
	Matrix bool     `help:"From each code to each: a table of miles." xor:"form"`
	Within string   `help:"The pairs of codes that are at most this many miles apart." placeholder:"MILES" xor:"form"`

	clockedDataFlag
	formatFlag
}

// Run writes the distances.
func (c *distanceCmd) Run(ctx context.Context, env *Env) error {
	switch {
	case c.Matrix:
		return c.matrix(ctx, env)
	case c.Within != "":
		return c.pairs(ctx, env)
	case len(c.Codes) == 1 && c.Codes[0] != "-":
		return &usageError{reason: "one code has no distance; give a second one", command: "postgeo distance"}
	default:
		return c.each(ctx, env)
	}
}

// each writes the distance from the first code to each of the others.
func (c *distanceCmd) each(ctx context.Context, env *Env) error {
	several := len(c.Codes) > 2 || slices.Contains(c.Codes, "-")
	all := slices.DeleteFunc(output.Columns[radius.DistanceResult](), func(col output.Column) bool {
		return strings.HasPrefix(col.Header, "input.") && col.Header != "input.from" && col.Header != "input.to"
	})
	opts, err := c.options(env, view{all: all, summary: output.Columns[distanceLine](), array: several})
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()

	w := output.NewWriter(env.Stdout, opts)
	fails := failures{env: env, several: several, sample: path == ""}
	from := ""
	for to, err := range inputCodes(c.Codes, env.Stdin, w.Flush) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && from == "" {
			from = to
			continue
		}
		if err == nil {
			err = c.one(ctx, db, from, to, w, people(opts.Format), &fails)
		}
		if err != nil {
			return errors.Join(err, w.Close())
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return fails.result()
}

// one writes one distance.
func (c *distanceCmd) one(ctx context.Context, db *postgeo.DB, from, to string, w *output.Writer, people bool, fails *failures) error {
	input := envelope.Input{From: from, To: to}
	result, err := db.Distance(ctx, from, to, postgeo.DistanceOptions{})
	if err != nil {
		item, ok := fails.item(input, err)
		if !ok {
			return err
		}
		if people {
			return nil
		}
		return w.Write(item)
	}
	if people {
		fails.env.note(from+" to "+to, result.Notices)
		if len(c.Columns) == 0 {
			return w.Write(lineOf(result))
		}
	}
	if fails.several {
		result.Input = &input
	}
	return w.Write(result)
}

// list reads the codes of a matrix or of pairs.
func (c *distanceCmd) list(env *Env) (codes []string, err error) {
	for code, err := range inputCodes(c.Codes, env.Stdin, func() error { return nil }) {
		if err != nil {
			return nil, err
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// matrix writes the distances from each code to each.
func (c *distanceCmd) matrix(ctx context.Context, env *Env) error {
	codes, err := c.list(env)
	if err != nil {
		return err
	}
	columns := []output.Column{output.PathColumn("from")}
	for _, code := range codes {
		columns = append(columns, output.PathColumn(code))
	}
	opts, err := c.options(env, view{all: columns, summary: columns})
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	m, err := db.Distances(ctx, codes, codes, postgeo.DistanceOptions{})
	if err != nil {
		return failedList(env, path, err)
	}
	w := output.NewWriter(env.Stdout, opts)
	if opts.Format == output.JSON {
		err = w.Write(m)
	}
	for i := 0; i < len(codes) && err == nil && opts.Format != output.JSON; i++ {
		err = w.Write(matrixRow{codes[i], codes, m.Miles[i]})
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// failedList tells why a list of codes could not be measured.
func failedList(env *Env, path string, err error) error {
	if e := fault.As(err); e != nil && e.Kind == fault.InvalidParam {
		return wrongUse("%s; expected %s", e.Input, e.Range)
	}
	fails := failures{env: env, sample: path == ""}
	if _, ok := fails.item(envelope.Input{}, err); ok {
		return fails.result()
	}
	return err
}

// A matrixRow is the miles from one code to each, under their names.
type matrixRow struct {
	from  string
	codes []string
	miles []geo.Miles
}

// MarshalJSON writes the row as one object.
func (r matrixRow) MarshalJSON() ([]byte, error) {
	b := envelope.AppendString([]byte(`{"from":`), r.from)
	for i, code := range r.codes {
		if slices.Contains(r.codes[:i], code) {
			continue
		}
		b = append(envelope.AppendString(append(b, ','), code), ':')
		var err error
		if b, err = envelope.Append(b, r.miles[i]); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// A pairLine is a pair of codes and how far apart they are.
type pairLine struct {
	From  string         `json:"from"`
	To    string         `json:"to"`
	Miles geo.Miles      `json:"miles"`
	Km    geo.Kilometers `json:"km"`
}

// pairs writes the pairs of codes that are near each other.
func (c *distanceCmd) pairs(ctx context.Context, env *Env) error {
	most, err := parseMiles("--within", c.Within)
	if err != nil {
		return err
	}
	codes, err := c.list(env)
	if err != nil {
		return err
	}
	columns := output.Columns[pairLine]()
	opts, err := c.options(env, view{all: columns, summary: columns, array: true})
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	w := output.NewWriter(env.Stdout, opts)
	for p, err := range db.PairsWithin(ctx, codes, most.Meters()) {
		if err != nil {
			return failedList(env, path, err)
		}
		line := pairLine{
			From: codes[p.A], To: codes[p.B],
			Miles: geo.Miles(geo.Round(float64(p.Distance.Miles()), 2)), Km: geo.Kilometers(geo.Round(float64(p.Distance.Kilometers()), 2)),
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Close()
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
	code := e.Code
	if code == "" {
		code = e.Location.String()
	}
	return placeName(code, e.City, e.State)
}
