package cli

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
)

// addressCmd is "postgeo address".
type addressCmd struct {
	Addresses []string `arg:"" join:"addresses" optional:"" name:"address" help:"A US address; of several each in quotes. - reads addresses from standard input, one a line."`
	CSV       string   `name:"csv" help:"Match the rows of this table (.csv, .tsv, .ndjson, .parquet, also .gz; - is standard input), whose first row names the columns." placeholder:"FILE"`
	Column    []string `help:"Column of --csv that holds the address; several are joined in the given order." placeholder:"NAME" sep:","`
	Delimiter string   `help:"What divides the cells of --csv, e.g. ';', '|' or tab. Default: a comma, of .tsv a tab." placeholder:"CHAR"`
	Lenient   bool     `help:"Read rows of --csv with too few or too many cells, instead of ending at them; surplus cells are not looked at."`
	Parse     bool     `help:"Only parse: no dataset is read and nothing is corrected."`
	Include   []string `help:"Enrichments to add: coordinates, census, cd, state_leg, school_district, acs_tract_{profile}[_{year}]." placeholder:"FLAG" short:"i"`

	dataFlag
	formatFlag
}

// Run writes a match, or with --parse a reading, for each address.
func (c *addressCmd) Run(ctx context.Context, env *Env) error {
	switch {
	case c.CSV == "" && len(c.Addresses) == 0:
		return &usageError{reason: "no address is given; give one in quotes, - for standard input, or --csv FILE --column NAME", command: "postgeo address"}
	case c.CSV != "" && len(c.Addresses) > 0:
		return &usageError{reason: "--csv and addresses are both given; give one of them", command: "postgeo address"}
	case (c.CSV != "") != (len(c.Column) > 0):
		return &usageError{reason: "--csv and --column go together", command: "postgeo address"}
	}
	rows, done, err := c.rows(ctx, env)
	if err != nil {
		return err
	}
	defer done()
	several := c.CSV != "" || len(c.Addresses) > 1 || slices.Contains(c.Addresses, "-")
	one, last := parseOne, acs.LastYear
	var include address.Include
	sample := false
	if !c.Parse {
		db, path, err := c.open(env)
		if err != nil {
			return err
		}
		defer db.Close()
		sample, last = path == "", db.LastTractYear()
		one = func(ctx context.Context, text string) (any, []envelope.Notice, error) {
			m, err := db.MatchAddress(ctx, text, postgeo.AddressOptions{Include: include})
			if err != nil {
				return nil, nil, err
			}
			return m, m.Notices, nil
		}
	}
	var unknown []string
	if include, unknown = address.ParseIncludeUntil(c.Include, last); len(unknown) > 0 {
		return wrongUse("--include has no %q; this version knows coordinates, census, cd, state_leg, school_district, acs_tract_{profile} and acs_tract_{profile}_{year}", unknown[0])
	}
	opts, err := c.options(env, c.view(include, several))
	if err != nil {
		return err
	}
	w := output.NewWriter(env.Stdout, opts)
	fails := failures{env: env, several: several, sample: sample}
	lines := inputCodes(c.Addresses, env.Stdin, w.Flush)
	if rows != nil {
		lines = rows
	}
	q := inquiry{opts: opts, fails: &fails, one: one, input: func(text string) envelope.Input { return envelope.Input{Address: text} }}
	if err := q.answer(ctx, w, lines); err != nil {
		return err
	}
	return fails.result()
}

// rows opens the table of --csv; nil without one. done closes it.
func (c *addressCmd) rows(ctx context.Context, env *Env) (rows iter.Seq2[string, error], done func(), err error) {
	done = func() {}
	if c.CSV == "" {
		return nil, done, nil
	}
	in := table.Input{Lenient: c.Lenient}
	if in.Delimiter, err = delimiter("--delimiter", c.Delimiter); err != nil {
		return nil, done, err
	}
	src, err := openTable(ctx, env, c.CSV, in)
	if err != nil {
		return nil, done, err
	}
	done = func() { src.Close() }
	if rows, err = tableColumns(src, c.Column); err != nil {
		done()
		return nil, func() {}, err
	}
	return rows, done, nil
}

// parseOne reads an address without a dataset.
func parseOne(_ context.Context, text string) (any, []envelope.Notice, error) {
	p, err := address.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	r := p.Best().Reading()
	r.Input = &envelope.Input{Address: text}
	return r, nil, nil
}

// view returns the columns of matches or readings. Columns of enrichments that
// are not asked for are left out.
func (c *addressCmd) view(include address.Include, several bool) view {
	v := view{array: several}
	if c.Parse {
		v.all = output.Columns[address.Reading]()
	} else {
		v.all = output.Columns[address.Match]()
	}
	v.all = slices.DeleteFunc(v.all, func(col output.Column) bool {
		if rest, ok := strings.CutPrefix(col.Header, "data."); ok {
			section, _, _ := strings.Cut(rest, ".")
			switch section {
			case "location":
				return !include.Coordinates
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
			case "federal_electoral_district", "dpv_result":
				return true
			}
		}
		return col.Header == "matched" || strings.HasPrefix(col.Header, "input.") && col.Header != "input.address"
	})
	if several && !c.Parse {
		v.summary = []output.Column{
			{Header: "address", Paths: []string{"data.formatted_address"}},
			{Header: "confidence", Paths: []string{"data.confidence"}},
			{Header: "type", Paths: []string{"data.details.record_type.code"}},
		}
		if include.Coordinates {
			v.summary = append(v.summary,
				output.Column{Header: "lat", Paths: []string{"data.location.latitude"}}, output.Column{Header: "lon", Paths: []string{"data.location.longitude"}})
		}
	}
	return v
}
