package svg

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// Sizes of the parts of a map, in pixels.
const (
	margin      = 12
	titleHeight = 30
	smallLine   = 15
	smallSize   = 11 // of lesser texts and labels
	barHeight   = 40 // the scale bar and the legend
)

// style has the colors of both themes, those of the server's pages, without variables,
// which many programs that show SVG do not know.
//
//go:embed style.css
var style string

// Append appends the map as an SVG document. Nothing is appended when it is
// refused.
func (m *Map) Append(dst []byte) ([]byte, error) {
	drawn := *m
	if err := drawn.check(); err != nil {
		return dst, err
	}
	side, top := float64(drawn.Width)-2*margin, float64(margin)
	if m.Title != "" {
		top += titleHeight
	}
	d := &drawing{Map: &drawn, out: dst, frame: orb.Bound{Min: orb.Point{margin, top}, Max: orb.Point{margin + side, top + side}}}
	d.plane, d.scale, d.middle = spatial.NewPlane(m.Center), side/2/float64(drawn.Extent), d.frame.Center()
	attribution := wrap(plain(m.Attribution, maxAttribution), smallSize, side)
	d.head(top + side + barHeight + float64(len(attribution)*smallLine) + margin)
	d.drawAreas()
	d.drawPoints(false)
	d.drawCircles()
	d.drawPoints(true)
	d.texts()
	d.add("</svg>\n") // of the nested document, beside which the rest is drawn
	y := d.frame.Max[1]
	d.scaleBar(y + smallLine)
	d.legend(y + smallLine)
	for i, line := range attribution {
		d.text("small", margin, y+barHeight+smallLine-4+float64(i*smallLine), line)
	}
	d.add("</svg>\n")
	return d.out, nil
}

// A drawing is a map while it is drawn.
type drawing struct {
	*Map
	out    []byte
	plane  *spatial.Plane
	scale  float64   // pixels per meter near the center
	frame  orb.Bound // of the map
	middle orb.Point
	near   bool // areas are drawn
	labels []label
	cross  *orb.Bound // in the middle of circles
}

// pixel returns the position of a point, in degrees, on the map.
func (d *drawing) pixel(lng, lat float64) orb.Point {
	x, y := d.plane.Project(lng, lat)
	return orb.Point{d.middle[0] + float64(float64(x)*d.scale), d.middle[1] - float64(float64(y)*d.scale)}
}

func (d *drawing) add(parts ...string) {
	for _, p := range parts {
		d.out = append(d.out, p...)
	}
}

func (d *drawing) text(class string, x, y float64, s string) {
	d.add(`<text class="`, class, `" x="`, px(x), `" y="`, px(y), `">`, escaped(s), "</text>\n")
}

func (d *drawing) head(height float64) {
	wide, high := px(float64(d.Width)), px(height)
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, wide, " ", high, `" width="`, wide, `" height="`, high, `" role="img">`, "\n")
	if d.Title != "" {
		d.add("<title>", escaped(plain(d.Title, maxTitle)), "</title>\n")
	}
	x, y, side := px(d.frame.Min[0]), px(d.frame.Min[1]), px(d.frame.Max[0]-d.frame.Min[0])
	inside := ` x="` + x + `" y="` + y + `" width="` + side + `" height="` + side + `"`
	d.add("<style>\n", style, "</style>\n", `<rect class="ground" width="`, wide, `" height="`, high, "\"/>\n")
	if d.Title != "" {
		d.text("title", margin, margin+18, plain(d.Title, int((d.frame.Max[0]-d.frame.Min[0])/width("x", 17))))
	}
	// A nested document clips shapes at the frame without an id, which could
	// clash between several maps in one page.
	d.add(`<svg`, inside, ` viewBox="`, x, " ", y, " ", side, " ", side, `">`, "\n")
	base := "bare" // without land, water would be everywhere
	if slices.ContainsFunc(d.Areas, func(a Area) bool { return a.Land }) {
		base = "sea"
	}
	d.add(`<rect class="`, base, `"`, inside, "/>\n")
}

// drawCircles draws the circles, a veil beyond the larger one, and a cross in
// their middle if no point is marked there.
func (d *drawing) drawCircles() {
	if outer := d.circle(d.Radius); outer != nil {
		d.add(`<path class="veil" d="`)
		d.path([]orb.Ring{d.around(), outer})
		d.add("\"/>\n")
	}
	for i, class := range [...]string{"circle inner", "circle"} {
		if ring := d.circle([...]geo.Meters{d.MinRadius, d.Radius}[i]); ring != nil {
			d.line(class, func() { d.path([]orb.Ring{ring}) })
		}
	}
	if d.Radius == 0 || slices.ContainsFunc(d.Points, func(p Point) bool { return p.Class == Focus && p.At == d.Center }) {
		return
	}
	const arm = 6
	x, y := d.middle[0], d.middle[1]
	d.line("cross", func() { d.add("M", px(x-arm), " ", px(y), "H", px(x+arm), "M", px(x), " ", px(y-arm), "V", px(y+arm)) })
	cross := d.middle.Bound().Pad(arm)
	d.cross = &cross
}

