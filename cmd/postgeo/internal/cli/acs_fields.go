package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// acsFieldsCmd is "postgeo acs fields".
type acsFieldsCmd struct {
	Search  string `help:"Words of which each occurs in the name or the label." placeholder:"TEXT"`
	Profile string `help:"Profile: demographic, social, economic or housing." placeholder:"PROFILE"`
	Section string `help:"Section of a profile, e.g. income." placeholder:"NAME"`
	Kind    string `help:"Kind: count, median, mean, rate, ratio or percent_only." placeholder:"KIND"`
	Year    int    `help:"Only fields that this year's table has." placeholder:"YEAR"`
	Every   bool   `help:"Only fields that are served in every year."`
	Extras  bool   `help:"Also fields that are not part of the interface."`
	Years   bool   `help:"Write a row for each year, with its column and how it compares."`

	formatFlag
}

// A fieldRow describes a field.
type fieldRow struct {
	Field       string   `json:"field"`
	Kind        acs.Kind `json:"kind"`
	Label       string   `json:"label"`
	Universe    string   `json:"universe,omitzero"`    // the total that tells how many it speaks of
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

// Run lists the fields.
func (c *acsFieldsCmd) Run(env *Env) error {
	fields, err := c.fields()
	if err != nil {
		return err
	}
	if len(fields) == 0 {
		env.say("not found: no field is like that")
		return errReported
	}
	if c.Years {
		summary := []output.Column{output.PathColumn("field"), output.PathColumn("year"), output.PathColumn("column"), output.PathColumn("comparability")}
		opts, err := c.options(env, view{all: output.Columns[fieldYear](), summary: summary, array: true})
		if err != nil {
			return err
		}
		var rows []*fieldYear
		for _, f := range fields {
			for _, year := range f.Years() {
				rows = append(rows, &fieldYear{f.Key(), year, f.Column(year), f.In(year), f.LabelIn(year), f.Note})
			}
		}
		return writeAll(env.Stdout, opts, rows)
	}
	summary := []output.Column{output.PathColumn("field"), output.PathColumn("kind"), output.PathColumn("years"), output.PathColumn("label")}
	opts, err := c.options(env, view{all: output.Columns[fieldRow](), summary: summary, array: true})
	if err != nil {
		return err
	}
	var rows []*fieldRow
	for _, f := range fields {
		row := &fieldRow{
			Field: f.Key(), Kind: f.Kind, Label: f.LabelIn(0), Denominator: f.Denominator, Weight: f.Weight, Dollars: f.Dollars(), Core: f.Core,
			Years: spans(f.StableYears()), Note: f.Note,
		}
		if u := acs.UniverseOf(f); u != nil && u != f {
			row.Universe = u.Key()
		}
		rows = append(rows, row)
	}
	return writeAll(env.Stdout, opts, rows)
}

// fields reads the flags and finds the fields.
func (c *acsFieldsCmd) fields() ([]*acs.Field, error) {
	q := acs.Query{Section: c.Section, Year: c.Year, Every: c.Every, Text: c.Search, Served: !c.Extras}
	if c.Profile != "" {
		var ok bool
		if q.Profile, ok = acs.ParseProfile(c.Profile); !ok {
			return nil, wrongUse("--profile is %q; expected demographic, social, economic or housing", c.Profile)
		}
	}
	if c.Kind != "" {
		for k := acs.Count; k <= acs.PercentOnly; k++ {
			if k.String() == c.Kind {
				q.Kind = k
			}
		}
		if q.Kind == 0 {
			return nil, wrongUse("--kind is %q; expected count, median, mean, rate, ratio or percent_only", c.Kind)
		}
	}
	if known := sections(); c.Section != "" && !slices.Contains(known, c.Section) {
		return nil, wrongUse("--section is %q; expected one of %s", c.Section, strings.Join(known, ", "))
	}
	return acs.Fields(q), nil
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

// spans writes ascending years as spans, e.g. "2011-2013, 2015-2024".
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
		text = joinText(text, ", ", span)
		i = k + 1
	}
	return text
}
