package geo_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
)

var check = checktest.Check

var resolve = flag.Bool("geodsolve", false, "solve the cases of testdata/geodesics.csv again with GeographicLib's GeodSolve, which must be installed")

const geodesicsFile = "testdata/geodesics.csv"

// A geodesic is a solved case: the azimuth at a and the length to b.
type geodesic struct {
	kind    string
	a, b    geo.LatLng
	azimuth float64 // degrees, -180 to 180
	meters  float64
}

// The length may differ from GeographicLib's by a micrometer, a thousandth of
// the millimeter that is promised; the end of a path that leaves along the
// bearing by a millimeter.
const (
	lengthTolerance  = 1e-6
	sidewaysDistance = 1e-3
)

func TestInverseAgreesWithGeographicLib(t *testing.T) {
	if *resolve {
		solve(t)
	}
	var worst float64
	for i, c := range readGeodesics(t) {
		dist, bearing := geo.Inverse(c.a, c.b)
		if diff := math.Abs(float64(dist) - c.meters); diff > lengthTolerance {
			t.Errorf("line %d (%s): %v to %v is %v m, want %v", i+2, c.kind, c.a, c.b, dist, c.meters)
		} else {
			worst = max(worst, diff)
		}
		if bearing < 0 || bearing >= 360 {
			t.Errorf("line %d (%s): bearing %v is not within 0 to 360", i+2, c.kind, bearing)
		}
		if c.meters == 0 {
			if bearing != 0 {
				t.Errorf("line %d (%s): coincident points have bearing %v", i+2, c.kind, bearing)
			}
			continue
		}
		// Near the antipodes a hair's breadth decides the direction, so the
		// difference is judged by what it does at the end of the path: the
		// reduced length is at most that of a sphere there.
		turn := math.Abs(math.Remainder(float64(bearing)-c.azimuth, 360)) * math.Pi / 180
		const radius = 6.4e6
		if off := turn * radius * math.Abs(math.Sin(c.meters/radius)); off > sidewaysDistance {
			t.Errorf("line %d (%s): bearing of %v to %v is %v, want %v", i+2, c.kind, c.a, c.b, bearing, c.azimuth)
		}
		if d := geo.Distance(c.a, c.b); d != dist {
			t.Errorf("line %d (%s): Distance %v differs from Inverse %v", i+2, c.kind, d, dist)
		}
		if back, _ := geo.Inverse(c.b, c.a); math.Abs(float64(back-dist)) > lengthTolerance {
			t.Errorf("line %d (%s): the way back is %v m, the way there %v", i+2, c.kind, back, dist)
		}
	}
	t.Logf("largest difference in length: %.3g m", worst)
}

