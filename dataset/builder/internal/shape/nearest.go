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

// Nearest finds the nearest of a set of labeled points.
type Nearest struct {
	points []geo.LatLng
	labels []string
	index  *spatial.PointIndex // of all points; nil after Add
}

// NewNearest returns an empty set.
func NewNearest() *Nearest { return &Nearest{} }

// Add adds a valid point.
func (n *Nearest) Add(at geo.LatLng, label string) {
	n.points, n.labels, n.index = append(n.points, at), append(n.labels, label), nil
}

// Find returns the label of the nearest point that want accepts and its
// distance in miles; "" if none lies within 150 miles. The first added wins a tie.
func (n *Nearest) Find(at geo.LatLng, want func(label string) bool) (string, float64) {
	const reach = geo.Miles(150)
	if n.index == nil {
		n.index = spatial.NewPointIndex(n.points)
	}
	if !at.IsValid() {
		return "", math.Inf(1)
	}
	for k := 4; ; k *= 4 {
		near := n.index.AppendNearest(nil, at, k)
		for _, p := range near {
			if miles := p.Distance.Miles(); miles <= reach && want(n.labels[p.Index]) {
				return n.labels[p.Index], float64(miles)
			}
		}
		if len(near) < k || near[k-1].Distance.Miles() > reach {
			return "", math.Inf(1)
		}
	}
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
	c, _ := planar.CentroidArea(polygons[best][0])
	if !holds(polygons[best], c) {
		box := polygons[best].Bound()
		y := (box.Min[1] + box.Max[1]) / 2
		x, _ := rings.Widest(crossings(polygons[best], y))
		c = orb.Point{x, y}
	}
	p, err := geo.LatLngFromDegrees(c[1], c[0])
	if err != nil {
		return geo.LatLng{}
	}
	return p.Rounded()
}

// holds reports whether a polygon contains a point: whether a parallel crosses the
// outline an odd number of times to the east of it.
func holds(p orb.Polygon, at orb.Point) bool {
	xs := crossings(p, at[1])
	west, _ := slices.BinarySearchFunc(xs, at[0], func(x, lng float64) int {
		if x <= lng {
			return -1
		}
		return 1
	})
	return (len(xs)-west)%2 == 1
}

// crossings returns the longitudes at which the parallel crosses the outline,
// ascending.
func crossings(p orb.Polygon, y float64) []float64 {
	var xs []float64
	for _, r := range p {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			if a[1] > b[1] {
				a, b = b, a
			}
			if y >= a[1] && y < b[1] {
				xs = append(xs, a[0]+(y-a[1])/(b[1]-a[1])*(b[0]-a[0]))
			}
		}
	}
	slices.Sort(xs)
	return xs
}
