package svg

import (
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
	// [geo.MaxCircleRadius]; zero draws none.
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
	// Polygons are in degrees of longitude and latitude. Rings may run either
	// way and across longitude 180, where they may run on beyond it or jump.
	Polygons orb.MultiPolygon
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
	if m.Width == 0 {
		m.Width = DefaultWidth
	}
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