// circle returns the outline of a circle about the center, nil for none.
func (d *drawing) circle(radius geo.Meters) orb.Ring {
	const corners = 240
	circle, err := spatial.NewCircle(d.Center, radius)
	if err != nil {
		return nil // the radius is 0
	}
	ring, _ := circle.Ring(corners) // a valid number
	return d.outline(ring)
}

func (d *drawing) around() orb.Ring {
	b := d.frame.Pad(8)
	return orb.Ring{b.Min, {b.Max[0], b.Min[1]}, b.Max, {b.Min[0], b.Max[1]}}
}

// line draws a line over areas, with a halo, since the background may have any
// color.
func (d *drawing) line(class string, path func()) {
	for _, c := range [...]string{"halo", class} {
		d.add(`<path class="`, c, `" d="`)
		path()
		d.add("\"/>\n")
	}
}

// drawPoints draws the points of the class Focus, or the others.
func (d *drawing) drawPoints(focus bool) {
	classes, radius := [...]string{Backdrop: "point backdrop", Found: "point", Focus: "point focus"}, d.dot()
	if focus {
		radius = 5
	}
	for _, p := range d.Points {
		if !p.At.IsValid() || (p.Class == Focus) != focus {
			continue
		}
		at := d.pixel(p.At.Lng(), p.At.Lat())
		if !d.frame.Contains(at) {
			continue
		}
		d.add(`<circle class="`, classes[p.Class], `" cx="`, px(at[0]), `" cy="`, px(at[1]), `" r="`, px(radius), "\"/>\n")
		l := label{text: plain(p.Label, maxLabel), at: at, beside: radius + 4, size: smallSize, rank: pointRank}
		if focus {
			l.mark()
		} else if p.Class == Backdrop {
			l.class = " faint"
		}
		d.labels = append(d.labels, l)
	}
}

// dot returns the radius of points: small among areas. Without areas they are as large
// as they can be without hiding each other in a circle, or in the middle of the map.
func (d *drawing) dot() float64 {
	if d.near {
		return 2.5
	}
	across := cmp.Or(float64(d.Radius)*d.scale, 150)
	return min(6, max(1.5, 0.8*across/math.Sqrt(float64(len(d.Points)))))
}

// scaleBar draws a bar of a round number of miles and one of kilometers.
func (d *drawing) scaleBar(y float64) {
	x, scale := d.frame.Min[0], d.scale
	longest := geo.Meters((d.frame.Max[0] - d.frame.Min[0]) / 4 / scale)
	bar := func(y, n float64, unit string, length geo.Meters) {
		right := x + float64(float64(length)*scale)
		d.add(`<path class="bar" d="M`, px(x), " ", px(y-4), "V", px(y), "H", px(right), "V", px(y-4), "\"/>\n")
		d.text("small", right+5, y+2, strconv.FormatFloat(n, 'f', -1, 64)+" "+unit)
	}
	miles, km := roundBelow(float64(longest.Miles())), roundBelow(float64(longest.Kilometers()))
	bar(y, miles, "mi", geo.Miles(miles).Meters())
	bar(y+smallLine, km, "km", geo.Kilometers(km).Meters())
}

// roundBelow returns the largest of 1, 2 or 5 times a power of ten that is at
// most v, or v.
func roundBelow(v float64) float64 {
	// One division gives the nearest number to a decimal, which is then printed as short as it is.
	for thousandths := 1e7; thousandths >= 1; thousandths /= 10 {
		for _, factor := range [...]float64{5, 2, 1} {
			if round := factor * thousandths / 1000; round <= v {
				return round
			}
		}
	}
	return v
}

// legend draws the meanings of the colors if values are drawn.
func (d *drawing) legend(y float64) {
	if !slices.ContainsFunc(d.Areas, func(a Area) bool { return a.Percent != nil && a.Class != Backdrop }) {
		return
	}
	const wide, high = 26, 9
	left := d.frame.Max[0] - steps*wide - 8
	d.text("small end", left-8, y+2, plain(d.Legend, maxLabel))
	for i := range steps + 1 {
		x, tick := left+float64(i*wide), strconv.Itoa(i*100/steps)
		if i == steps {
			tick += "%"
		} else {
			d.add(`<rect class="area s`, strconv.Itoa(i), `" x="`, px(x), `" y="`, px(y-high+3), `" width="`, px(wide), `" height="`, px(high), "\"/>\n")
		}
		d.text("small tick", x, y+smallLine, tick)
	}
}
