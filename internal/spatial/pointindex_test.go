package spatial_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// scatter makes points of the kinds that postal codes come in: all over the
// sphere, in clusters, along the antimeridian, at the poles, many at one place.
func scatter(rng *rand.Rand, n int) []geo.LatLng {
	points := make([]geo.LatLng, 0, n)
	for len(points) < n {
		switch k := len(points) % 20; {
		case k < 8:
			points = append(points, uniformPoint(rng))
		case k < 14:
			at := points[rng.IntN(len(points))]
			points = append(points, nudge(rng, at, math.Pow(10, -rng.Float64()*6)))
		case k < 16:
			points = append(points, geo.MustLatLng(50+rng.Float64()*10, math.Remainder(180+rng.NormFloat64(), 360)))
		case k < 17:
			points = append(points, geo.MustLatLng(90-rng.Float64()*0.01, rng.Float64()*360-180))
		case k < 18:
			points = append(points, points[rng.IntN(len(points))])
		case k < 19:
			points = append(points, geo.MustLatLng(90, 0), geo.LatLng{})
		default:
			points = append(points, geo.MustLatLng(0, rng.Float64()*360-180))
		}
	}
	return points[:n]
}

// fewer returns n, or a tenth of it with -short.
func fewer(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

func uniformPoint(rng *rand.Rand) geo.LatLng {
	lat := math.Asin(2*rng.Float64()-1) * 180 / math.Pi
	return geo.MustLatLng(lat, rng.Float64()*360-180).Rounded()
}

// nudge moves a point by up to so many degrees.
func nudge(rng *rand.Rand, p geo.LatLng, by float64) geo.LatLng {
	if !p.IsValid() {
		return uniformPoint(rng)
	}
	lat := max(-90, min(90, p.Lat()+by*(2*rng.Float64()-1)))
	return geo.MustLatLng(lat, math.Remainder(p.Lng()+by*(2*rng.Float64()-1), 360)).Rounded()
}

// bruteForce measures every point exactly, unless its latitude alone is too far: a degree has
// 110.5 km or more.
func bruteForce(points []geo.LatLng, center geo.LatLng, least, most geo.Meters) []spatial.Neighbor {
	var out []spatial.Neighbor
	for i, p := range points {
		if !p.IsValid() || math.Abs(p.Lat()-center.Lat())*110_000 > float64(most) {
			continue
		}
		if d := geo.Distance(center, p); d >= least && d <= most {
			out = append(out, spatial.Neighbor{Distance: d, Index: i})
		}
	}
	slices.SortFunc(out, func(a, b spatial.Neighbor) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Index, b.Index))
	})
	return out
}

// diffNeighbors compares the order, the distances within their promise and
// their rounding to 0.01 mile.
func diffNeighbors(got, want []spatial.Neighbor) string {
	indexes := func(hits []spatial.Neighbor) []int {
		out := make([]int, len(hits))
		for i, h := range hits {
			out[i] = h.Index
		}
		return out
	}
	if diff := gocmp.Diff(indexes(want), indexes(got)); diff != "" {
		return diff
	}
	for i := range got {
		g, w := got[i].Distance, want[i].Distance
		if math.Abs(float64(g-w)) > 4e-9*float64(w)+1e-6 {
			return fmt.Sprintf("point %d is %v m away, want %v", got[i].Index, g, w)
		}
		if geo.Round(float64(g.Miles()), 2) != geo.Round(float64(w.Miles()), 2) {
			return fmt.Sprintf("point %d is %v miles away, want %v", got[i].Index, g.Miles(), w.Miles())
		}
	}
	return ""
}

