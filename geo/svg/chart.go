package svg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/geo"
)

// ErrInvalidChart indicates a chart that cannot be drawn.
var ErrInvalidChart = errors.New("svg: invalid chart")

// The limits of a chart.
const (
	// MaxChartLines is the maximum number of lines of a chart. More could not
	// be distinguished.
	MaxChartLines = 6
	// maxSteps is the largest distance between steps of a chart.
	maxSteps = 200
	// maxChartValue bounds values, so that their labels can be read.
	maxChartValue = 1e12
)

// A Chart is lines over whole steps, such as years.
type Chart struct {
	Title       string // above the chart; "" leaves the line out
	Description string // for those who cannot see the chart; "" for none
	Attribution string // below the chart: whose data it is; "" leaves it out

	// Prefix and Suffix surround the numbers at the axis, e.g. "$" and "%". A
	// number with both is cut at a third of the width.
	Prefix, Suffix string

	Lines []Line // 1 to [MaxChartLines]

	// Width in pixels, 320 to 4096; zero is [DefaultWidth]. The height is
	// little more than half of it.
	Width int
}

// A Line is the values of one thing.
type Line struct {
	Label  string // written after the end of the line
	Points []Value
}

// A Value is the value of a step.
type Value struct {
	Step int
	// Value is NaN if there is no value; the line then has a gap.
	Value float64
	// Margin is the margin of error to either side, drawn as a band around the
	// line; 0 or NaN for no band.
	Margin float64
	Note   string // shown when the pointer rests on the point
}

// low and high are the ends of the band, or the value.
func (v *Value) low() float64  { return v.Value - v.margin() }
func (v *Value) high() float64 { return v.Value + v.margin() }

func (v *Value) margin() float64 {
	if v.Margin > 0 {
		return v.Margin
	}
	return 0
}

func (v *Value) known() bool { return v.Value == v.Value } // is a number

// check validates the chart, fills in the defaults and sorts the points of each
// line by step.
func (c *Chart) check() error {
	if n := len(c.Lines); n == 0 || n > MaxChartLines {
		return fmt.Errorf("%w: it has %d lines; expected 1 to %d", ErrInvalidChart, n, MaxChartLines)
	}
	c.Width = cmp.Or(c.Width, DefaultWidth)
	if c.Width < minWidth || c.Width > maxWidth {
		return fmt.Errorf("%w: it is %d pixels wide; expected %d to %d", ErrInvalidChart, c.Width, minWidth, maxWidth)
	}
	c.Lines = slices.Clone(c.Lines)
	known := false
	for i := range c.Lines {
		l := &c.Lines[i]
		l.Points = slices.Clone(l.Points)
		slices.SortStableFunc(l.Points, func(a, b Value) int {
			switch {
			case a.Step < b.Step:
				return -1
			case a.Step > b.Step:
				return 1
			default:
				return 0
			}
		})
		for k := range l.Points {
			p := &l.Points[k]
			if k > 0 && l.Points[k-1].Step == p.Step {
				return fmt.Errorf("%w: line %d, %.20q, has two values of step %d", ErrInvalidChart, i, l.Label, p.Step)
			}
			if !p.known() {
				continue
			}
			known = true
			if math.Abs(p.Value) > maxChartValue || p.Margin > maxChartValue || p.Margin < 0 {
				return fmt.Errorf("%w: line %d, %.20q, has the value %v ± %v; expected at most %v", ErrInvalidChart, i, l.Label, p.Value, p.Margin, maxChartValue)
			}
		}
	}
	if !known {
		return fmt.Errorf("%w: none of its lines has a value", ErrInvalidChart)
	}
	if first, last := c.steps(); last < first || last-first > maxSteps || last-first < 0 {
		return fmt.Errorf("%w: it reaches from step %d to %d; expected at most %d steps", ErrInvalidChart, first, last, maxSteps)
	}
	return nil
}

func (c *Chart) steps() (first, last int) {
	first, last = math.MaxInt, math.MinInt
	for i := range c.Lines {
		if p := c.Lines[i].Points; len(p) > 0 {
			first, last = min(first, p[0].Step), max(last, p[len(p)-1].Step)
		}
	}
	return first, last
}

// values returns the least and the greatest value, bands included.
func (c *Chart) values() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for i := range c.Lines {
		for k := range c.Lines[i].Points {
			if p := &c.Lines[i].Points[k]; p.known() {
				least, most = min(least, p.low()), max(most, p.high())
			}
		}
	}
	return least, most
}

// scaleBar draws a bar of a round number of miles and one of kilometers.
func (d *drawing) scaleBar(x, y float64) {
	longest := (d.frame.Max[0] - d.frame.Min[0]) / 4 / d.projection.pixelsPerUnit // meters
	bar := func(y float64, n float64, unit string, length geo.Meters) {
		width := float64(length) * d.projection.pixelsPerUnit
		d.add(`<path class="bar" d="M`, px(x), " ", px(y-4), "V", px(y), "H", px(x+width), "V", px(y-4), "\"/>\n")
		d.text("small", x+width+5, y+2, strconv.FormatFloat(n, 'f', -1, 64)+" "+unit)
	}
	miles := roundBelow(float64(geo.Meters(longest).Miles()))
	bar(y, miles, "mi", geo.Miles(miles).Meters())
	km := roundBelow(float64(geo.Meters(longest).Kilometers()))
	bar(y+smallLine, km, "km", geo.Kilometers(km).Meters())
}

// roundBelow returns the largest of 1, 2 or 5 times a power of ten that is at
// most v, which is more than 0.
func roundBelow(v float64) float64 {
	// The power is found by comparing, so that the result does not hang on the
	// last bit of a logarithm.
	power := int(math.Floor(math.Log10(v)))
	for _, n := range [...]struct {
		factor float64
		shift  int
	}{{1, 1}, {5, 0}, {2, 0}, {1, 0}, {5, -1}} {
		text := strconv.Itoa(int(n.factor)) + "e" + strconv.Itoa(power+n.shift)
		if round, err := strconv.ParseFloat(text, 64); err == nil && round <= v {
			return round
		}
	}
	return v
}

// legend draws the meanings of the colors if values are drawn.
func (d *drawing) legend(x, y float64) {
	valued := false
	for i := range d.Areas {
		valued = valued || d.Areas[i].Percent != nil && d.Areas[i].Class != Backdrop
	}
	if !valued {
		return
	}
	const width, height = 26, 9
	left := x - steps*width - 8
	if text := plain(d.Legend, maxLabel); text != "" {
		d.text("small end", left-8, y+2, text)
	}
	for i := range steps {
		d.add(`<rect class="area s`, strconv.Itoa(i), `" x="`, px(left+float64(i)*width), `" y="`, px(y-height+3), `" width="`, px(width), `" height="`, px(height), "\"/>\n")
	}
	for i := range steps + 1 {
		text := strconv.Itoa(i * 100 / steps)
		if i == steps {
			text += "%"
		}
		d.text("small tick", left+float64(i)*width, y+smallLine, text)
	}
}
