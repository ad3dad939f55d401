package query

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
	SVG string `help:"File for a map of the matches." placeholder:"FILE" type:"path" name:"svg"`

	command.Data
	command.GeoFormat

	search radius.Options
}

func radiusCommand() *cobra.Command {
	return command.New(command.Spec[radiusOptions, radius.Match]{
		Name: "radius", Group: areas, Short: operation.Radius.Summary,
		Long: operation.Radius.Detail + " The format json writes the search with its matches and aggregates; jsonl, csv and tsv write one match per line. The format geojson writes the circle and its matches as features. With several centers, json has a search for each, and the other formats a match per line with its center.",
		Examples: command.Examples(
			"postgeo radius 90210 --max 5", "codes with locations within 5 miles",
			"postgeo radius 90210 --max 5 --mode spatial", "codes with areas within 5 miles, with the share inside",
			"postgeo radius - --max 25 -f csv < codes.txt", "rows of a center, a code and its distance",
			"postgeo radius 34.1 -118.4 --max auto -f geojson", "a radius with 250,000 people, for a map",
		),
		View: func(o *radiusOptions, c *command.Call) (command.View, error) {
			if err := o.check(c); err != nil {
				return command.View{}, err
			}
			if o.search.Mode == radius.Spatial {
				if err := c.NeedAreas("a spatial search"); err != nil {
					return command.View{}, err
				}
			}
			v := matchView(o.search.Include.Timezone, o.search.Mode == radius.Spatial, o.search.Include.Layers)
			if o.several() {
				center := command.Columns("center", "center input.code")
				v.Array, v.All, v.Summary = true, slices.Concat(center, v.All, command.Paths("error")), slices.Concat(center, v.Summary)
			}
			return v, nil
		},
		Run: func(o *radiusOptions, c *command.Call) (command.Result, error) {
			if o.several() {
				return o.each(c), nil
			}
			return o.one(c, o.Codes[0])
		},
	})
}

func (o *radiusOptions) several() bool { return len(o.Codes) > 1 || o.Codes[0] == "-" }

// each returns the searches of several centers, or their matches.
func (o *radiusOptions) each(c *command.Call) command.Result {
	return c.EachList(o.Codes, codeInput, func(code string) ([]any, []envelope.Notice, error) {
		result, err := o.search1(c, code)
		if err != nil {
			return nil, nil, err
		}
		if c.Output.Format == output.JSON {
			input := codeInput(code)
			result.Input = &input
			return []any{result}, nil, nil
		}
		var items []any
		for i := range result.Matches {
			items = append(items, output.Row{{Name: "center", Value: code}, {Value: &result.Matches[i]}})
		}
		return items, result.Notices, nil
	})
}

// search1 searches around a center and reports what matches have no room for.
func (o *radiusOptions) search1(c *command.Call, code string) (*radius.Result, error) {
	in := operation.RadiusInput{Place: operation.Place{Code: code}, RadiusParams: o.RadiusParams}
	result, err := in.Run(c.Context, c.DB)
	if err != nil {
		return nil, err
	}
	if f := c.Output.Format; f != output.JSON && f != output.GeoJSON && result.Stats != nil {
		for i := range result.Stats.ACS {
			a := &result.Stats.ACS[i]
			c.Report(`note: %s: %s: %d of %d US ZIP Codes have figures; --format json or geojson writes the sums`, code, acs.Vintage(a.Year), a.WithData, a.WithData+a.WithoutData)
		}
	}
	if c.People() && o.search.Auto != "" {
		c.Report(`note: %s: the automatic radius is %v miles`, code, float64(result.Search.Max))
	}
	return result, nil
}

func (o *radiusOptions) one(c *command.Call, code string) (command.Result, error) {
	result, err := o.search1(c, code)
	if err != nil {
		return c.Refuse(codeInput(code), err)
	}
	format := c.Output.Format
	if format != output.JSON && format != output.GeoJSON {
		c.Notices(code, result.Notices)
	}
	if o.SVG != "" {
		m, err := radiusMap(c, result)
		if err == nil {
			err = saveMap(c, o.SVG, m)
		}
		if err != nil {
			return command.Result{}, err
		}
	}
	answer := command.Rows(result.Matches).Whole(result)
	if format == output.GeoJSON {
		circles, err := circles(result)
		return answer.Before(circles...), err
	}
	return answer, nil
}

func (o *radiusOptions) check(c *command.Call) error {
	var unknown []string
	o.search, unknown = o.Options(c.DB.LastACSYear(c.Context, acs.ZCTA))
	if o.SVG != "" && o.several() {
		return command.Usage(`--svg draws one center`)
	}
	if err := command.CheckSVG(c.Env, o.SVG, c.Path); err != nil {
		return err
	}
	return checkInclude(operation.Radius, unknown)
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
