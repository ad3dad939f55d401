package spatial_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

func region(tb testing.TB, m orb.MultiPolygon) *spatial.Region {
	tb.Helper()
	g, err := spatial.NewRegion(m)
	check(tb, err)
	return g
}

// Shapes of regions around a place, about so many degrees wide.

func randomRegion(rng *rand.Rand, x, y, size float64, vertices int) orb.MultiPolygon {
	var r orb.Ring
	for range vertices {
		r = append(r, orb.Point{x + size*(rng.Float64()-0.5), y + size*(rng.Float64()-0.5)})
	}
	return orb.MultiPolygon{{append(r, r[0])}}
}

func combRegion(x, y, size float64, teeth int, lean float64) orb.MultiPolygon {
	var r orb.Ring
	width := size / float64(teeth)
	for i := range teeth {
		west := x - size/2 + width*float64(i)
		r = append(r, orb.Point{west, y - size/3}, orb.Point{west + lean, y + size/2}, orb.Point{west + lean + width/2, y + size/2}, orb.Point{west + width/2, y - size/3})
	}
	r = append(r, orb.Point{x + size/2, y - size/2}, orb.Point{x - size/2, y - size/2})
	return orb.MultiPolygon{{append(r, r[0])}}
}

func spiralRegion(x, y, size float64, turns int) orb.MultiPolygon {
	var out, in orb.Ring
	for k := range 24 * turns {
		angle, r := float64(k)*math.Pi/12, size/2*float64(k+4)/float64(24*turns+4)
		out = append(out, orb.Point{x + r*math.Cos(angle), y + r*math.Sin(angle)})
		r -= size / float64(6*turns)
		in = append(in, orb.Point{x + r*math.Cos(angle), y + r*math.Sin(angle)})
	}
	slices.Reverse(in)
	out = append(out, in...)
	return orb.MultiPolygon{{append(out, out[0])}}
}

// TestRegionEqualsOutlines compares what a region shares with the areas of a
// tessellation with what their outlines share edge by edge.
func TestRegionEqualsOutlines(t *testing.T) {
	for _, place := range []struct {
		name string
		x, y float64 // of the middle
	}{{"Ohio", -83, 40}, {"the antimeridian", 179.9, 66}, {"the equator", 10, 0.1}, {"the south", 10, -50}} {
		t.Run(place.name, func(t *testing.T) {
			if testing.Short() && place.x < 179 {
				t.Skip("with -short the antimeridian stands for all places")
			}
			rng := rand.New(rand.NewPCG(11, 7))
			tiles := tessellate(rng, place.x-1.5, place.y-1.5, 0.3, 10, 10, 5)
			index := pack(t, tiles)
			own := make([]*spatial.Outline, len(tiles))
			for i := range tiles {
				own[i] = outline(t, index.Polygons(i))
			}
			x, y := place.x, place.y
			regions := map[string]orb.MultiPolygon{
				"random":         randomRegion(rng, x, y, 3, 60),
				"random, small":  randomRegion(rng, x+0.1, y, 0.01, 40),
				"random, larger": randomRegion(rng, x, y, 20, 40),
				"tiny":           randomRegion(rng, x, y, 1e-4, 5),
				"comb":           combRegion(x, y, 3, 40, 0),
				"leaning comb":   combRegion(x, y, 3, 40, 0.5),
				"fine comb":      combRegion(x, y, 0.2, 300, 0.01),
				"spiral":         spiralRegion(x, y, 3, 12),
				"around all":     {{rectangle(x-3, y-3, x+3, y+3)}},
				"elsewhere":      {{rectangle(x-30, y-3, x-20, y+3)}},
				"a hole":         {{rectangle(x-1, y-1, x+1, y+1), rectangle(x-0.5, y-0.5, x+0.7, y+0.8)}},
				"parts": {
					{rectangle(x-1, y-1, x-0.5, y+1)},
					{rectangle(x+0.5, y-1, x+1, y+1), rectangle(x+0.6, y-1, x+0.8, y+1)},
					{rectangle(x+0.9, y, x+1.2, y+0.2)}, // overlaps the second
				},
				"a bow tie":         {{{{x - 1, y - 1}, {x + 1, y + 1}, {x + 1, y - 1.2}, {x - 1, y + 1}}}},
				"twice around":      {{{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}, {x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}}},
				"a tile":            tiles[44],
				"a tile and more":   {tiles[44][0], tiles[46][0], {tiles[12][0][0], rectangle(x-1e-3, y-1e-3, x, y)}},
				"around the pole":   {{{{-170, 20}, {-80, 40}, {10, 70}, {100, 62}}}},
				"on edges of tiles": {{{tiles[33][0][0][0], tiles[35][0][0][0], tiles[75][0][0][0], tiles[33][0][0][7], tiles[33][0][0][0]}}},
			}
			for name, m := range regions {
				t.Run(name, func(t *testing.T) {
					g, o := region(t, m), outline(t, m)
					if a, b := float64(g.Area()), float64(o.Area()); math.Abs(a-b) > 1e-9*math.Abs(b)+1e-4 {
						t.Errorf("area %v, want %v", a, b)
					}
					got := make([]float64, len(tiles))
					err := g.Overlaps(t.Context(), index, func(int) bool { return true }, func(area int, shared geo.SquareMeters) { got[area] = float64(shared) })
					check(t, err)
					var meter spatial.OverlapMeter
					worst := 0.0
					for i := range tiles {
						want := float64(meter.Area(o, own[i]))
						off := missed(got[i], want, own[i], index.Area(i))
						worst = max(worst, off/float64(own[i].Area()))
						if off > 1e-9*float64(own[i].Area())+1e-3 {
							t.Errorf("area %d shares %v m², want %v", i, got[i], want)
						}
					}
					t.Logf("at most %.1g of an area off", worst)
				})
			}
		})
	}
}

