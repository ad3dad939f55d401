package query

import (
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// eachLine describes the inputs of both commands.
const eachLine = "Arguments are joined by spaces unless quoted. - reads one input per line; jsonl writes one line for each, in order, also for blank ones."

type geocodeOptions struct {
	Addresses []string `arg:"" join:"addresses" name:"text" help:"An address or street crossing; quote each of several. - reads them from standard input, one per line."`
	operation.GeocodeParams
	command.Data
	command.Format
}

func geocodeCommand() *cobra.Command {
	return command.New[geocodeOptions](command.Of(operation.Geocode, codes, eachLine),
		"postgeo geocode 350 5th Ave, New York, NY 10118", "the position of an address",
		`postgeo geocode "5th Ave & W 34th St, New York, NY"`, "of a crossing",
		"postgeo geocode - --format jsonl", "of the addresses on standard input",
	)
}

// Run implements the command.
func (o *geocodeOptions) Run(c *command.Call) error {
	if err := viewPlaces[geocode.Result](c, operation.Geocode, &o.PlaceParams); err != nil {
		return err
	}
	return c.Each(c.Lines(o.Addresses), func(text string) envelope.Input { return envelope.Input{Address: text} }, func(text string) (any, []envelope.Notice, error) {
		r, err := (&operation.GeocodeInput{Address: text, GeocodeParams: o.GeocodeParams}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		return r, r.Notices, nil
	})
}

// viewPlaces sets the columns of places with the included areas.
func viewPlaces[R any](c *command.Call, about *operation.Operation, params *operation.PlaceParams) error {
	include, unknown := params.Areas(lastTractYear(c))
	if err := checkInclude(about, unknown); err != nil {
		return err
	}
	return c.View(command.View{
		All: included(output.Columns[R](), append(include.Flags(), anyLayer), ""),
		Summary: command.Columns("address", "formatted_address", "precision", "precision", "lat", "location.lat", "lon", "location.lon", "radius", "radius_m",
			"number", "number", "street", "street"),
	})
}

type reverseOptions struct {
	Points []string `arg:"" join:"points" name:"point" help:"Latitude and longitude in degrees, such as 40.7484,-73.9857. - reads them from standard input, one per line."`
	operation.ReverseParams
	command.Data
	command.Format
}

func reverseCommand() *cobra.Command {
	return command.New[reverseOptions](command.Of(operation.Reverse, codes, eachLine), "postgeo reverse 40.7484,-73.9857", "the address of a point")
}

// Run implements the command.
func (o *reverseOptions) Run(c *command.Call) error {
	if err := viewPlaces[geocode.Nearest](c, operation.Reverse, &o.PlaceParams); err != nil {
		return err
	}
	return c.Each(c.Lines(o.Points), codeInput, func(text string) (any, []envelope.Notice, error) {
		r, err := (&operation.ReverseInput{Point: text, ReverseParams: o.ReverseParams}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		return r, r.Notices, nil
	})
}
