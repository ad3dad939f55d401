package query

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

type radiusOptions struct {
	operation.RadiusInput
	SVG string `help:"File for a map of the matches." placeholder:"FILE" type:"path" name:"svg"`

	command.Data
	command.GeoFormat

	search radius.Options
}

func radiusCommand() *cobra.Command {
	return command.New(command.Spec[radiusOptions, radius.Match]{
		Name: "radius", Group: areas, Short: operation.Radius.Summary,
		Long: operation.Radius.Detail + " The format json writes the search with its matches and aggregates; jsonl, csv and tsv write one match per line. The format geojson writes the circle and its matches as features.",
		Examples: command.Examples(
			"postgeo radius 90210 --max 5", "codes with locations within 5 miles",
			"postgeo radius 90210 --max 5 --mode spatial", "codes with areas within 5 miles, with the share inside",
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
			return matchView(o.search.Include.Timezone, o.search.Mode == radius.Spatial, o.search.Include.Layers), nil
		},
		Run: (*radiusOptions).run,
	})
}

func (o *radiusOptions) run(c *command.Call) (command.Result, error) {
	result, err := c.DB.Radius(c.Context, o.Code, o.search)
	if err != nil {
		return c.Refuse(codeInput(o.Code), err)
	}
	format := c.Output.Format
	if format != output.JSON && format != output.GeoJSON {
		c.Notices(o.Code, result.Notices)
		if result.Stats != nil {
			for i := range result.Stats.ACS {
				a := &result.Stats.ACS[i]
				c.Report(message.RadiusSurvey, o.Code, acs.Vintage(a.Year), a.WithData, a.WithData+a.WithoutData)
			}
		}
	}
	if c.People() && o.search.Auto != 0 {
		c.Report(message.AutoRadius, o.Code, float64(result.Search.Max))
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
