package query

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// eachLine describes the inputs of both commands.
const eachLine = " Arguments are joined by spaces unless quoted. - reads one input per line; jsonl writes one line for each, in order, also for blank ones."

type geocodeOptions struct {
	Addresses []string `arg:"" join:"addresses" name:"text" help:"An address or street crossing; quote each of several. - reads them from standard input, one per line."`
	operation.GeocodeParams
	command.Data
	command.Format
}

func geocodeCommand() *cobra.Command {
	return command.New(command.Spec[geocodeOptions, geocode.Result]{
		Name: "geocode", Group: codes, Short: operation.Geocode.Summary, Long: operation.Geocode.Detail + eachLine,
		Examples: command.Examples(
			"postgeo geocode 350 5th Ave, New York, NY 10118", "the position of an address",
			`postgeo geocode "5th Ave & W 34th St, New York, NY"`, "of a crossing",
			"postgeo geocode - --format jsonl", "of the addresses on standard input",
		),
		View: func(o *geocodeOptions, c *command.Call) (command.View, error) {
			return placeView[geocode.Result](c, operation.Geocode, &o.PlaceParams)
		},
		Run: func(o *geocodeOptions, c *command.Call) (command.Result, error) {
			return c.EachOf(c.Lines(o.Addresses), func(text string) envelope.Input { return envelope.Input{Address: text} }, func(text string) (any, []envelope.Notice, error) {
				r, err := (&operation.GeocodeInput{Address: text, GeocodeParams: o.GeocodeParams}).Run(c.Context, c.DB)
				if err != nil {
					return nil, nil, err
				}
				return r, r.Notices, nil
			}), nil
		},
	})
}

// placeView returns the columns of places without those of areas that are not
// included.
func placeView[R any](c *command.Call, about *operation.Operation, params *operation.PlaceParams) (command.View, error) {
	include, unknown := params.Areas(lastTractYear(c))
	if err := checkInclude(about, unknown); err != nil {
		return command.View{}, err
	}
	all := output.Columns[R]()
	return command.View{
		All: slices.DeleteFunc(all, func(col output.Column) bool {
			section, _, _ := strings.Cut(col.Header, ".")
			return omitsAreas(section, include) || section == "federal_electoral_district" && !include.CongressionalDistrict
		}),
		Summary: command.Columns("address", "formatted_address", "precision", "precision", "lat", "location.lat", "lon", "location.lon", "radius", "radius_m",
			"number", "number", "street", "street"),
	}, nil
}

type reverseOptions struct {
	Points []string `arg:"" join:"points" name:"point" help:"Latitude and longitude in degrees, such as 40.7484,-73.9857. - reads them from standard input, one per line."`
	operation.ReverseParams
	command.Data
	command.Format
}

func reverseCommand() *cobra.Command {
	return command.New(command.Spec[reverseOptions, geocode.Nearest]{
		Name: "reverse", Group: codes, Short: operation.Reverse.Summary, Long: operation.Reverse.Detail + eachLine,
		Examples: command.Examples("postgeo reverse 40.7484,-73.9857", "the address of a point"),
		View: func(o *reverseOptions, c *command.Call) (command.View, error) {
			return placeView[geocode.Nearest](c, operation.Reverse, &o.PlaceParams)
		},
		Run: func(o *reverseOptions, c *command.Call) (command.Result, error) {
			return c.EachOf(c.Lines(o.Points), func(text string) envelope.Input { return envelope.Input{Code: text} }, func(text string) (any, []envelope.Notice, error) {
				r, err := (&operation.ReverseInput{Point: text, ReverseParams: o.ReverseParams}).Run(c.Context, c.DB)
				if err != nil {
					return nil, nil, err
				}
				return r, r.Notices, nil
			}), nil
		},
	})
}
