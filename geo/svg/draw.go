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

// areas draws the areas by class, and notes where their labels may stand.
func (d *drawing) areas() {
	for class := Backdrop; class <= Focus; class++ {
		for i := range d.Areas {
			if a := &d.Areas[i]; a.Class == class {
				d.area(a)
			}
		}
	}
}

func (d *drawing) area(a *Area) {
	var path []byte
	var largest label
	for _, p := range a.Polygons {
		for i, r := range p {
			ring := draw(d.projection.project(r), d.frame)
			if ring == nil {
				continue
			}
			path = appendPath(path, ring)
			if i == 0 {
				if l := labelOf(ring); l.room > largest.room {
					largest = l
				}
			}
		}
	}
	if len(path) == 0 {
		return
	}
	for _, class := range d.classes(a) {
		d.add(`<path class="`, class, `" d="`)
		d.out = append(d.out, path...)
		if a.Note == "" {
			d.add("\"/>\n")
			continue
		}
		d.add(`">`)
		d.title("title", a.Note, maxNote)
		d.add("</path>\n")
	}
	if a.Label != "" {
		largest.text = plain(a.Label, maxLabel)
		largest.focus = a.Class == Focus
		largest.strong = a.Class != Backdrop && a.Percent != nil && step(*a.Percent) >= strongStep
		d.labels = append(d.labels, largest)
	}
}

// classes returns how an area is drawn: a Focus area is filled as if it were
// found, and outlined.
func (d *drawing) classes(a *Area) []string {
	fill := "area found"
	switch {
	case a.Class == Backdrop:
		fill = "area backdrop"
	case a.Percent != nil:
		fill = "area s" + strconv.Itoa(step(*a.Percent))
	}
	if a.Class == Focus {
		return []string{fill, "outline"}
	}
	return []string{fill}
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
