package spatial_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/spatial"
)

func outline(tb testing.TB, m orb.MultiPolygon) *spatial.Outline {
	tb.Helper()
	o, err := spatial.NewOutline(m)
	check(tb, err)
	return o
}

func rectangle(west, south, east, north float64) orb.Ring {
	return orb.Ring{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}
}

func square(x, y, side float64) orb.Ring { return rectangle(x, y, x+side, y+side) }

func areaOf(tb testing.TB, m orb.MultiPolygon) float64 {
	tb.Helper()
	a, err := spatial.MultiPolygonArea(m)
	check(tb, err)
	return float64(a)
}

func TestOverlapArea(t *testing.T) {
	one := func(rings ...orb.Ring) orb.MultiPolygon { return orb.MultiPolygon{rings} }
	turned := func(r orb.Ring) orb.Ring { r = r.Clone(); slices.Reverse(r); return r }
	tests := []struct {
		name string
		a, b orb.MultiPolygon
		want orb.MultiPolygon // has the area of what they share
	}{
		{"corners", one(rectangle(0, 40, 2, 42)), one(rectangle(1, 41, 3, 43)), one(rectangle(1, 41, 2, 42))},
		{"one within the other", one(rectangle(0, 40, 3, 43)), one(rectangle(1, 41, 2, 42)), one(rectangle(1, 41, 2, 42))},
		{"the same", one(rectangle(0, 40, 3, 43)), one(rectangle(0, 40, 3, 43)), one(rectangle(0, 40, 3, 43))},
		{"whichever way they run", one(rectangle(0, 40, 2, 42)), one(turned(rectangle(1, 41, 3, 43))), one(rectangle(1, 41, 2, 42))},
		{"neighbours", one(rectangle(0, 40, 1, 41)), one(rectangle(1, 40, 2, 41)), nil},
		{"one above the other", one(rectangle(0, 40, 1, 41)), one(rectangle(0, 41, 1, 42)), nil},
		{"far apart", one(rectangle(0, 40, 1, 41)), one(rectangle(90, 40, 91, 41)), nil},
		{"in the hole", one(rectangle(0, 40, 3, 43), rectangle(1, 41, 2, 42)), one(rectangle(1, 41, 2, 42)), nil},
		{"over the hole", one(rectangle(0, 40, 3, 43), rectangle(1, 41, 2, 42)), one(rectangle(0.5, 40.5, 2.5, 42.5)), one(rectangle(0.5, 40.5, 2.5, 42.5), rectangle(1, 41, 2, 42))},
		{"two parts", orb.MultiPolygon{{rectangle(0, 40, 1, 41)}, {rectangle(2, 40, 3, 41)}}, one(rectangle(0.5, 40, 2.5, 41)), orb.MultiPolygon{{rectangle(0.5, 40, 1, 41)}, {rectangle(2, 40, 2.5, 41)}}},
		{"south of the equator", one(rectangle(0, -42, 2, -40)), one(rectangle(1, -43, 3, -41)), one(rectangle(1, -42, 2, -41))},
		{"across the antimeridian", one(rectangle(178, 50, -178, 52)), one(rectangle(-179, 51, -177, 53)), one(rectangle(-179, 51, -178, 52))},
		{"cut at the antimeridian", orb.MultiPolygon{{rectangle(178, 50, 180, 52)}, {rectangle(-180, 50, -178, 52)}}, one(rectangle(179, 51, -179, 53)), one(rectangle(179, 51, -179, 52))},
		{"nothing", nil, one(rectangle(0, 0, 1, 1)), nil},
		{"an outer ring without extent", one(orb.Ring{{0, 0}, {1, 1}}, rectangle(0, 0, 1, 1)), one(rectangle(0, 0, 1, 1)), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := areaOf(t, tt.want)
			for _, pair := range [][2]orb.MultiPolygon{{tt.a, tt.b}, {tt.b, tt.a}} {
				got, err := spatial.OverlapArea(pair[0], pair[1])
				check(t, err)
				if math.Abs(float64(got)-want) > 1e-7*want+1e-3 {
					t.Errorf("%v m², want %v", float64(got), want)
				}
			}
		})
	}
}

