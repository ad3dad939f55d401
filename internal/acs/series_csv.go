package acs

import (
	"fmt"
	"slices"
	"strconv"
)

// A Layout is an arrangement of lines as rows.
type Layout uint8

// The layouts.
const (
	Long Layout = iota // a row for each year
	Wide               // a row for each line, with columns for each year
)

// longColumns are the columns of a row for each year.
var longColumns = []string{
	"area", "field", "year", "vintage", "status", "column", "est", "moe", "pct", "pct_moe", "annotation", "moe_basis",
	"cv_pct", "reliability", "dollars", "bracket_median", "bracket_moe", "areas_with_data", "areas_without_data", "population_covered_pct",
}

// Rows returns lines as a table of text, with its header first. Cells of
// missing figures are empty.
func Rows(lines []Line, layout Layout) [][]string {
	if layout == Wide {
		return wideRows(lines)
	}
	rows := [][]string{longColumns}
	for i := range lines {
		for k := range lines[i].Points {
			rows = append(rows, longRow(&lines[i], &lines[i].Points[k]))
		}
	}
	return rows
}

func longRow(l *Line, f *Figure) []string {
	median, medianMOE := "", ""
	if f.Bracket != nil {
		median, medianMOE = cell(f.Bracket.Estimate), cell(f.Bracket.MOE)
	}
	dollars := ""
	if f.Dollars != 0 {
		dollars = strconv.Itoa(f.Dollars)
	}
	return []string{
		l.Area, f.Field, strconv.Itoa(f.Year), f.Vintage, f.Status.String(), f.Column,
		cell(f.Estimate), cell(f.MOE), cell(f.Percent), cell(f.PercentMOE), f.Annotation, f.MOEBasis.String(),
		cell(f.CV), f.Reliability.String(), dollars, median, medianMOE, strconv.Itoa(f.With), strconv.Itoa(f.Without), cell(f.Covered),
	}
}

// cell formats a number without trailing zeros; "" if missing.
func cell(v Value) string {
	if !v.IsNumber() {
		return ""
	}
	return string(v.AppendJSON(nil))
}

// wideRows has two columns for each year of any line, and two more if any line
// has percentages.
func wideRows(lines []Line) [][]string {
	var years []int
	percent := false
	for i := range lines {
		if f, ok := FieldByKey(lines[i].Field); ok {
			percent = percent || f.Kind == PercentOnly || f.Denominator != ""
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
			var f Figure
			if k := slices.IndexFunc(l.Points, func(p Figure) bool { return p.Year == y }); k >= 0 {
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