// searchCase draws a center and the limits of a ring around it, now and then
// exactly on a point.
func searchCase(rng *rand.Rand, points []geo.LatLng) (center geo.LatLng, least, most geo.Meters) {
	draw := func() geo.LatLng {
		for {
			if p := points[rng.IntN(len(points))]; p.IsValid() {
				return p
			}
		}
	}
	switch rng.IntN(6) {
	case 0:
		center = draw()
	case 1:
		center = nudge(rng, draw(), 1)
	case 2:
		center = geo.MustLatLng(90, rng.Float64()*360-180)
	case 3:
		center = geo.MustLatLng(rng.Float64()*180-90, 180)
	default:
		center = uniformPoint(rng)
	}
	most = geo.Meters(math.Pow(10, 1+rng.Float64()*6.31))
	if rng.IntN(3) == 0 {
		most = geo.Distance(center, draw())
	}
	switch rng.IntN(4) {
	case 0:
		least = most * geo.Meters(rng.Float64())
	case 1:
		if d := geo.Distance(center, draw()); d <= most {
			least = d
		}
	}
	return center, least, most
}

func TestPointIndexEqualsBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	points := scatter(rng, 1000)
	index := spatial.NewPointIndex(points)
	var buf []spatial.Neighbor
	hits := 0
	for i := range fewer(1000) {
		center, least, most := searchCase(rng, points)
		want := bruteForce(points, center, least, most)
		hits += len(want)
		buf = index.AppendWithin(buf[:0], center, least, most)
		if diff := diffNeighbors(buf, want); diff != "" {
			t.Fatalf("case %d: within %v to %v m of %v (-want +got):\n%s", i, least, most, center, diff)
		}
		if n := index.Count(center, least, most); n != len(want) {
			t.Fatalf("case %d: Count within %v to %v m of %v is %d, want %d", i, least, most, center, n, len(want))
		}
		limit := 1 + rng.IntN(40)
		var total int
		buf, total = index.AppendNearestWithin(buf[:0], center, least, most, limit)
		if total != len(want) {
			t.Fatalf("case %d: total within %v to %v m of %v is %d, want %d", i, least, most, center, total, len(want))
		}
		if diff := diffNeighbors(buf, want[:min(limit, len(want))]); diff != "" {
			t.Fatalf("case %d: %d nearest within %v to %v m of %v (-want +got):\n%s", i, limit, least, most, center, diff)
		}
	}
	t.Logf("%d hits", hits)
}

func TestPointIndexNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	points := scatter(rng, 800)
	index := spatial.NewPointIndex(points)
	var buf []spatial.Neighbor
	for i := range fewer(500) {
		center, _, _ := searchCase(rng, points)
		want := bruteForce(points, center, 0, math.MaxFloat64)
		for _, k := range []int{1, 2, 1 + rng.IntN(30), 300, index.Len(), index.Len() + 1} {
			if k >= 300 && i%50 != 0 {
				continue
			}
			buf = index.AppendNearest(buf[:0], center, k)
			if diff := diffNeighbors(buf, want[:min(k, len(want))]); diff != "" {
				t.Fatalf("case %d: %d nearest to %v (-want +got):\n%s", i, k, center, diff)
			}
		}
	}
}

func TestPointIndexOfManyPointsAtOnePlace(t *testing.T) {
	points := slices.Repeat([]geo.LatLng{geo.MustLatLng(45.4, -75.7)}, 5000)
	points = append(points, geo.MustLatLng(45.41, -75.7))
	index := spatial.NewPointIndex(points)
	center := geo.MustLatLng(45.5, -75.7)
	got := index.AppendWithin(nil, center, 0, 100000)
	if diff := diffNeighbors(got, bruteForce(points, center, 0, 100000)); diff != "" {
		t.Errorf("AppendWithin (-want +got):\n%s", diff)
	}
	got = index.AppendNearest(nil, geo.MustLatLng(45, -75.7), 3)
	if diff := diffNeighbors(got, bruteForce(points, geo.MustLatLng(45, -75.7), 0, 1e6)[:3]); diff != "" {
		t.Errorf("AppendNearest (-want +got):\n%s", diff)
	}
}

