package query

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

type codesInOptions struct {
	operation.CodesInArea

	command.Data
	command.GeoFormat
}

func (o *codesInOptions) run(c *command.Call) error {
	if o.GEOID == "" {
		return command.UsageOf("postgeo codes-in", `missing area after %q: 'postgeo codes-in county 06037'`, o.Layer)
	}
	layer, err := command.ParseLayer(o.Layer)
	if err != nil {
		return err
	}
	in, err := (&operation.CodesInInput{CodesInArea: o.CodesInArea, Limit: math.MaxInt}).Run(c.Context, c.DB)
	if err != nil {
		return failArea(c, err)
	}
	if c.People() {
		c.Report(`%s %s: %s`, strings.ReplaceAll(cmp.Or(in.Area.Kind, string(layer)), "_", " "), in.Area.GEOID, command.JoinText(in.Area.Name, ", ", in.Area.State))
	}
	v := command.View{
		All: output.Columns[lookup.CodeShare](),
		Summary: command.Columns("code", "code", "type", "code_type", "city", "city", "state", "state",
			"sq mi", "intersection_sq_mi", "% of code", "pct_of_zip pct_of_fsa", "% of area", "pct_of_area"),
	}
	if slices.ContainsFunc(in.Codes, func(code lookup.CodeShare) bool { return code.PctOfPeople != nil }) { // of districts
		v.Summary = append(v.Summary, command.Columns("% of people", "pct_of_people")...)
	}
	return command.Result(c, v, &in.CodesIn, in.Codes)
}

type neighborsOptions struct {
	operation.NeighborsInput

	command.Data
	command.GeoFormat
}

func (o *neighborsOptions) run(c *command.Call) error {
	v := command.View{
		All: output.Columns[lookup.Neighbor](),
		Summary: command.Columns("code", "code", "type", "code_type", "city", "city name", "state", "state",
			"shared miles", "shared_mi", "% of border", "pct_of_border", "corner", "corner"),
	}
	if err := c.NeedAreas("neighbors"); err != nil {
		return err
	}
	n, err := o.Run(c.Context, c.DB)
	if err != nil {
		return c.Refuse(v, o.Echo(), err)
	}
	if n.BorderMi == 0 {
		c.Missing(`not found: %s has no area in this dataset, and so no neighbors; to find near codes, run 'postgeo nearest %s -n 5'`, n.Code, n.Code)
	}
	return command.Result(c, v, n, n.Codes)
}

type crosswalkOptions struct {
	operation.CrosswalkParams

	command.Data
	command.Format
}

// run writes the pairs, and reports the ZIP Codes without one, by
// reason.
func (o *crosswalkOptions) run(c *command.Call) error {
	isCode := func(name string) bool { return strings.EqualFold(name, "zip") || strings.EqualFold(name, "fsa") }
	others := []string{"intersection_sq_mi"}
	if o.Weight == lookup.WeightArea || o.Weight == "" && isCode(o.From) != isCode(o.To) {
		others = []string{"people", "reason"}
	}
	columns := slices.DeleteFunc(output.Columns[lookup.CrosswalkRow](), func(c output.Column) bool { return slices.Contains(others, c.Header) })
	if err := c.View(command.Table(columns)); err != nil {
		return err
	}
	reasons, total := map[string]int{}, 0
	err := command.Stream(c, func(yield func(lookup.CrosswalkRow, error) bool) {
		for row, err := range o.All(c.Context, c.DB) {
			if row.Reason != "" {
				reasons[row.Reason]++
				total++
			}
			if !yield(row, err) {
				return
			}
		}
	})
	if err != nil || total == 0 {
		return err
	}
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		list = append(list, fmt.Sprintf("%d with %s", reasons[reason], reason))
	}
	c.Report(`note: %d ZIP Codes are in no area: %s`, total, strings.Join(list, ", "))
	return nil
}

type boundaryOptions struct {
	Codes []string `arg:"" join:"codes" help:"Codes, such as 90210 K1A, or a layer and IDs or names of areas, such as county 06037. - reads codes from standard input, one per line." name:"code"`

	command.OutputFile
	command.Data
}

func (o *boundaryOptions) run(c *command.Call) error {
	c.Several = len(o.Codes) > 1
	layer, isLayer := lookup.ParseLayer(o.Codes[0])
	names := o.Codes
	if isLayer {
		if names = names[1:]; len(names) == 0 {
			return command.UsageOf("postgeo boundary", `missing areas of %s: 'postgeo boundary county 06037'`, o.Codes[0])
		}
	} else if err := c.NeedAreas("boundaries"); err != nil {
		return err
	}
	var file bytes.Buffer // complete before -o replaces a file
	w := output.NewWriter(&file, output.Options{Format: output.GeoJSON, Feature: c.Feature})
	found := 0
	for name, err := range c.Inputs(names) {
		if err != nil {
			return err
		}
		var item any
		if isLayer {
			item, err = operation.OfArea(c.Context, c.DB, layer, name, func(geoid string) (*outlined, error) {
				area, outline, err := c.DB.AreaOutline(c.Context, layer, geoid)
				return &outlined{Area: area, outline: outline}, err
			})
		} else if name, err = c.Named(name); err == nil {
			item, err = c.DB.QuickLookup(c.Context, name, lookup.QuickOptions{})
		}
		switch {
		case err == nil:
			found++
			err = w.Write(item)
		case isLayer:
			err = failArea(c, err)
		default:
			err = c.FailInput(codeInput(name), err)
		}
		if err != nil {
			return err
		}
	}
	if found == 0 && c.Failures() > 0 {
		return nil
	}
	if err := w.Close(); err != nil {
		return err
	}
	return o.Save(c.Env, file.Bytes(), c.Path)
}

// An outlined is an area of a layer with its outline.
type outlined struct {
	lookup.Area
	outline orb.MultiPolygon
}

// Feature implements [command.Located].
func (o *outlined) Feature(*command.Call) output.Feature {
	f := output.Feature{ID: o.GEOID, Source: o.Source}
	if o.outline != nil {
		f.Geometry = geojson.AppendPolygons(nil, o.outline)
	} else if o.Point.IsValid() {
		f.Geometry = geojson.AppendPoint(nil, o.Point)
	}
	return f
}

// failArea reports that an area was not found. It returns other
// errors.
func failArea(c *command.Call, err error) error {
	if !errors.Is(err, postgeo.ErrNotFound) {
		return err
	}
	c.Missing("%s; find its ID with 'postgeo suggest'", command.Explain(err))
	return nil
}
