package spatial_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// place is a point or vertex as an exact fraction of degrees.
type place struct{ x, y *big.Rat }

func exact(v orb.Point, unit int64) place {
	whole := func(f float64) *big.Rat { return big.NewRat(int64(math.Round(f*float64(unit))), unit) }
	return place{whole(v[0]), whole(v[1])}
}

// rationalPosition reports by exact fractions whether the point is inside an
// area (1), outside (-1) or on its edge (0). Edges far north or south of the
// point are passed over.
func rationalPosition(m orb.MultiPolygon, p geo.LatLng) int {
	inside := false
	for turn := range 2 {
		at := exact(orb.Point{p.Lng(), p.Lat()}, 1e7)
		if at.x.Cmp(big.NewRat(180, 1)) == 0 {
			at.x.SetInt64(-180)
		}
		at.x.Add(at.x, big.NewRat(int64(360*turn), 1))
		for _, poly := range m {
			for _, r := range poly {
				for i := 1; i < len(r); i++ {
					const slack = 1e-6
					if max(r[i-1][1], r[i][1]) < p.Lat()-slack || min(r[i-1][1], r[i][1]) > p.Lat()+slack {
						continue
					}
					a, b := exact(r[i-1], 1e6), exact(r[i], 1e6)
					switch crosses(a, b, at) {
					case 0:
						return 0
					case 1:
						inside = !inside
					}
				}
			}
		}
	}
	if inside {
		return 1
	}
	return -1
}

// crosses returns 1 when a ray from p to the east crosses the edge, 0 when p
// lies on it.
func crosses(a, b, p place) int {
	if a.y.Cmp(b.y) > 0 {
		a, b = b, a
	}
	if p.y.Cmp(a.y) < 0 || p.y.Cmp(b.y) > 0 {
		return -1
	}
	if a.y.Cmp(b.y) == 0 {
		lo, hi := a.x, b.x
		if lo.Cmp(hi) > 0 {
			lo, hi = hi, lo
		}
		if p.x.Cmp(lo) >= 0 && p.x.Cmp(hi) <= 0 {
			return 0
		}
		return -1
	}
	// The edge's longitude at the latitude of the point.
	t := new(big.Rat).Quo(new(big.Rat).Sub(p.y, a.y), new(big.Rat).Sub(b.y, a.y))
	x := new(big.Rat).Add(a.x, t.Mul(t, new(big.Rat).Sub(b.x, a.x)))
	switch c := p.x.Cmp(x); {
	case c == 0:
		return 0
	case c > 0 || p.y.Cmp(b.y) == 0: // the upper end belongs to the next edge
		return -1
	}
	return 1
}

// near returns points that are hard to place: vertices, points on and beside
// edges, and others.
func near(rng *rand.Rand, m orb.MultiPolygon, n int) []geo.LatLng {
	var out []geo.LatLng
	add := func(x, y float64) {
		x, y = math.Remainder(math.Round(x*1e7)/1e7, 360), max(-90, min(90, math.Round(y*1e7)/1e7))
		out = append(out, geo.MustLatLng(y, x))
	}
	for range n {
		p := m[rng.IntN(len(m))]
		r := p[rng.IntN(len(p))]
		i := 1 + rng.IntN(len(r)-1)
		a, b := r[i-1], r[i]
		t := float64(rng.IntN(101)) / 100
		x, y := a[0]+t*(b[0]-a[0]), a[1]+t*(b[1]-a[1])
		switch rng.IntN(5) {
		case 0:
			add(a[0], a[1])
		case 1:
			add(x, y) // on the edge or within a centimetre
		case 2:
			add(x+1e-7*float64(rng.IntN(3)-1), y+1e-7*float64(rng.IntN(3)-1))
		case 3:
			add(a[0], y)
		default:
			add(x+rng.NormFloat64()*0.01, y+rng.NormFloat64()*0.01)
		}
	}
	return out
}

// checkContaining compares Containing with exact fractions for the areas that candidates
// returns for a point. In a tessellation no point is inside two areas.
func checkContaining(t *testing.T, index *spatial.PolygonIndex, points []geo.LatLng, tessellation bool, candidates func(geo.LatLng) []int) (onEdge int) {
	t.Helper()
	stored := make(map[int]orb.MultiPolygon)
	for _, p := range points {
		var inside, touching []int
		near := candidates(p)
		for _, i := range near {
			if stored[i] == nil {
				stored[i] = index.Polygons(i)
			}
			switch rationalPosition(stored[i], p) {
			case 1:
				inside = append(inside, i)
			case 0:
				touching = append(touching, i)
			}
		}
		want := slices.Concat(inside, touching)
		slices.Sort(want)
		got, ok := index.Containing(p)
		if len(inside) == 0 {
			onEdge += min(1, len(touching))
		} else if tessellation && (len(inside) > 1 || got != inside[0]) {
			t.Errorf("%v is inside %v; Containing says %d", p, inside, got)
		}
		if ok != (len(want) > 0) || ok && !slices.Contains(want, got) {
			t.Errorf("%v is inside %v and on the edge of %v; Containing says %d, %v", p, inside, touching, got, ok)
		}
		all := index.AppendContaining(nil, p)
		slices.Sort(all)
		if !slices.Equal(all, want) {
			t.Errorf("%v: AppendContaining gives %v, want %v", p, all, want)
		}
		for _, i := range near {
			if got := index.Covers(i, p); got != slices.Contains(want, i) {
				t.Errorf("%v: Covers(%d) is %v", p, i, got)
			}
		}
	}
	return onEdge
}

// every returns the numbers of all areas as candidates.
func every(index *spatial.PolygonIndex) func(geo.LatLng) []int {
	list := all(index.Len())
	return func(geo.LatLng) []int { return list }
}

