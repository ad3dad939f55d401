package postgeo

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo/svg"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/fault"
)

func mixedChart(format string, args ...any) error {
	return wrongChart("lines of different kinds in one chart: "+format, args...)
}

func wrongChart(format string, args ...any) error {
	return &Error{Op: "chart", Kind: fault.InvalidParam, Param: "lines", Detail: fmt.Sprintf(format, args...)}
}

// ChartOptions configures a chart of a series.
type ChartOptions struct {
	Percent     bool   // percentages, of fields that have both
	Attribution string // owner of the data; the survey's name precedes it
	Width       int    // in pixels, 320 to 4096; 0: 720
}

// ACSChart returns the chart of a series; its Append draws it. Each line has a
// band for its margins of error, and gaps in years without a figure. All lines
// must be amounts in the same dollars, percentages, or other numbers. Errors match
// [ErrInvalidParam], or [svg.ErrInvalidChart] for limits of charts, such as more
// than six lines.
func ACSChart(lines []ACSLine, opt ChartOptions) (*svg.Chart, error) {
	c := &svg.Chart{Width: opt.Width}
	if len(lines) == 0 {
		return nil, mixedChart("there is no line")
	}
	oneField, oneArea := true, true
	var first unit
	heads := make([]string, len(lines))
	for i := range lines {
		l := &lines[i]
		heads[i] = l.Area + ", " + l.Field
		oneField = oneField && l.Field == lines[0].Field
		oneArea = oneArea && l.Area == lines[0].Area
		u, points := chartPoints(l, opt.Percent)
		if i == 0 {
			first = u
		} else if u != first {
			return nil, mixedChart("%s is %s, %s is %s; draw them apart", lines[0].Field, first, l.Field, u)
		}
		c.Lines = append(c.Lines, svg.Line{Points: points})
	}
	name := func(l *ACSLine) string { return l.Label[strings.LastIndexByte(l.Label, '!')+1:] }
	switch {
	case oneField && oneArea:
		c.Title = name(&lines[0]) + ", " + lines[0].Area
	case oneField:
		c.Title = name(&lines[0])
	case oneArea:
		c.Title = lines[0].Area
	default:
		c.Title = "American Community Survey"
	}
	for i := range lines {
		switch {
		case oneField && oneArea:
		case oneField:
			c.Lines[i].Label = lines[i].Area
		case oneArea:
			c.Lines[i].Label = name(&lines[i])
		default:
			c.Lines[i].Label = lines[i].Area + ": " + name(&lines[i])
		}
	}
	c.Prefix, c.Suffix = first.signs()
	c.Attribution = "American Community Survey, 5-year estimates by their last year; the band is the margin of error at 90 percent confidence."
	if first.dollars > 0 {
		c.Attribution += fmt.Sprintf(" Dollars of %d.", first.dollars)
	} else if first.money {
		c.Attribution += " Dollars of each year."
	}
	if opt.Attribution != "" {
		c.Attribution += " " + opt.Attribution
	}
	c.Description = describe(heads, c)
	return c, nil
}

// A unit is the unit of the values of a chart.
type unit struct {
	percent, money bool
	dollars        int // 0 if each year has its own dollars
}

func (u unit) String() string {
	switch {
	case u.percent:
		return "a percentage"
	case u.money && u.dollars > 0:
		return fmt.Sprintf("money in dollars of %d", u.dollars)
	case u.money:
		return "money in dollars of each year"
	default:
		return "a number"
	}
}

func (u unit) signs() (prefix, suffix string) {
	switch {
	case u.percent:
		return "", "%"
	case u.money:
		return "$", ""
	default:
		return "", ""
	}
}

// chartPoints returns the values of a line and their unit.
func chartPoints(l *ACSLine, percent bool) (u unit, points []svg.Value) {
	for k := range l.Points {
		p := &l.Points[k]
		u.percent = u.percent || percent || p.Kind == acs.PercentOnly
		switch {
		case p.Dollars == 0 || u.percent:
		case !u.money:
			u.money, u.dollars = true, p.Dollars
		case u.dollars != p.Dollars:
			u.dollars = 0
		}
		e, _ := p.Sample(percent)
		v := svg.Value{Step: p.Year, Value: e.Value, Margin: e.MOE}
		if v.Value == v.Value { // is a number
			v.Note = fmt.Sprintf("%s: %s", p.Vintage, figureText(p, percent))
		}
		points = append(points, v)
	}
	return u, points
}

// figureText returns a figure with its margin, e.g. "81,000 ± 2,500".
func figureText(p *ACSFigure, percent bool) string {
	e, _ := p.Sample(percent)
	text := strconv.FormatFloat(e.Value, 'f', -1, 64)
	if !math.IsNaN(e.MOE) {
		text += " ± " + strconv.FormatFloat(e.MOE, 'f', -1, 64)
	}
	if p.Annotation == "+" || p.Annotation == "-" {
		text += " (a bound)"
	}
	return text
}

// describe describes a chart over years. heads name its lines.
func describe(heads []string, c *svg.Chart) string {
	var b strings.Builder
	b.WriteString("Line chart over years.")
	for i, head := range heads {
		var notes, gaps []string
		for _, p := range c.Lines[i].Points {
			if p.Note != "" {
				notes = append(notes, p.Note)
			} else {
				gaps = append(gaps, strconv.Itoa(p.Step))
			}
		}
		fmt.Fprintf(&b, " %s:", head)
		switch len(notes) {
		case 0:
			b.WriteString(" no figures.")
		case 1:
			fmt.Fprintf(&b, " %s.", notes[0])
		default:
			fmt.Fprintf(&b, " from %s to %s.", notes[0], notes[len(notes)-1])
		}
		if len(gaps) > 0 && len(notes) > 0 {
			fmt.Fprintf(&b, " No figure of %s.", strings.Join(gaps, ", "))
		}
	}
	return b.String()
}
