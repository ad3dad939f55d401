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

	figureOptions
	command.Data
	command.Format
}

// view sets the columns of lines over some years.
func (o *lineOptions) view(c *command.Call, years []int, several bool) error {
	fields, err := acs.ParseFields(o.Fields...)
	if err != nil {
		return usage(err)
	}
	o.Years = years
	return c.View(command.View{All: lineColumns, Summary: summaryOfLines(fields), Array: several})
}

// lineColumns are the columns of a row for each year.
var lineColumns = slices.Concat(command.Paths("area", "field", "year", "vintage", "status", "column", "est", "moe", "pct", "pct_moe", "annotation", "moe_basis", "cv_pct", "reliability", "dollars"),
	command.Columns("bracket_median", "bracket_median.est", "bracket_moe", "bracket_median.moe"), command.Paths("areas_with_data", "areas_without_data", "population_covered_pct"))

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
	add(median, "of brackets", "bracket_median.est")
	add(median, "± of brackets", "bracket_median.moe")
	add(true, "status", "status")
	return columns
}

// write writes lines: in JSON and JSONL the lines, else their rows.
func (o *lineOptions) write(c *command.Call, lines []acs.Line) error {
	o.look(c, lines)
	if f := c.Output.Format; f == output.JSON || f == output.JSONL {
		return command.More(c, lines)
	}
	for i := range lines {
		for _, f := range lines[i].Points {
			if c.People() && f.Status == acs.Available {
				f.Status = ""
			}
			if err := c.Write(output.Row{output.Named("area", lines[i].Area), {Value: f}}); err != nil {
				return err
			}
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
