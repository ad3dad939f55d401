package shape_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// TestBuffer compares buffers with the areas of their parts and measures how far
// their corners are from the lines.
func TestBuffer(t *testing.T) {
	const mile = 1609.344
	circle := math.Pi * mile * mile
	for name, test := range map[string]struct {
		lines  orb.MultiLineString
		miles  float64
		area   float64 // square meters
		within float64 // relative
		holes  int
		parts  int
	}{
		"point":           {orb.MultiLineString{{{-118, 34}}}, 1, circle, 1e-3, 0, 1},
		"same point":      {orb.MultiLineString{{{-118, 34}}, {{-118, 34}, {-118, 34}}}, 1, circle, 3e-3, 0, 1},
		"two points":      {orb.MultiLineString{{{-118, 34}}, {{-117, 34}}}, 1, 2 * circle, 3e-3, 0, 2},
		"meridian":        {orb.MultiLineString{{{-118, 34}, {-118, 35}}}, 1, circle + 2*mile*110_930, 1e-3, 0, 1},
		"there and back":  {orb.MultiLineString{{{-118, 34}, {-118, 35}, {-118, 34}}}, 1, circle + 2*mile*110_930, 1e-3, 0, 1},
		"wide":            {orb.MultiLineString{{{-118, 60}, {-118, 61}}}, 50, 2500*circle + 100*mile*111_424, 3e-3, 0, 1},
		"cross":           {orb.MultiLineString{{{-100, 0}, {-99, 0}}, {{-99.5, -0.5}, {-99.5, 0.5}}}, 1, 2*circle + 2*mile*(111_320+110_574) - 4*mile*mile, 1e-3, 0, 1},
		"square":          {orb.MultiLineString{{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}}, 1, circle + 2*mile*2*(111_312+110_574) - 4*mile*mile, 1e-3, 1, 1},
		"across 180":      {orb.MultiLineString{{{179.5, 0}, {-179.5, 0}}}, 1, circle + 2*mile*111_320, 1e-3, 0, 1},
		"two beyond 180":  {orb.MultiLineString{{{179.9, 0}}, {{-179.9, 0}}}, 10, 200 * circle, 0.1, 0, 1},
		"trefoil of ways": {orb.MultiLineString{{{0, 0}, {0.3, 0.1}, {0.1, 0.3}, {0, -0.1}, {0.25, 0.25}, {-0.1, 0.2}, {0.3, 0}}}, 0.2, 0, 1, 11, 1},
	} {
		radius := geo.Miles(test.miles).Meters()
		got, err := shape.Buffer(test.lines, radius)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		repairs := shape.Repairs{}
		if again := repairs.Repair(got); !cmp.Equal(got, again) || repairs != (shape.Repairs{}) {
			t.Errorf("%s: the outline needs repair: %+v", name, repairs)
		}
		outline, err := spatial.NewOutline(got)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if test.area > 0 && math.Abs(float64(outline.Area())/test.area-1) > test.within {
			t.Errorf("%s: %v square meters, want %v", name, outline.Area(), test.area)
		}
		holes := 0
		for _, p := range got {
			holes += len(p) - 1
		}
		if len(got) != test.parts || holes != test.holes {
			t.Errorf("%s: %d parts and %d holes, want %d and %d", name, len(got), holes, test.parts, test.holes)
		}
		least, most := math.Inf(1), 0.0
		every, samples := 1, 300
		if testing.Short() {
			every, samples = 8, 30
		}
		for _, p := range got {
			for _, r := range p {
				for i := 0; i < len(r); i += every {
					at := r[i]
					d := distanceTo(at, test.lines)
					least, most = min(least, d/float64(radius)), max(most, d/float64(radius))
				}
			}
		}
		if least < 0.99 || most > 1.04 { // corners within are cut
			t.Errorf("%s: corners are %.4f to %.4f of the radius from the lines", name, least, most)
		}
		random := rand.New(rand.NewPCG(1, 2))
		box := got.Bound()
		for range samples {
			at := orb.Point{box.Min[0] + random.Float64()*(box.Max[0]-box.Min[0]), box.Min[1] + random.Float64()*(box.Max[1]-box.Min[1])}
			d := distanceTo(at, test.lines) / float64(radius)
			if in := planar.MultiPolygonContains(got, at); math.Abs(d-1) > 0.04 && in != (d < 1) {
				t.Errorf("%s: %v, at %.3f of the radius, is inside: %v", name, at, d, in)
			}
		}
	}
}

// distanceTo returns the geodesic distance to the nearest point of the lines.
func distanceTo(p orb.Point, lines orb.MultiLineString) float64 {
	place := func(p orb.Point) geo.LatLng { return geo.MustLatLng(p[1], math.Remainder(p[0], 360)) }
	least := math.Inf(1)
	for _, l := range lines {
		for i := range l {
			q, to := l[i], l[min(i+1, len(l)-1)]
			to[0] = q[0] + math.Remainder(to[0]-q[0], 360)
			at := func(t float64) float64 {
				return float64(geo.Distance(place(p), place(orb.Point{q[0] + t*(to[0]-q[0]), q[1] + t*(to[1]-q[1])})))
			}
			from, end := 0.0, 1.0
			for range 30 { // the distance to a short straight line has one minimum
				a, b := (2*from+end)/3, (from+2*end)/3
				if at(a) < at(b) {
					end = b
				} else {
					from = a
				}
			}
			least = min(least, at(from))
		}
	}
	return least
}

// TestBufferRefuses names the reason.
func TestBufferRefuses(t *testing.T) {
	for want, test := range map[string]struct {
		lines orb.MultiLineString
		miles geo.Miles
	}{
		"the lines are too long for so narrow a buffer": {orb.MultiLineString{{{-120, 40}, {-70, 40}}}, 0.001},
		"the lines reach a pole":                        {orb.MultiLineString{{{0, 80}, {0, 89}}}, 1},
		"a buffer around lines has 1 foot to 100 miles": {orb.MultiLineString{{{0, 0}, {0, 1}}}, 101},
		"the lines have no vertices":                    {orb.MultiLineString{{}, {}}, 1},
	} {
		if got, err := shape.Buffer(test.lines, test.miles.Meters()); err == nil || err.Error() != want {
			t.Errorf("%d polygons, error %v, want %s", len(got), err, want)
		}
	}
}

// TestBufferMany refuses points that need too large a grid, and a radius whose grid has
// too many nodes to number.
func TestBufferMany(t *testing.T) {
	var points orb.MultiLineString
	for i := range 10_000 {
		points = append(points, orb.LineString{{float64(i%100) - 150, float64(i/100)/2 + 20}})
	}
	if _, err := shape.Buffer(points, 1000); err == nil {
		t.Error("many points have no error")
	}
	if _, err := shape.Buffer(points[:2], 0.01); err == nil {
		t.Error("a radius of a centimeter has no error")
	}
}
