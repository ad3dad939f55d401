package svg

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// ErrInvalidMap indicates a map that cannot be drawn: no center, no extent, or
// coordinates out of range.
var ErrInvalidMap = errors.New("svg: invalid map")

const (
	// MaxExtent is how far a map may reach from its center.
	MaxExtent geo.Meters = 5_000_000
	// DefaultWidth is the width of a map that names none, in pixels.
	DefaultWidth = 720
	minWidth     = 320
	maxWidth     = 4096
)

// A Map is what to draw.
type Map struct {
	Title       string // above the map; "" leaves the line out
	Attribution string // below the map: whose data it is; "" leaves it out
	Legend      string // meaning of the areas' values, e.g. "Share inside"

	// Center is the middle of the map, and of the circles.
	Center geo.LatLng
	// Extent is how far the map reaches from the center to the middle of each
	// of its edges, at most [MaxExtent]. Zero lets it reach a little beyond
	// Radius.
	Extent geo.Meters
	// Radius and MinRadius are the geodesic circles about the center, at most
	// [geo.MaxCircleRadius]; zero draws none. A veil lies beyond Radius.
	Radius, MinRadius geo.Meters

	Areas  []Area  // later ones are drawn over earlier ones of their class
	Points []Point // drawn over areas, in their order

	// Width in pixels, 320 to 4096; zero is [DefaultWidth]. The height
	// follows.
	Width int
}

// Class is the role of an area or point on a map.
type Class uint8

// The classes, in drawing order.
const (
	Backdrop Class = iota // surroundings, e.g. states and neighbors
	Found                 // the subject of the map
	Focus                 // the one that stands out
)

// An Area is an area to draw. Parts beyond the map are cut off.
type Area struct {
	Label string // written into the area if there is room
	Note  string // shown when the pointer rests on it
	Class Class
	// Percent is a value from 0 to 100 that selects the color of a Found
	// area; nil gives it a plain one.
	Percent *float64
	// Polygons are in degrees of longitude and latitude. Rings may run in
	// either direction. Across longitude 180 they may continue beyond it or
	// jump.
	Polygons orb.MultiPolygon
	// Land marks the outline of a state or province. If a map has land, areas
	// that reach far over water are filled on land only.
	Land bool
}

// A Point is a place to mark.
type Point struct {
	Label string // written next to it if there is room
	Note  string // shown when the pointer rests on it
	Class Class
	At    geo.LatLng // a point that is not valid, or beyond the map, is left out
}

// check refuses what cannot be drawn, and fills in the defaults.
func (m *Map) check() error {
	if !m.Center.IsValid() {
		return fmt.Errorf("%w: it has no center", ErrInvalidMap)
	}
	for _, r := range [...]geo.Meters{m.Radius, m.MinRadius} {
		if r != 0 && !(r > 0 && r <= geo.MaxCircleRadius) {
			return fmt.Errorf("%w: a circle of %v m; expected 0, or more and at most %v", ErrInvalidMap, float64(r), float64(geo.MaxCircleRadius))
		}
	}
	if m.Extent == 0 {
		const margin = 1.06
		m.Extent = margin * max(m.Radius, m.MinRadius)
	}
	if !(m.Extent > 0 && m.Extent <= MaxExtent) {
		return fmt.Errorf("%w: it reaches %v m from its center; expected more than 0 and at most %v, or a radius", ErrInvalidMap, float64(m.Extent), float64(MaxExtent))
	}
	m.Width = cmp.Or(m.Width, DefaultWidth)
	if m.Width < minWidth || m.Width > maxWidth {
		return fmt.Errorf("%w: it is %d pixels wide; expected %d to %d", ErrInvalidMap, m.Width, minWidth, maxWidth)
	}
	for i := range m.Areas {
		a := &m.Areas[i]
		if a.Class > Focus {
			return fmt.Errorf("%w: area %d, %.20q, has the unknown class %d", ErrInvalidMap, i, a.Label, a.Class)
		}
		if a.Percent != nil && !(*a.Percent >= 0 && *a.Percent <= 100) {
			return fmt.Errorf("%w: area %d, %.20q, has a value of %v percent", ErrInvalidMap, i, a.Label, *a.Percent)
		}
		for _, p := range a.Polygons {
			for _, r := range p {
				for _, v := range r {
					if !(math.Abs(v[0]) <= maxLongitude && math.Abs(v[1]) <= 90) {
						return fmt.Errorf("%w: area %d, %.20q, has a vertex at longitude %v, latitude %v", ErrInvalidMap, i, a.Label, v[0], v[1])
					}
				}
			}
		}
	}
	for i := range m.Points {
		if p := &m.Points[i]; p.Class > Focus {
			return fmt.Errorf("%w: point %d, %.20q, has the unknown class %d", ErrInvalidMap, i, p.Label, p.Class)
		}
	}
	return nil
}

