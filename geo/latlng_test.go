package geo_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
)

func TestParseLatLng(t *testing.T) {
	for in, want := range map[string]geo.LatLng{
		"34.0901,-118.4065": geo.MustLatLng(34.0901, -118.4065), " 34.0901 , -118.4065 ": geo.MustLatLng(34.0901, -118.4065),
		"+34,-.5": geo.MustLatLng(34, -0.5), "1e1,-1E-1": geo.MustLatLng(10, -0.1), "-0,-0": geo.MustLatLng(0, 0),
		"90,180": geo.MustLatLng(90, 180), "-90,-180": geo.MustLatLng(-90, -180),
	} {
		if got, err := geo.ParseLatLng(in); err != nil || got != want {
			t.Errorf("ParseLatLng(%q) = %v, %v; want %v", in, got, err, want)
		}
	}
	for _, in := range []string{
		"", "34.0901", "34.0901 -118.4065", "34,", ",34", "1,2,3", "90.0000001,0", "0,-180.0000001", "NaN,0", "0,Inf", "1e400,0", "0x10,0", "1_0,0", "34N,118W",
	} {
		if got, err := geo.ParseLatLng(in); !errors.Is(err, geo.ErrInvalidLatLng) || got.IsValid() {
			t.Errorf("ParseLatLng(%q) = %v, %v; want ErrInvalidLatLng", in, got, err)
		}
	}
}

func TestLatLngFromDegreesRefuses(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 181, -181} {
		for _, c := range [][2]float64{{v, 0}, {0, v}} {
			if p, err := geo.LatLngFromDegrees(c[0], c[1]); !errors.Is(err, geo.ErrInvalidLatLng) {
				t.Errorf("LatLngFromDegrees(%v, %v) = %v, %v; want ErrInvalidLatLng", c[0], c[1], p, err)
			}
		}
	}
}

func TestLatLngJSON(t *testing.T) {
	for _, c := range []struct {
		p    geo.LatLng
		want string
	}{
		{geo.MustLatLng(34.0901, -118.4065), `{"lat":34.0901,"lon":-118.4065}`},
		{geo.MustLatLng(34, -118), `{"lat":34,"lon":-118}`},
		{geo.MustLatLng(0, 0), `{"lat":0,"lon":0}`},
		{geo.MustLatLng(-0.0000001, 0.0000004), `{"lat":0,"lon":0}`},
		{geo.MustLatLng(-0.000001, 0.0000005), `{"lat":-0.000001,"lon":0.000001}`},
		{geo.MustLatLng(12.3456785, -98.7654325), `{"lat":12.345679,"lon":-98.765433}`},
		{geo.MustLatLng(89.9999999, -179.9999999), `{"lat":90,"lon":-180}`},
		{geo.MustLatLng(1.000001, 10.10101), `{"lat":1.000001,"lon":10.10101}`},
		{geo.LatLng{}, `null`},
	} {
		got, err := json.Marshal(c.p)
		if err != nil || string(got) != c.want {
			t.Errorf("%v is %s, %v; want %s", c.p, got, err, c.want)
			continue
		}
		var back geo.LatLng
		if err := json.Unmarshal(got, &back); err != nil {
			t.Errorf("reading %s back: %v", got, err)
		}
		if want := c.p.Rounded(); math.Abs(back.Lat()-want.Lat()) > 1e-12 || math.Abs(back.Lng()-want.Lng()) > 1e-12 || back.IsValid() != want.IsValid() {
			t.Errorf("%s read back is %v, want %v", got, back, want)
		}
	}
}

func TestLatLngUnmarshalRefuses(t *testing.T) {
	for _, in := range []string{`{}`, `{"lat":1}`, `{"lat":91,"lon":0}`, `{"lat":"1","lon":2}`, `[1,2]`, `3`} {
		var p geo.LatLng
		if err := json.Unmarshal([]byte(in), &p); !errors.Is(err, geo.ErrInvalidLatLng) {
			t.Errorf("Unmarshal(%s) = %v, %v; want ErrInvalidLatLng", in, p, err)
		}
	}
}

func TestUnits(t *testing.T) {
	got := []float64{
		float64(geo.Meters(1609.344).Miles()),
		float64(geo.Miles(1).Meters()),
		float64(geo.Meters(1500).Kilometers()),
		float64(geo.Kilometers(1.5).Meters()),
		float64(geo.SquareMeters(2589988.110336).SquareMiles()),
		geo.Round(2.345, 1), geo.Round(-2.25, 1), geo.Round(123.4, 0),
	}
	want := []float64{1, 1609.344, 1.5, 1500, 1, 2.3, -2.3, 123}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
}

func TestRoundPanics(t *testing.T) {
	for _, decimals := range []int{math.MinInt, -1, 10, 50, math.MaxInt} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Round to %d decimals did not panic", decimals)
				}
			}()
			t.Errorf("Round to %d decimals returned %v", decimals, geo.Round(1.5, decimals))
		}()
	}
}

