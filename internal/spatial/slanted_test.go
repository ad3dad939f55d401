package spatial_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

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
				if err != nil {
					t.Fatal(err)
				}
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
	for _, lng := range []float64{-178, -91, 45, 135} {
		for _, lat := range []float64{-85, -45, 1, 83} {
			width := 2 / math.Cos((math.Abs(lat)+1)*math.Pi/180) / 4
			own := lngLatBox(lng, lat, lng+width, lat+2)
			east := geo.Distance(geo.MustLatLng(lat, 0), geo.MustLatLng(lat+2, 0)) // a meridian
			var north geo.Meters                                                   // a parallel
			const n = 500
			for i := range n {
				north += geo.Distance(geo.MustLatLng(lat+2, width*float64(i)/n), geo.MustLatLng(lat+2, width*float64(i+1)/n))
			}
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
				b, err := spatial.NewBorder(own, c.tolerance)
				if err != nil {
					t.Fatal(err)
				}
				got, err := b.Shared(c.other)
				if err != nil {
					t.Fatal(err)
				}
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
