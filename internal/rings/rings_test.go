package rings_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/rings"
)

// star returns a ring that visits every second of n corners of a circle.
func star(n int) orb.Ring {
	var r orb.Ring
	for i := range n {
		angle := 2 * math.Pi * float64(2*i%n) / float64(n)
		r = append(r, orb.Point{math.Cos(angle), math.Sin(angle)})
	}
	return append(r, r[0])
}

// area returns the extent of valid polygons.
func area(m orb.MultiPolygon) float64 {
	sum := 0.0
	for _, p := range m {
		for i, r := range p {
			if a := math.Abs(rings.Area(r)); i == 0 {
				sum += a
			} else {
				sum -= a
			}
		}
	}
	return sum
}

// TestRepair checks the extent of rings that cross themselves. A part that a ring winds
// around twice counts once.
func TestRepair(t *testing.T) {
	const golden = 0.381966011250105 // of the inner to the outer radius of a pentagram
	pentagon := 2.5 * math.Sin(2*math.Pi/5)
	for _, tt := range []struct {
		name     string
		ring     orb.Ring
		polygons int
		area     float64
	}{
		{"square", orb.Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}, 1, 1},
		{"open square", orb.Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, 1, 1},
		{"figure of eight", orb.Ring{{0, 0}, {2, 2}, {2, 0}, {0, 2}, {0, 0}}, 2, 2},
		{"unequal loops", orb.Ring{{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, -1}, {0, -1}, {0, 0}}, 2, 5},
		{"pentagram", star(5), 1, 5 * math.Sin(math.Pi/5) * golden},
		{"twice around", orb.Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}, 1, 1},
		{"hole by a bridge", orb.Ring{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}, {0, 0}}, 1, 15},
		{"antimeridian", orb.Ring{{179, 0}, {-179, 2}, {-179, 0}, {179, 2}, {179, 0}}, 2, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := rings.Repair(orb.MultiPolygon{{tt.ring}}, rings.Limits{Crossings: 20, Steps: 10_000})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != tt.polygons || math.Abs(area(got)-tt.area) > 1e-9 {
				t.Errorf("%d polygons of %v, want %d of %v: %v", len(got), area(got), tt.polygons, tt.area, got)
			}
			again, counts, err := rings.Repair(got, rings.Limits{})
			if diff := cmp.Diff(got, again); diff != "" || counts != (rings.Counts{}) || err != nil {
				t.Errorf("the result is not valid: %+v, %v\n%s", counts, err, diff)
			}
		})
	}
	if outer := math.Abs(rings.Area(star(5))); outer <= pentagon*golden {
		t.Errorf("the pentagram has %v", outer)
	}
}

// TestCrossings compares random rings with all pairs of their edges.
func TestCrossings(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 300 {
		var r orb.Ring
		at, far := orb.Point{}, math.Pow(10, -3*random.Float64())
		for range 3 + n {
			at = orb.Point{at[0] + far*(random.Float64()-0.5), at[1] + far*(random.Float64()-0.5)}
			r = append(r, at)
		}
		r = append(r, r[0])
		if got, want := rings.CrossingsOf(r), crossingPairs(r); got != want {
			t.Fatalf("ring %d of %d vertices: %d crossings, want %d", n, len(r), got, want)
		}
	}
}

func turn(p, q, r orb.Point) float64 {
	return (q[0]-p[0])*(r[1]-p[1]) - (q[1]-p[1])*(r[0]-p[0])
}

// TestLimits gives hostile rings. They must be answered or refused in a short time.
func TestLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const vertices = 100_000
	hostile := map[string]func(i int) orb.Point{
		"random":    func(int) orb.Point { return orb.Point{random.Float64(), random.Float64()} },
		"zigzag":    func(i int) orb.Point { return orb.Point{float64(i % 2), float64(i) / vertices} },
		"lean":      func(i int) orb.Point { return orb.Point{float64(i%2) + float64(i)/vertices, float64(i % 2)} },
		"back":      func(i int) orb.Point { return orb.Point{float64(i % 2 * i), 0} },
		"fan":       func(i int) orb.Point { return orb.Point{float64(i % 2), float64(i%2) * float64(i) / vertices} },
		"few spots": func(i int) orb.Point { return orb.Point{float64(i % 7), float64(i * i % 11)} },
		"circle": func(i int) orb.Point {
			s, c := math.Sincos(2 * math.Pi * float64(i) / vertices)
			return orb.Point{c, s}
		},
		"one spot": func(int) orb.Point { return orb.Point{1, 1} },
	}
	for name, point := range hostile {
		t.Run(name, func(t *testing.T) {
			var r orb.Ring
			for i := range vertices {
				r = append(r, point(i))
			}
			began := time.Now()
			_, counts, err := rings.Repair(orb.MultiPolygon{{r}}, rings.Limits{Crossings: 1000, Steps: 10_000_000})
			took := time.Since(began)
			t.Logf("%v, %+v, %v", took, counts, err)
			if e := (*rings.LimitError)(nil); err != nil && !errors.As(err, &e) {
				t.Error(err)
			}
			if name == "circle" && err != nil {
				t.Errorf("a circle is refused: %v", err)
			}
			if name == "random" && err == nil {
				t.Error("a billion crossings are not refused")
			}
			if took > time.Minute { // much more than with limits, on a busy machine
				t.Errorf("it took %v", took)
			}
		})
	}
}

