package geo_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
)

// TestAreaOfThree measures rectangles, whose common part is a rectangle, in
// every order and across the antimeridian.
func TestAreaOfThree(t *testing.T) {
	rect := func(west, south, east, north float64) *geo.Outline {
		return outline(t, orb.MultiPolygon{{rectangle(west, south, east, north)}})
	}
	for _, tt := range []struct {
		name          string
		a, b, c, want *geo.Outline
	}{
		{"corner", rect(0, 40, 2, 42), rect(1, 41, 3, 43), rect(1.5, 40.5, 4, 41.5), rect(1.5, 41, 2, 41.5)},
		{"one within both", rect(0, 40, 5, 45), rect(1, 41, 4, 44), rect(2, 42, 3, 43), rect(2, 42, 3, 43)},
		{"antimeridian", rect(178, 50, 182, 52), rect(-181, 51, -177, 53), rect(179.5, 50, 180.5, 60), rect(179.5, 51, 180.5, 52)},
		{"no common part of pairs that meet", rect(0, 0, 2, 2), rect(1, 1, 3, 3), rect(2.5, 0, 4, 1.5), nil},
	} {
		want := 0.0
		if tt.want != nil {
			want = float64(tt.want.Area())
		}
		var m geo.OverlapMeter
		for _, order := range [][3]*geo.Outline{{tt.a, tt.b, tt.c}, {tt.b, tt.c, tt.a}, {tt.c, tt.a, tt.b}, {tt.c, tt.b, tt.a}} {
			if got := float64(m.AreaOfThree(order[0], order[1], order[2])); math.Abs(got-want) > 1e-9*want+1e-3 {
				t.Errorf("%s: %v m², want %v", tt.name, got, want)
			}
		}
	}
}

// TestAreaOfThreeAddsUp checks what tiles of one tessellation share with those
// of a second and a third against what they share with the second alone.
func TestAreaOfThreeAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	var layers [3][]*geo.Outline
	for i, n := range []int{3, 5, 4} {
		for _, m := range tessellate(rng, -84-0.2*float64(i), 38-0.2*float64(i), 2.4/float64(n), n+i, n+i, 4) {
			layers[i] = append(layers[i], outline(t, m))
		}
	}
	var meter geo.OverlapMeter
	meetings := 0
	for _, a := range layers[0][:4] {
		for _, b := range layers[1] {
			two := float64(meter.Area(a, b))
			sum, parts := 0.0, 0
			for _, c := range layers[2] {
				v := float64(meter.AreaOfThree(a, b, c))
				if limit := min(two, float64(meter.Area(b, c)), float64(meter.Area(a, c))); v < -1e-2 || v > limit+1e-2 {
					t.Fatalf("three areas share %v m², want 0 to %v", v, limit)
				}
				if sum += v; v > 1 {
					parts++
				}
			}
			if parts > 1 {
				meetings++
			}
			if two > 1 && math.Abs(sum-two) > 1e-9*two+1e-2 {
				t.Errorf("the parts add up to %v m², want %v", sum, two)
			}
		}
	}
	if meetings < 5 {
		t.Errorf("only %d pairs met several tiles", meetings)
	}
}
