// Package results prints tables in Markdown, which the documentation copies.
package results

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Table has a title, the names of its columns, and rows of as many cells.
type Table struct {
	Title   string
	Columns []string
	rows    [][]string
}

// Add appends a row. Missing cells at its end are empty. Whole numbers get commas.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(t.Columns))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
		if n, ok := c.(int); ok {
			row[i] = Count(n)
		}
	}
	t.rows = append(t.rows, row)
}

// Print writes the table under its title. Columns of figures are aligned to the right.
func (t *Table) Print(w io.Writer) {
	rule := make([]string, len(t.Columns))
	for i := range rule {
		rule[i] = "---:"
		if i == 0 || slices.ContainsFunc(t.rows, func(r []string) bool { return r[i] != "" && !strings.ContainsAny(r[i], "0123456789") }) {
			rule[i] = "---"
		}
	}
	fmt.Fprintf(w, "\n## %s\n\n", t.Title)
	for _, row := range append([][]string{t.Columns, rule}, t.rows...) {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
}

// Duration returns nanoseconds with three digits and a unit.
func Duration(ns float64) string {
	switch {
	case ns < 999.5:
		return fmt.Sprintf("%.3g ns", ns)
	case ns < 999.5e3:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	case ns < 999.5e6:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	case ns < 600e9:
		return fmt.Sprintf("%.3g s", ns/1e9)
	default:
		return fmt.Sprintf("%.3g min", ns/60e9)
	}
}

// Megabytes returns bytes with three digits and a unit.
func Megabytes(n float64) string {
	const whole = 99.95 // of more, Number has the digits
	if n /= 1e6; n < whole {
		return fmt.Sprintf("%.3g MB", n)
	}
	return Number(n) + " MB"
}

// Median sorts the values and returns the middle one, or 0 if there are none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// Number returns a number rounded to three digits, with commas.
func Number(v float64) string {
	scale := 1.0
	for v/scale >= 999.5 {
		scale *= 10
	}
	return Count(int(math.Round(v/scale) * scale))
}

// Count returns a whole number with commas.
func Count(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
