package spatial_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// The area of WGS84 (NIMA TR8350.2, 2000), m².
const earthArea = 510065621724078.9

func closed(points ...orb.Point) orb.Ring { return append(orb.Ring(points), points[0]) }

func TestRingArea(t *testing.T) {
	zone := func(south, north, degrees float64) float64 {
		return (zoneArea(north) - zoneArea(south)) * degrees * math.Pi / 180
	}
	for _, c := range []struct {
		name string
		ring orb.Ring
		want float64
	}{
		{"a degree at the equator", rectangle(0, 0, 1, 1), zone(0, 1, 1)},
		{"clockwise", closed(orb.Point{0, 40}, orb.Point{0, 41}, orb.Point{1, 41}, orb.Point{1, 40}), -zone(40, 41, 1)},
		{"open", orb.Ring{{0, 40}, {1, 40}, {1, 41}, {0, 41}}, zone(40, 41, 1)},
		{"small", rectangle(-75, 45, -74.999, 45.001), zone(45, 45.001, 0.001)},
		{"across the antimeridian", rectangle(179, 50, -179, 60), zone(50, 60, 2)},
		{"across the antimeridian, running on", rectangle(179, 50, 181, 60), zone(50, 60, 2)},
		{"large", rectangle(-100, 20, -60, 80), zone(20, 80, 40)},
		{"around the north pole", closed(orb.Point{0, 80}, orb.Point{120, 80}, orb.Point{-120, 80}), zone(80, 90, 360)},
		{"around the south pole", closed(orb.Point{0, -80}, orb.Point{-120, -80}, orb.Point{120, -80}), zone(80, 90, 360)},
		{"cut at the antimeridian and led to the pole", closed(orb.Point{-180, -80}, orb.Point{-180, -90}, orb.Point{180, -90}, orb.Point{180, -80}, orb.Point{60, -80}, orb.Point{-60, -80}), zone(80, 90, 360)},
		{"a hemisphere", closed(orb.Point{0, 0}, orb.Point{120, 0}, orb.Point{-120, 0}, orb.Point{-1, 0.0000001}), earthArea / 2},
		{"two vertices", orb.Ring{{0, 0}, {1, 1}, {0, 0}}, 0},
		{"none", nil, 0},
	} {
		got, err := spatial.RingArea(c.ring)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if math.Abs(float64(got)-c.want) > 2e-8*math.Abs(c.want)+1e-3 {
			t.Errorf("%s: %v m², want %v", c.name, got, c.want)
		}
	}
}

func TestAreaOfPolygonsWithHoles(t *testing.T) {
	reversed := func(r orb.Ring) orb.Ring { r = slices.Clone(r); r.Reverse(); return r }
	area := func(r orb.Ring) geo.SquareMeters {
		a, err := spatial.RingArea(r)
		check(t, err)
		return a
	}
	want := area(square(0, 0, 4)) - area(square(1, 1, 1)) + area(square(10, 10, 1))
	for _, m := range []orb.MultiPolygon{
		{{square(0, 0, 4), square(1, 1, 1)}, {square(10, 10, 1)}},
		{{square(0, 0, 4), reversed(square(1, 1, 1))}, {reversed(square(10, 10, 1))}},
	} {
		first, err := spatial.PolygonArea(m[0])
		check(t, err)
		got, err := spatial.MultiPolygonArea(m)
		if err != nil || math.Abs(float64(got-want)) > 1e-3 || math.Abs(float64(first+area(square(10, 10, 1))-want)) > 1e-3 {
			t.Errorf("%v: %v, the first polygon %v, %v; want %v", m, got, first, err, want)
		}
	}
}

func TestAreaRefuses(t *testing.T) {
	border, err := spatial.NewBorder(lngLatBox(0, 0, 1, 1), 1)
	check(t, err)
	for i, r := range []orb.Ring{
		{{0, 0}, {math.NaN(), 0}, {1, 1}},
		{{0, 0}, {1, math.Inf(1)}, {1, 1}},
		{{0, 0}, {1, 90.1}, {1, 1}},
		{{541, 0}, {0, 9}, {1, 1}},
		{{0, 80}, {120, 80}, {240, 80}, {360, 81}, {480, 81}, {240, 81}, {0, 81}, {120, 82}, {240, 82}},
	} {
		m := orb.MultiPolygon{{r}}
		_, areaErr := spatial.MultiPolygonArea(m)
		_, boxErr := spatial.BoundingBox(m)
		addErr := new(spatial.PolygonIndexBuilder).Add(m)
		list := []error{areaErr, boxErr, addErr}
		if i < 4 { // the last one has no area
			_, outlineErr := spatial.NewOutline(m)
			_, regionErr := spatial.NewRegion(m)
			_, borderErr := spatial.NewBorder(m, 1)
			_, sharedErr := border.Shared(m)
			_, overlapErr := spatial.OverlapArea(nil, m)
			list = append(list, outlineErr, regionErr, borderErr, sharedErr, overlapErr)
		}
		for _, err := range list {
			if !errors.Is(err, geo.ErrInvalidPolygon) {
				t.Errorf("%v: %v, want ErrInvalidPolygon", r, err)
			}
		}
	}
}