func TestPointIndexDegenerate(t *testing.T) {
	center := geo.MustLatLng(1, 2)
	inf, nan := geo.Meters(math.Inf(1)), geo.Meters(math.NaN())
	one := spatial.NewPointIndex([]geo.LatLng{{}, geo.MustLatLng(1, 2.5)})
	for _, c := range []struct {
		name        string
		index       *spatial.PointIndex
		center      geo.LatLng
		least, most geo.Meters
		want        int
	}{
		{"no points", spatial.NewPointIndex(nil), center, 0, inf, 0},
		{"only invalid points", spatial.NewPointIndex(make([]geo.LatLng, 3)), center, 0, inf, 0},
		{"invalid center", one, geo.LatLng{}, 0, inf, 0},
		{"negative", one, center, 0, -1, 0},
		{"NaN", one, center, 0, nan, 0},
		{"NaN least", one, center, nan, 10, 0},
		{"least above most", one, center, 3, 2, 0},
		{"infinite", one, center, 0, inf, 1},
		{"negative least", one, center, -5, inf, 1},
		{"zero elsewhere", one, center, 0, 0, 0},
		{"zero at the point", one, geo.MustLatLng(1, 2.5), 0, 0, 1},
		{"zero at the point, negative zero", one, geo.MustLatLng(1, 2.5), 0, geo.Meters(math.Copysign(0, -1)), 1},
	} {
		got := c.index.AppendWithin(nil, c.center, c.least, c.most)
		limited, total := c.index.AppendNearestWithin(nil, c.center, c.least, c.most, 5)
		if len(got) != c.want || len(limited) != c.want || total != c.want || c.index.Count(c.center, c.least, c.most) != c.want {
			t.Errorf("%s: %d found, %d of %d limited; want %d", c.name, len(got), len(limited), total, c.want)
		}
	}
	if got := one.AppendNearest(nil, center, 0); got != nil {
		t.Errorf("no neighbors asked for: %v", got)
	}
	if got := one.AppendNearest(nil, geo.LatLng{}, 1); got != nil {
		t.Errorf("neighbors of an invalid center: %v", got)
	}
}

func TestPointIndexAppendsBehindWhatIsThere(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	points := scatter(rng, 2000)
	index := spatial.NewPointIndex(points)
	center := geo.MustLatLng(40, -100)
	first := spatial.Neighbor{Distance: -1, Index: -1}
	dst := index.AppendWithin([]spatial.Neighbor{first}, center, 0, 5e6)
	if dst[0] != first || len(dst) < 150 {
		t.Fatalf("AppendWithin kept %v and appended %d", dst[0], len(dst)-1)
	}
	if diff := diffNeighbors(dst[1:], bruteForce(points, center, 0, 5e6)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := testing.AllocsPerRun(20, func() { dst = index.AppendWithin(dst[:0], center, 0, 5e6) }); n != 0 {
		t.Errorf("%v allocations with a slice that is large enough", n)
	}
	if n := testing.AllocsPerRun(20, func() { dst = index.AppendNearest(dst[:0], center, 10) }); n != 0 {
		t.Errorf("%v allocations for the nearest with a slice that is large enough", n)
	}
}

// decodePoints decodes an index of the points.
func decodePoints(points []geo.LatLng, data []byte) (*spatial.PointIndex, error) {
	return spatial.DecodePointIndex(len(points), func(i int) geo.LatLng { return points[i] }, data)
}

// packedPoints returns the packed form of an index of the points.
func packedPoints(t testing.TB, points []geo.LatLng) []byte {
	t.Helper()
	data, err := spatial.NewPointIndex(points).AppendBinary(nil)
	check(t, err)
	return data
}

func TestPointIndexCodec(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 16, 17, 300, 3000} {
		points := scatter(rng, max(n, 1))[:n]
		index := spatial.NewPointIndex(points)
		data := packedPoints(t, points)
		back, err := decodePoints(points, data)
		check(t, err)
		for range fewer(100) {
			if n == 0 {
				break
			}
			center, least, most := searchCase(rng, points)
			if diff := gocmp.Diff(index.AppendWithin(nil, center, least, most), back.AppendWithin(nil, center, least, most)); diff != "" {
				t.Fatalf("%d points: the decoded index differs (-want +got):\n%s", n, diff)
			}
			if diff := gocmp.Diff(index.AppendNearest(nil, center, 7), back.AppendNearest(nil, center, 7)); diff != "" {
				t.Fatalf("%d points: the decoded index has other nearest ones (-want +got):\n%s", n, diff)
			}
			if got, want := back.Count(center, least, most), index.Count(center, least, most); got != want {
				t.Fatalf("%d points: the decoded index counts %d, want %d", n, got, want)
			}
		}
		again, err := back.AppendBinary(nil)
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("%d points: the decoded index is packed otherwise, %v", n, err)
		}
	}
}