// missed returns how far an extent is from the expected one. For a whole area
// the extent in the index is right too, which is less precise than its outline.
func missed(got, want float64, own *spatial.Outline, whole geo.SquareMeters) float64 {
	off := math.Abs(got - want)
	if times := want / float64(own.Area()); math.Abs(times-math.Round(times)) < 1e-9 {
		off = min(off, math.Abs(got-math.Round(times)*float64(whole)))
	}
	return off
}

// TestRegionCovered checks points on vertices, on edges, beside them and
// anywhere against the index of the polygon alone.
func TestRegionCovered(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, place := range [][2]float64{{-83, 40}, {179.9, 66}, {-179.95, -10}} {
		x, y := place[0], place[1]
		for name, m := range map[string]orb.MultiPolygon{
			"random": randomRegion(rng, x, y, 3, 60), "tiny": randomRegion(rng, x, y, 2e-5, 9), "comb": combRegion(x, y, 1, 50, 0.1),
			"spiral": spiralRegion(x, y, 3, 5), "hole": {{rectangle(x-1, y-1, x+1, y+1), rectangle(x-0.5, y-0.5, x+0.7, y+0.8)}},
			"overlapping parts": {{rectangle(x-1, y-1, x+0.5, y+1)}, {rectangle(x-0.5, y-1, x+1, y+1)}},
			"rounded away":      {{rectangle(x, y, x+1e-7, y+1e-7)}},
			"steep":             {{{{x, y}, {x + 1e-6, y + 20}, {x + 3e-6, y - 10}}}},
			"around the pole":   {{{{-170, 20}, {-80, 40}, {10, 70}, {100, 62}}}},
		} {
			var points []geo.LatLng
			add := func(x, y float64) {
				for x > 180 {
					x -= 360
				}
				for x < -180 {
					x += 360
				}
				points = append(points, geo.MustLatLng(y, x))
			}
			for _, p := range m {
				for _, r := range p {
					for i, v := range r {
						v, w := micro(v), micro(r[(i+1)%len(r)])
						add(v[0], v[1])
						for range 40 {
							s := float64(rng.IntN(1001)) / 1000
							add(v[0]+s*(w[0]-v[0])+float64(rng.IntN(3)-1)*1e-7, v[1]+s*(w[1]-v[1])+float64(rng.IntN(3)-1)*1e-7)
						}
						add(v[0], v[1]+rng.Float64())
						add(v[0]+rng.Float64(), v[1])
					}
				}
			}
			for range 2000 {
				add(x+4*(rng.Float64()-0.5), y+4*(rng.Float64()-0.5))
			}
			points = append(points, geo.LatLng{}, geo.MustLatLng(y, 180), geo.MustLatLng(y, -180), geo.MustLatLng(90, 5))
			index := pack(t, []orb.MultiPolygon{m})
			var want, got []int
			for i, p := range points {
				if index.Covers(0, p) {
					want = append(want, i)
				}
			}
			err := region(t, m).Covered(t.Context(), len(points), func(i int) geo.LatLng { return points[i] }, func(i int) { got = append(got, i) })
			check(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s at %v (-want +got):\n%s", name, place, diff)
			}
		}
	}
}

