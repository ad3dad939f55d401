package radius_test

import (
	"context"
	"flag"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

var update = flag.Bool("update", false, "write the golden files of testdata again")

func newReader(tb testing.TB) *lookup.Reader {
	tb.Helper()
	return lookuptest.Reader(tb, lookuptest.Dataset(tb))
}

func TestGoldenDistances(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct{ file, from, to string }{
		{"zip_to_postal", "90210", "k1a0b1"},
		{"fallback_to_zip4", "K1A 9Z9", "902101234"},
		{"coordinates", "45.4215, -75.6972", "A1C"},
		{"same", "10001", "10001"},
		{"across_the_antimeridian", "99546", "96910"},
	} {
		t.Run(c.file, func(t *testing.T) {
			res, err := radius.Distance(t.Context(), r, c.from, c.to, radius.DistanceOptions{})
			check(t, err)
			lookuptest.Golden(t, c.file, res, *update)
		})
	}
}

// The figures come from GeographicLib's GeodSolve.
func TestDistanceOfKnownPairs(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct {
		from, to           string
		miles, km, bearing float64
	}{
		{"34.0901,-118.4065", "45.4215,-75.6972", 2372.95, 3818.89, 57.8},
		{"0,0", "0,90", 6225.37, 10018.75, 90},
		{"90,0", "-90,0", 12429.87, 20003.93, 180},
		{"52,180", "52,-180", 0, 0, 0},
		{"10001", "10001", 0, 0, 0},
	} {
		res, err := radius.Distance(t.Context(), r, c.from, c.to, radius.DistanceOptions{})
		if err != nil {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
			continue
		}
		got := []float64{float64(res.Distance.Miles), float64(res.Distance.Km), res.Bearing}
		if diff := cmp.Diff([]float64{c.miles, c.km, c.bearing}, got); diff != "" {
			t.Errorf("%s to %s (-want +got):\n%s", c.from, c.to, diff)
		}
	}
}

func TestDistanceResultsShareNothing(t *testing.T) {
	r := newReader(t)
	first, err := radius.Distance(t.Context(), r, "90210", "10001", radius.DistanceOptions{})
	check(t, err)
	first.From.Timezone.Name = "changed"
	second, err := radius.Distance(t.Context(), r, "90210", "10001", radius.DistanceOptions{})
	if err != nil || second.From.Timezone.Name != "Pacific Time" || second.To.Timezone.Name != "Eastern Time" {
		t.Errorf("the second result has %+v and %+v, %v", second.From.Timezone, second.To.Timezone, err)
	}
}

func TestDistanceAllocatesOnce(t *testing.T) {
	r := newReader(t)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := radius.Distance(context.Background(), r, "90210", "K1A 0B1", radius.DistanceOptions{}); err != nil {
			t.Fatal(err)
		}
	}); n > 1 {
		t.Errorf("a distance allocates %v times", n)
	}
}

func FuzzDistance(f *testing.F) {
	for _, c := range [][2]string{{"90210", "K1A0B1"}, {"1,2", "-1,-178"}, {"", "x"}, {"90,0", "-90,180"}, {"09012", "90210-1"}} {
		f.Add(c[0], c[1])
	}
	r := newReader(f)
	f.Fuzz(func(t *testing.T, from, to string) {
		res, err := radius.Distance(t.Context(), r, from, to, radius.DistanceOptions{})
		if err != nil {
			if envelope.FaultOf(err) == nil {
				t.Fatalf("%q to %q: %v", from, to, err)
			}
			return
		}
		if res.Bearing < 0 || res.Bearing >= 360 || res.Distance.Miles < 0 || res.Distance.Km > 20004 || math.IsNaN(res.Bearing) {
			t.Fatalf("%q to %q: %+v %v", from, to, res.Distance, res.Bearing)
		}
		if d := geo.Distance(res.From.Location, res.To.Location); math.Abs(float64(d.Kilometers()-res.Distance.Km)) > 0.006 {
			t.Fatalf("%q to %q: %v, but its ends are %v apart", from, to, res.Distance, d)
		}
	})
}
