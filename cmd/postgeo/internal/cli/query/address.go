package query

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

type addressOptions struct {
	Addresses []string `arg:"" join:"addresses" optional:"" name:"address" help:"A US address; quote each of several. - reads addresses from standard input, one per line."`
	CSV       string   `name:"csv" help:"Table of addresses (.csv, .tsv, .ndjson, .parquet, also .gz; - is standard input) with a header." placeholder:"FILE"`
	Column    []string `help:"Column of --csv with the address; several are joined in the given order, unless fields are named: street=NAME,city=NAME,zip=NAME." placeholder:"NAME"`
	Delimiter string   `help:"Delimiter of --csv, such as ';', '|' or tab. Default: comma, tab for .tsv." placeholder:"CHAR"`
	Lenient   bool     `help:"Accept rows of --csv with too few or too many cells; surplus cells are ignored."`
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
		"postgeo address --csv customers.csv --column street,city,zip -i coordinates", "the rows of a table",
	)
}

// Check implements the command.
func (o *addressOptions) Check(*command.Env) error {
	const name = "postgeo address"
	fields := o.key() != ""
	switch {
	case o.CSV == "" && len(o.Addresses) == 0 && !fields:
		return command.UsageOf(name, `missing address; pass it in quotes, or use - for standard input, or --csv FILE --column NAME`)
	case fields && (o.CSV != "" || len(o.Addresses) > 0):
		return command.UsageOf(name, `--street, --unit, --city, --state, --zip and --country exclude addresses and --csv`)
	case o.CSV != "" && len(o.Addresses) > 0:
		return command.UsageOf(name, `--csv and addresses exclude each other`)
	case (o.CSV != "") != (len(o.Column) > 0):
		return command.UsageOf(name, `--csv and --column must be used together`)
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
	if o.CSV != "" {
		in := table.Input{Lenient: o.Lenient}
		if in.Delimiter, err = command.Delimiter("--delimiter", o.Delimiter); err != nil {
			return err
		}
		src, err := command.OpenTable(c.Context, c.Env, o.CSV, in)
		if err != nil {
			return err
		}
		if lines, err = addressLines(src, o.Column); err != nil {
			return errors.Join(err, src.Close())
		}
	}
	return c.Each(lines, func(text string) envelope.Input { return addressOf(text).Echo() }, func(text string) (any, []envelope.Notice, error) {
		if o.Parse {
			r, err := operation.ReadAddress(addressOf(text))
			return r, nil, err
		}
		return o.match(c, addressOf(text))
	})
}

func (o *addressOptions) match(c *command.Call, a operation.AddressValue) (any, []envelope.Notice, error) {
	opt, _ := o.Options(lastTractYear(c))
	m, err := a.Match(c.Context, c.DB, opt)
	if err != nil {
		return nil, nil, err
	}
	return m, m.Notices, nil
}

// addressLines yields the values of some columns of each row, joined by commas,
// and closes the table.
func addressLines(src *table.Source, names []string) (iter.Seq2[string, error], error) {
	keys, err := src.FindKeys(table.Names{Address: names})
	if missing, ok := errors.AsType[*table.KeyError](err); ok {
		return nil, command.Usage(`--column: %s`, strings.TrimPrefix(missing.Error(), "table: "))
	}
	return func(yield func(string, error) bool) {
		defer src.Close()
		for row, err := range src.Places(keys) {
			if !yield(row.Key, err) {
				return
			}
		}
	}, err
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
	v := command.View{Array: o.CSV != "" || len(o.Addresses) > 1 || slices.Contains(o.Addresses, "-"), All: output.Columns[address.Match]()}
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
