package query

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

type suggestOptions struct {
	operation.SuggestInput

	command.Data
	command.Format
}

func (o *suggestOptions) run(c *command.Call) error {
	v := command.View{
		All:     output.Columns[suggest.Match](),
		Summary: command.Columns("type", "type", "name", "name", "state", "state province", "city", "city", "county", "county", "population", "population"),
	}
	result, err := o.Run(c.Context, c.DB)
	if err != nil {
		return c.Refuse(v, o.Echo(), err)
	}
	if o.Proximity != "" && slices.Contains(result.Notices, notice.Normalized(o.Proximity, "")) {
		return command.Usage(command.InvalidValue, "--proximity", o.Proximity, `latitude,longitude, a ZIP, an FSA, a state or a province of this dataset`)
	}
	if c.Output.Format != output.JSON {
		c.Notices(o.Query, result.Notices)
	}
	if len(result.Matches) == 0 {
		c.Incomplete(`no match for %q`, o.Query)
	}
	return command.Result(c, v, result, result.Matches)
}

type addressOptions struct {
	Addresses []string `arg:"" join:"addresses" optional:"" name:"address" help:"A US address; quote each of several. - reads addresses from standard input, one per line."`
	Parse     bool     `help:"Parse only: no dataset is read and nothing is corrected."`

	addressParts
	operation.AddressParams

	command.Data
	command.Format
}

// addressParts are the flags of one address, the fields of [address.Fields].
type addressParts struct {
	Street  string `help:"Number and street, box or route of an address that is divided into its parts." placeholder:"TEXT"`
	Unit    string `help:"Its unit." placeholder:"TEXT"`
	City    string `help:"Its city." placeholder:"TEXT"`
	State   string `help:"Its state or province." placeholder:"ST"`
	ZIP     string `help:"Its ZIP or postal code." placeholder:"CODE"`
	Country string `help:"Its country: US or CA." placeholder:"CC"`
}

// Offline implements [command.Offline].
func (o *addressOptions) Offline() bool { return o.Parse }

func addressInput(text string) envelope.Input { return envelope.Input{Address: text} }

// run writes a match, or with --parse a reading, for each address.
func (o *addressOptions) run(c *command.Call) error {
	fields, texts := address.Fields(o.addressParts), c.Inputs(o.Addresses)
	switch divided := o.addressParts != (addressParts{}); {
	case !divided && len(o.Addresses) == 0:
		return command.UsageOf("postgeo address", `missing address; pass it in quotes, or use - for standard input`)
	case divided && len(o.Addresses) > 0:
		return command.UsageOf("postgeo address", `--street, --unit, --city, --state, --zip and --country exclude addresses`)
	case divided:
		texts = func(yield func(string, error) bool) { yield(fields.String(), nil) }
	}
	search, unknown := o.Options(lastTractYear(c))
	if err := checkInclude(operation.Address, unknown); err != nil {
		return err
	}
	v := command.View{Array: len(o.Addresses) > 1 || slices.Contains(o.Addresses, "-"), All: output.Columns[address.Match]()}
	if o.Parse {
		v.All = output.Columns[address.Reading]()
	}
	coordinates := search.Include.Coordinates
	v.All = slices.DeleteFunc(inputs(included(v.All, append(search.Flags(), anyLayer), "data."), "address"), func(col output.Column) bool {
		part := strings.HasPrefix(col.Header, "data.dpv_result") || strings.HasPrefix(col.Header, "data.federal_electoral_district")
		return part || !coordinates && strings.HasPrefix(col.Header, "data.location.") || col.Header == "matched"
	})
	if v.Array && !o.Parse {
		v.Summary = command.Columns("address", "data.formatted_address", "confidence", "data.confidence", "type", "data.details.record_type.code")
		if coordinates {
			v.Summary = append(v.Summary, command.Columns("lat", "data.location.latitude", "lon", "data.location.longitude")...)
		}
	}
	// With --parse c.DB is nil, and match is not called.
	match, parse := c.DB.MatchAddress, address.Parse
	if len(o.Addresses) == 0 {
		match = func(ctx context.Context, _ string, search address.Options) (*address.Match, error) {
			return c.DB.MatchAddressFields(ctx, fields, search)
		}
		parse = func(string) ([]address.Address, error) { return address.ParseFields(fields) }
	}
	return c.Each(v, texts, addressInput, func(text string) (any, []envelope.Notice, error) {
		if o.Parse {
			readings, err := parse(text)
			if err != nil {
				return nil, nil, err
			}
			r := readings[0].Reading()
			r.Input = &envelope.Input{Address: text}
			return r, nil, nil
		}
		m, err := match(c.Context, text, search)
		if err != nil {
			return nil, nil, err
		}
		return m, m.Notices, nil
	})
}

