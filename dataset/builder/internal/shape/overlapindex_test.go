package shape_test

import (
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/spatial"
)

// TestOverlapIndex checks against measuring every pair that an index leaves out
// none that shares something: small outlines, some across the antimeridian,
// one that is nearly everywhere, and one without polygons.
func TestOverlapIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var outlines []*spatial.Outline
	add := func(m orb.MultiPolygon) {
		o, err := spatial.NewOutline(m)
		if err != nil {
			t.Fatal(err)
		}
		outlines = append(outlines, o)
	}
	for range 150 {
		west, south := 176+8*rng.Float64(), 50+3*rng.Float64()
		if rng.IntN(2) == 0 {
			west -= 360
		}
		add(lngLatBox(west, south, west+rng.Float64(), south+rng.Float64()/2))
	}
	add(lngLatBox(-170, -80, 170, 80))
	add(nil)
	outlines = append(outlines, nil)
	finder := shape.NewOverlapIndex(outlines).Finder()
	var meter spatial.OverlapMeter
	found := 0
	for i, o := range outlines {
		near := finder.AppendMeeting(nil, o)
		if !slices.IsSorted(near) || len(slices.Compact(slices.Clone(near))) != len(near) {
			t.Errorf("outline %d meets %v, not in order", i, near)
		}
		for k, p := range outlines {
			if o == nil || p == nil {
				continue
			}
			if v := meter.Area(o, p); v > 1e-3 && !slices.Contains(near, int32(k)) {
				t.Errorf("outlines %d and %d share %.3f m², and do not meet", i, k, float64(v))
			} else if v > 1e-3 {
				found++
			}
		}
	}
	if found < 500 {
		t.Errorf("%d pairs share something", found)
	}
}

func lngLatBox(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{east, north}}.ToPolygon()}
}

func ExampleOverlapIndex() {
	var outlines []*spatial.Outline
	for _, m := range []orb.MultiPolygon{lngLatBox(0, 0, 1, 1), lngLatBox(0.5, 0, 1.5, 1), lngLatBox(5, 5, 6, 6)} {
		o, err := spatial.NewOutline(m)
		if err != nil {
			log.Fatal(err)
		}
		outlines = append(outlines, o)
	}
	var meter spatial.OverlapMeter
	for _, i := range shape.NewOverlapIndex(outlines).Finder().AppendMeeting(nil, outlines[0]) {
		fmt.Printf("%d: %.0f of 100\n", i, float64(100*meter.Area(outlines[0], outlines[i])/meter.Area(outlines[0], outlines[0])))
	}
	// Output:
	// 0: 100 of 100
	// 1: 50 of 100
}
