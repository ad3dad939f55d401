package spatial_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	wgs84 "github.com/tidwall/geodesic"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// pieceUnits is the length of the pieces that edges are cut into to be
// measured, in millionths of a degree of latitude: 67 m.
const pieceUnits = 600

// polarRings measures with Karney at every vertex. It draws the rings of a polygon around the
// center by exact distance and azimuth, on a sphere as curved as the ellipsoid is there. The
// outline must be as stored; its edges are cut into pieces.
func polarRings(m orb.MultiPolygon, center geo.LatLng) (rings []orb.Ring) {
	gauss := gaussRadius(center)
	place := func(lng, lat float64) orb.Point {
		var d, azimuth float64
		wgs84.WGS84.Inverse(center.Lat(), center.Lng(), lat, lng, &d, &azimuth, nil)
		rho := 2 * gauss * math.Sin(d/(2*gauss))
		sin, cos := math.Sincos(azimuth * math.Pi / 180)
		return orb.Point{rho * sin, rho * cos}
	}
	for _, p := range m {
		for _, r := range p {
			ring := orb.Ring{place(r[0][0], r[0][1])}
			for i := 1; i < len(r); i++ {
				a, b := r[i-1], r[i]
				if math.Abs(a[1]) == 90 && a[1] == b[1] {
					continue // along the pole there is no way to go
				}
				narrow := math.Cos(min(math.Abs(a[1]), math.Abs(b[1])) * math.Pi / 180)
				n := 1 + int(max(math.Abs(b[0]-a[0])*narrow, math.Abs(b[1]-a[1]))*1e6/pieceUnits)
				for k := 1; k <= n; k++ {
					t := float64(k) / float64(n)
					ring = append(ring, place(a[0]+t*(b[0]-a[0]), a[1]+t*(b[1]-a[1])))
				}
			}
			rings = append(rings, ring)
		}
	}
	return rings
}

func gaussRadius(center geo.LatLng) float64 {
	const e2 = (2 - 1/298.257223563) / 298.257223563
	s := math.Sin(center.Lat() * math.Pi / 180)
	return 6378137 * math.Sqrt(1-e2) / (1 - e2*s*s)
}

// polarShare returns how much of a polygon lies in a circle, in per cent.
func polarShare(rings []orb.Ring, center geo.LatLng, radius geo.Meters) float64 {
	gauss := gaussRadius(center)
	limit := 2 * gauss * math.Sin(float64(radius)/(2*gauss))
	var inside, all float64
	for _, r := range rings {
		for i := 1; i < len(r); i++ {
			inside += discWedge(r[i-1], r[i], limit)
			all += cross(r[i-1], r[i]) / 2
		}
	}
	return 100 * inside / all
}

func cross(p, q orb.Point) float64 { return p[0]*q[1] - p[1]*q[0] }

// discWedge returns the signed area of the triangle of the origin and two
// points that lies in a disc about the origin.
func discWedge(p, q orb.Point, radius float64) float64 {
	dx, dy := q[0]-p[0], q[1]-p[1]
	a, b, c := dx*dx+dy*dy, p[0]*dx+p[1]*dy, p[0]*p[0]+p[1]*p[1]-radius*radius
	sector := func(p, q orb.Point) float64 {
		return radius * radius / 2 * math.Atan2(cross(p, q), p[0]*q[0]+p[1]*q[1])
	}
	under := b*b - a*c
	if under <= 0 || a == 0 {
		return sector(p, q)
	}
	along := func(t float64) orb.Point { return orb.Point{p[0] + t*dx, p[1] + t*dy} }
	t1 := max(0, (-b-math.Sqrt(under))/a)
	t2 := min(1, (-b+math.Sqrt(under))/a)
	if t1 >= t2 {
		return sector(p, q)
	}
	m1, m2 := along(t1), along(t2)
	sum := cross(m1, m2) / 2
	if t1 > 0 {
		sum += sector(p, m1)
	}
	if t2 < 1 {
		sum += sector(m2, q)
	}
	return sum
}

