package shape

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/rings"
	"github.com/postgeo/postgeo/internal/spatial"
)

// Nearest finds the nearest of a set of labeled points. It is a grid of whole
// degrees, which is fine enough for the tens of thousands of points of a build.
type Nearest struct {
	cells map[[2]int16][]labeled
}

type labeled struct {
	at    geo.LatLng
	dir   direction
	label string
}

// A direction is the unit vector of a geographic latitude and longitude.
type direction struct{ x, y, z float64 }

func directionOf(p geo.LatLng) direction {
	sinLat, cosLat := math.Sincos(p.Lat() * math.Pi / 180)
	sinLng, cosLng := math.Sincos(p.Lng() * math.Pi / 180)
	return direction{cosLat * cosLng, cosLat * sinLng, sinLat}
}

// leastMiles returns a lower bound of the geodesic distance between two points
// at a fraction of its cost. It is the chord on a sphere with the smallest
// radius of curvature of WGS84, that of the meridian at the equator.
func (d direction) leastMiles(e direction) float64 {
	const radius = 6_335_439 / 1609.344 * (1 - 1e-9) // less what rounding can add
	x, y, z := d.x-e.x, d.y-e.y, d.z-e.z
	return radius * math.Sqrt(x*x+y*y+z*z)
}

// NewNearest returns an empty set.
func NewNearest() *Nearest { return &Nearest{cells: map[[2]int16][]labeled{}} }

// Add adds a point.
func (n *Nearest) Add(at geo.LatLng, label string) {
	key := [2]int16{degree(at.Lng()), degree(at.Lat())}
	n.cells[key] = append(n.cells[key], labeled{at, directionOf(at), label})
}

// Find returns the label of the nearest point that want accepts and its
// distance in miles; "" if none lies within two degrees. The first added wins a
// tie.
func (n *Nearest) Find(at geo.LatLng, want func(label string) bool) (string, float64) {
	best, bestMiles := "", math.Inf(1)
	x, y := degree(at.Lng()), degree(at.Lat())
	dir := directionOf(at)
	for ring := int16(0); ring <= 2; ring++ {
		for dx := -ring; dx <= ring; dx++ {
			for dy := -ring; dy <= ring; dy++ {
				if max(dx, -dx, dy, -dy) != ring {
					continue
				}
				for _, p := range n.cells[[2]int16{x + dx, y + dy}] {
					if dir.leastMiles(p.dir) >= bestMiles || !want(p.label) {
						continue
					}
					if d := Miles(at, p.at); d < bestMiles {
						best, bestMiles = p.label, d
					}
				}
			}
		}
		if best != "" && ring > 0 {
			break
		}
	}
	return best, bestMiles
}

// BoxAround returns the box around an outline, an empty one if the outline is
// not valid.
func BoxAround(polygons orb.MultiPolygon) geo.Box {
	box, err := spatial.BoundingBox(polygons)
	if err != nil {
		return geo.Box{}
	}
	return box
}

// PointWithin returns a point within the largest of the polygons. It is the
// centroid if that lies within, else the middle of the longest stretch of the
// parallel through the middle of its box.
func PointWithin(polygons orb.MultiPolygon) geo.LatLng {
	best, bestArea := -1, 0.0
	for i, p := range polygons {
		if _, area := planar.CentroidArea(p[0]); math.Abs(area) > bestArea {
			best, bestArea = i, math.Abs(area)
		}
	}
	if best < 0 {
		return geo.LatLng{}
	}
	set := NewAreas()
	set.addPolygon("", polygons[best])
	c, _ := planar.CentroidArea(polygons[best][0])
	if len(set.Parts) == 0 {
		return geo.LatLng{}
	}
	part := &set.Parts[0]
	if !part.Contains(c[0], c[1]) {
		y := (part.MinY + part.MaxY) / 2
		x, _ := rings.Widest(part.crossings(y))
		c = orb.Point{x, y}
	}
	p, err := geo.LatLngFromDegrees(c[1], c[0])
	if err != nil {
		return geo.LatLng{}
	}
	return p.Rounded()
}

// crossings returns the longitudes at which the parallel crosses the outline,
// ascending.
func (p *part) crossings(y float64) []float64 {
	var xs []float64
	for _, e := range p.bands[p.band(y)] {
		if y >= e.a[1] && y < e.b[1] {
			xs = append(xs, e.a[0]+(y-e.a[1])/(e.b[1]-e.a[1])*(e.b[0]-e.a[0]))
		}
	}
	slices.Sort(xs)
	return xs
}
