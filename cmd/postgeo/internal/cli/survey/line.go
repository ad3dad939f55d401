package survey

import (
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
)

// lineOptions are the flags of commands that write lines of years.
type lineOptions struct {
	operation.LineParams
	Wide bool `help:"Write a row for each area and field, with columns for each year; default is a row for each year."`

	figureOptions
	command.Data
	command.Format

	years  []int
	layout acs.Layout
}

// view returns the columns of lines over some years.
func (o *lineOptions) view(years []int) (command.View, error) {
	fields, err := acs.ParseFields(o.Fields...)
	if err != nil {
		return command.View{}, usage(err)
	}
	o.years = years
	if o.Wide {
		o.layout = acs.Wide
	}
	var sample []acs.Line // decides the columns
	for _, field := range fields {
		l := acs.Line{Field: field.Key()}
		for _, y := range years {
			l.Points = append(l.Points, acs.Figure{Year: y})
		}
		sample = append(sample, l)
	}
	columns := command.Paths(acs.Rows(sample, o.layout)[0]...)
	v := command.View{All: columns, Summary: columns}
	if !o.Wide {
		v.Summary = summaryOfLines(fields)
	}
	return v, nil
}

func summaryOfLines(fields []*acs.Field) []output.Column {
	estimate, percent, median := false, false, false
	for _, f := range fields {
		estimate = estimate || f.Kind != acs.PercentOnly
		percent = percent || f.Kind == acs.PercentOnly || f.Denominator != ""
		median = median || f.Kind == acs.Median
	}
	var columns []output.Column
	add := func(on bool, header, path string) {
		if on {
			columns = append(columns, command.Columns(header, path)...)
		}
	}
	add(true, "area", "area")
	add(len(fields) > 1, "field", "field")
	add(true, "year", "year")
	add(estimate, "estimate", "est")
	add(estimate, "± moe", "moe")
	add(percent, "%", "pct")
	add(percent, "± %", "pct_moe")
	add(true, "cv %", "cv_pct")
	add(true, "reliability", "reliability")
	add(median, "of brackets", "bracket_median")
	add(median, "± of brackets", "bracket_moe")
	add(true, "status", "status")
	return columns
}

// result returns lines of areas as they come: in JSON and JSONL the lines, else their
// rows.
func (o *lineOptions) result(c *command.Call, lines iter.Seq2[[]acs.Line, error]) command.Result {
	return command.Stream(func(yield func(any, error) bool) {
		for lines, err := range lines {
			if err != nil {
				yield(nil, err)
				return
			}
			o.look(c, lines)
			for _, item := range o.items(c, lines) {
				if !yield(item, nil) {
					return
				}
			}
		}
	})
}

// items returns the lines, or their rows.
func (o *lineOptions) items(c *command.Call, lines []acs.Line) (items []any) {
	if f := c.Output.Format; f == output.JSON || f == output.JSONL {
		for i := range lines {
			items = append(items, &lines[i])
		}
		return items
	}
	rows := acs.Rows(lines, o.layout)
	status := slices.Index(rows[0], "status")
	for _, cells := range rows[1:] {
		if status >= 0 && c.People() && cells[status] == string(acs.Available) {
			cells[status] = ""
		}
		var row output.Row
		for i, name := range rows[0] {
			if cells[i] != "" {
				row = append(row, output.Cell{Name: name, Value: cells[i]})
			}
		}
		items = append(items, row)
	}
	return items
}

// look reports notes that rows have no room for.
func (o *lineOptions) look(c *command.Call, lines []acs.Line) {
	found := false
	var notes []string
	for i := range lines {
		found = found || slices.ContainsFunc(lines[i].Points, func(f acs.Figure) bool { return f.Status == acs.Available })
		for _, n := range lines[i].Notes {
			if !slices.Contains(notes, n) {
				notes = append(notes, n)
			}
		}
	}
	if !found {
		c.MissingOfMany(`not found: %s has no figure of %s in these years`, lines[0].Area, strings.Join(o.Fields, ", "))
	}
	if c.People() && len(o.years) > 1 {
		for _, n := range notes {
			c.Report(`note: %s: %s`, lines[0].Area, n)
		}
	}
}