func TestEmptyRegions(t *testing.T) {
	for _, m := range []orb.MultiPolygon{nil, {{}}, {{{{0, 0}, {1, 1}, {0, 0}}}}, {{nil, rectangle(0, 0, 1, 1)}}} {
		g := region(t, m)
		found := func(int) { t.Errorf("%v has something inside", m) }
		if err := g.Covered(t.Context(), 1, func(int) geo.LatLng { return geo.MustLatLng(0.5, 0.5) }, found); err != nil || g.Area() != 0 {
			t.Errorf("%v: area %v, %v", m, g.Area(), err)
		}
	}
}

// A countdown is a context that is canceled at a check.
type countdown struct {
	context.Context
	left, asked int
}

func (c *countdown) Err() error {
	c.asked++
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestRegionCancel cancels at many of the checks of the context.
func TestRegionCancel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	index := pack(t, tessellate(rng, 0, 40, 0.3, 10, 10, 5))
	g := region(t, randomRegion(rng, 1.5, 41.5, 3, fewer(800)))
	work := map[string]func(context.Context) error{
		"areas": func(ctx context.Context) error {
			return g.Overlaps(ctx, index, func(int) bool { return true }, func(int, geo.SquareMeters) {})
		},
		"points": func(ctx context.Context) error {
			return g.Covered(ctx, 100_000, func(i int) geo.LatLng { return geo.MustLatLng(40+3*float64(i)/100_000, math.Mod(float64(i)/777, 3)) }, func(int) {})
		},
	}
	for name, do := range work {
		whole := &countdown{Context: t.Context(), left: math.MaxInt}
		check(t, do(whole))
		if whole.asked < 8 {
			t.Errorf("%s: the context was checked %d times only", name, whole.asked)
		}
		for left := 0; left < whole.asked; left += 1 + whole.asked/10 {
			ctx := &countdown{Context: t.Context(), left: left}
			if err := do(ctx); !errors.Is(err, context.Canceled) || ctx.asked > left+2 {
				t.Errorf("%s, canceled at check %d: %v after %d", name, left, err, ctx.asked)
			}
		}
	}
}

// FuzzRegion verifies that a region shares with areas what its outline does.
func FuzzRegion(f *testing.F) {
	f.Add(uint64(1), 60, 0.0, 0.0, 3.0)
	f.Add(uint64(2), 5, 1.0, 1.0, 1e-5)
	f.Add(uint64(3), 300, 0.5, -0.5, 0.1)
	rng := rand.New(rand.NewPCG(1, 2))
	index := pack(f, tessellate(rng, 177, 50, 0.5, 8, 8, 4))
	var own []*spatial.Outline
	for i := range index.Len() {
		own = append(own, outline(f, index.Polygons(i)))
	}
	f.Fuzz(func(t *testing.T, seed uint64, vertices int, x, y, size float64) {
		if vertices < 3 || vertices > 500 || !(size > 0 && size < 10) || !(math.Abs(x) < 10 && math.Abs(y) < 10) {
			t.Skip()
		}
		m := randomRegion(rand.New(rand.NewPCG(seed, 4)), 179+x, 52+y, size, vertices)
		g, o := region(t, m), outline(t, m)
		shared := make([]float64, index.Len())
		check(t, g.Overlaps(t.Context(), index, func(int) bool { return true }, func(i int, v geo.SquareMeters) { shared[i] = float64(v) }))
		var meter spatial.OverlapMeter
		for i, got := range shared {
			want := float64(meter.Area(o, own[i]))
			if missed(got, want, own[i], index.Area(i)) > 1e-9*float64(vertices)*float64(own[i].Area())+1e-3 {
				t.Errorf("area %d shares %v m², want %v", i, got, want)
			}
		}
	})
}