// maxLongitude bounds the longitudes of rings that run on beyond 180.
const maxLongitude = 540

// The ellipsoid and its authalic sphere, which has the same area (Snyder, "Map
// projections, a working manual", USGS 1987, pages 16 and 187).
const (
	semiMajor     = 6378137.0
	flattening    = 1 / 298.257223563
	eccentricity2 = flattening * (2 - flattening)
	radians       = math.Pi / 180
)

// A vec is a point of the unit sphere, or a direction times a scale.
type vec struct{ x, y, z float64 }

func (v vec) dot(w vec) float64 { return float64(v.x*w.x) + float64(v.y*w.y) + float64(v.z*w.z) }

// A projection maps the authalic sphere to the pixels of a map: Lambert's
// azimuthal equal-area projection about a center, stretched so that directions
// at the center are true on the ellipsoid.
type projection struct {
	center        vec
	east, north   vec     // of the center, in pixels
	middleX       float64 // the center on the map
	middleY       float64
	pixelsPerUnit float64 // of length on the ellipsoid near the center: per meter
}

func newProjection(center geo.LatLng, pixelsPerMeter, middleX, middleY float64) *projection {
	at := sphere(center.Lng(), center.Lat())
	sinLng, cosLng := math.Sincos(center.Lng() * radians)
	sinLat, cosLat := math.Sincos(center.Lat() * radians)
	cosine := math.Sqrt(max(0, 1-float64(at.z*at.z)))
	radius := semiMajor * math.Sqrt(authalicQ(1)/2)
	stretch := 1.0
	if cosine > 1e-6 { // nearer to a pole both parts of the quotient vanish, and it is 1
		normal := semiMajor / math.Sqrt(1-float64(eccentricity2*float64(sinLat*sinLat)))
		stretch = normal * cosLat / (radius * cosine)
	}
	scale := pixelsPerMeter * radius * math.Sqrt2
	e, n := scale*stretch, scale/stretch
	return &projection{
		center:        at,
		east:          vec{-sinLng * e, cosLng * e, 0},
		north:         vec{-at.z * cosLng * n, -at.z * sinLng * n, cosine * n},
		middleX:       middleX,
		middleY:       middleY,
		pixelsPerUnit: pixelsPerMeter,
	}
}

// authalicQ is Snyder's q (3-12) for the sine of a latitude.
func authalicQ(sine float64) float64 {
	e := math.Sqrt(eccentricity2)
	return (1 - eccentricity2) * (sine/(1-float64(eccentricity2*float64(sine*sine))) + math.Atanh(e*sine)/e)
}

// sphere returns a point, in degrees, on the authalic sphere.
func sphere(lng, lat float64) vec {
	s := authalicQ(math.Sin(lat*radians)) / authalicQ(1)
	c := math.Sqrt(max(0, (1-s)*(1+s)))
	sinLng, cosLng := math.Sincos(lng * radians)
	return vec{c * cosLng, c * sinLng, s}
}

// pixel returns the position of a point, in degrees, on the map.
func (p *projection) pixel(lng, lat float64) orb.Point {
	const antipode = 1e-9 // keeps the point opposite finite
	v := sphere(lng, lat)
	k := 1 / math.Sqrt(max(1+p.center.dot(v), antipode))
	return orb.Point{p.middleX + float64(k*p.east.dot(v)), p.middleY - float64(k*p.north.dot(v))}
}

// A canvas is a document while it is written.
type canvas struct {
	out []byte
}

func (c *canvas) add(parts ...string) {
	for _, p := range parts {
		c.out = append(c.out, p...)
	}
}

// begin opens a document of a size in pixels, with its title if it has one.
func (c *canvas) begin(width, height float64, title string) {
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, px(width), " ", px(height), `" width="`, px(width), `" height="`, px(height), `" role="img">`, "\n")
	if title != "" {
		c.title("title", title, maxTitle)
		c.add("\n")
	}
}

func (c *canvas) title(element, text string, limit int) {
	c.add("<", element, ">")
	c.out = appendText(c.out, text, limit)
	c.add("</", element, ">")
}

func (c *canvas) text(class string, x, y float64, s string) {
	c.add(`<text`)
	if class != "" {
		c.add(` class="`, class, `"`)
	}
	c.add(` x="`, px(x), `" y="`, px(y), `">`)
	c.out = appendEscaped(c.out, s)
	c.add("</text>\n")
}

// lines writes small lines of text below each other.
func (c *canvas) lines(x, y float64, lines []string) {
	for i, line := range lines {
		c.text("small", x, y+float64(i)*smallLine, line)
	}
}

func place(x, y, width, height float64) string {
	return `x="` + px(x) + `" y="` + px(y) + `" width="` + px(width) + `" height="` + px(height) + `"`
}

// px writes a length in pixels, to a tenth.
func px(v float64) string { return string(appendTenth(nil, tenths(v))) }
