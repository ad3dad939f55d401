package spatial_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// line is a latitude that changes evenly from the first to the last longitude.
type line struct{ west, east float64 }

func (l line) at(t float64) float64 { return l.west + t*(l.east-l.west) }

// belowLine is the area from a parallel to the line, aboveLine that from the line
// to another, over a width of longitude.
func belowLine(lng, width, parallel float64, l line) orb.MultiPolygon {
	return orb.MultiPolygon{{{{lng, parallel}, {lng + width, parallel}, {lng + width, l.east}, {lng, l.west}, {lng, parallel}}}}
}

// between returns the area above one line and below another, by the closed formula
// of zones. Lines that cross do so once.
func between(width float64, lower, upper line) float64 {
	gap := line{upper.west - lower.west, upper.east - lower.east}
	from, to := 0.0, 1.0
	if cross := gap.west / (gap.west - gap.east); gap.west*gap.east < 0 {
		if gap.west < 0 {
			from = cross
		} else {
			to = cross
		}
	} else if gap.west+gap.east <= 0 {
		return 0
	}
	mean := func(l line) float64 {
		if a, b := l.at(from), l.at(to); a != b {
			return meanZone(a, b)
		}
		return zoneArea(l.west)
	}
	return (to - from) * width * math.Pi / 180 * (mean(upper) - mean(lower))
}

// TestOverlapUnderLines measures the overlap of an area under a slanted line with
// one above another line. The figures
// follow from a formula.
func TestOverlapUnderLines(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range fewer(480) {
		sign := float64(1 - 2*(i%2))
		middle := sign * (10 + 50*rng.Float64())
		width := []float64{0.01, 0.3, 2, 8}[i%4]
		tilt := []float64{0, 1e-4, 0.05, 3}[i/4%4] // of half the difference of the ends
		near := []float64{1e-5, 1e-3, 0.4}[i/16%3]
		lng := -170 + 340*rng.Float64()
		var shiftB float64 // another name for the same meridians
		if i%3 == 0 {
			lng = 180 - width/2
			shiftB = -360 * float64(i/3%2)
		}
		slope := tilt * (2*rng.Float64() - 1)
		upper := line{middle - slope, middle + slope}
		lower := line{upper.west + near*(2*rng.Float64()-1), upper.east + near*(2*rng.Float64()-1)}
		south, north := middle-6, middle+6
		a := outline(t, belowLine(lng, width, south, upper))
		b := outline(t, belowLine(lng+shiftB, width, north, lower))
		want := between(width, lower, upper)
		whole := float64(min(a.Area(), b.Area()))
		var m spatial.OverlapMeter
		exact := 1e-11*whole + 1e-6*want + 2e-3
		name := fmt.Sprintf("%.4f,%.4f over %v: %v above %v", middle, lng, width, upper, lower)
		for _, got := range []geo.SquareMeters{m.Area(a, b), m.Area(b, a)} {
			if off := float64(got) - want; math.Abs(off) > exact {
				t.Errorf("%s: %.6f m², want %.6f", name, float64(got), want)
			}
		}
	}
}

// TestBoxLimits checks points on the edges of boxes and just outside, and the
// middles of boxes that cross the antimeridian.
func TestBoxLimits(t *testing.T) {
	box := func(south, west, north, east float64) geo.Box {
		return geo.Box{SouthWest: geo.MustLatLng(south, west), NorthEast: geo.MustLatLng(north, east)}
	}
	const off = 1e-9
	for _, tt := range []struct {
		box    geo.Box
		cross  bool
		middle []float64 // latitude, longitude
	}{
		{box(40, -80, 42, -70), false, []float64{41, -75}},
		{box(40, -80, 40, -80), false, []float64{40, -80}}, // a point
		{box(-10, -20, 10, 30), false, []float64{0, 5}},
		{box(50, 170, 60, -160), true, []float64{55, -175}},
		{box(50, 160, 60, -170), true, []float64{55, 175}},
		{box(-60, 100, -50, -150), true, []float64{-55, 155}},
	} {
		b := tt.box
		south, north, west, east := b.SouthWest.Lat(), b.NorthEast.Lat(), b.SouthWest.Lng(), b.NorthEast.Lng()
		if b.CrossesAntimeridian() != tt.cross {
			t.Errorf("%v crosses: %v", b, !tt.cross)
		}
		if c := b.Center(); c != geo.MustLatLng(tt.middle[0], tt.middle[1]) {
			t.Errorf("%v: the middle is %v", b, c)
		}
		for _, p := range [][2]float64{{south, west}, {south, east}, {north, west}, {north, east}, {tt.middle[0], tt.middle[1]}, {tt.middle[0], west}, {north, tt.middle[1]}} {
			if !b.Contains(geo.MustLatLng(p[0], p[1])) {
				t.Errorf("%v does not contain %v", b, p)
			}
		}
		for _, p := range [][2]float64{{south - off, west}, {north + off, east}, {south, west - off}, {north, east + off}} {
			if b.Contains(geo.MustLatLng(p[0], p[1])) {
				t.Errorf("%v contains %v", b, p)
			}
		}
	}
	// Of two gaps the wider one is left out.
	for _, tt := range []struct{ a, b, want geo.Box }{
		{box(0, -100, 1, -90), box(0, 80, 1, 91), box(0, 80, 1, -90)},
		{box(0, -100, 1, -90), box(0, 80, 1, 89), box(0, -100, 1, 89)},
		{box(0, -100, 1, -91), box(0, 70, 1, 80), box(0, -100, 1, 80)},
		{box(0, 170, 1, -170), box(0, -175, 1, -160), box(0, 170, 1, -160)},
		{box(0, 170, 1, -170), box(0, 160, 1, 171), box(0, 160, 1, -170)},
	} {
		if got := spatial.Union(tt.a, tt.b); got != tt.want {
			t.Errorf("%v and %v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
		if got := spatial.Union(tt.b, tt.a); got != tt.want {
			t.Errorf("%v and %v: %v, want %v", tt.b, tt.a, got, tt.want)
		}
	}
}

// TestMemoryOfPoints compares the memory that an index reports with the growth of
// the heap.
func TestMemoryOfPoints(t *testing.T) {
	points := scatter(rand.New(rand.NewPCG(9, 9)), 40_000)
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	index := spatial.NewPointIndex(points)
	grown := heap() - before
	if got := float64(index.MemoryBytes()); math.Abs(got/grown-1) > 0.05 {
		t.Errorf("the index reports %.0f bytes; the heap grew by %.0f", got, grown)
	}
	runtime.KeepAlive(points)
}
