package survey

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/acs"
)

// longColumns are the columns of a row for each year.
var longColumns = []string{
	"area", "field", "year", "vintage", "status", "column", "est", "moe", "pct", "pct_moe", "annotation", "moe_basis",
	"cv_pct", "reliability", "dollars", "bracket_median", "bracket_moe", "areas_with_data", "areas_without_data", "population_covered_pct",
}

// Rows returns lines as a table of text, with its header first. Cells of
// missing figures are empty. A line has a row for each year, or is one wide row with
// columns for each year.
func Rows(lines []acs.Line, wide bool) [][]string {
	if wide {
		return wideRows(lines)
	}
	rows := [][]string{longColumns}
	for i := range lines {
		for k := range lines[i].Points {
			f := &lines[i].Points[k]
			rows = append(rows, longRow(&lines[i], f))
		}
	}
	return rows
}

func longRow(l *acs.Line, f *acs.Figure) []string {
	median, medianMOE := "", ""
	if f.Bracket != nil {
		median, medianMOE = cell(f.Bracket.Estimate), cell(f.Bracket.MOE)
	}
	dollars := ""
	if f.Dollars != 0 {
		dollars = strconv.Itoa(f.Dollars)
	}
	return []string{
		l.Area, f.Field, strconv.Itoa(f.Year), f.Vintage, string(f.Status), f.Column,
		cell(f.Estimate), cell(f.MOE), cell(f.Percent), cell(f.PercentMOE), f.Annotation, string(f.MOEBasis),
		cell(f.CV), string(f.Reliability), dollars, median, medianMOE, strconv.Itoa(f.With), strconv.Itoa(f.Without), cell(f.Covered),
	}
}

// cell formats a number without trailing zeros; "" if missing.
func cell(v acs.Value) string {
	if !v.IsNumber() {
		return ""
	}
	return string(v.AppendJSON(nil))
}

// wideRows has two columns for each year of any line, and two more if any line
// has percentages.
func wideRows(lines []acs.Line) [][]string {
	var years []int
	percent := false
	for i := range lines {
		if f, ok := acs.FieldByKey(lines[i].Field); ok {
			percent = percent || f.Kind == acs.PercentOnly || f.Denominator != ""
		}
		for k := range lines[i].Points {
			years = append(years, lines[i].Points[k].Year)
		}
	}
	slices.Sort(years)
	years = slices.Compact(years)
	header := []string{"area", "field"}
	for _, y := range years {
		header = append(header, fmt.Sprintf("%d_est", y), fmt.Sprintf("%d_moe", y))
		if percent {
			header = append(header, fmt.Sprintf("%d_pct", y), fmt.Sprintf("%d_pct_moe", y))
		}
	}
	rows := [][]string{header}
	for i := range lines {
		l := &lines[i]
		row := []string{l.Area, l.Field}
		for _, y := range years {
			var f acs.Figure
			if k := slices.IndexFunc(l.Points, func(p acs.Figure) bool { return p.Year == y }); k >= 0 {
				f = l.Points[k]
			}
			row = append(row, cell(f.Estimate), cell(f.MOE))
			if percent {
				row = append(row, cell(f.Percent), cell(f.PercentMOE))
			}
		}
		rows = append(rows, row)
	}
	return rows
}
