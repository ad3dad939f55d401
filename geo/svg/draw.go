package svg

import (
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

// manyPoints is from how many points on they are drawn smaller.
const manyPoints = 500

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
	d.circles()
	d.points()
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
	attribution []string  // in lines
	height      float64
	labels      []label
	taken       []orb.Bound // occupied by labels
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
	d.add(`<rect class="sea" `, inside, "/>\n")
}

// fill draws an area in the color of its class or value.
func (d *drawing) fill(s *shape) {
	class := "area found"
	switch {
	case s.Class == Backdrop:
		class = "area backdrop"
	case s.Percent != nil:
		class = "area s" + strconv.Itoa(step(*s.Percent))
	}
	d.shapePath(s, class)
}

// outline marks an area of the class Focus, and notes the place of a label.
func (d *drawing) outline(s *shape) {
	if s.Class == Focus {
		d.shapePath(s, "outline")
	}
	if s.Label != "" {
		s.label.text = plain(s.Label, maxLabel)
		s.label.focus = s.Class == Focus
		s.label.strong = s.Class != Backdrop && s.Percent != nil && step(*s.Percent) >= strongStep
		d.labels = append(d.labels, s.label)
	}
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

func (d *drawing) circles() {
	const corners = 240
	for _, c := range [...]struct {
		class  string
		radius geo.Meters
	}{{"circle inner", d.MinRadius}, {"circle", d.Radius}} {
		if c.radius == 0 {
			continue
		}
		circle, err := geo.NewCircle(d.Center, c.radius)
		if err != nil {
			continue // check has seen to it
		}
		ring := circle.Ring(corners)
		for i, v := range ring {
			ring[i] = d.projection.pixel(v[0], v[1])
		}
		if outline := draw(ring, d.frame); outline != nil {
			d.line(c.class, string(appendPath(nil, outline)))
		}
	}
}

// points draws the points, and a cross in the center of circles.
func (d *drawing) points() {
	classes := [...]string{Backdrop: "point backdrop", Found: "point", Focus: "point focus"}
	usual := 2.5
	if len(d.Points) > manyPoints {
		usual = 1.5
	}
	for i := range d.Points {
		p := &d.Points[i]
		if !p.At.IsValid() {
			continue
		}
		at := d.projection.pixel(p.At.Lng(), p.At.Lat())
		if !d.frame.Contains(at) {
			continue
		}
		radius := usual
		if p.Class == Focus {
			radius = 4
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
			d.labels = append(d.labels, label{text: plain(p.Label, maxLabel), x: at[0] + radius + 3, y: at[1] + 3.5, beside: true, focus: p.Class == Focus})
		}
	}
	if d.Radius != 0 {
		const arm = 6
		x, y := d.projection.middleX, d.projection.middleY
		d.line("cross", "M"+px(x-arm)+" "+px(y)+"H"+px(x+arm)+"M"+px(x)+" "+px(y-arm)+"V"+px(y+arm))
		d.taken = append(d.taken, orb.Bound{Min: orb.Point{x - arm, y - arm}, Max: orb.Point{x + arm, y + arm}})
	}
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

// A theme holds the colors of a map for light or for dark screens.
type theme struct {
	ground   string // the paper
	sea      string // the empty frame
	backdrop string // areas that lie around
	edge     string // between areas
	found    string // areas without a value
	ink      string // texts, circles and points
	faint    string // lesser texts
	focus    string // emphasis
	ramp     [steps]string
}

// steps is the number of colors for values.
const steps = 5

// strongStep is the first step that is nearer to the ink than to the ground.
const strongStep = 3

// The two themes. Each ramp is one hue in steps of lightness; the more, the
// more it stands out from the ground. The orange of focus differs from blue
// with any color vision.
var (
	light = theme{
		ground: "#ffffff", sea: "#f3f5f7", backdrop: "#e4e7ea", edge: "#ffffff", found: "#7fb0d9",
		ink: "#1b2733", faint: "#55626f", focus: "#c2410c",
		ramp: [steps]string{"#d3e5f5", "#a3cae9", "#699fd0", "#3474b1", "#0c4580"},
	}
	dark = theme{
		ground: "#12181f", sea: "#1a222b", backdrop: "#2b3641", edge: "#12181f", found: "#3f77ab",
		ink: "#e8eef4", faint: "#a7b4c1", focus: "#fb923c",
		ramp: [steps]string{"#1f3f5f", "#2d6190", "#4787bf", "#7db3e0", "#c3e0f7"},
	}
)

// step returns the color of a value from 0 to 100.
func step(percent float64) int { return min(int(percent*steps/100), steps-1) }

// textStyle is the part of a style sheet that all documents have.
const textStyle = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:12px}\n" +
	".title{font-size:17px;font-weight:600}\n" +
	".small{font-size:11px}\n"

// appendStyle appends the style sheet. Colors are written out for each theme,
// because many programs that show SVG do not know CSS variables.
func appendStyle(dst []byte) []byte {
	dst = append(dst, "<style>\n"+textStyle+
		".label{font-size:11px;text-anchor:middle}\n"+
		".beside{text-anchor:start}\n"+
		".label,.beside{paint-order:stroke;stroke-width:2.5px;stroke-linejoin:round}\n"+
		".end{text-anchor:end}\n"+
		".tick{text-anchor:middle}\n"+
		".area{stroke-width:.7px;stroke-linejoin:round;fill-rule:evenodd}\n"+
		".border{fill:none;stroke-width:.7px;stroke-linejoin:round}\n"+
		".outline{fill:none;stroke-width:2px;stroke-linejoin:round}\n"+
		".circle{fill:none;stroke-width:1.6px}\n"+
		".halo{fill:none;stroke-width:4px;stroke-opacity:.65}\n"+
		".inner{stroke-dasharray:5 4}\n"+
		".point{stroke-width:1px}\n"+
		".cross,.bar{fill:none;stroke-width:1.6px}\n"...)
	return appendThemes(dst, appendTheme)
}

// appendThemes appends the rules of both themes, and ends a style sheet.
func appendThemes(dst []byte, rules func([]byte, *theme) []byte) []byte {
	dst = rules(dst, &light)
	dst = append(dst, "@media (prefers-color-scheme:dark){\n"...)
	dst = rules(dst, &dark)
	return append(dst, "}\n</style>\n"...)
}

func appendRule(dst []byte, selector, property, color string, more ...string) []byte {
	dst = append(dst, selector+"{"+property+":"+color...)
	for i := 0; i+1 < len(more); i += 2 {
		dst = append(dst, ";"+more[i]+":"+more[i+1]...)
	}
	return append(dst, "}\n"...)
}

func appendTheme(dst []byte, t *theme) []byte {
	rule := func(selector, property, color string, more ...string) {
		dst = appendRule(dst, selector, property, color, more...)
	}
	rule(".ground", "fill", t.ground)
	rule(".sea", "fill", t.sea)
	rule("text", "fill", t.ink)
	rule(".small", "fill", t.faint)
	rule(".label,.beside,.halo", "stroke", t.ground)
	rule(".beside", "fill", t.ink)
	rule(".strong", "fill", t.ground, "stroke", t.ramp[steps-1])
	rule(".area,.border", "stroke", t.edge)
	rule(".backdrop", "fill", t.backdrop)
	rule(".found", "fill", t.found)
	for i, color := range t.ramp {
		rule(".s"+string('0'+rune(i)), "fill", color)
	}
	rule(".outline,.cross", "stroke", t.focus)
	rule(".circle,.bar", "stroke", t.ink)
	rule(".point", "fill", t.ink, "stroke", t.ground)
	rule(".point.focus", "fill", t.focus)
	rule(".point.backdrop", "fill", t.faint)
	return dst
}