// readGeodesics reads the solved cases.
func readGeodesics(t *testing.T) []geodesic {
	t.Helper()
	f, err := os.Open(geodesicsFile)
	check(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	check(t, err)
	var out []geodesic
	for i, row := range rows[1:] {
		var v [6]float64
		for j := range v {
			if v[j], err = strconv.ParseFloat(row[j+1], 64); err != nil {
				t.Fatalf("%s: line %d: %v", geodesicsFile, i+2, err)
			}
		}
		out = append(out, geodesic{
			kind: row[0], a: geo.MustLatLng(v[0], v[1]), b: geo.MustLatLng(v[2], v[3]),
			azimuth: v[4], meters: v[5],
		})
	}
	if len(out) < 500 {
		t.Fatalf("%s has only %d cases", geodesicsFile, len(out))
	}
	return out
}

// solve makes cases of every kind and has GeodSolve write their solutions.
func solve(t *testing.T) {
	t.Helper()
	cases := unsolved()
	var in bytes.Buffer
	for _, c := range cases {
		fmt.Fprintf(&in, "%v %v %v %v\n", c.a.Lat(), c.a.Lng(), c.b.Lat(), c.b.Lng())
	}
	cmd := exec.CommandContext(t.Context(), "GeodSolve", "-i", "-p", "10")
	cmd.Stdin = &in
	solved, err := cmd.Output()
	if err != nil {
		t.Fatalf("GeodSolve: %v", err)
	}
	var out bytes.Buffer
	fmt.Fprintln(&out, "kind,lat1,lon1,lat2,lon2,azi1,s12")
	for i, line := range strings.Split(strings.TrimSpace(string(solved)), "\n") {
		f := strings.Fields(line) // azi1 azi2 s12
		c := cases[i]
		fmt.Fprintf(&out, "%s,%v,%v,%v,%v,%s,%s\n", c.kind, c.a.Lat(), c.a.Lng(), c.b.Lat(), c.b.Lng(), f[0], f[2])
	}
	check(t, os.WriteFile(geodesicsFile, out.Bytes(), 0o644))
}

// unsolved returns the cases, the same every time.
func unsolved() []geodesic {
	rng := rand.New(rand.NewPCG(1, 2))
	uniform := func(lo, hi float64) float64 { return math.Round((lo+rng.Float64()*(hi-lo))*1e9) / 1e9 }
	clampLng := func(v float64) float64 { return math.Remainder(v, 360) }
	var out []geodesic
	add := func(kind string, lat1, lng1, lat2, lng2 float64) {
		out = append(out, geodesic{
			kind: kind,
			a:    geo.MustLatLng(lat1, clampLng(lng1)), b: geo.MustLatLng(lat2, clampLng(lng2)),
		})
	}
	for range 150 {
		add("random", uniform(-90, 90), uniform(-180, 180), uniform(-90, 90), uniform(-180, 180))
	}
	for range 100 {
		add("north america", uniform(18, 72), uniform(-179, -52), uniform(18, 72), uniform(-179, -52))
	}
	for range 100 {
		lat, lng := uniform(-89, 89), uniform(-180, 180)
		add("nearly antipodal", lat, lng, -lat+uniform(-0.5, 0.5), lng+180+uniform(-0.5, 0.5))
	}
	for range 40 {
		lng := uniform(-180, 180)
		add("equator", 0, lng, 0, lng+uniform(-180, 180))
		add("meridian", uniform(-90, 90), lng, uniform(-90, 90), lng)
	}
	for range 40 {
		add("antimeridian", uniform(50, 55), uniform(170, 180), uniform(50, 55), uniform(-180, -170))
	}
	for range 50 {
		lat, lng := uniform(-85, 85), uniform(-179, 179)
		add("tiny", lat, lng, lat+uniform(-1e-5, 1e-5), lng+uniform(-1e-5, 1e-5))
	}
	for range 20 {
		add("from north pole", 90, uniform(-180, 180), uniform(-90, 90), uniform(-180, 180))
		add("to south pole", uniform(-90, 90), uniform(-180, 180), -90, uniform(-180, 180))
		add("near north pole", uniform(89.999, 90), uniform(-180, 180), uniform(89.999, 90), uniform(-180, 180))
	}
	add("coincident", 34.0901, -118.4065, 34.0901, -118.4065)
	add("pole to pole", 90, 0, -90, 0)
	add("antipodal", 0, 0, 0, 180)
	add("one point with two longitudes", 52, 180, 52, -180)
	add("one pole with two longitudes", 90, 10, 90, 100)
	return out
}

func TestInverseOfInvalidPoints(t *testing.T) {
	p := geo.MustLatLng(1, 2)
	for _, c := range [][2]geo.LatLng{{p, {}}, {{}, p}, {}} {
		if d, b := geo.Inverse(c[0], c[1]); d != 0 || b != 0 {
			t.Errorf("Inverse(%v, %v) = %v, %v; want 0, 0", c[0], c[1], d, b)
		}
	}
}

func ExampleInverse() {
	losAngeles := geo.MustLatLng(34.0901, -118.4065)
	ottawa := geo.MustLatLng(45.4215, -75.6972)
	dist, bearing := geo.Inverse(losAngeles, ottawa)
	fmt.Printf("%.1f miles, %.1f km, bearing %.1f\n", dist.Miles(), dist.Kilometers(), bearing)
	// Output: 2372.9 miles, 3818.9 km, bearing 57.8
}
