package query

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

type addressOptions struct {
	Addresses []string `arg:"" join:"addresses" optional:"" name:"address" help:"A US address; quote each of several. - reads addresses from standard input, one per line."`
	Parse     bool     `help:"Parse only: no dataset is read and nothing is corrected."`

	Street  string `help:"Number and street, box or route of an address that is divided into its parts." placeholder:"TEXT"`
	Unit    string `help:"Its unit." placeholder:"TEXT"`
	City    string `help:"Its city." placeholder:"TEXT"`
	State   string `help:"Its state or province." placeholder:"ST"`
	ZIP     string `name:"zip" help:"Its ZIP or postal code." placeholder:"CODE"`
	Country string `help:"Its country: US or CA." placeholder:"CC"`

	operation.AddressParams

	command.Data
	command.Format
}

// key returns the fields as one text; "" without any.
func (o *addressOptions) key() string {
	return (&address.Fields{Street: o.Street, Unit: o.Unit, City: o.City, State: o.State, ZIP: o.ZIP, Country: o.Country}).Key()
}

// Offline implements [command.Offline].
func (o *addressOptions) Offline() bool { return o.Parse }

func addressCommand() *cobra.Command {
	return command.New[addressOptions](
		command.About{Name: "address", Group: codes, Short: "Match US addresses to ZIP+4 records, or parse them."},
		"postgeo address 350 5th Ave New York NY 10118", "the ZIP+4 and standard form",
		`postgeo address --parse "350 5th Ave Apt 4, New York NY"`, "the parts, without a dataset",
		"postgeo address --street '350 5th Ave' --unit 500 --city 'New York' --state NY", "an address in parts",
	)
}

// Check implements the command.
func (o *addressOptions) Check(*command.Env) error {
	switch fields := o.key() != ""; {
	case !fields && len(o.Addresses) == 0:
		return command.UsageOf("postgeo address", `missing address; pass it in quotes, or use - for standard input`)
	case fields && len(o.Addresses) > 0:
		return command.UsageOf("postgeo address", `--street, --unit, --city, --state, --zip and --country exclude addresses`)
	}
	return nil
}

// Run writes a match, or with --parse a reading, for each address.
func (o *addressOptions) Run(c *command.Call) error {
	v, err := o.view(c)
	if err != nil {
		return err
	}
	if err := c.View(v); err != nil {
		return err
	}
	lines := c.Inputs(o.Addresses)
	if key := o.key(); key != "" {
		lines = func(yield func(string, error) bool) { yield(key, nil) }
	}
	opt, _ := o.Options(lastTractYear(c))
	return c.Each(lines, func(text string) envelope.Input { return addressOf(text).Echo() }, func(text string) (any, []envelope.Notice, error) {
		if o.Parse {
			r, err := operation.ReadAddress(addressOf(text))
			return r, nil, err
		}
		m, err := addressOf(text).Match(c.Context, c.DB, opt)
		if err != nil {
			return nil, nil, err
		}
		return m, m.Notices, nil
	})
}

// addressOf returns the address of a line: the fields of a key, or a text.
func addressOf(line string) operation.AddressValue {
	if fields, ok := address.FieldsOf(line); ok {
		return operation.AddressValue{Fields: &fields}
	}
	return operation.AddressValue{Text: line}
}

// view returns the columns of matches or readings with the included enrichments.
func (o *addressOptions) view(c *command.Call) (command.View, error) {
	search, unknown := o.Options(lastTractYear(c))
	if err := checkInclude(operation.Address, unknown); err != nil {
		return command.View{}, err
	}
	v := command.View{Array: len(o.Addresses) > 1 || slices.Contains(o.Addresses, "-"), All: output.Columns[address.Match]()}
	if o.Parse {
		v.All = output.Columns[address.Reading]()
	}
	coordinates := search.Include.Coordinates
	v.All = slices.DeleteFunc(inputs(included(v.All, append(search.Include.Flags(), anyLayer), "data."), "address"), func(col output.Column) bool {
		part := strings.HasPrefix(col.Header, "data.dpv_result") || strings.HasPrefix(col.Header, "data.federal_electoral_district")
		return part || !coordinates && strings.HasPrefix(col.Header, "data.location.") || col.Header == "matched"
	})
	if v.Array && !o.Parse {
		v.Summary = command.Columns("address", "data.formatted_address", "confidence", "data.confidence", "type", "data.details.record_type.code")
		if coordinates {
			v.Summary = append(v.Summary, command.Columns("lat", "data.location.latitude", "lon", "data.location.longitude")...)
		}
	}
	return v, nil
}