func TestAreasOfTheCensus(t *testing.T) {
	// Most outlines in the file are simplified and cut at the shore, so only
	// the few hundred of Puerto Rico, Rhode Island, Hawaii and Washington,
	// which are almost unchanged, check the formula.
	var off, all []float64
	for _, z := range realZCTAs(t) {
		got, err := spatial.MultiPolygonArea(z.outline)
		if err != nil {
			t.Fatalf("%s: %v", z.code, err)
		}
		d := math.Abs(float64(got)/z.extent - 1)
		all = append(all, d)
		switch z.code[:3] {
		case "006", "007", "009", "028", "029", "967", "968", "200":
			off = append(off, d)
		}
	}
	slices.Sort(off)
	slices.Sort(all)
	t.Logf("relative difference to land and water: median of all %d areas %.2g, of the %d detailed ones %.2g, at most %.2g",
		len(all), all[len(all)/2], len(off), off[len(off)/2], off[len(off)-1])
	if len(off) < 100 || off[len(off)/2] > 2e-5 || all[len(all)/2] > 1e-2 {
		t.Errorf("the median of %d detailed areas is off by %.2g", len(off), off[len(off)/2])
	}
}

func TestBoundingBox(t *testing.T) {
	at := func(west, south, east, north float64) orb.Polygon {
		return orb.Polygon{rectangle(west, south, east, north)}
	}
	box := func(south, west, north, east float64) geo.Box {
		return geo.Box{SouthWest: geo.MustLatLng(south, west), NorthEast: geo.MustLatLng(north, east)}
	}
	for _, c := range []struct {
		name string
		in   orb.MultiPolygon
		want geo.Box
	}{
		{"none", nil, geo.Box{}},
		{"one", orb.MultiPolygon{at(-80, 40, -79, 41)}, box(40, -80, 41, -79)},
		{"two", orb.MultiPolygon{at(-80, 40, -79, 41), at(-70, 50, -69, 51)}, box(40, -80, 51, -69)},
		{"across", orb.MultiPolygon{at(179, 50, -179, 52)}, box(50, 179, 52, -179)},
		{"on both sides", orb.MultiPolygon{at(179, 50, 180, 52), at(-180, 50, -170, 52)}, box(50, 179, 52, -170)},
		{"across and near", orb.MultiPolygon{at(175, 50, -175, 52), at(-178, 51, -160, 53), at(170, 51, 176, 53)}, box(50, 170, 53, -160)},
		{"far apart", orb.MultiPolygon{at(-180, 50, -170, 52), at(10, 50, 20, 52)}, box(50, 10, 52, -170)},
		{"around the pole", orb.MultiPolygon{{closed(orb.Point{0, 80}, orb.Point{120, 80}, orb.Point{-120, 80})}}, box(80, -180, 90, 180)},
	} {
		got, err := spatial.BoundingBox(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := gocmp.Diff(c.want, got, gocmp.Comparer(func(a, b geo.LatLng) bool { return a == b })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	across := box(50, 170, 60, -170)
	if !box(0, -180, 1, -170).Contains(geo.MustLatLng(0.5, 180)) || across.Contains(geo.LatLng{}) {
		t.Error("longitude 180 is not -180, or a box has an invalid point")
	}
	if across.IsEmpty() || !(geo.Box{}).IsEmpty() || spatial.Union(across, geo.Box{}) != across || spatial.Union(geo.Box{}, across) != across {
		t.Error("empty boxes")
	}
}

// zoneArea returns the area between the equator and a latitude per radian of
// longitude, by the closed formula for WGS84.
func zoneArea(lat float64) float64 {
	const a, f = 6378137.0, 1 / 298.257223563
	const e2 = f * (2 - f)
	e, s := math.Sqrt(e2), math.Sin(lat*math.Pi/180)
	return a * a * (1 - e2) / 2 * (s/(1-e2*s*s) + math.Atanh(e*s)/e)
}

// meanZone returns the mean of zoneArea between two latitudes, by Simpson's rule.
func meanZone(from, to float64) float64 {
	const n = 2000
	sum := zoneArea(from) + zoneArea(to)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * zoneArea(from+(to-from)*float64(i)/n)
	}
	return sum / (3 * n)
}

// TestRingAreaOfSlantedEdges checks triangles with a side along a parallel, one
// along a meridian and a slanted side, which is straight in longitude and
// latitude.
func TestRingAreaOfSlantedEdges(t *testing.T) {
	for _, c := range []struct {
		south, north, width float64
		exact               float64 // height of the error, of the earth's radius
	}{
		{40, 40.01, 0.01, 1e-8}, // up to 0.02 degrees of latitude a trapezoid
		{40, 40.02, 0.1, 1e-8},
		{40, 40.03, 0.1, 1e-12},
		{60, 60.5, 1, 1e-12},
		{-60, -59, 1, 1e-12},
		{10, 13, 2, 1e-12},
		{-40, 50, 30, 1e-11},
		{-40, 40.01, 30, 1e-11},
		{0, 90, 100, 1e-11},
		{-90, 90, 170, 1e-11},
		{85, 89.9, 120, 1e-11},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			radians := c.width * math.Pi / 180
			// Below the slanted side, from the parallel in the south.
			want := radians * (meanZone(c.south, c.north) - zoneArea(c.south))
			rest := radians * (zoneArea(c.north) - meanZone(c.south, c.north))
			w, e := -20.0, -20+c.width
			for name, tt := range map[string]struct {
				ring orb.Ring
				want float64
			}{
				"below":     {orb.Ring{{w, c.south}, {e, c.south}, {e, c.north}, {w, c.south}}, want},
				"above":     {orb.Ring{{w, c.south}, {e, c.north}, {w, c.north}, {w, c.south}}, rest},
				"falling":   {orb.Ring{{e, c.south}, {w, c.north}, {w, c.south}, {e, c.south}}, want},
				"clockwise": {orb.Ring{{w, c.south}, {w, c.north}, {e, c.south}, {w, c.south}}, -want},
			} {
				got, err := spatial.RingArea(tt.ring)
				check(t, err)
				const radius = 6371007.18
				if math.Abs(float64(got)-tt.want) > c.exact*radians*radius*radius+1e-3 {
					t.Errorf("%s: %v m², want %v", name, float64(got), tt.want)
				}
			}
		})
	}
}

