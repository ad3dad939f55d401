package query

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
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
	Explain   bool     `help:"List the rules and searches that decided: in json and jsonl as a field, else on standard error."`
	addressFields
	Candidates int `help:"Return the next step, the status of each part and up to N candidates, also without a match." least:"1" placeholder:"N"`
	operation.AddressParams

	command.Data
	command.Format

	search address.Options
}

// addressFields are the flags of an address that is divided into its parts.
type addressFields struct {
	Street  string `help:"Number and street, box or route of an address that is divided into its parts." placeholder:"TEXT"`
	Unit    string `help:"Its unit." placeholder:"TEXT"`
	City    string `help:"Its city." placeholder:"TEXT"`
	State   string `help:"Its state or province." placeholder:"ST"`
	ZIP     string `name:"zip" help:"Its ZIP or postal code." placeholder:"CODE"`
	Country string `help:"Its country: US or CA." placeholder:"CC"`
}

// key returns the fields as one text; "" without any.
func (f *addressFields) key() string {
	return (&address.Fields{Street: f.Street, Unit: f.Unit, City: f.City, State: f.State, ZIP: f.ZIP, Country: f.Country}).Key()
}

// Offline implements [command.Offline].
func (o *addressOptions) Offline() bool { return o.Parse }

func addressCommand() *cobra.Command {
	return command.New(command.Spec[addressOptions, address.Match]{
		Name: "address", Group: codes, Short: "Match US addresses to ZIP+4 records, or parse them.",
		Examples: command.Examples(
			"postgeo address 350 5th Ave New York NY 10118", "the ZIP+4 and standard form",
			`postgeo address --parse "350 5th Ave Apt 4, New York NY"`, "the parts, without a dataset",
			"postgeo address --explain 350 5th Ave New York NY 10118", "the rules that decided",
			"postgeo address --candidates 3 350 5th Ave New York NY 10118", "the next step and the candidates",
			"postgeo address --street '350 5th Ave' --unit 500 --city 'New York' --state NY", "an address in parts",
			"postgeo address --csv customers.csv --column street,city,zip -i coordinates", "the rows of a table",
		),
		Check: (*addressOptions).check,
		View:  (*addressOptions).view,
		Run:   (*addressOptions).run,
	})
}

func (o *addressOptions) check(*command.Env) error {
	const name = "postgeo address"
	fields := o.key() != ""
	switch {
	case o.CSV == "" && len(o.Addresses) == 0 && !fields:
		return command.UsageOf(name, `missing address; pass it in quotes, or use - for standard input, or --csv FILE --column NAME`)
	case fields && (o.CSV != "" || len(o.Addresses) > 0):
		return command.UsageOf(name, `--street, --unit, --city, --state, --zip and --country exclude addresses and --csv`)
	case o.CSV != "" && len(o.Addresses) > 0:
		return command.UsageOf(name, `--csv and addresses exclude each other`)
	case o.Candidates > 0 && o.Parse:
		return command.UsageOf(name, `--candidates and --parse exclude each other`)
	case (o.CSV != "") != (len(o.Column) > 0):
		return command.UsageOf(name, `--csv and --column must be used together`)
	}
	return nil
}

