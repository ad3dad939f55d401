package svg

import (
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// Sizes of the parts of a map, in pixels.
const (
	margin      = 12
	titleHeight = 30
	smallLine   = 15
	smallSize   = 11 // of lesser texts and labels
	barHeight   = 40 // the scale bar and the legend
)

// Append appends the map as an SVG document. Nothing is appended when it is
// refused.
func (m *Map) Append(dst []byte) ([]byte, error) {
	drawn := *m
	if err := drawn.check(); err != nil {
		return dst, err
	}
	d := newDrawing(&drawn)
	d.out = dst
	d.head()
	d.areas()
	d.points(false)
	d.circles()
	d.points(true)
	d.texts()
	d.foot()
	return d.out, nil
}

// A drawing is a map while it is drawn.
type drawing struct {
	*Map
	canvas
	projection  *projection
	frame       orb.Bound // of the map
	near        bool      // areas are drawn
	attribution []string  // in lines
	height      float64
	labels      []label
	taken       []orb.Bound // occupied by labels
	cross       orb.Bound   // in the middle of circles
	crossed     bool
}

func newDrawing(m *Map) *drawing {
	d := &drawing{Map: m}
	width := float64(m.Width)
	top := float64(margin)
	if m.Title != "" {
		top += titleHeight
	}
	side := width - 2*margin
	d.frame = orb.Bound{Min: orb.Point{margin, top}, Max: orb.Point{margin + side, top + side}}
	d.projection = newProjection(m.Center, side/2/float64(m.Extent), margin+side/2, top+side/2)
	if text := plain(m.Attribution, maxAttribution); text != "" {
		d.attribution = wrap(text, smallSize, side)
	}
	d.height = top + side + barHeight + float64(len(d.attribution)*smallLine) + margin
	return d
}

func (d *drawing) head() {
	d.begin(float64(d.Width), d.height, d.Title)
	d.out = appendStyle(d.out)
	f := d.frame
	inside := place(f.Min[0], f.Min[1], f.Max[0]-f.Min[0], f.Max[1]-f.Min[1])
	d.add(`<rect class="ground" `, place(0, 0, float64(d.Width), d.height), "/>\n")
	if d.Title != "" {
		d.text("title", margin, margin+18, plain(d.Title, min(maxTitle, int((f.Max[0]-f.Min[0])/(17*letterWidth)))))
	}
	// A nested document clips shapes at the frame without an id, which could
	// clash between several maps in one page.
	d.add(`<svg `, inside, ` viewBox="`, px(f.Min[0]), " ", px(f.Min[1]), " ", px(f.Max[0]-f.Min[0]), " ", px(f.Max[1]-f.Min[1]), `">`, "\n")
	// Without land, water would be everywhere.
	base := "bare"
	if slices.ContainsFunc(d.Areas, func(a Area) bool { return a.Land }) {
		base = "sea"
	}
	d.add(`<rect class="`, base, `" `, inside, "/>\n")
}

func (d *drawing) shapePath(s *shape, class string) {
	d.add(`<path class="`, class, `" d="`)
	d.out = append(d.out, s.path...)
	if s.Note == "" {
		d.add("\"/>\n")
		return
	}
	d.add(`">`)
	d.title("title", s.Note, maxNote)
	d.add("</path>\n")
}

// circles draws the circles, a veil beyond the larger one, and a cross in
// their middle if no point is marked there.
func (d *drawing) circles() {
	if path := d.circle(d.Radius); path != "" {
		d.add(`<path class="veil" d="`)
		d.out = appendPath(d.out, d.around())
		d.add(path, "\"/>\n")
	}
	if path := d.circle(d.MinRadius); path != "" {
		d.line("circle inner", path)
	}
	if path := d.circle(d.Radius); path != "" {
		d.line("circle", path)
	}
	if d.Radius == 0 || slices.ContainsFunc(d.Points, func(p Point) bool { return p.Class == Focus && p.At == d.Center }) {
		return
	}
	const arm = 6
	x, y := d.projection.middleX, d.projection.middleY
	d.line("cross", "M"+px(x-arm)+" "+px(y)+"H"+px(x+arm)+"M"+px(x)+" "+px(y-arm)+"V"+px(y+arm))
	d.crossed = true
	d.cross = orb.Bound{Min: orb.Point{x - arm, y - arm}, Max: orb.Point{x + arm, y + arm}}
}

// circle returns the path of a circle about the center, "" for none.
func (d *drawing) circle(radius geo.Meters) string {
	if radius == 0 {
		return ""
	}
	circle, err := geo.NewCircle(d.Center, radius)
	if err != nil {
		return "" // check has seen to it
	}
	const corners = 240
	ring, _ := circle.Ring(corners) // a valid number
	for i, v := range ring {
		ring[i] = d.projection.pixel(v[0], v[1])
	}
	if outline := draw(ring, d.frame); outline != nil {
		return string(appendPath(nil, outline))
	}
	return ""
}

// around returns the frame and a little more.
func (d *drawing) around() []corner {
	x1, y1, x2, y2 := tenths(d.frame.Min[0]-border), tenths(d.frame.Min[1]-border), tenths(d.frame.Max[0]+border), tenths(d.frame.Max[1]+border)
	return []corner{{x1, y1}, {x2, y1}, {x2, y2}, {x1, y2}}
}

// points draws the points of the class Focus, or the others.
func (d *drawing) points(focus bool) {
	classes := [...]string{Backdrop: "point backdrop", Found: "point", Focus: "point focus"}
	usual := d.dot()
	for i := range d.Points {
		p := &d.Points[i]
		if !p.At.IsValid() || (p.Class == Focus) != focus {
			continue
		}
		at := d.projection.pixel(p.At.Lng(), p.At.Lat())
		if !d.frame.Contains(at) {
			continue
		}
		radius := usual
		if focus {
			radius = 5
		}
		d.add(`<circle class="`, classes[p.Class], `" cx="`, px(at[0]), `" cy="`, px(at[1]), `" r="`, px(radius), `"`)
		if p.Note == "" {
			d.add("/>\n")
		} else {
			d.add(">")
			d.title("title", p.Note, maxNote)
			d.add("</circle>\n")
		}
		if p.Label != "" {
			styles := [...]labelStyle{Backdrop: plainLabel, Found: valueLabel, Focus: markedLabel}
			d.labels = append(d.labels, label{text: plain(p.Label, maxLabel), x: at[0], y: at[1], beside: radius + 4, style: styles[p.Class]})
		}
	}
}

// dot returns the radius of points: small among areas. Without areas they are as large
// as they can be without hiding each other in a circle, or in the middle of the map.
func (d *drawing) dot() float64 {
	const small, least, most, share = 2.5, 1.5, 6, 0.8
	if d.near {
		return small
	}
	across := 150.0
	if d.Radius != 0 {
		across = float64(d.Radius) * d.projection.pixelsPerUnit
	}
	return min(most, max(least, share*across/math.Sqrt(float64(len(d.Points)))))
}

// line draws a line over areas, with a halo, since the background may have any
// color.
func (d *drawing) line(class, path string) {
	for _, c := range [...]string{"halo", class} {
		d.add(`<path class="`, c, `" d="`, path, "\"/>\n")
	}
}

// foot draws the part below the map.
func (d *drawing) foot() {
	d.add("</svg>\n")
	y := d.frame.Max[1]
	d.scaleBar(d.frame.Min[0], y+smallLine)
	d.legend(d.frame.Max[0], y+smallLine)
	d.lines(margin, y+barHeight+smallLine-4, d.attribution)
	d.add("</svg>\n")
}

// A theme holds the colors of a map for light or for dark screens. The pages of the
// server have the same; a test compares them.
type theme struct {
	paper  string // around the map
	water  string
	land   string
	edge   string // between areas
	border string // between states, and shores
	focus  string // emphasis
	halo   string // around texts, lines and areas with values
	ink    string // texts and circles
	muted  string // lesser texts
	veil   string // beyond a circle; with opacity
	area   string // over an area that stands out; with opacity
	ramp   [steps]string
	strong string // text on the last step
}

// steps is the number of colors for values.
const steps = 5

const (
	strongStep = steps - 1 // without contrast to the ink
	foundStep  = 3         // of areas and points without a value
)

// The two themes. Each ramp is one hue in steps of lightness; the more, the more it
// stands out from the land. The orange of focus differs from it with any color vision.
var (
	light = theme{
		paper: "#fbfaf7", water: "#d6e4e9", land: "#f6f4ee", edge: "#cfcbc0", border: "#9a968a",
		focus: "#b5440d", halo: "#fdfcf9", ink: "#1c242c", muted: "#55606b", veil: "#fbfaf780", area: "#b5440d1a",
		ramp: [steps]string{"#e3f0f0", "#b4d8db", "#8ac0c6", "#5fa8b3", "#327d8c"}, strong: "#ffffff",
	}
	dark = theme{
		paper: "#14191e", water: "#0e161c", land: "#1d242a", edge: "#39434c", border: "#6d7983",
		focus: "#ff9d5c", halo: "#161c21", ink: "#e9edf0", muted: "#a3aeb8", veil: "#14191e8c", area: "#ff9d5c24",
		ramp: [steps]string{"#21353b", "#264b54", "#2e6570", "#387986", "#5aa3b0"}, strong: "#0c1418",
	}
)

// step returns the color of a value from 0 to 100.
func step(percent float64) int { return min(int(percent*steps/100), steps-1) }

// appendStyle appends the style sheet. Colors are written out for each theme,
// because many programs that show SVG do not know CSS variables.
func appendStyle(dst []byte) []byte {
	dst = append(dst, "<style>\n"+
		"text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:12px}\n"+
		".title{font-size:17px;font-weight:600}\n"+
		".small{font-size:11px}\n"+
		".label{font-size:11px;text-anchor:middle;paint-order:stroke;stroke-width:3px;stroke-linejoin:round;pointer-events:none}\n"+
		".beside{text-anchor:start}\n"+
		".mark{font-size:13px;font-weight:650}\n"+
		".end{text-anchor:end}\n"+
		".tick{text-anchor:middle}\n"+
		"path{fill-rule:evenodd;stroke-linejoin:round}\n"+
		".sea,.veil{pointer-events:none}\n"+
		".shore{stroke-width:.8px}\n"+
		".near{stroke-width:1.2px}\n"+
		".backdrop,.border{stroke-width:.8px}\n"+
		".s0,.s1,.s2,.s3,.s4{stroke-width:.9px}\n"+
		".border,.glow,.outline,.halo,.circle,.cross,.bar{fill:none}\n"+
		".glow{stroke-width:5px}\n"+
		".outline{stroke-width:2.4px}\n"+
		".halo{stroke-width:4px}\n"+
		".circle{stroke-width:1.8px}\n"+
		".inner{stroke-dasharray:5 4}\n"+
		".point{stroke-width:.5px}\n"+
		".cross,.bar,.focus{stroke-width:1.6px}\n"...)
	dst = appendTheme(dst, &light)
	dst = append(dst, "@media (prefers-color-scheme:dark){\n"...)
	dst = appendTheme(dst, &dark)
	return append(dst, "}\n</style>\n"...)
}

func appendRule(dst []byte, selector, property, color string, more ...string) []byte {
	dst = append(dst, selector+"{"+property+":"...)
	if len(color) == len("#rrggbbaa") { // few programs know such colors
		alpha, _ := strconv.ParseUint(color[7:], 16, 8)
		dst = append(dst, color[:7]+";"+property+"-opacity:"...)
		dst = strconv.AppendFloat(dst, math.Round(float64(alpha)/2.55)/100, 'f', -1, 64)
	} else {
		dst = append(dst, color...)
	}
	for i := 0; i+1 < len(more); i += 2 {
		dst = append(dst, ";"+more[i]+":"+more[i+1]...)
	}
	return append(dst, "}\n"...)
}

func appendTheme(dst []byte, t *theme) []byte {
	rule := func(selector, property, color string, more ...string) {
		dst = appendRule(dst, selector, property, color, more...)
	}
	rule(".ground", "fill", t.paper)
	rule(".sea", "fill", t.water)
	rule(".bare,.shore,.backdrop", "fill", t.land)
	rule(".shore", "stroke", t.border)
	rule(".backdrop,.border", "stroke", t.edge)
	rule("text", "fill", t.ink)
	rule(".small,.faint", "fill", t.muted)
	rule(".label,.halo,.glow,.point,.s0,.s1,.s2,.s3,.s4", "stroke", t.halo)
	rule(".strong", "fill", t.strong, "stroke", "none")
	rule(".mark", "fill", t.focus)
	for i, color := range t.ramp {
		rule(".s"+string('0'+rune(i)), "fill", color)
	}
	rule(".outline,.cross", "stroke", t.focus)
	rule(".marked", "fill", t.area)
	rule(".veil", "fill", t.veil)
	rule(".circle,.bar", "stroke", t.ink)
	rule(".point", "fill", t.ramp[foundStep])
	rule(".point.backdrop", "fill", t.muted, "stroke", t.halo)
	rule(".focus", "fill", t.halo, "stroke", t.focus)
	return dst
}
