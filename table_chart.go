package postgeo

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo/svg"
	"github.com/postgeo/postgeo/internal/lookup"
)

// TableChart returns the chart of columns of a table of a user over the years; its
// Append draws it. Each area has a line for each column, with gaps in years without a
// value. No column means all with numbers. The columns must have one meaning, such as
// counts. Errors match [ErrInvalidParam], or [svg.ErrInvalidChart] for limits of
// charts, such as more than six lines. Percent has no effect.
func TableChart(areas []TableRow, columns []string, opt ChartOptions) (*svg.Chart, error) {
	c := &svg.Chart{Width: opt.Width}
	all, meanings := map[string]Meaning{}, map[Meaning]bool{}
	years := map[int]bool{}
	for i := range areas {
		for y := range yearsOf(&areas[i]) {
			years[*y.Year] = true
			for name, column := range y.Columns {
				all[name] = column.Meaning
			}
		}
	}
	if len(columns) == 0 {
		columns = slices.Sorted(maps.Keys(all))
		columns = slices.DeleteFunc(columns, func(name string) bool { return all[name] == lookup.MeaningCategory })
	}
	for _, name := range columns {
		meaning, ok := all[name]
		if !ok || meaning == lookup.MeaningCategory {
			return nil, wrongChart("the column %q has no numbers of a known year", name)
		}
		meanings[meaning] = true
	}
	switch len(meanings) {
	case 0:
		return nil, wrongChart("no column has numbers of a known year")
	case 1:
	default:
		return nil, mixedChart("the columns %s have several meanings; draw them apart", strings.Join(columns, ", "))
	}
	var heads []string
	for i := range areas {
		a := &areas[i]
		area := strings.TrimSpace(a.ID + " " + a.Name)
		for _, name := range columns {
			label := area
			if len(areas) == 1 {
				label = name
			} else if len(columns) > 1 {
				label += ": " + name
			}
			heads = append(heads, area+", "+name)
			c.Lines = append(c.Lines, svg.Line{Label: label, Points: valuesOf(a, name, slices.Sorted(maps.Keys(years)))})
		}
	}
	c.Title = strings.Join(columns, ", ")
	if len(areas) == 1 {
		c.Title += ", " + strings.TrimSpace(areas[0].ID+" "+areas[0].Name)
	}
	if len(c.Lines) == 1 {
		c.Lines[0].Label = ""
	}
	c.Attribution = areas[0].Source + ", divided by " + areas[0].Weight.String() + "."
	if opt.Attribution != "" {
		c.Attribution += " " + opt.Attribution
	}
	c.Description = describe(heads, c)
	return c, nil
}

// yearsOf yields the values of known years.
func yearsOf(a *TableRow) iter.Seq[*OwnYear] {
	return func(yield func(*OwnYear) bool) {
		if a.Values.Year != nil && !yield(&a.Values) {
			return
		}
		for i := range a.Years {
			if a.Years[i].Year != nil && !yield(&a.Years[i]) {
				return
			}
		}
	}
}

// valuesOf returns the values of a column in some years.
func valuesOf(a *TableRow, column string, years []int) (points []svg.Value) {
	for _, year := range years {
		p := svg.Value{Step: year, Value: math.NaN()}
		if y := a.Year(year); y != nil {
			if v := y.Columns[column].Value; v != nil {
				p.Value, p.Note = *v, strconv.Itoa(year)+": "+strconv.FormatFloat(*v, 'f', -1, 64)
			}
		}
		points = append(points, p)
	}
	return points
}
