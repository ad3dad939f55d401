package tables

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

type apportionOptions struct {
	Table  string        `arg:"" help:"Table of counts: CSV, TSV, NDJSON or Parquet; - is standard input."`
	From   string        `arg:"" help:"Kind of its rows: zip, fsa, state, csa or a layer, such as tract."`
	To     string        `arg:"" help:"Areas of the results, like <from>."`
	Key    string        `help:"Column of the codes or GEOIDs. Default: the first." placeholder:"COL"`
	Count  []string      `help:"Columns of counts. Default: all others." placeholder:"COL"`
	Weight lookup.Weight `values:"area,people,housing" placeholder:"WEIGHT" help:"Measure of the shares: area, people by census block group, or housing units of your census blocks. Default: area between codes and a layer, people otherwise."`
	operation.Plans

	command.Data
	command.Format

	counts []map[string]float64 // by column and code
	padded int                  // rows whose code got its leading zeros back
}

// An apportionedRow is an area with a value for each column of counts.
type apportionedRow struct {
	To     string             `json:"to"`
	Weight lookup.Weight      `json:"weight"`
	Basis  string             `json:"basis"`
	Values map[string]float64 `json:"values"`
}

// read reads the counts.
func (o *apportionOptions) read(c *command.Call) error {
	src, err := command.OpenTable(c.Context, c.Env, o.Table, table.Input{})
	if err != nil {
		return err
	}
	defer src.Close()
	header := src.Header()
	if o.Key == "" && len(header) > 0 {
		o.Key = header[0]
	}
	keys, err := src.FindKeys(table.Names{Code: o.Key})
	if err != nil {
		return reason(err)
	}
	if len(o.Count) == 0 {
		o.Count = slices.DeleteFunc(slices.Clone(header), func(name string) bool { return name == o.Key })
	}
	var columns []int
	for _, name := range o.Count {
		at := slices.Index(header, name)
		if at < 0 {
			return command.Usage(`invalid --count %q: must be a column: %s`, name, strings.Join(header, ", "))
		}
		columns = append(columns, at)
		o.counts = append(o.counts, map[string]float64{})
	}
	n := 0
	for p, err := range src.Places(keys) {
		if err != nil {
			if text, ok := command.RowText(err); ok {
				return command.Failure(`%s: %s`, o.Table, text)
			}
			return command.Failure(`%s: %w`, o.Table, err)
		}
		n++
		if err := o.add(p, columns, header); err != nil {
			return command.Failure(`%s: %s`, o.Table, fmt.Sprintf("row %d: %v", n, err))
		}
	}
	return nil
}

// add adds the counts of a row. An empty cell is 0, and rows with the same code add up, as in
// a table of customers by ZIP Code and product.
func (o *apportionOptions) add(p enrich.Place, columns []int, header []string) error {
	key := o.key(strings.TrimSpace(p.Key))
	for i, at := range columns {
		text := strings.TrimSpace(p.Cells[at])
		if text == "" {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v-v != 0 { // not finite
			return fmt.Errorf("column %s: %q is not a number; expected a count", header[at], text)
		}
		o.counts[i][key] += v
	}
	return nil
}

// idDigits are the lengths of the identifiers that begin with the number of a state, and
// of ZIP Codes.
var idDigits = map[lookup.Layer]int{
	"zip": 5, "state": 2, lookup.LayerCounty: 5, lookup.LayerTract: 11, lookup.LayerBlockGroup: 12, lookup.LayerCongressionalDistrict: 4,
}

// key returns the code of a cell as crosswalks have it: with the zeros that a spreadsheet
// removed, 1001 as 01001, and without the end of a ZIP+4 or postal code.
func (o *apportionOptions) key(text string) string {
	layer := lookup.Layer(o.From)
	if l, ok := lookup.ParseLayer(o.From); ok {
		layer = l
	}
	most := 1 // zeros of the number of a state
	if layer == "zip" {
		most = 2
	}
	if n := idDigits[layer] - len(text); n > 0 && n <= most && strings.Trim(text, "0123456789") == "" {
		o.padded++
		text = strings.Repeat("0", n) + text
	}
	if code, err := lookup.ParseCode(text); err == nil && (layer == "zip" || layer == "fsa") {
		switch code.Type() {
		case lookup.ZIP4, lookup.Postal:
			code = code.Parent()
		default:
		}
		return code.String()
	}
	return text
}

func (o *apportionOptions) run(c *command.Call) error {
	if err := o.read(c); err != nil {
		return err
	}
	if o.padded > 0 {
		c.Report(`note: %d codes of %s got their leading zeros back`, o.padded, o.From)
	}
	columns := command.Paths("to", "weight", "basis")
	for _, name := range o.Count {
		columns = append(columns, output.Column{Header: name, Paths: []string{"values." + name}})
	}
	if err := c.View(command.Table(columns)); err != nil {
		return err
	}
	rows := map[string]*apportionedRow{}
	params := operation.CrosswalkParams{Weight: o.Weight, Plans: o.Plans}
	opt := params.Options()
	if len(o.Count) == 0 {
		_, err := c.DB.Apportion(c.Context, nil, lookup.Layer(o.From), lookup.Layer(o.To), opt)
		return cmp.Or(err, errors.New(`not found: the table has no column of counts`))
	}
	// Counts outside all areas, or of codes without a place, are in a row without a code, so
	// that the sum of each column stays that of the table.
	for i, name := range o.Count {
		got, err := c.DB.Apportion(c.Context, o.counts[i], lookup.Layer(o.From), lookup.Layer(o.To), opt)
		if err != nil {
			return err
		}
		add := func(to string, v float64) {
			if rows[to] == nil {
				rows[to] = &apportionedRow{To: to, Weight: got.Weight, Basis: got.Basis, Values: map[string]float64{}}
			}
			rows[to].Values[name] += v
		}
		for to, v := range got.Values {
			add(to, v)
		}
		if got.Outside != 0 {
			add("", got.Outside)
		}
		if len(got.Unplaced) > 0 {
			lost := 0.0
			for _, v := range got.Unplaced {
				lost += v
			}
			if lost != 0 {
				add("", lost)
			}
			lack := map[lookup.Weight]string{lookup.WeightArea: "outline", lookup.WeightPeople: "people", lookup.WeightHousing: "housing units"}[got.Weight]
			c.Report(`note: %s: %d codes of %s have no %s or are unknown, such as %s; their sum of %v is in the row without a code`, name, len(got.Unplaced), o.From, lack, cmp.Or(slices.Max(slices.Collect(maps.Keys(got.Unplaced))), "an empty one"), lost)
		}
	}
	list := make([]apportionedRow, 0, len(rows))
	for _, to := range slices.Sorted(maps.Keys(rows)) {
		list = append(list, *rows[to])
	}
	if len(list) == 0 {
		return errors.New(`not found: no code or GEOID of the table has people or an outline`)
	}
	return command.More(c, list)
}
