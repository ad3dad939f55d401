// Package svg draws one map of areas, points and circles as SVG, without tiles and
// without a network:
//
//	m := svg.Map{
//		Title:  "25 miles around 90210",
//		Center: center,
//		Radius: geo.Miles(25).Meters(),
//		Areas:  []svg.Area{{Label: "90210", Class: svg.Focus, Polygons: outline}},
//	}
//	data, err := m.Append(nil)
//
// The projection is equal-area: areas can be compared by eye. Values have a ramp of
// colors in steps of lightness. If the reader prefers a dark screen, the map is dark. The
// map of the server's page looks the same: both follow the rules of testdata/rules.json,
// and tests compare whole drawings. Any text is valid: it is escaped and cut.
//
// A map may be drawn by several goroutines at once. Equal maps give equal bytes. Errors
// match [ErrInvalidMap].
package svg

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// ErrInvalidMap indicates a map that cannot be drawn: no center, no extent, or
// coordinates out of range.
var ErrInvalidMap = errors.New("svg: invalid map")

const (
	// MaxExtent is how far a map may reach from its center.
	MaxExtent geo.Meters = 5_000_000
	// DefaultWidth is the width of a map that names none, in pixels.
	DefaultWidth = 720
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
	Class Class
	At    geo.LatLng // a point that is not valid, or beyond the map, is left out
}

// check refuses maps that cannot be drawn, and fills in the defaults.
func (m *Map) check() error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrInvalidMap}, args...)...)
	}
	if !m.Center.IsValid() {
		return refuse("it has no center")
	}
	for _, r := range [...]geo.Meters{m.Radius, m.MinRadius} {
		if !(r >= 0 && r <= geo.MaxCircleRadius) {
			return refuse("a circle of %v m; expected at most %v", float64(r), float64(geo.MaxCircleRadius))
		}
	}
	if m.Extent = cmp.Or(m.Extent, 1.06*max(m.Radius, m.MinRadius)); !(m.Extent > 0 && m.Extent <= MaxExtent) {
		return refuse("it reaches %v m from its center; expected more than 0 and at most %v, or a radius", float64(m.Extent), float64(MaxExtent))
	}
	if m.Width = cmp.Or(m.Width, DefaultWidth); m.Width < 320 || m.Width > 4096 {
		return refuse("it is %d pixels wide; expected 320 to 4096", m.Width)
	}
	for i, a := range m.Areas {
		if _, err := spatial.BoundingBox(a.Polygons); err != nil {
			return refuse("area %d, %.20q: %w", i, a.Label, err)
		}
	}
	return nil
}