// TestSharedBordersAnywhere checks areas of two by two degrees that share a side,
// in all eighths of the earth. A gap that is narrower than the tolerance does
// not count, a wider one does, and so do edges that pass at a distance.
func TestSharedBordersAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const degree = 111_195 // meters
	for i, lng := range []float64{-178, -91, 45, 135} {
		for _, lat := range [][]float64{{-85, 1}, {-45, 83}}[i%2] {
			width := 2 / math.Cos((math.Abs(lat)+1)*math.Pi/180) / 4
			own := lngLatBox(lng, lat, lng+width, lat+2)
			east := geo.Distance(geo.MustLatLng(lat, 0), geo.MustLatLng(lat+2, 0)) // a meridian
			var north geo.Meters                                                   // a parallel
			const n = 500
			for i := range n {
				north += geo.Distance(geo.MustLatLng(lat+2, width*float64(i)/n), geo.MustLatLng(lat+2, width*float64(i+1)/n))
			}
			borders := map[geo.Meters]*spatial.Border{}
			for name, c := range map[string]struct {
				other     orb.MultiPolygon
				tolerance geo.Meters
				want      geo.Meters
			}{
				"north":                {lngLatBox(lng, lat+2, lng+width, lat+3), 20, north},
				"a wide north":         {lngLatBox(lng-1, lat+2, lng+width+1, lat+3), 20, north},
				"north with a gap":     {lngLatBox(lng, lat+2+100./degree, lng+width, lat+3), 120, north},
				"north with a big gap": {lngLatBox(lng, lat+2+140./degree, lng+width, lat+3), 120, 0},
				"south with a gap":     {lngLatBox(lng, lat-1, lng+width, lat-100./degree), 120, geo.Meters(math.NaN())},
				"south with a big gap": {lngLatBox(lng, lat-1, lng+width, lat-140./degree), 120, 0},
				"east":                 {lngLatBox(lng+width, lat, lng+width+1, lat+2), 20, east},
				"a long east":          {lngLatBox(lng+width, lat-1, lng+width+1, lat+3), 20, east},
				"half of the east":     {lngLatBox(lng+width, lat+1, lng+width+1, lat+3), 20, geo.Distance(geo.MustLatLng(lat+1, 0), geo.MustLatLng(lat+2, 0))},
				"west":                 {lngLatBox(lng-1, lat, lng, lat+2), 20, east},
				"half a degree off":    {lngLatBox(lng, lat+2.5, lng+width, lat+3), 1000, 0},
			} {
				b := borders[c.tolerance]
				if b == nil {
					var err error
					b, err = spatial.NewBorder(own, c.tolerance)
					check(t, err)
					borders[c.tolerance] = b
				}
				got, err := b.Shared(c.other)
				check(t, err)
				if c.want != c.want { // the parallel in the south
					c.want = b.Length() - north - 2*east
				}
				if d := math.Abs(float64(got - c.want)); d > 2*float64(c.tolerance)+41+1e-5*float64(c.want) {
					t.Errorf("%v,%v: %s: %.0f m in common, want %.0f", lat, lng, name, float64(got), float64(c.want))
				}
			}
		}
	}
}