// TestPointIndexLoadsOnce searches a decoded index from several goroutines
// that come to the same points first.
func TestPointIndexLoadsOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	points := scatter(rng, 5000)
	want := spatial.NewPointIndex(points).AppendWithin(nil, geo.MustLatLng(40, -100), 0, 1e7)
	data := packedPoints(t, points)
	for range 20 {
		index, err := decodePoints(points, data)
		check(t, err)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if got := index.AppendWithin(nil, geo.MustLatLng(40, -100), 0, 1e7); !slices.Equal(want, got) {
					t.Errorf("(-want +got):\n%s", gocmp.Diff(want, got))
				}
			})
		}
		wg.Wait()
	}
}

// TestPointIndexDamage changes the packed form in ways that the decoder must see.
func TestPointIndexDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	points := scatter(rng, 400)
	data := packedPoints(t, points)
	header := 16
	with := func(at int, b ...byte) []byte {
		return append(append(slices.Clone(data[:at]), b...), data[at+len(b):]...)
	}
	for name, bad := range map[string][]byte{
		"empty":       nil,
		"magic":       with(0, 'X'),
		"version":     with(4, 9),
		"points":      with(8, 9, 9),
		"truncated":   data[:len(data)-1],
		"too long":    append(slices.Clone(data), 0, 0, 0, 0),
		"twice":       with(header, data[header+4:header+8]...),
		"beyond":      with(header, 255, 255, 255, 255),
		"axis":        with(len(data)-24*32-1, 3), // of the last split before 32 boxes
		"not a box":   with(len(data)-4, 0, 0, 0xc0, 0x7f),
		"not a split": with(len(data)-24*32-9, 1, 0, 0, 0, 0, 0, 0xf8, 0x7f),
	} {
		if x, err := decodePoints(points, bad); !errors.Is(err, spatial.ErrDamagedIndex) || x != nil {
			t.Errorf("%s: %v, want ErrDamagedIndex", name, err)
		}
	}
	if _, err := decodePoints(points[1:], data); !errors.Is(err, spatial.ErrDamagedIndex) {
		t.Errorf("fewer points: %v, want ErrDamagedIndex", err)
	}
}

// FuzzDecodePointIndex looks for data that make a search fail.
func FuzzDecodePointIndex(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 5))
	points := scatter(rng, 60)
	data := packedPoints(f, points)
	f.Add(data, 1.0, 2.0, 1e5)
	f.Add(data[4:], 90.0, -180.0, 1e7)
	f.Add(append(slices.Clone(data[:len(data)-1]), 0x4c), 40.0, -100.0, 1e7)
	f.Fuzz(func(t *testing.T, data []byte, lat, lng, most float64) {
		index, err := decodePoints(points, data)
		if err != nil {
			if !errors.Is(err, spatial.ErrDamagedIndex) {
				t.Fatalf("%v, want ErrDamagedIndex", err)
			}
			return
		}
		center, err := geo.LatLngFromDegrees(lat, lng)
		if err != nil {
			return
		}
		index.AppendWithin(nil, center, 0, geo.Meters(most))
		index.AppendNearest(nil, center, 5)
		index.Count(center, 0, geo.Meters(most))
	})
}