// comb returns a ring of n long edges side by side, turned by an angle. Its teeth point
// up; the ring goes back below them.
func comb(n int, angle float64) orb.Ring {
	sine, cosine := math.Sincos(angle)
	var r orb.Ring
	add := func(x, y float64) { r = append(r, orb.Point{x*cosine - y*sine, x*sine + y*cosine}) }
	for i := range n + 1 {
		add(float64(i)/float64(n), float64(i%2))
	}
	add(1, -1)
	add(0, -1)
	return append(r, r[0])
}

// burst returns a ring of n long edges between two circles.
func burst(n int) orb.Ring {
	const inner = 0.3
	var r orb.Ring
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		if i%2 == 1 {
			s, c = inner*s, inner*c
		}
		r = append(r, orb.Point{c, s})
	}
	return append(r, r[0])
}

// TestLongEdges accepts valid rings of many long edges within the limits of searches.
func TestLongEdges(t *testing.T) {
	const vertices = 99_990
	for name, r := range map[string]orb.Ring{
		"upright": comb(vertices, 0), "lying": comb(vertices, math.Pi/2), "leaning": comb(vertices, 0.6), "burst": burst(vertices / 3),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			got, counts, err := rings.Repair(orb.MultiPolygon{{r}}, rings.Limits{Crossings: 1000, Steps: 10_000_000})
			t.Logf("%v", time.Since(began))
			if diff := cmp.Diff(orb.MultiPolygon{{r}}, got); diff != "" || counts != (rings.Counts{}) || err != nil {
				t.Errorf("%+v, %v", counts, err)
			}
		})
	}
}

// TestCrossingsOfLongEdges compares combs that cross themselves with all pairs of their
// edges.
func TestCrossingsOfLongEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for _, r := range []orb.Ring{comb(800, 0), comb(800, 1.2), burst(800)} {
		for range 10 {
			at := 1 + random.IntN(len(r)-2)
			r[at] = orb.Point{4*random.Float64() - 2, 4*random.Float64() - 2}
		}
		if got, want := rings.CrossingsOf(r), crossingPairs(r); got != want || want < 10 {
			t.Errorf("%d crossings, want %d", got, want)
		}
	}
}

// crossingPairs returns how many pairs of edges cross.
func crossingPairs(r orb.Ring) (n int) {
	for i := range len(r) - 1 {
		for j := range i {
			a, b, c, d := r[i], r[i+1], r[j], r[j+1]
			if turn(a, b, c)*turn(a, b, d) < 0 && turn(c, d, a)*turn(c, d, b) < 0 {
				n++
			}
		}
	}
	return n
}

// TestWidest checks the stretches between crossings.
func TestWidest(t *testing.T) {
	for _, tt := range []struct {
		crossings     []float64
		middle, width float64
	}{{nil, 0, 0}, {[]float64{1}, 0, 0}, {[]float64{1, 2, 9, 12}, 10.5, 3}, {[]float64{-4, -2, 0, 1}, -3, 2}} {
		if m, w := rings.Widest(tt.crossings); m != tt.middle || w != tt.width {
			t.Errorf("Widest(%v) = %v, %v, want %v, %v", tt.crossings, m, w, tt.middle, tt.width)
		}
	}
}

// TestWindings compares random rings with the number of times that they wind around
// random points.
func TestWindings(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for n := range 400 {
		var r orb.Ring
		const grid = 8 // corners that repeat and edges that meet
		for range 3 + n%40 {
			p := orb.Point{random.Float64(), random.Float64()}
			if n%2 == 0 {
				p = orb.Point{math.Floor(p[0]*grid) / grid, math.Floor(p[1]*grid) / grid}
			}
			r = append(r, p)
		}
		r = append(r, r[0])
		got, _, err := rings.Repair(orb.MultiPolygon{{r}}, rings.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			p := orb.Point{random.Float64(), random.Float64()}
			times := 0
			for _, polygon := range got {
				for _, l := range polygon {
					times += winding(l, p)
				}
			}
			want := 0
			if winding(r, p) != 0 {
				want = 1
			}
			if times < 0 {
				times = -times
			}
			if times != want {
				t.Fatalf("ring %d winds %d times around %v, its repair %d times: %v", n, winding(r, p), p, times, r)
			}
		}
	}
}

// winding returns how often a ring winds around a point, counterclockwise.
func winding(r orb.Ring, p orb.Point) (n int) {
	for i := 1; i < len(r); i++ {
		a, b := r[i-1], r[i]
		switch {
		case a[1] <= p[1] && b[1] > p[1] && turn(a, b, p) > 0:
			n++
		case b[1] <= p[1] && a[1] > p[1] && turn(a, b, p) < 0:
			n--
		}
	}
	return n
}