func circle(tb testing.TB, center geo.LatLng, radius geo.Meters) *spatial.Circle {
	tb.Helper()
	c, err := spatial.NewCircle(center, radius)
	check(tb, err)
	return c
}

// checkShares compares all shares of a circle with the oracle, and returns
// how many were partial and the largest difference in percentage points. It keeps the rings
// of the center.
func checkShares(t *testing.T, index *spatial.PolygonIndex, center geo.LatLng, radius geo.Meters, areas []int, rings map[int][]orb.Ring) (partial int, worst float64) {
	t.Helper()
	got := make(map[int]float64)
	for _, s := range index.AppendShares(nil, circle(t, center, radius)) {
		if _, twice := got[s.Index]; twice || s.Percent <= 0 || s.Percent > 100 {
			t.Fatalf("%v m around %v: area %d has %v %%", radius, center, s.Index, s.Percent)
		}
		got[s.Index] = s.Percent
	}
	for _, i := range areas {
		if rings[i] == nil {
			rings[i] = polarRings(index.Polygons(i), center)
		}
		want := polarShare(rings[i], center, radius)
		off := math.Abs(got[i] - want)
		worst = max(worst, off)
		if off > shareTolerance {
			t.Errorf("%v m around %v: %v %% of area %d, want %v", radius, center, got[i], i, want)
		}
		if got[i] > 0 && got[i] < 100 {
			partial++
		}
	}
	return partial, worst
}

// shareTolerance is in percentage points.
const shareTolerance = 1e-5

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestSharesOfTessellations(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, c := range []struct {
		name        string
		west, south float64
		step        float64
		center      geo.LatLng
		radius      geo.Miles
	}{
		{"city", -75.2, 45.2, 0.05, geo.MustLatLng(45.4, -75), 5},
		{"small", -75.2, 45.2, 0.005, geo.MustLatLng(45.23, -75.17), 0.5},
		{"region", -102, 38, 0.4, geo.MustLatLng(40.1, -99.7), 50},
		{"large", -105, 35, 1, geo.MustLatLng(40.1, -99.7), 250},
		{"tropics", -67, 16, 0.3, geo.MustLatLng(18, -65.6), 60},
		{"equator", -1, -1, 0.25, geo.MustLatLng(0, 0), 40},
		{"far north", -110, 68, 0.5, geo.MustLatLng(70, -107), 100},
		{"antimeridian", 178.5, 50, 0.3, geo.MustLatLng(51, -179.9), 50},
		{"antimeridian from the west", 178.5, 50, 0.3, geo.MustLatLng(51, 179.8), 70},
		{"south of the equator", 140, -38, 0.3, geo.MustLatLng(-36.4, 141.7), 60},
		{"inside one", -100, 40, 0.9, geo.MustLatLng(40.9, -99.1), 10},
		{"holding all", -100, 40, 0.1, geo.MustLatLng(40.5, -99.5), 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			index := pack(t, tessellate(rng, c.west, c.south, c.step, 9, 9, 5))
			areas := all(index.Len())
			rng.Shuffle(len(areas), func(i, j int) { areas[i], areas[j] = areas[j], areas[i] })
			partial, worst := checkShares(t, index, c.center, c.radius.Meters(), areas[:fewer(len(areas))], map[int][]orb.Ring{})
			t.Logf("%d partial shares, largest difference %.2g percentage points", partial, worst)
		})
	}
}