// Edges across a continent bend, and are cut into parts: not into more than
// there is memory for.
func TestNewOutlineOfLongEdges(t *testing.T) {
	zigzag := func(teeth int) orb.MultiPolygon {
		var ring orb.Ring
		for i := range teeth {
			ring = append(ring, orb.Point{-120 + float64(i)/10, 25}, orb.Point{-70 - float64(i)/10, 49})
		}
		return orb.MultiPolygon{{append(ring, ring[0])}}
	}
	if _, err := spatial.NewOutline(zigzag(2)); err != nil {
		t.Error(err)
	}
	if _, err := spatial.NewOutline(zigzag(20)); !errors.Is(err, geo.ErrInvalidPolygon) {
		t.Errorf("got %v, want ErrInvalidPolygon", err)
	}
}

// The common areas of an area and the tiles of a tessellation add up to it.
func TestOverlapOfTessellations(t *testing.T) {
	for _, where := range []struct {
		name        string
		west, south float64
	}{{"Ohio", -84, 38}, {"Alaska", 178, 66}, {"equator", 10, -1.2}} {
		t.Run(where.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, 7))
			var coarse, fine []*spatial.Outline
			for _, m := range tessellate(rng, where.west, where.south, 0.8, 4, 4, 5) {
				coarse = append(coarse, outline(t, m))
			}
			for _, m := range tessellate(rng, where.west-0.4, where.south-0.4, 0.31, 14, 14, 4) {
				fine = append(fine, outline(t, m))
			}
			var meter spatial.OverlapMeter
			worst := 0.0
			for _, c := range coarse {
				sum := 0.0
				for _, f := range fine {
					v := float64(meter.Area(c, f))
					if limit := float64(min(c.Area(), f.Area())); v < -1e-3 || v > limit*(1+1e-12) {
						t.Fatalf("two areas share %v m², want 0 to %v", v, limit)
					}
					sum += v
				}
				worst = max(worst, math.Abs(sum/float64(c.Area())-1))
			}
			if worst > 1e-10 {
				t.Errorf("an area and the sum of its parts differ by %v", worst)
			}
			for i, c := range coarse {
				for _, d := range coarse[:i] {
					if v := float64(meter.Area(c, d)); math.Abs(v) > 1e-3 {
						t.Errorf("neighbours share %v m²", v)
					}
				}
			}
		})
	}
}

// FuzzOverlap verifies that what two areas share is neither negative nor larger
// than either, and the same both ways.
func FuzzOverlap(f *testing.F) {
	f.Add(0.0, 40.0, 2.0, 42.0, 1.0, 41.0, 3.0, 43.0)
	f.Add(178.0, 50.0, 182.0, 52.0, -179.0, 51.0, -177.0, 53.0)
	f.Add(0.0, -90.0, 90.0, 90.0, 10.0, 0.0, 20.0, 1e-9)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, h, i float64) {
		p, err := spatial.NewOutline(orb.MultiPolygon{{rectangle(a, b, c, d)}})
		if err != nil {
			return
		}
		q, err := spatial.NewOutline(orb.MultiPolygon{{rectangle(e, g, h, i)}})
		if err != nil {
			return
		}
		var meter spatial.OverlapMeter
		v, w := float64(meter.Area(p, q)), float64(meter.Area(q, p))
		limit := float64(min(p.Area(), q.Area()))
		if slack := 1.0 + 1e-9*limit; v < -slack || v > limit+slack || math.Abs(v-w) > slack {
			t.Errorf("shared %v and %v m², want 0 to %v", v, w, limit)
		}
	})
}

// dense returns the ring with every edge cut into so many.
func dense(r orb.Ring, parts int) orb.Ring {
	var out orb.Ring
	for i := 1; i < len(r); i++ {
		for k := range parts {
			t := float64(k) / float64(parts)
			out = append(out, orb.Point{r[i-1][0] + t*(r[i][0]-r[i-1][0]), r[i-1][1] + t*(r[i][1]-r[i-1][1])})
		}
	}
	return append(out, out[0])
}

var check = checktest.Check
