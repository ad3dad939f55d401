package query

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/radius"
)

type radiusOptions struct {
	Center  string   `arg:"" join:"codes" help:"Code or latitude,longitude to search around. A ZIP+4 searches from its ZIP."`
	Max     string   `required:"" help:"Radius in miles: at most 500, or 250 in spatial mode; or auto, or auto-commute." placeholder:"MILES"`
	Min     string   `help:"Skip matches within this many miles." placeholder:"MILES"`
	Mode    string   `help:"centroid finds ZIPs and postal codes by their locations; spatial finds ZIPs and FSAs by their areas, with the share inside. Default: centroid." placeholder:"MODE"`
	Limit   string   `help:"Maximum number of matches, the nearest first." placeholder:"N"`
	Include []string `help:"Enrichments: timezone of the matches; acs_{profile}[_{year}] sums of the survey over all US ZIP Codes inside." placeholder:"FLAG" short:"i"`
	SVG     string   `help:"File for a map of the matches." placeholder:"FILE" type:"path" name:"svg"`

	command.ClockedData
	command.GeoFormat

	search postgeo.RadiusOptions
}

func radiusCommand() *command.Command {
	return command.New(command.Spec[radiusOptions, radius.Match]{
		Name: "radius", Group: areas, Short: "Find the codes around a code or coordinate.",
		Long: "json writes the search with its matches and aggregates, jsonl, csv and tsv one match per line. geojson writes the circle and the matches with their areas, or locations, as features.",
		Examples: command.Examples(
			"postgeo radius 90210 --max 5", "codes with locations within 5 miles",
			"postgeo radius 90210 --max 5 --mode spatial", "codes with areas within 5 miles, with the share inside",
			"postgeo radius 34.1 -118.4 --max auto -f geojson", "a radius with 250,000 people, for a map",
		),
		View: func(o *radiusOptions, c *command.Call) (command.View, error) {
			if err := o.parse(c.DB.LastACSYear(c.Context, acs.ZCTA)); err != nil {
				return command.View{}, err
			}
			if o.search.Mode == radius.Spatial {
				if err := c.NeedAreas("a spatial search"); err != nil {
					return command.View{}, err
				}
			}
			return matchView(o.search.Include.Timezone, o.search.Mode == radius.Spatial), nil
		},
		Run: (*radiusOptions).run,
	})
}

func (o *radiusOptions) run(c *command.Call) (command.Answer, error) {
	result, err := c.DB.Radius(c.Context, o.Center, o.search)
	if err != nil {
		return c.Refuse(codeInput(o.Center), err)
	}
	format := c.Output.Format
	if format != output.JSON && format != output.GeoJSON {
		c.Notices(o.Center, result.Notices)
		if result.Stats != nil {
			for i := range result.Stats.ACS {
				a := &result.Stats.ACS[i]
				c.Report(message.RadiusSurvey, o.Center, acs.Vintage(a.Year), a.WithData, a.WithData+a.WithoutData)
			}
		}
	}
	if c.People() && o.search.Auto != 0 {
		c.Report(message.AutoRadius, o.Center, float64(result.Search.Max))
	}
	if o.SVG != "" {
		m, err := radiusMap(c, result)
		if err == nil {
			err = saveMap(c, o.SVG, m)
		}
		if err != nil {
			return command.Answer{}, err
		}
	}
	answer := command.Rows(result.Matches).Whole(result)
	if format == output.GeoJSON {
		circles, err := circles(result)
		return answer.Before(circles...), err
	}
	return answer, nil
}

// parse reads the flags. Tags of the survey may have years up to last.
func (o *radiusOptions) parse(last int) (err error) {
	var unknown []string
	s := &o.search
	s.Include, unknown = radius.ParseIncludeUntil(o.Include, last)
	if err := checkInclude(unknown, "timezone, acs_{profile}, acs_{profile}_{year}"); err != nil {
		return err
	}
	if s.Mode, err = radius.ParseMode(o.Mode); err == nil {
		s.Max, s.Auto, err = radius.ParseMax(o.Max)
	}
	if err == nil && o.Min != "" {
		s.Min, err = radius.ParseMin(o.Min)
	}
	if err == nil && o.Limit != "" {
		s.Limit, err = radius.ParseLimit(o.Limit)
	}
	if o.SVG == "-" {
		return command.Usage(message.SVGToStdout)
	}
	return err
}

// matchView returns the columns of matches.
func matchView(timezone, spatial bool) command.View {
	v := command.View{
		All: slices.DeleteFunc(output.Columns[radius.Match](), func(col output.Column) bool {
			return !timezone && strings.HasPrefix(col.Header, "timezone") || !spatial && (col.Header == "pct_inside" || col.Header == "area_sq_mi")
		}),
		Summary: command.Columns("code", "code", "type", "code_type", "city", "city", "state", "state", "class", "classification_name", "miles", "distance_miles"),
	}
	if spatial {
		v.Summary = append(v.Summary, command.Columns("% inside", "pct_inside", "sq mi", "area_sq_mi")...)
	}
	if timezone {
		v.Summary = append(v.Summary, command.Columns("timezone", "timezone.iana_name")...)
	}
	return v
}
