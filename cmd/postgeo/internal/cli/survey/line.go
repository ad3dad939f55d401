package survey

import (
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
}

// view sets the columns of lines over some years.
func (o *lineOptions) view(c *command.Call, years []int, several bool) (v command.View, err error) {
	fields, err := acs.ParseFields(o.Fields...)
	if err != nil {
		return v, usage(err)
	}
	o.Years = years
	var sample []acs.Line // decides the columns
	for _, field := range fields {
		l := acs.Line{Field: field.Key()}
		for _, y := range years {
			l.Points = append(l.Points, acs.Figure{Year: y})
		}
		sample = append(sample, l)
	}
	columns := command.Paths(Rows(sample, o.Wide)[0]...)
	v = command.View{All: columns, Summary: columns, Array: several}
	if !o.Wide {
		v.Summary = summaryOfLines(fields)
	}
	return v, c.View(v)
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

// write writes lines: in JSON and JSONL the lines, else their rows.
func (o *lineOptions) write(c *command.Call, lines []acs.Line) error {
	o.look(c, lines)
	if f := c.Output.Format; f == output.JSON || f == output.JSONL {
		return command.More(c, lines)
	}
	rows := Rows(lines, o.Wide)
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
		if err := c.Write(row); err != nil {
			return err
		}
	}
	return nil
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
	if c.People() && len(o.Years) > 1 {
		for _, n := range notes {
			c.Report(`note: %s: %s`, lines[0].Area, n)
		}
	}
}
