package svg

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// Sizes of the parts of a chart, in pixels.
const (
	chartRatio  = 0.5 // height of the frame by the chart's width
	axisHeight  = 22  // the labels of steps
	labelGap    = 14  // between labels at the ends of lines
	maxEndWidth = 200
	stepWidth   = 38 // for the label of a step
)

// Append appends the chart as an SVG document, or returns an error and dst
// unchanged. Equal charts give equal bytes.
func (c *Chart) Append(dst []byte) ([]byte, error) {
	drawn := *c
	if err := drawn.check(); err != nil {
		return dst, err
	}
	p := newPlot(&drawn)
	p.out = dst
	p.begin(float64(p.Width), p.height, p.Title)
	if p.Description != "" {
		p.title("desc", p.Description, maxAttribution)
		p.add("\n")
	}
	p.out = appendChartStyle(p.out)
	p.add(`<rect class="ground" `, place(0, 0, float64(p.Width), p.height), "/>\n")
	if p.Title != "" {
		p.text("title", margin, margin+18, plain(p.Title, min(maxTitle, int((float64(p.Width)-2*margin)/(17*letterWidth)))))
	}
	p.axes()
	for i := range p.Lines {
		p.band(i)
	}
	for i := range p.Lines {
		p.line(i)
	}
	p.ends()
	p.lines(margin, p.frame.Max[1]+axisHeight+smallLine, p.attribution)
	p.add("</svg>\n")
	return p.out, nil
}

// A plot is a chart while it is drawn.
type plot struct {
	*Chart
	canvas
	frame       orb.Bound // where lines are
	height      float64
	attribution []string
	first, last int     // steps
	low, high   float64 // values at the frame's bottom and top
	tick        float64 // between lines across
}

func newPlot(c *Chart) *plot {
	p := &plot{Chart: c}
	p.first, p.last = c.steps()
	p.scale()
	var axis, end float64
	for v := range p.ticks() {
		axis = max(axis, textWidth(p.number(v), smallSize))
	}
	for i := range c.Lines {
		if text := plain(c.Lines[i].Label, maxLabel); text != "" {
			end = max(end, min(textWidth(text, smallSize)+10, maxEndWidth, float64(c.Width)/3))
		}
	}
	width := float64(c.Width)
	top := float64(margin)
	if c.Title != "" {
		top += titleHeight
	}
	p.frame = orb.Bound{Min: orb.Point{margin + axis + 6, top + 4}, Max: orb.Point{width - margin - max(end, 6), top + math.Round(width*chartRatio)}}
	if text := plain(c.Attribution, maxAttribution); text != "" {
		p.attribution = wrap(text, smallSize, width-2*margin)
	}
	p.height = p.frame.Max[1] + axisHeight + float64(len(p.attribution)*smallLine) + margin
	return p
}

// scale chooses round numbers around the values.
func (p *plot) scale() {
	least, most := p.values()
	// A range that is small compared with the values has no round numbers.
	const fewest, smallest = 1e-9, 1e-3
	if size := max(math.Abs(least), math.Abs(most)); most-least < fewest*max(size, smallest) {
		room := size / 10
		if size < smallest {
			room = 1
		}
		least, most = least-room, most+room
	}
	p.tick = roundBelow((most - least) / 3)
	p.low, p.high = p.tick*math.Floor(least/p.tick), p.tick*math.Ceil(most/p.tick)
}

// ticks yields the round numbers from the bottom up.
func (p *plot) ticks() func(yield func(float64) bool) {
	return func(yield func(float64) bool) {
		from := math.Round(p.low / p.tick)
		for i := range int(math.Round(p.high/p.tick)-from) + 1 {
			if !yield((from + float64(i)) * p.tick) {
				return
			}
		}
	}
}

