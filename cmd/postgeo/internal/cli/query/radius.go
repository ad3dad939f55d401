package query

import (
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type radiusOptions struct {
	Codes []string `arg:"" join:"codes" is:"code" name:"code" help:"ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), Canadian postal code (K1A 0B1), or latitude,longitude. Matches of several have their center. - reads centers from standard input, one per line."`
	operation.RadiusParams
	SVG string `help:"File for a map of the matches." placeholder:"FILE" name:"svg"`

	command.Data
	command.GeoFormat
}

func (o *radiusOptions) run(c *command.Call) error {
	search, unknown := o.Options(operation.LastYear(c.Context, c.DB, acs.ZCTA))
	several := len(o.Codes) > 1 || o.Codes[0] == "-"
	switch {
	case o.SVG == "":
	case several:
		return command.Usage(`--svg draws one center`)
	case o.SVG == "-":
		return command.Usage(`--svg has no file; standard output is used for the results`)
	default:
		if err := command.CheckOutput(c.Env, o.SVG, c.Path); err != nil {
			return err
		}
	}
	if err := checkInclude(operation.Radius, unknown); err != nil {
		return err
	}
	spatial := search.Mode == radius.Spatial
	if spatial {
		if err := c.NeedAreas("a spatial search"); err != nil {
			return err
		}
	}
	v := matchView(search.Include.Timezone, spatial, search.Include.Layers)
	if !several {
		return o.one(c, v, o.Codes[0])
	}
	center := command.Columns("center", "center input.code")
	v.Array, v.All, v.Summary = true, slices.Concat(center, v.All, command.Paths("error")), slices.Concat(center, v.Summary)
	return c.Each(v, c.Inputs(o.Codes), codeInput, func(code string) (any, []envelope.Notice, error) {
		result, err := o.search(c, code)
		if err != nil {
			return nil, nil, err
		}
		if c.Output.Format == output.JSON {
			input := codeInput(code)
			result.Input = &input
			return result, nil, nil
		}
		items := []any{}
		for i := range result.Matches {
			items = append(items, output.Row{output.Named("center", code), {Value: &result.Matches[i]}})
		}
		return items, result.Notices, nil
	})
}

// search searches around a center, and reports the facts that matches have no columns for.
func (o *radiusOptions) search(c *command.Call, code string) (*radius.Result, error) {
	result, err := (&operation.RadiusInput{Place: operation.Place{Code: code}, RadiusParams: o.RadiusParams}).Run(c.Context, c.DB)
	if err != nil {
		return nil, err
	}
	if f := c.Output.Format; f != output.JSON && result.Stats != nil {
		for i := range result.Stats.ACS {
			a := &result.Stats.ACS[i]
			c.Report(`note: %s: %s: %d of %d US ZIP Codes have figures; --format json writes the sums`, code, acs.Vintage(a.Year), a.WithData, a.WithData+a.WithoutData)
		}
	}
	if c.People() && o.Max.Auto != "" {
		c.Report(`note: %s: the automatic radius is %v miles`, code, float64(result.Search.Max))
	}
	return result, nil
}

func (o *radiusOptions) one(c *command.Call, v command.View, code string) error {
	if err := c.View(v); err != nil {
		return err
	}
	result, err := o.search(c, code)
	if err != nil {
		return c.Refuse(v, codeInput(code), err)
	}
	format := c.Output.Format
	if format != output.JSON {
		c.Notices(code, result.Notices)
	}
	if o.SVG != "" {
		if err := saveMap(c, o.SVG, result); err != nil {
			return err
		}
	}
	if format == output.JSON {
		return c.Write(result)
	}
	return command.More(c, result.Matches)
}

func matchView(timezone, spatial bool, layers []string) command.View {
	v := command.View{
		All: slices.DeleteFunc(output.Columns[radius.Match](), func(col output.Column) bool {
			return col.Header == "layers" || !timezone && strings.HasPrefix(col.Header, "timezone") || !spatial && (col.Header == "pct_inside" || col.Header == "area_sq_mi")
		}),
		Summary: command.Columns("code", "code", "type", "code_type", "city", "city", "state", "state", "class", "classification_name", "miles", "distance_miles"),
	}
	if spatial {
		v.Summary = append(v.Summary, command.Columns("% inside", "pct_inside", "sq mi", "area_sq_mi")...)
	}
	if timezone {
		v.Summary = append(v.Summary, command.Columns("timezone", "timezone.iana_name")...)
	}
	v.All = append(v.All, layerColumns(layers)...)
	for _, name := range layers {
		v.Summary = append(v.Summary, command.Columns(name, "layers."+name+".areas.1.name")...)
	}
	return v
}

type nearestOptions struct {
	operation.NearestInput

	command.Data
	command.GeoFormat
}

func (o *nearestOptions) run(c *command.Call) error {
	search, unknown := o.Options()
	if err := checkInclude(operation.Nearest, unknown); err != nil {
		return err
	}
	v := matchView(search.Timezone, false, nil)
	result, err := o.Run(c.Context, c.DB)
	if err != nil {
		return c.Refuse(v, o.Echo(), err)
	}
	if c.People() {
		c.Notices(o.Code, result.Notices)
	}
	return command.Result(c, v, result, result.Matches)
}

type insideOptions struct {
	File string `arg:"" help:"GeoJSON file with one polygon or multipolygon; - is standard input."`
	operation.InsideParams

	command.Data
	command.GeoFormat
}

func (o *insideOptions) run(c *command.Call) error {
	search, unknown := o.Options()
	if err := checkInclude(operation.Inside, unknown); err != nil {
		return err
	}
	spatial := search.Mode == radius.Spatial
	in := operation.InsideInput{InsideParams: o.InsideParams, Limit: math.MaxInt}
	var err error
	if in.Outline, err = command.ReadPolygon(o.File, c.Stdin); err == nil && spatial {
		err = c.NeedAreas("--mode spatial")
	}
	if err != nil {
		return err
	}
	result, err := in.Run(c.Context, c.DB)
	wrong := command.Swapped(in.Outline.Bound())
	switch {
	case err != nil && !wrong:
		return err
	case err != nil:
		c.Missing("%s", command.Explain(err))
		result = &radius.PolygonResult{}
	case len(result.Matches) == 0:
		c.Incomplete(`not found: no code is inside the polygon`)
	}
	if wrong {
		c.Report(command.SwappedHint, "the polygon")
	}
	return command.Result(c, matchView(search.Timezone, spatial, search.Layers), result, result.Matches)
}