// The parts of areas that tile a box add up to a circle within it.
func TestSharesAddUp(t *testing.T) {
	index := pack(t, tessellate(rand.New(rand.NewPCG(33, 144)), -124, 25, 0.2, 60, 40, 5))
	for _, miles := range []geo.Miles{5, 50, 200} {
		c, err := spatial.NewCircle(geo.MustLatLng(29.01, -117.98), miles.Meters())
		check(t, err)
		sum := 0.0
		for _, s := range index.AppendShares(nil, c) {
			sum += s.Percent / 100 * float64(index.Area(s.Index))
		}
		ring, err := c.Ring(100_000)
		check(t, err)
		whole, err := spatial.MultiPolygonArea(orb.MultiPolygon{{ring}})
		check(t, err)
		if off := math.Abs(sum/float64(whole) - 1); !(off < 5e-8) {
			t.Errorf("%v miles: the parts differ from the circle by %.1e of it", miles, off)
		}
	}
}

func TestSharesAtThePole(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	rng := rand.New(rand.NewPCG(5, 2))
	// Wedges that meet at the pole, and a cap around it.
	var areas []orb.MultiPolygon
	for i := range 12 {
		west := -180 + 30*float64(i)
		ring := orb.Ring{{west, 88}, {west + 10, 88.2}, {west + 20, 88.1}, {west + 30, 88}, {west + 30, 90}, {west, 90}, {west, 88}}
		areas = append(areas, orb.MultiPolygon{{ring}})
	}
	var around orb.Ring
	for i := range 36 {
		around = append(around, orb.Point{-180 + 10*float64(i), 89 + 0.1*rng.Float64()})
	}
	areas = append(areas, orb.MultiPolygon{{append(around, around[0])}})
	for _, sign := range []float64{1, -1} {
		index := pack(t, flip(areas, sign))
		centers := []geo.LatLng{
			geo.MustLatLng(90*sign, 0), geo.MustLatLng(90*sign, 77), geo.MustLatLng(89.9999999*sign, 10), geo.MustLatLng(89.3*sign, -170), geo.MustLatLng(88*sign, 45),
		}
		if sign < 0 {
			centers = centers[3:] // mirrored
		}
		for _, center := range centers {
			rings := map[int][]orb.Ring{}
			for _, radius := range []geo.Miles{1, 80, 250} {
				if _, worst := checkShares(t, index, center, radius.Meters(), all(index.Len()), rings); worst > 1e-5 {
					t.Errorf("%v miles around %v: largest difference %.2g", radius, center, worst)
				}
			}
		}
	}
}

// flip mirrors areas at the equator for a negative sign.
func flip(areas []orb.MultiPolygon, sign float64) []orb.MultiPolygon {
	out := make([]orb.MultiPolygon, len(areas))
	for i, m := range areas {
		out[i] = m.Clone()
		for _, p := range out[i] {
			for _, r := range p {
				for k := range r {
					r[k][1] *= sign
				}
			}
		}
	}
	return out
}

func TestSharesOfRealAreas(t *testing.T) {
	z := realZCTAs(t)
	index := pack(t, outlines(z))
	check(t, index.Verify())
	rng := rand.New(rand.NewPCG(5, 3))
	partial, worst := 0, 0.0
	for range 80 { // about 700 pairs
		m := z[rng.IntN(len(z))].outline
		v := m[0][0][0]
		center := nudge(rng, geo.MustLatLng(v[1], v[0]), 0.5)
		radius := geo.Miles(3 * math.Pow(250./3, rng.Float64())).Meters()
		// Some of the areas that the circle cuts, and some others.
		var cut []int
		for _, s := range index.AppendShares(nil, circle(t, center, radius)) {
			if s.Percent < 100 {
				cut = append(cut, s.Index)
			}
		}
		rng.Shuffle(len(cut), func(i, j int) { cut[i], cut[j] = cut[j], cut[i] })
		cut = append(cut[:min(len(cut), 12)], rng.IntN(len(z)))
		slices.Sort(cut)
		n, off := checkShares(t, index, center, radius, slices.Compact(cut), map[int][]orb.Ring{})
		partial += n
		worst = max(worst, off)
	}
	t.Logf("%d partial shares, largest difference %.2g percentage points", partial, worst)
}

func TestRingShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	index := pack(t, tessellate(rng, -102, 38, 0.4, 9, 9, 4))
	center := geo.MustLatLng(40, -100)
	inner, outer := circle(t, center, 30000), circle(t, center, 70000)
	want := make(map[int]float64)
	for i := range index.Len() {
		if p := index.Share(i, outer) - index.Share(i, inner); p > 1e-9 {
			want[i] = p
		}
	}
	got := index.AppendRingShares([]spatial.Share{{Index: -1}}, inner, outer)
	if got[0].Index != -1 || len(got) != len(want)+1 {
		t.Errorf("%d shares, want %d", len(got)-1, len(want))
	}
	for _, s := range got[1:] {
		if math.Abs(s.Percent-want[s.Index]) > 1e-9 {
			t.Errorf("area %d: %v %%, want %v", s.Index, s.Percent, want[s.Index])
		}
	}
}

func TestSharesOfHolesAndIslands(t *testing.T) {
	areas := []orb.MultiPolygon{
		{{square(-80, 40, 1), square(-79.6, 40.4, 0.2)}, {square(-78.5, 40, 0.5)}},
		{{square(-79.6, 40.4, 0.2)}},
		nil,
	}
	index := pack(t, areas)
	for _, center := range []geo.LatLng{geo.MustLatLng(40.5, -79.5), geo.MustLatLng(40.9, -78.3)} {
		rings := map[int][]orb.Ring{}
		for _, radius := range []geo.Miles{2, 8, 20, 40, 70, 150} {
			checkShares(t, index, center, radius.Meters(), []int{0, 1}, rings)
		}
	}
	c := circle(t, geo.MustLatLng(40.5, -79.5), 3000)
	if p := index.Share(0, c); p != 0 {
		t.Errorf("the circle lies in the hole, but holds %v %%", p)
	}
	for _, area := range []int{-1, 2, 3} {
		if p := index.Share(area, c); p != 0 || index.HasPolygon(area) || index.Area(area) != 0 || index.Polygons(area) != nil {
			t.Errorf("area %d has no polygon but %v %%", area, p)
		}
	}
}

func TestNewCircleRefuses(t *testing.T) {
	p := geo.MustLatLng(40, -80)
	for _, c := range []struct {
		center geo.LatLng
		radius geo.Meters
	}{{geo.LatLng{}, 1}, {p, 0}, {p, -1}, {p, geo.Meters(math.NaN())}, {p, geo.Meters(math.Inf(1))}, {p, geo.MaxCircleRadius + 1}} {
		if got, err := spatial.NewCircle(c.center, c.radius); !errors.Is(err, geo.ErrInvalidCircle) {
			t.Errorf("NewCircle(%v, %v) = %v, %v; want ErrInvalidCircle", c.center, c.radius, got, err)
		}
	}
}

func TestCircleRing(t *testing.T) {
	for _, center := range []geo.LatLng{geo.MustLatLng(40, -80), geo.MustLatLng(51, 179.9), geo.MustLatLng(90, 0)} {
		c := circle(t, center, 20000)
		for _, n := range []int{-1, 2, geo.MaxCircleCorners + 1, math.MaxInt} {
			if ring, err := c.Ring(n); !errors.Is(err, geo.ErrInvalidCircle) {
				t.Errorf("Ring(%d) has %d points, %v; want ErrInvalidCircle", n, len(ring), err)
			}
		}
		ring, err := c.Ring(360)
		check(t, err)
		if len(ring) != 361 || ring[0] != ring[360] && center.Lat() < 90 {
			t.Errorf("%d points, from %v to %v", len(ring), ring[0], ring[360])
		}
		area, err := spatial.RingArea(ring)
		if want := math.Pi * 20000 * 20000; err != nil || math.Abs(float64(area)/want-1) > 1e-3 {
			t.Errorf("%v: area %v, %v; want %v", center, area, err, want)
		}
		if !c.Contains(center) || c.Contains(geo.LatLng{}) || c.Contains(geo.MustLatLng(0, 0)) {
			t.Errorf("%v: Contains", center)
		}
	}
}