func FuzzParseLatLng(f *testing.F) {
	for _, s := range []string{"34.0901,-118.4065", "90,180", "1e-300,-0", " 1 , 2 ", ",", "NaN,1", "９０,1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := geo.ParseLatLng(s)
		if err != nil {
			if !errors.Is(err, geo.ErrInvalidLatLng) || p.IsValid() {
				t.Fatalf("ParseLatLng(%q) = %v, %v; want ErrInvalidLatLng", s, p, err)
			}
			return
		}
		if !p.IsValid() || math.Abs(p.Lat()) > 90 || math.Abs(p.Lng()) > 180 {
			t.Fatalf("ParseLatLng(%q) = %v, which is out of range", s, p)
		}
		back, err := geo.ParseLatLng(p.String())
		if err != nil || back != p {
			t.Fatalf("%q read back is %v, %v", p, back, err)
		}
		if js, err := json.Marshal(p); err != nil || strings.ContainsAny(string(js), "eE+") {
			t.Fatalf("%v is %s, %v", p, js, err)
		}
	})
}

func TestLatLngFromMicrodegrees(t *testing.T) {
	for _, c := range []struct {
		lat, lng int32
		want     geo.LatLng
	}{
		{34_090_100, -118_406_500, geo.MustLatLng(34.0901, -118.4065)},
		{0, 0, geo.MustLatLng(0, 0)},
		{-90_000_000, 180_000_000, geo.MustLatLng(-90, 180)},
		{90_000_001, 0, geo.LatLng{}},
		{0, -180_000_001, geo.LatLng{}},
		{math.MinInt32, 0, geo.LatLng{}},
	} {
		if got := geo.LatLngFromMicrodegrees(c.lat, c.lng); got != c.want {
			t.Errorf("%d, %d: %v, want %v", c.lat, c.lng, got, c.want)
		}
	}
}

// TestZerosAreEqual compares points with negative zeros, which are the same, and
// checks directions just west of north, which are never 360.
func TestZerosAreEqual(t *testing.T) {
	zero := math.Copysign(0, -1)
	for _, p := range []geo.LatLng{geo.MustLatLng(zero, 0), geo.MustLatLng(0, zero), geo.MustLatLng(zero, zero)} {
		if p != geo.MustLatLng(0, 0) || p.String() != "0,0" || math.Signbit(p.Lat()) || math.Signbit(p.Lng()) {
			t.Errorf("%v is not 0,0", p)
		}
	}
	for _, lng := range []float64{1e-300, 1e-30, 1e-17, 1e-15} {
		if _, bearing := geo.Inverse(geo.MustLatLng(0, 0), geo.MustLatLng(1, -lng)); bearing != 0 && !(bearing > 359.9 && bearing < 360) {
			t.Errorf("the direction to a place %v degrees west of north is %v", lng, bearing)
		}
	}
}

// TestBoxMeets compares boxes that are apart, nested and crossing, also beyond
// longitude 180.
func TestBoxMeets(t *testing.T) {
	box := func(west, south, east, north float64) geo.Box {
		return geo.Box{SouthWest: geo.MustLatLng(south, west), NorthEast: geo.MustLatLng(north, east)}
	}
	alaska := box(172, 51, -130, 72)
	for _, tt := range []struct {
		name string
		a, b geo.Box
		want bool
	}{
		{"inside", box(0, 0, 10, 10), box(1, 1, 2, 2), true},
		{"across", box(0, 4, 10, 6), box(4, 0, 6, 10), true},
		{"an edge", box(0, 0, 10, 10), box(10, 0, 20, 10), true},
		{"beside", box(0, 0, 10, 10), box(10.1, 0, 20, 10), false},
		{"above", box(0, 0, 10, 10), box(0, 10.1, 10, 20), false},
		{"west of the antimeridian", alaska, box(175, 52, 176, 53), true},
		{"east of it", alaska, box(-150, 60, -149, 61), true},
		{"outside of both", alaska, box(0, 60, 10, 61), false},
		{"both cross", alaska, box(170, 60, -170, 61), true},
		{"empty", geo.Box{}, box(0, 0, 10, 10), false},
	} {
		if got := tt.a.Meets(tt.b); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if got := tt.b.Meets(tt.a); got != tt.want {
			t.Errorf("%s, the other way: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func ExampleBox_Meets() {
	alaska := geo.Box{SouthWest: geo.MustLatLng(51, 172), NorthEast: geo.MustLatLng(72, -130)}
	hawaii := geo.Box{SouthWest: geo.MustLatLng(18, -161), NorthEast: geo.MustLatLng(23, -154)}
	fmt.Println(alaska.Meets(hawaii), alaska.Meets(alaska))
	// Output: false true
}