func TestContainingInTessellations(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, c := range []struct {
		name        string
		west, south float64
		step        float64
	}{
		{"region", -102, 38, 0.4},
		{"city", -75.2, 45.2, 0.01},
		{"antimeridian", 179.2, 50, 0.3},
		{"equator", -0.8, -0.8, 0.3},
		{"wide", -150, 10, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			areas := tessellate(rng, c.west, c.south, c.step, 5, 5, 3)
			index := pack(t, areas)
			var points []geo.LatLng
			for _, m := range areas {
				points = append(points, near(rng, m, 12)...)
			}
			onEdge := checkContaining(t, index, points, true, every(index))
			if onEdge < 30 {
				t.Errorf("only %d of %d points are on an edge", onEdge, len(points))
			}
		})
	}
}

// TestContainingOnStraightEdges uses edges that hold many points exactly.
func TestContainingOnStraightEdges(t *testing.T) {
	var areas []orb.MultiPolygon
	for i := range 4 {
		for j := range 4 {
			x, y := -100+0.01*float64(i), 40+0.01*float64(j)
			// A square cut in two triangles by its diagonal.
			areas = append(areas,
				orb.MultiPolygon{{closed(orb.Point{x, y}, orb.Point{x + 0.01, y}, orb.Point{x + 0.01, y + 0.01})}},
				orb.MultiPolygon{{closed(orb.Point{x, y}, orb.Point{x + 0.01, y + 0.01}, orb.Point{x, y + 0.01})}})
		}
	}
	index := pack(t, areas)
	var points []geo.LatLng
	for i := -1; i <= fewer(81); i += 2 {
		for j := -1; j <= 81; j += 2 {
			points = append(points, geo.MustLatLng(40+0.0005*float64(j), -100+0.0005*float64(i)))
		}
	}
	for i := 0; i <= 80; i += 5 {
		for j := 0; j <= 80; j += 5 {
			points = append(points, geo.MustLatLng(40+0.0005*float64(j), -100+0.0005*float64(i)))
		}
	}
	if n := checkContaining(t, index, points, true, every(index)); n < 200 {
		t.Errorf("only %d points on edges", n)
	}
}

func TestContainingWithHolesAndOverlaps(t *testing.T) {
	index := pack(t, []orb.MultiPolygon{
		{{square(-80, 40, 4), square(-79, 41, 1)}}, // with a hole
		nil,
		{{square(-77.5, 42, 1)}}, // overlaps the first
		{{square(-77.5, 42, 1)}}, // the same again
		{{square(179, 50, 2)}},   // across the antimeridian
		{{square(-110, 10, 12)}}, // large
		{{square(-104, 14, 1)}},  // inside the large one
		{{square(100, -60, 0.5)}, {square(90, -60, 1)}}, // two parts
		{{closed(orb.Point{0, 80}, orb.Point{120, 80}, orb.Point{-120, 80})}},
	})
	for want, points := range map[int]string{
		-1: "41.5,-78.5 44.0000001,-76 51,-178.9999999 51,178.9999999 -59.5,95 79.99,0 -90,0",
		0:  "40.5,-79.5 41,-78.5 41,-79 42,-78 41.5,-78 42.5,-76.2 40,-80 44,-76",
		2:  "42.5,-77",
		4:  "51,180 51,-180 51,179 51,-179 52,180 50,-180",
		5:  "12,-104 10,-110 22,-98",
		6:  "14.5,-103.5 14,-104",
		7:  "-59.8,100.2 -59.5,90.5",
		8:  "90,0 90,180 90,-77 85,179.9 85,-179.9 80,33",
	} {
		for at := range strings.FieldsSeq(points) {
			p, err := geo.ParseLatLng(at)
			check(t, err)
			got, ok := index.Containing(p)
			if !ok {
				got = -1
			}
			if got != want {
				t.Errorf("%s is in area %d, want %d", at, got, want)
			}
		}
	}
	if diff := gocmp.Diff([]int{2, 3, 0}, index.AppendContaining(nil, geo.MustLatLng(42.5, -77))); diff != "" {
		t.Errorf("overlapping areas, smallest first (-want +got):\n%s", diff)
	}
	if _, ok := index.Containing(geo.LatLng{}); ok || index.AppendContaining(nil, geo.LatLng{}) != nil || index.Covers(0, geo.LatLng{}) {
		t.Error("an invalid point is in an area")
	}
	if index.Covers(-1, geo.MustLatLng(1, 1)) || index.Covers(1, geo.MustLatLng(1, 1)) || index.Covers(99, geo.MustLatLng(1, 1)) {
		t.Error("an area without polygon covers a point")
	}
}

func TestContainingInRealAreas(t *testing.T) {
	z := realZCTAs(t)
	index := pack(t, outlines(z))
	rng := rand.New(rand.NewPCG(6, 2))
	boxes := make([]geo.Box, len(z))
	for i := range z {
		var err error
		if boxes[i], err = spatial.BoundingBox(z[i].outline); err != nil {
			t.Fatal(err)
		}
	}
	var points []geo.LatLng
	for range 400 {
		points = append(points, near(rng, index.Polygons(rng.IntN(len(z))), 4)...)
	}
	edge := checkContaining(t, index, points, false, func(p geo.LatLng) (list []int) {
		for i, b := range boxes {
			const slack = 1e-6
			if p.Lat() > b.SouthWest.Lat()-slack && p.Lat() < b.NorthEast.Lat()+slack && p.Lng() > b.SouthWest.Lng()-slack && p.Lng() < b.NorthEast.Lng()+slack {
				list = append(list, i)
			}
		}
		return list
	})
	t.Logf("%d points on edges", edge)
}