func (p *plot) number(v float64) string {
	decimals := 0
	for step := p.tick; decimals < 6 && step < 1; step *= 10 {
		decimals++
	}
	text, sign := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64), ""
	if v < 0 {
		sign = "-"
	}
	whole, rest := text, ""
	if i := strings.IndexByte(text, '.'); i >= 0 {
		whole, rest = text[:i], text[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return plain(sign+p.Prefix+whole+rest+p.Suffix, min(maxLabel, int(float64(p.Width)/3/(smallSize*letterWidth)))) // as the labels of lines
}

func (p *plot) x(step int) float64 {
	if p.first == p.last {
		return (p.frame.Min[0] + p.frame.Max[0]) / 2
	}
	return p.frame.Min[0] + (p.frame.Max[0]-p.frame.Min[0])*float64(step-p.first)/float64(p.last-p.first)
}

func (p *plot) y(v float64) float64 {
	return p.frame.Max[1] - (p.frame.Max[1]-p.frame.Min[1])*(v-p.low)/(p.high-p.low)
}

// axes draws the lines across with their numbers, and the steps below.
func (p *plot) axes() {
	for v := range p.ticks() {
		y := p.y(v)
		p.add(`<path class="grid" d="M`, px(p.frame.Min[0]), " ", px(y), "H", px(p.frame.Max[0]), "\"/>\n")
		p.text("small end", p.frame.Min[0]-6, y+3.5, p.number(v))
	}
	room := (p.frame.Max[0] - p.frame.Min[0]) / float64(max(p.last-p.first, 1))
	every := int(math.Ceil(stepWidth / room))
	for step := p.last; step >= p.first; step -= every {
		p.text("small tick", p.x(step), p.frame.Max[1]+smallLine+2, strconv.Itoa(step))
	}
}

// runs yields the stretches of a line without a gap.
func (l *Line) runs(whole func(*Value) bool) [][]Value {
	var runs [][]Value
	from := 0
	for i := range l.Points {
		p := &l.Points[i]
		if !whole(p) {
			if i > from {
				runs = append(runs, l.Points[from:i])
			}
			from = i + 1
		} else if i > from && l.Points[i-1].Step+1 < p.Step {
			runs = append(runs, l.Points[from:i])
			from = i
		}
	}
	if from < len(l.Points) {
		runs = append(runs, l.Points[from:])
	}
	return runs
}

// band draws the margins of error around a line.
func (p *plot) band(i int) {
	for _, run := range p.Lines[i].runs(func(v *Value) bool { return v.known() && v.margin() > 0 }) {
		if len(run) == 1 { // as wide as a point
			x := p.x(run[0].Step)
			p.add(`<path class="bar`, strconv.Itoa(i), `" d="M`, px(x), " ", px(p.y(run[0].high())), "V", px(p.y(run[0].low())), "\"/>\n")
			continue
		}
		p.add(`<path class="band`, strconv.Itoa(i), `" d="`)
		for k := range run {
			p.to(k == 0, p.x(run[k].Step), p.y(run[k].high()))
		}
		for k := len(run) - 1; k >= 0; k-- {
			p.to(false, p.x(run[k].Step), p.y(run[k].low()))
		}
		p.add("z\"/>\n")
	}
}

// to moves the pen of a path.
func (p *plot) to(first bool, x, y float64) {
	command := "L"
	if first {
		command = "M"
	}
	p.add(command, px(x), " ", px(y))
}

func (p *plot) line(i int) {
	l, class := &p.Lines[i], strconv.Itoa(i)
	for _, run := range l.runs((*Value).known) {
		if len(run) > 1 {
			p.add(`<path class="line`, class, `" d="`)
			for k := range run {
				p.to(k == 0, p.x(run[k].Step), p.y(run[k].Value))
			}
			p.add("\"/>\n")
		}
		for k := range run {
			p.add(`<circle class="dot`, class, `" cx="`, px(p.x(run[k].Step)), `" cy="`, px(p.y(run[k].Value)), `" r="2.2"`)
			if run[k].Note == "" {
				p.add("/>\n")
				continue
			}
			p.add(">")
			p.title("title", run[k].Note, maxNote)
			p.add("</circle>\n")
		}
	}
}

// ends writes the labels after the last points of the lines, without overlaps.
func (p *plot) ends() {
	type end struct {
		line int
		y    float64
		text string
	}
	var ends []end
	room := int(math.Round((float64(p.Width) - margin - p.frame.Max[0] - 10) / (smallSize * letterWidth)))
	for i := range p.Lines {
		l := &p.Lines[i]
		text := plain(l.Label, max(min(maxLabel, room), 1))
		for k := len(l.Points) - 1; k >= 0 && text != ""; k-- {
			if l.Points[k].known() {
				ends = append(ends, end{i, p.y(l.Points[k].Value), text})
				break
			}
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	// Those that do not fit below each other move up from the bottom.
	for i := range ends {
		if i > 0 {
			ends[i].y = max(ends[i].y, ends[i-1].y+labelGap)
		}
	}
	for i := len(ends) - 1; i >= 0; i-- {
		bottom := p.frame.Max[1]
		if i+1 < len(ends) {
			bottom = ends[i+1].y - labelGap
		}
		ends[i].y = min(ends[i].y, bottom)
		p.text("small name"+strconv.Itoa(ends[i].line), p.frame.Max[0]+8, ends[i].y+3.5, ends[i].text)
	}
}

// dashes distinguish lines in addition to their colors.
var dashes = [MaxChartLines]string{"", "6 3", "2 3", "10 3 2 3", "", "6 3"}

func appendChartStyle(dst []byte) []byte {
	dst = append(dst, "<style>\n"+textStyle+
		".end{text-anchor:end}\n"+
		".tick{text-anchor:middle}\n"+
		".grid{fill:none;stroke-width:.6px}\n"...)
	for i, d := range dashes {
		n := strconv.Itoa(i)
		dst = append(dst, ".line"+n+"{fill:none;stroke-width:2px;stroke-linejoin:round"...)
		if d != "" {
			dst = append(dst, ";stroke-dasharray:"+d...)
		}
		dst = append(dst, "}\n.band"+n+"{fill-opacity:.14}\n.bar"+n+"{stroke-width:5px;stroke-opacity:.2}\n"...)
	}
	return appendThemes(dst, appendChartTheme)
}

func appendChartTheme(dst []byte, t *theme) []byte {
	dst = appendRule(dst, ".ground", "fill", t.paper)
	dst = appendRule(dst, "text", "fill", t.ink)
	dst = appendRule(dst, ".small", "fill", t.muted)
	dst = appendRule(dst, ".grid", "stroke", t.edge)
	for i, color := range [MaxChartLines]string{t.accent, t.focus, t.ink, t.muted, t.ramp[3], t.ramp[4]} {
		n := strconv.Itoa(i)
		dst = appendRule(dst, ".line"+n+",.bar"+n, "stroke", color)
		dst = appendRule(dst, ".band"+n+",.dot"+n+",.name"+n, "fill", color)
	}
	return dst
}