// eachLine describes the inputs of both commands of positions.
const eachLine = "Arguments are joined by spaces unless quoted. - reads one input per line; jsonl writes one line for each, in order, also for blank ones."

type geocodeOptions struct {
	Addresses []string `arg:"" join:"addresses" name:"text" help:"An address or street crossing; quote each of several. - reads them from standard input, one per line."`
	operation.GeocodeParams
	command.Data
	command.Format
}

func (o *geocodeOptions) run(c *command.Call) error {
	v, err := placeView[geocode.Result](c, operation.Geocode, &o.PlaceParams)
	if err != nil {
		return err
	}
	return c.Each(v, c.Lines(o.Addresses), addressInput, func(text string) (any, []envelope.Notice, error) {
		r, err := (&operation.GeocodeInput{Address: text, GeocodeParams: o.GeocodeParams}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		return r, r.Notices, nil
	})
}

type reverseOptions struct {
	Points []string `arg:"" join:"codes" name:"point" help:"Latitude and longitude in degrees, such as 40.7484,-73.9857. - reads them from standard input, one per line."`
	operation.ReverseParams
	command.Data
	command.Format
}

func (o *reverseOptions) run(c *command.Call) error {
	v, err := placeView[geocode.Nearest](c, operation.Reverse, &o.PlaceParams)
	if err != nil {
		return err
	}
	return c.Each(v, c.Lines(o.Points), codeInput, func(text string) (any, []envelope.Notice, error) {
		r, err := (&operation.ReverseInput{Point: text, ReverseParams: o.ReverseParams}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		return r, r.Notices, nil
	})
}

// placeView returns the columns of places with the included areas.
func placeView[R any](c *command.Call, about *operation.Operation, params *operation.PlaceParams) (command.View, error) {
	include, unknown := params.Areas(lastTractYear(c))
	return command.View{
		All: included(output.Columns[R](), append(include.Flags(), anyLayer), ""),
		Summary: command.Columns("address", "formatted_address", "precision", "precision", "lat", "location.lat", "lon", "location.lon", "radius", "radius_m",
			"number", "number", "street", "street"),
	}, checkInclude(about, unknown)
}

type distanceOptions struct {
	Codes []string `arg:"" join:"codes" is:"code" name:"from> <to" help:"Codes or latitude,longitude: from the first to each of the others. - reads codes from standard input, one per line."`
	operation.Clock

	command.Data
	command.Format
}

func (o *distanceOptions) run(c *command.Call) error {
	if len(o.Codes) == 1 && o.Codes[0] != "-" {
		return command.UsageOf("postgeo distance", `a distance needs two codes; add a second one`)
	}
	// The first input may come from standard input as well, so it is taken as they are read.
	from := ""
	others := func(yield func(string, error) bool) {
		for code, err := range c.Inputs(o.Codes) {
			if err == nil && from == "" {
				from = code
			} else if !yield(code, err) {
				return
			}
		}
	}
	v := command.View{
		All:     inputs(output.Columns[radius.DistanceResult](), "from", "to"),
		Summary: command.Paths("from", "to", "miles", "km", "bearing"), Array: len(o.Codes) > 2 || slices.Contains(o.Codes, "-"),
	}
	input := func(to string) envelope.Input { return envelope.Input{From: from, To: to} }
	return c.Each(v, others, input, func(to string) (any, []envelope.Notice, error) {
		r, err := (&operation.DistanceInput{Ends: operation.Ends{From: from, To: to}, Clock: o.Clock}).Run(c.Context, c.DB)
		if err != nil {
			return nil, nil, err
		}
		if c.People() {
			c.Notices(from+" to "+to, r.Notices)
		}
		switch {
		case c.People() && len(o.Columns) == 0:
			return output.Row{
				output.Named("from", endText(&r.From)), output.Named("to", endText(&r.To)),
				output.Named("miles", r.Distance.Miles), output.Named("km", r.Distance.Km), output.Named("bearing", r.Bearing),
			}, nil, nil
		case c.Several:
			given := input(to)
			r.Input = &given
		}
		return r, nil, nil
	})
}

// endText names an end: its code, or its coordinate, and its place.
func endText(e *radius.End) string {
	return placeName(cmp.Or(e.Code, e.Location.String()), e.City, e.State)
}