// run returns a match, or with --parse a reading, for each address.
func (o *addressOptions) run(c *command.Call) (command.Result, error) {
	lines := c.Inputs(o.Addresses)
	if key := o.key(); key != "" {
		lines = func(yield func(string, error) bool) { yield(key, nil) }
	}
	if o.CSV != "" {
		in := table.Input{Lenient: o.Lenient}
		var err error
		if in.Delimiter, err = command.Delimiter("--delimiter", o.Delimiter); err != nil {
			return command.Result{}, err
		}
		src, err := command.OpenTable(c.Context, c.Env, o.CSV, in)
		if err != nil {
			return command.Result{}, err
		}
		if lines, err = addressLines(src, o.Column); err != nil {
			return command.Result{}, errors.Join(err, src.Close())
		}
	}
	input := func(text string) envelope.Input { return addressOf(text).Echo() }
	return c.EachOf(lines, input, func(text string) (any, []envelope.Notice, error) {
		if o.Parse {
			return parseAddress(addressOf(text))
		}
		opt := o.search
		if o.Candidates > 0 {
			opt.Verdict, opt.Candidates = &address.Verdict{}, o.Candidates
		}
		if o.Explain {
			opt.Explain = &address.Explanation{}
		}
		m, err := addressOf(text).Match(c.Context, c.DB, opt)
		if o.Explain && (err != nil || c.People()) {
			c.Report("%s:\n%s", input(text).Address, strings.TrimRight(opt.Explain.String(), "\n"))
		}
		switch {
		case o.Candidates > 0 && address.Unmatched(err):
			return opt.Verdict, nil, c.FailInput(input(text), err)
		case err != nil:
			return nil, nil, err
		case o.Candidates > 0:
			return opt.Verdict, m.Notices, nil
		case o.Explain && (c.Output.Format == output.JSON || c.Output.Format == output.JSONL):
			return explained{m, opt.Explain}, m.Notices, nil
		}
		return m, m.Notices, nil
	}), nil
}

// An explained match holds the evidence of --explain.
type explained struct {
	*address.Match
	Explanation *address.Explanation `json:"explanation"`
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
		for text, err := range src.Keys(keys) {
			if !yield(text, err) {
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

// parseAddress reads an address without a dataset.
func parseAddress(in operation.AddressValue) (any, []envelope.Notice, error) {
	if in.Fields == nil {
		r, err := address.Read(in.Text)
		return r, nil, err
	}
	p, err := address.ParseFields(*in.Fields)
	if err != nil {
		return nil, nil, err
	}
	r, echo := p.Best().Reading(), in.Echo()
	r.Input = &echo
	return r, nil, nil
}

func lastTractYear(c *command.Call) int {
	if c.DB == nil {
		return acs.LastYear
	}
	return c.DB.LastACSYear(c.Context, acs.Tract)
}

func omitsAreas(section string, include address.Include) bool {
	switch section {
	case "census":
		return !include.Census
	case "congressional_district":
		return !include.CongressionalDistrict
	case "state_legislative":
		return !include.StateLegislative
	case "school_district":
		return !include.SchoolDistrict
	case "acs":
		return len(include.Tract) == 0
	}
	return false
}

// view returns the columns of matches or readings without those of enrichments
// that are not included.
func (o *addressOptions) view(c *command.Call) (command.View, error) {
	search, unknown := o.Options(lastTractYear(c))
	if err := checkInclude(operation.Address, unknown); err != nil {
		return command.View{}, err
	}
	o.search = search
	include := search.Include
	several := o.CSV != "" || len(o.Addresses) > 1 || slices.Contains(o.Addresses, "-")
	v := command.View{Array: several, All: output.Columns[address.Match]()}
	switch {
	case o.Parse:
		v.All = output.Columns[address.Reading]()
	case o.Candidates > 0:
		v.All = output.Columns[address.Verdict]()
	}
	v.All = slices.DeleteFunc(v.All, func(col output.Column) bool {
		if rest, ok := strings.CutPrefix(col.Header, "data."); ok {
			section, _, _ := strings.Cut(rest, ".")
			switch section {
			case "location":
				return !include.Coordinates
			case "federal_electoral_district", "dpv_result":
				return true
			}
			if omitsAreas(section, include) {
				return true
			}
		}
		return col.Header == "matched" || isOtherInput(col.Header, "address")
	})
	if several && !o.Parse && o.Candidates == 0 {
		v.Summary = command.Columns("address", "data.formatted_address", "confidence", "data.confidence", "type", "data.details.record_type.code")
		if include.Coordinates {
			v.Summary = append(v.Summary, command.Columns("lat", "data.location.latitude", "lon", "data.location.longitude")...)
		}
	}
	return v, nil
}
