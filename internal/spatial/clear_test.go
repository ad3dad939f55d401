package spatial_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/postgeo/postgeo/geo"
)

// TestClear draws points around those that Clear reports far from outlines. Both lie in
// the same areas.
func TestClear(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	x := pack(t, tessellate(rng, -118, 22, 0.5, 60, 50, 6))
	found := 0
	for range fewer(20_000) {
		p := geo.MustLatLng(20+30*rng.Float64(), -120+40*rng.Float64())
		d := geo.Meters(math.Pow(10, 1+3.5*rng.Float64()))
		if !x.Clear(p, d) {
			continue
		}
		found++
		want := x.AppendAround(nil, p)
		for range 20 {
			sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
			r := float64(d) * math.Sqrt(rng.Float64()) / 111_500
			q := geo.MustLatLng(p.Lat()+r*sin, p.Lng()+r*cos/math.Cos(p.Lat()*math.Pi/180))
			if got := x.AppendAround(nil, q); len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
				t.Fatalf("%v within %v m of %v lies in %v, expected %v", q, d, p, got, want)
			}
		}
	}
	if found == 0 {
		t.Error("no outline is ever far")
	}
}
