// Package shape has the geometry of a build: repair, joining, parts, and points within.
package shape

import (
	"context"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"golang.org/x/sync/errgroup"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/rings"
	"github.com/postgeo/postgeo/internal/spatial"
)

// Parallel calls f for every number below n, from as many goroutines as
// processors. It ends with the first error.
func Parallel(n int, f func(i int) error) error {
	return ParallelWith(n, func() func(int) error { return f })
}

// ParallelWith is [Parallel] with a function for each goroutine, for memory that is
// reused from call to call. worker itself is called by the caller's goroutine, one call
// after the other. Numbers are handed out one at a time, because outlines differ in size
// by orders of magnitude: dividing them in advance would leave processors idle. After an
// error, the counter jumps to the end so that no goroutine takes a further number.
func ParallelWith(n int, worker func() func(int) error) error {
	var next atomic.Int64
	var group errgroup.Group
	for range min(n, runtime.GOMAXPROCS(0)) {
		f := worker()
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := f(i); err != nil {
					next.Store(int64(n))
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// Repairs counts the repairs of the outlines of a layer.
type Repairs struct {
	Closed int64 // rings that were open
	rings.Counts
}

// RepairAll makes outlines valid, side by side, and counts. Each goroutine counts for
// itself. The sums are the same for any number of goroutines, because addition of
// integers commutes.
func (n *Repairs) RepairAll(outlines []orb.MultiPolygon) {
	var workers []*Repairs
	_ = ParallelWith(len(outlines), func() func(int) error { // the functions return no error
		w := &Repairs{}
		workers = append(workers, w)
		return func(i int) error {
			outlines[i] = w.Repair(outlines[i])
			return nil
		}
	})
	for _, w := range workers {
		n.add(w.Counts)
	}
}

func (n *Repairs) add(c rings.Counts) {
	n.Repeated, n.Dropped, n.Crossing = n.Repeated+c.Repeated, n.Dropped+c.Dropped, n.Crossing+c.Crossing
}

// Repair returns the polygons made valid, as package rings does, and counts.
func (n *Repairs) Repair(polygons orb.MultiPolygon) orb.MultiPolygon {
	out, counts, _ := rings.Repair(polygons, rings.Limits{}) // without limits there is no error
	n.add(counts)
	return out
}

// A Part is what an outline shares with the area of a number.
type Part struct {
	Area   int
	Shared float64 // square meters
}

// Parts measures what each outline shares with the areas, in the order of these.
func Parts(ctx context.Context, outlines, areas []*spatial.Outline) ([][]Part, error) {
	// Areas that only touch share an area of about 0, of either sign, by rounding. 1e-9
	// of a ZIP Code of 100 square miles is a quarter of a square meter.
	const noise = 1e-9
	parts, index := make([][]Part, len(outlines)), NewOverlapIndex(areas)
	return parts, ParallelWith(len(outlines), func() func(int) error {
		finder := index.Finder()
		var meter spatial.OverlapMeter
		var near []int32
		return func(i int) error {
			near = finder.AppendMeeting(near[:0], outlines[i])
			for _, k := range near {
				if v := float64(meter.Area(outlines[i], areas[k])); v > noise*float64(outlines[i].Area()) {
					parts[i] = append(parts[i], Part{int(k), v})
				}
			}
			return ctx.Err()
		}
	})
}

// Radius returns the radius in miles of a circle with an area in square meters.
func Radius(area int64) float64 {
	return float64(geo.Meters(math.Sqrt(float64(area) / math.Pi)).Miles())
}

// Miles returns the geodesic distance between two valid points.
func Miles(a, b geo.LatLng) float64 { return float64(geo.Distance(a, b).Miles()) }

// BoxAround returns the box around an outline, an empty one if the outline is
// not valid.
func BoxAround(polygons orb.MultiPolygon) geo.Box {
	box, err := spatial.BoundingBox(polygons)
	if err != nil {
		return geo.Box{}
	}
	return box
}

// PointWithin returns a point within the largest of the polygons. It is the centroid if
// that lies within, else the middle of the longest stretch of the parallel through the
// middle of its box. Polygons are compared in degrees, in which northern ones seem
// larger, but polygons of one area lie close together. The result is rounded as the file
// stores points, after which it can lie outside of an area narrower than 0.1 m.
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
	if !planar.PolygonContains(polygons[best], c) {
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

// PointsWithin yields points within an outline: [PointWithin] and the middles of the
// longest stretches of parallels through the polygons.
func PointsWithin(polygons orb.MultiPolygon) iter.Seq[geo.LatLng] {
	return func(yield func(geo.LatLng) bool) {
		if !yield(PointWithin(polygons)) {
			return
		}
		const parallels = 32
		for _, polygon := range polygons {
			box := polygon.Bound()
			for n := range parallels {
				y := box.Min[1] + (box.Max[1]-box.Min[1])*(float64(n)+0.5)/parallels
				x, _ := rings.Widest(crossings(polygon, y))
				if p, err := geo.LatLngFromDegrees(y, x); err == nil && !yield(p.Rounded()) {
					return
				}
			}
		}
	}
}

// crossings returns the longitudes at which the parallel crosses the outline, ascending.
// An edge has its southern end and not its northern one. So a vertex on the parallel
// counts once if the outline crosses there, and twice or not at all if it turns. Their
// number is even, and stretches within lie between the first and second, third and
// fourth, and so on.
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
