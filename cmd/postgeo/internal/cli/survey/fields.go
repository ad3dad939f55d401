package survey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
)

type fieldsOptions struct {
	Words []string `arg:"" optional:"" name:"word" help:"Words that all occur in the key or the label; the same as --search."`
	operation.FieldsParams
	Kind   string `help:"Kind: count, median, mean, rate, ratio or percent_only." placeholder:"KIND"`
	Year   int    `help:"Only fields in the table of this year." placeholder:"YEAR"`
	Every  bool   `help:"Only fields that are served in every year."`
	Extras bool   `help:"Also fields that are not part of the interface."`
	Years  bool   `help:"Write a row for each year, with its column and its comparability."`

	command.Format

	fields []*acs.Field
}

// A fieldRow describes a field.
type fieldRow struct {
	Field       string   `json:"field"`
	Kind        acs.Kind `json:"kind"`
	Label       string   `json:"label"`
	Universe    string   `json:"universe,omitzero"`    // the total of its people or households
	Denominator string   `json:"denominator,omitzero"` // of its percentage
	Weight      string   `json:"weight,omitzero"`      // in an aggregate
	Dollars     bool     `json:"dollars"`
	Core        bool     `json:"core"` // a field of the interface
	Years       string   `json:"years"`
	Note        string   `json:"note,omitzero"`
}

// A fieldYear is a field in one year.
type fieldYear struct {
	Field         string            `json:"field"`
	Year          int               `json:"year"`
	Column        string            `json:"column"`
	Comparability acs.Comparability `json:"comparability"`
	Label         string            `json:"label"`
	Note          string            `json:"note,omitzero"`
}

func fieldsCommand() *cobra.Command {
	return command.New[fieldsOptions](command.About{Name: "fields", Short: "List the fields of the survey."},
		"postgeo acs fields median income", "fields about the median income")
}

// Run implements the command.
func (o *fieldsOptions) Run(c *command.Call) error {
	if len(o.fields) == 0 {
		c.Missing(`not found: no field matches`)
		return nil
	}
	if o.Years {
		return command.Rows(c, command.View{All: output.Columns[fieldYear](), Summary: command.Paths("field", "year", "column", "comparability"), Array: true}, fieldYears(o.fields))
	}
	return command.Rows(c, command.View{All: output.Columns[fieldRow](), Summary: command.Paths("field", "kind", "years", "label"), Array: true}, fieldRows(o.fields))
}

func fieldYears(fields []*acs.Field) (rows []fieldYear) {
	for _, f := range fields {
		for _, year := range f.Years() {
			rows = append(rows, fieldYear{f.Key(), year, f.Column(year), f.In(year), f.LabelIn(year), f.Note})
		}
	}
	return rows
}

func fieldRows(fields []*acs.Field) (rows []fieldRow) {
	for _, f := range fields {
		row := fieldRow{
			Field: f.Key(), Kind: f.Kind, Label: f.LabelIn(0), Denominator: f.Denominator, Weight: f.Weight, Dollars: f.Dollars(), Core: f.Core,
			Years: spans(f.StableYears()), Note: f.Note,
		}
		if u := acs.UniverseOf(f); u != nil && u != f {
			row.Universe = u.Key()
		}
		rows = append(rows, row)
	}
	return rows
}

// Check implements the command.
func (o *fieldsOptions) Check(*command.Env) (err error) {
	q := acs.Query{Section: o.Section, Year: o.Year, Every: o.Every, Text: strings.TrimSpace(o.Query + " " + strings.Join(o.Words, " ")), Served: !o.Extras}
	if o.Profile != "" {
		if q.Profile, err = parseProfile(o.Profile); err != nil {
			return err
		}
	}
	kinds := []acs.Kind{"", acs.Count, acs.Median, acs.Mean, acs.Rate, acs.Ratio, acs.PercentOnly}
	if q.Kind = acs.Kind(o.Kind); !slices.Contains(kinds, q.Kind) {
		return command.Usage(command.InvalidValue, "--kind", o.Kind, `count, median, mean, rate, ratio or percent_only`)
	}
	if known := sections(); o.Section != "" && !slices.Contains(known, o.Section) {
		return command.Usage(command.InvalidValue, "--section", o.Section, fmt.Sprintf(`one of %s`, strings.Join(known, ", ")))
	}
	o.fields = acs.Fields(q)
	return nil
}

// sections lists the sections of all profiles, in their order.
func sections() []string {
	var names []string
	for _, f := range acs.Fields(acs.Query{}) {
		if !slices.Contains(names, f.Section) {
			names = append(names, f.Section)
		}
	}
	return names
}

// spans writes ascending years as spans: "2011-2013, 2015-2024".
func spans(years []int) string {
	text := ""
	for i := 0; i < len(years); {
		k := i
		for k+1 < len(years) && years[k+1] == years[k]+1 {
			k++
		}
		span := strconv.Itoa(years[i])
		if k > i {
			span += "-" + strconv.Itoa(years[k])
		}
		text = command.JoinText(text, ", ", span)
		i = k + 1
	}
	return text
}
